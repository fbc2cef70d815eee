#include "ui/panels/decision_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

bool outcome_hidden(const ViewState& view) { return view.predicting && !view.prediction; }

std::optional<Cursor> cursor_in(const Run* run, const ViewState& view) {
    const Inside* in = run == nullptr ? nullptr : run->inside();
    if (in == nullptr || in->steps.empty()) return std::nullopt;
    const std::size_t last = in->steps.size() - 1;
    const bool stepping = view.level == DepthLevel::inside && !outcome_hidden(view);
    return Cursor{.run = *run,
                  .in = *in,
                  .at = stepping ? std::min(view.inside_step, last) : last,
                  .stepping = stepping};
}

std::vector<LineCost> line_costs(const Cursor& cursor) {
    std::vector<LineCost> lines(cursor.policy().pseudo_code.size());
    for (std::size_t i = 0; i <= cursor.at; ++i) {
        const sim::DecisionStep& step = cursor.in.steps[i];
        if (step.line >= lines.size()) continue;
        ++lines[step.line].times;
        lines[step.line].cost += step.cost;
    }
    return lines;
}

sim::Overhead cost_so_far(const Cursor& cursor) {
    sim::Overhead sum;
    for (std::size_t i = 0; i <= cursor.at; ++i) {
        const sim::DecisionStep& step = cursor.in.steps[i];
        sum.*sim::part_of(step.phase) += step.cost;
    }
    return sum;
}

std::span<const CostKind> cost_kinds() {
    static constexpr std::array<CostKind, 6> kKinds{{
        {"call", &sim::Overhead::system, sim::Activity::system},
        {"search", &sim::Overhead::select, sim::Activity::select},
        {"refill", &sim::Overhead::recalc, sim::Activity::recalc},
        {"switch", &sim::Overhead::context_switch, sim::Activity::context_switch},
        {"address space", &sim::Overhead::address_space, sim::Activity::address_space},
        {"cache refill", &sim::Overhead::cache_refill, sim::Activity::cache_refill},
    }};
    return kKinds;
}

RefillWalk refill_walk(const Cursor& cursor) {
    const auto& steps = cursor.in.steps;
    const auto is_refill = [](const sim::DecisionStep& s) { return s.phase == sim::Phase::refill; };
    const auto first = std::find_if(steps.begin(), steps.end(), is_refill);
    const auto last = std::find_if_not(first, steps.end(), is_refill);
    RefillWalk walk{.first = static_cast<std::size_t>(first - steps.begin()),
                    .count = static_cast<std::size_t>(last - first)};
    walk.done = std::min(walk.count, cursor.at + 1 - std::min(cursor.at + 1, walk.first));
    return walk;
}

Visit visit(const Cursor& cursor, const RefillWalk& walk, std::size_t i) {
    const sim::DecisionStep& step = cursor.in.steps[walk.first + i];
    const std::uint32_t before = walk.first + i == 0 ? 0 : cursor.in.steps[walk.first + i - 1].refills;
    if (step.task == sim::kNoTask) return {};
    if (step.refills > before) {
        const sim::Refill& refill = cursor.decision().log.refills[step.refills - 1];
        return {refill.task, refill.before, refill.after};
    }
    const sim::DecisionView& view = cursor.decision();
    const sim::Machine& m = view.after.is_live(step.task) ? view.after : view.before;
    return {step.task, m.counter[step.task], m.counter[step.task]};
}

std::string cpu_words(const Cursor& cursor) {
    return cursor.run.scenario().cpus == 1 ? "" : fmt::format("on cpu{} ", cursor.decision().record.cpu);
}

std::string head_line(const Cursor& cursor, bool hidden) {
    const sim::DecisionView& view = cursor.decision();
    const std::string prev = cursor.name(view.record.other), next = cursor.name(view.record.task);
    const std::string where = cpu_words(cursor) + "at " + instant(view.record.time);
    if (hidden) return fmt::format("decision {}: {} → ? {}", grouped(view.number), prev, where);
    if (!cursor.switched())
        return fmt::format("decision {}: {} goes on {}", grouped(view.number), next, where);
    return fmt::format("switch {}: {} → {} {}", grouped(view.switch_number), prev, next, where);
}

std::string bonus_text(const sim::Candidate& c, const sim::DecisionLog& log, bool brief) {
    if (c.goodness < 0 && brief && (c.remark == sim::Remark::none || c.remark == sim::Remark::elsewhere))
        return "elsewhere";
    if (brief && c.remark == sim::Remark::not_allowed) return "not allowed";
    if (const char* const why = sim::not_weighed(c)) return why;
    if (c.goodness < 0) return "runs on another CPU";
    if (sim::is_real_time(c)) return fmt::format("1000 + {}", c.goodness - 1000);
    std::string text;
    const auto add = [&](std::int32_t part, const char* what) {
        if (part != 0) text += fmt::format("{}{:+} {}", text.empty() ? "" : brief ? " " : ", ", part, what);
    };
    add(c.for_priority, brief ? "prio" : "priority");
    add(c.for_mm, "mm");
    add(sim::bonus_for_prev(c, log), "prev");
    add(sim::bonus_for_cpu(c, log), brief ? "cpu" : "last CPU");
    return text;
}

std::optional<bool> predicted_right(const Cursor& cursor, const ViewState& view) {
    if (!view.predicting || !view.prediction) return std::nullopt;
    return mistake_in(cursor, *view.prediction) == sim::quiz::Misconception::none;
}

namespace {

std::string count_of_tasks(std::uint32_t tasks) { return grouped(tasks) + (tasks == 1 ? " task" : " tasks"); }

}  // namespace

bool can_refill(const Cursor& cursor) {
    const auto& code = cursor.policy().pseudo_code;
    return std::any_of(code.begin(), code.end(),
                       [](const sim::PseudoLine& line) { return line.phase == sim::Phase::refill; });
}

std::vector<sim::Candidate> choosable(const Cursor& cursor) {
    const sim::DecisionLog& log = cursor.decision().log;
    std::vector<sim::Candidate> list = log.candidates;
    if (log.searched_before > 0) list.resize(log.searched_before);
    if (cursor.policy().policy->keeps_running_task_queued()) return list;
    // Of a queue in order only the head was looked at.
    const sim::Machine& m = cursor.decision().after;
    std::vector<bool> listed(m.globals().high_row);
    for (const sim::Candidate& c : list) listed[c.task] = true;
    for (sim::TaskId p = m.next_run[0]; p != 0 && p != sim::kNoTask; p = m.next_run[p]) {
        if (listed[p]) continue;
        std::int32_t counter = m.counter[p];
        for (const sim::Refill& refill : log.refills)
            if (refill.task == p) counter = refill.before;
        list.push_back({.task = p, .counter = counter, .bonus = 0, .goodness = 0, .best = false});
    }
    return list;
}

std::vector<Answer> answers(const Cursor& cursor, Ask ask) {
    if (ask == Ask::refill) return {{{ask, 1}, "yes"}, {{ask, 0}, "no"}};
    std::vector<Answer> list;
    const sim::DecisionView& view = cursor.decision();
    for (const sim::quiz::Count& count : sim::quiz::considered_counts(view.log, view.after, cursor.policy()))
        list.push_back({{ask, count.tasks}, count_of_tasks(count.tasks)});
    std::sort(list.begin(), list.end(),
              [](const Answer& a, const Answer& b) { return a.says.value < b.says.value; });
    return list;
}

std::optional<Prediction> numbered_answer(const Cursor& cursor, Ask ask, std::size_t n) {
    if (ask == Ask::who) {
        if (n == 0) return Prediction{ask, cursor.decision().record.cpu};
        const std::vector<sim::Candidate> list = choosable(cursor);
        if (n > list.size()) return std::nullopt;
        return Prediction{ask, list[n - 1].task};
    }
    const std::vector<Answer> list = answers(cursor, ask);
    if (n == 0 || n > list.size()) return std::nullopt;
    return list[n - 1].says;
}

sim::quiz::Misconception mistake_in(const Cursor& cursor, const Prediction& said) {
    const sim::DecisionView& view = cursor.decision();
    switch (said.ask) {
        case Ask::who:
            return sim::quiz::misconception_of(view, cursor.policy(), said.value);
        case Ask::refill:
            return sim::quiz::misconception_of_refill(view.log, view.after, said.value != 0);
        case Ask::considered:
            for (const sim::quiz::Count& count :
                 sim::quiz::considered_counts(view.log, view.after, cursor.policy()))
                if (count.tasks == said.value) return count.misconception;
    }
    return sim::quiz::Misconception::miscounted;
}

std::string score_so_far(const ViewState& view) {
    if (view.predicted == 0) return {};
    return fmt::format("{} of {} right.", view.predicted_right, view.predicted);
}

namespace {

const char* question_of(Ask ask) {
    switch (ask) {
        case Ask::who:
            return "Who runs next? Click, or press its number; 0 is the idle task.";
        case Ask::refill:
            return "Does this schedule() refill all counters? Click, or press a number.";
        case Ask::considered:
            return "How many tasks does this schedule() look at? Click, or press a number.";
    }
    return "";
}

// What somebody said, in the middle of a sentence.
std::string said_text(const Cursor& cursor, const Prediction& said) {
    switch (said.ask) {
        case Ask::who:
            return cursor.name(said.value);
        case Ask::refill:
            return said.value != 0 ? "yes" : "no";
        case Ask::considered:
            return count_of_tasks(said.value);
    }
    return {};
}

// The answer itself, where what follows does not say it.
std::string answer_to(const Cursor& cursor, Ask ask) {
    const sim::Decision& d = cursor.decision().log.decision;
    if (ask == Ask::considered)
        return fmt::format("{} {} looked at. ", count_of_tasks(d.considered),
                           d.considered == 1 ? "is" : "are");
    if (ask == Ask::refill) return d.recalcs > 0 ? "Counters are refilled. " : "Nothing is refilled. ";
    return {};
}

}  // namespace

std::string sentence(const Cursor& cursor, const ViewState& view) {
    const std::string score = score_so_far(view);
    if (outcome_hidden(view)) return question_of(view.ask) + (score.empty() ? "" : " " + score);
    const sim::TaskNamer name = sim::names_in(cursor.decision(), cursor.run.scenario());
    if (cursor.stepping && !cursor.over())
        return sim::describe(cursor.step(), cursor.decision(), cursor.policy(), name);
    std::string text;
    if (const std::optional<bool> right = predicted_right(cursor, view))
        text = (*right ? "✓ Right. "
                       : fmt::format("✗ You said {}. {} ", said_text(cursor, *view.prediction),
                                     sim::quiz::sentence_of(mistake_in(cursor, *view.prediction)))) +
               answer_to(cursor, view.prediction->ask);
    text += sim::why_it_won(cursor.decision().log, cursor.policy(), name);
    return view.predicting && !score.empty() ? text + " " + score : text;
}

std::string mm_text(const sim::Machine& m, const sim::Scenario& scenario, sim::TaskId p) {
    const sim::MmId mm = m.task[p].mm;
    if (mm == sim::kKernelMm) {
        const std::uint16_t cpu = m.is_idle_task(p) ? static_cast<std::uint16_t>(p) : m.task[p].processor;
        if (cpu != sim::Task::kNoProcessor && m.cpu(cpu).current == p &&
            m.cpu(cpu).active_mm != sim::kKernelMm)
            return "borrows " + scenario.mm_name(m, m.cpu(cpu).active_mm);
        return "kernel's page tables";
    }
    return fmt::format("{} {}", mm <= scenario.shared_mms ? "shared mm" : "own mm", mm);
}

// --- drawing ---

void push_font(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(font, pixel_size(*font));
#else
    ImGui::PushFont(font);
#endif
}

float text_width(ImFont* font, const std::string& text) {
    return std::ceil(
        font->CalcTextSizeA(pixel_size(*font), 1e9f, 0, text.data(), text.data() + text.size()).x);
}

std::string cut_to(ImFont* font, const std::string& text, float width) {
    if (text_width(font, text) <= width) return text;
    std::size_t keep = text.size();
    std::string cut;
    do {
        --keep;
        while (keep > 0 && (static_cast<unsigned char>(text[keep]) & 0xc0) == 0x80) --keep;
        cut = text.substr(0, keep) + "…";
    } while (keep > 0 && text_width(font, cut) > width);
    return cut;
}

std::string short_name(ImFont* font, const std::string& name, float width) {
    if (text_width(font, name) <= width) return name;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return cut_to(font, name, width);
    const std::string tail = "…" + name.substr(dot + 1);
    for (std::size_t keep = dot; keep > 0; --keep) {
        if ((static_cast<unsigned char>(name[keep]) & 0xc0) == 0x80) continue;
        if (text_width(font, name.substr(0, keep) + tail) <= width) return name.substr(0, keep) + tail;
    }
    return cut_to(font, tail, width);
}

void draw_text(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float wrap) {
    ImGui::GetWindowDrawList()->AddText(font, pixel_size(*font), ImVec2(std::round(at.x), std::round(at.y)),
                                        colour, text.data(), text.data() + text.size(), wrap);
}

void right_text(const std::string& text) {
    const float spare = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (spare > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::floor(spare));
    ImGui::TextUnformatted(text.c_str());
}

void task_chip(Frame& frame, sim::TaskId p) {
    const float side = std::round(ImGui::GetTextLineHeight() * 0.7f);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float top = at.y + std::round((ImGui::GetTextLineHeight() - side) / 2);
    fill_rect(*ImGui::GetWindowDrawList(), ImVec2(at.x, top), ImVec2(at.x + side, top + side),
              colour_of(frame, p));
    ImGui::Dummy(ImVec2(side, ImGui::GetTextLineHeight()));
    ImGui::SameLine(0, frame.px(6));
}

void draw_frame(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float width) {
    fill_rect(list, min, ImVec2(max.x, min.y + width), colour);
    fill_rect(list, ImVec2(min.x, max.y - width), max, colour);
    fill_rect(list, ImVec2(min.x, min.y + width), ImVec2(min.x + width, max.y - width), colour);
    fill_rect(list, ImVec2(max.x - width, min.y + width), ImVec2(max.x, max.y - width), colour);
}

void draw_cost(Frame& frame, const CostKind& kind, ImVec2 min, ImVec2 max) {
    fill(*ImGui::GetWindowDrawList(), frame.fonts, frame.theme, look_of(frame.theme, kind.activity), min,
         max);
}

Flow::Flow(Frame& frame, float width, float line_height, bool dry)
    : frame_(frame),
      origin_(ImGui::GetCursorScreenPos()),
      width_(width),
      line_(line_height),
      gap_(frame.px(7)),
      dry_(dry) {}

ImVec2 Flow::place(float width) {
    if (x_ > 0 && x_ + width > width_) {
        x_ = 0;
        y_ += line_;
    }
    const ImVec2 at(origin_.x + x_, origin_.y + y_);
    x_ += width + gap_;
    return at;
}

float Flow::side(ImFont* font) const { return std::round(pixel_size(*font) * 0.7f); }

void Flow::put(ImFont* font, ImVec2 at, ImU32 colour, const std::string& text, float width) {
    if (dry_) return;
    const std::string cut = cut_to(font, text, width);
    draw_text(font, ImVec2(at.x, at.y + (line_ - pixel_size(*font)) / 2), colour, cut);
    if (cut.size() != text.size() && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(at, ImVec2(at.x + width, at.y + line_)))
        ImGui::SetTooltip("%s", text.c_str());
}

void Flow::text(ImFont* font, ImU32 colour, const std::string& text) {
    const float width = std::min(text_width(font, text), width_);
    put(font, place(width), colour, text, width);
}

void Flow::chip(ImFont* font, ImU32 colour, ImU32 square, const std::string& text) {
    const float s = side(font), space = std::round(s / 2);
    const float width = std::min(text_width(font, text), width_ - s - space);
    const ImVec2 at = place(s + space + width);
    if (!dry_) {
        const float top = at.y + std::round((line_ - s) / 2);
        fill_rect(*ImGui::GetWindowDrawList(), ImVec2(at.x, top), ImVec2(at.x + s, top + s), square);
    }
    put(font, ImVec2(at.x + s + space, at.y), colour, text, width);
}

void Flow::cost(ImFont* font, ImU32 colour, const CostKind& kind, const std::string& text) {
    const float s = std::round(pixel_size(*font) * 0.8f), space = std::round(s / 2);
    const float width = std::min(text_width(font, text), width_ - s - space);
    const ImVec2 at = place(s + space + width);
    if (!dry_) {
        const float top = at.y + std::round((line_ - s) / 2);
        draw_cost(frame_, kind, ImVec2(at.x, top), ImVec2(at.x + s, top + s));
    }
    put(font, ImVec2(at.x + s + space, at.y), colour, text, width);
}

float Flow::finish() {
    const float height = y_ + line_;
    if (!dry_) ImGui::Dummy(ImVec2(width_, height));
    return height;
}

}  // namespace ui
