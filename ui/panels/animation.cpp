// The pane ANIMATION: the last schedule() as a short film that is played, dragged back and forth, or, with
// reduced motion, shown as numbered stills.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ui/control/control.h"
#include "ui/panels/drawing.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/shapes.h"
#include "ui/view/animation_timing.h"
#include "ui/view/decision_scene.h"
#include "ui/view/format.h"
#include "ui/view/two_runs.h"
#include "ui/view/yield_race.h"

namespace ui {
namespace {

constexpr const char* kNoDecision = "schedule() has not been called yet.";

struct SceneArea {
    ImVec2 min, size;
    ImVec2 max() const { return {min.x + size.x, min.y + size.y}; }
};

// Draws one scene into an area. Positions depend on the scene and the area alone.
class ScenePainter {
  public:
    ScenePainter(Frame& frame, const Cursor& c, const DecisionScene& scene, SceneArea area)
        : f_(frame), c_(c), scene_(scene), area_(area), list_(*ImGui::GetWindowDrawList()) {
        const float text = pixel_size(*f_.fonts.sans);
        const bool has_lower_part = !scene_.columns.empty() || scene_.fair_before;
        card_.y =
            std::floor(std::min(5 * text, has_lower_part ? area_.size.y * 0.45F : area_.size.y - f_.px(4)));
        gap_ = f_.px(10);
        // As wide as all cards permit, within bounds.
        const auto waiting = static_cast<float>(std::count_if(
            scene_.cards.begin(), scene_.cards.end(), [](const SceneCard& s) { return s.place > -1; }));
        const float head = f_.px(54), fits = (area_.size.x - head) / (waiting + 1) - gap_;
        card_.x = std::floor(std::clamp(fits, f_.px(72), f_.px(150)));
        queue_left_ = area_.min.x + card_.x + head;
        const float room = area_.max().x - queue_left_;
        most_ = std::max<std::size_t>(
            1, static_cast<std::size_t>(std::max(0.0F, room + gap_) / (card_.x + gap_)));
        if (static_cast<float>(most_) < waiting && most_ > 1) --most_;  // room for the number of the others
    }

    void draw() {
        list_.PushClipRect(area_.min, area_.max(), true);
        draw_places();
        for (const SceneCard& card : scene_.cards)
            if (!card.best) draw_card(card);
        for (const SceneCard& card : scene_.cards)
            if (card.best) draw_card(card);
        const SceneArea lower{{area_.min.x, area_.min.y + card_.y + f_.px(10)},
                              {area_.size.x, area_.size.y - card_.y - f_.px(10)}};
        if (!scene_.columns.empty())
            draw_columns(lower);
        else if (scene_.fair_before)
            draw_axis(lower);
        list_.PopClipRect();
    }

  private:
    ImVec2 place_of(const SceneCard& card) const {
        const float shown = static_cast<float>(std::min(card.place, static_cast<double>(most_)));
        const auto at_queue = [&](float place) { return queue_left_ + place * (card_.x + gap_); };
        // Between the CPU (-1) and the head (0) the distance is larger than between cards.
        const float x = shown < 0
                            ? area_.min.x + f_.px(2) + (shown + 1) * (at_queue(0) - area_.min.x - f_.px(2))
                            : at_queue(shown);
        return {std::floor(x), area_.min.y};
    }

    void draw_places() {
        const ImVec2 cpu{area_.min.x + f_.px(2), area_.min.y};
        draw_frame(list_, cpu, {cpu.x + card_.x, cpu.y + card_.y}, f_.theme.text_dim,
                   std::max(1.0F, f_.px(1)));
        const std::string name = fmt::format("cpu{}", c_.decision().record.cpu);
        draw_text(f_.fonts.sans, {cpu.x + f_.px(6), cpu.y + card_.y - pixel_size(*f_.fonts.sans) - f_.px(4)},
                  f_.theme.text_dim, name);
        const float y = area_.min.y + std::floor((card_.y - pixel_size(*f_.fonts.sans)) / 2);
        draw_text(f_.fonts.sans, {queue_left_ - text_width(f_.fonts.sans, "head") - f_.px(6), y},
                  f_.theme.text_dim, "head");
        const std::size_t waiting = static_cast<std::size_t>(std::count_if(
            scene_.cards.begin(), scene_.cards.end(), [](const SceneCard& s) { return s.place >= 0; }));
        if (waiting <= most_) return;
        draw_text(f_.fonts.sans, {area_.max().x - text_width(f_.fonts.sans, "+99") - f_.px(2), y},
                  f_.theme.text_dim, fmt::format("+{}", waiting - most_));
    }

    void draw_card(const SceneCard& card) {
        if (card.opacity <= 0 || card.place >= static_cast<double>(most_) - 0.01) return;
        const Theme& theme = f_.theme;
        const auto faded = [&](ImU32 colour) { return with_alpha(colour, static_cast<float>(card.opacity)); };
        const ImVec2 min = place_of(card), max{min.x + card_.x, min.y + card_.y};
        const ImU32 ground =
            blend(with_alpha(card.best ? theme.ok : theme.text, card.best ? 0.18F : 0.08F), theme.panel);
        fill_rect(list_, min, max, faded(ground));
        fill_rect(list_, min, {min.x + f_.px(6), max.y}, faded(colour_of(f_, card.task)));
        const float line = std::round(f_.px(card.examined || card.best ? 2.5F : 1));
        draw_frame(list_, min, max,
                   faded(card.best       ? theme.ok
                         : card.examined ? theme.accent
                                         : theme.panel_border),
                   line);
        ImFont* const sans = f_.fonts.sans;
        const float text = pixel_size(*sans), left = min.x + f_.px(12), room = card_.x - f_.px(16);
        float y = min.y + f_.px(4);
        draw_text(sans, {left, y}, faded(theme.text),
                  (card.best ? "◆ " : "") + short_name(sans, c_.name(card.task), room - f_.px(14)));
        y += text + f_.px(5);
        if (!card.value.empty())
            draw_text(sans, {left, y}, faded(theme.text_dim), in_lines(sans, card.value, room));
        if (card.slice >= 0) {
            const ImVec2 bar{left, max.y - f_.px(9)}, end{max.x - f_.px(6), max.y - f_.px(4)};
            draw_frame(list_, bar, end, faded(theme.text_dim), 1);
            fill_rect(list_, bar, {bar.x + (end.x - bar.x) * static_cast<float>(card.slice), end.y},
                      faded(colour_of(f_, card.task)));
        }
        if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) f_.point_at(card.task);
    }

    std::string arithmetic_of(const SceneColumn& column) const {
        return fmt::format("{}{}: {} / 2 = {}, + {} = {}", c_.name(column.task),
                           column.asleep ? " (asleep)" : "", column.before, column.before / 2,
                           column.priority, column.after);
    }

    void point_at_column(const SceneColumn& column, ImVec2 min, ImVec2 max) {
        if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(min, max)) return;
        f_.point_at(column.task);
        ImGui::SetTooltip("%s", arithmetic_of(column).c_str());
    }

    // One column per task, in the order of the task table. The read head passes from left to right.
    void draw_columns(const SceneArea& area) {
        const auto count = static_cast<float>(scene_.columns.size());
        const float text = pixel_size(*f_.fonts.sans);
        const std::string rule = "line: the limit, twice the task's own priority";
        const float label = text_width(f_.fonts.sans, rule) + f_.px(10);
        const bool has_label = area.size.x > 2 * label;
        const float width = std::clamp((area.size.x - (has_label ? label : 0)) / count, 2.0F, f_.px(72)),
                    bottom = area.max().y - text - f_.px(4);
        const float top = area.min.y + text + f_.px(2);
        const float height = bottom - top;
        if (height < f_.px(12)) return;
        const auto y_of = [&](double counter) {
            return bottom - height * static_cast<float>(std::min(1.0, counter / std::max(1, scene_.limit)));
        };
        for (std::size_t i = 0; i < scene_.columns.size(); ++i) {
            const SceneColumn& column = scene_.columns[i];
            const float x = area.min.x + width * static_cast<float>(i), inner = width > 6 ? f_.px(2) : 0;
            const ImU32 colour = column.asleep ? f_.theme.text_dim : colour_of(f_, column.task);
            fill_rect(list_, {x + inner, y_of(column.counter)}, {x + width - inner, bottom},
                      with_alpha(colour, column.asleep ? 0.45F : 1));
            const float limit = y_of(2 * column.priority);
            fill_rect(list_, {x, limit}, {x + width, limit + std::max(1.0F, f_.px(1))}, f_.theme.warning);
            point_at_column(column, {x, area.min.y}, {x + width, area.max().y});
            if (width < f_.px(26)) continue;
            const double passed = scene_.read_head - static_cast<double>(i);
            const std::string value = column.done ? fmt::format("{}", column.after)
                                      : passed > 0.5
                                          ? fmt::format("{} + {}", column.before / 2, column.priority)
                                      : passed > 0 ? fmt::format("{} / 2", column.before)
                                                   : fmt::format("{}", column.before);
            draw_text(f_.fonts.sans,
                      {x + inner + f_.px(2), std::max(area.min.y, y_of(column.counter) - text)},
                      f_.theme.text, value);
            draw_text(f_.fonts.sans, {x + inner, bottom + f_.px(2)}, f_.theme.text_dim,
                      cut_to(f_.fonts.sans, c_.name(column.task), width - f_.px(4)));
        }
        if (has_label)
            draw_text(f_.fonts.sans, {area.min.x + width * count + f_.px(8), area.min.y}, f_.theme.text_dim,
                      rule + "\ngrey: asleep");
        const float head = area.min.x + width * static_cast<float>(scene_.read_head);
        fill_rect(list_, {head - f_.px(1), area.min.y}, {head + f_.px(1), bottom}, f_.theme.accent);
        // The numbers of the task under the read head.
        const auto current = static_cast<std::size_t>(scene_.read_head);
        if (has_label && current < scene_.columns.size())
            draw_text(f_.fonts.sans, {area.min.x + width * count + f_.px(8), top + 3 * text}, f_.theme.text,
                      arithmetic_of(scene_.columns[current]));
        if (width < f_.px(26))
            draw_text(
                f_.fonts.sans, {area.min.x, bottom + f_.px(2)}, f_.theme.text_dim,
                fmt::format("{} tasks in the order of the task table; grey: asleep; line: twice the priority",
                            scene_.columns.size()));
    }

    // The virtual times of a fair policy. The marker of prev is hollow until prev is charged.
    void draw_axis(const SceneArea& area) {
        const FairQueue &before = *scene_.fair_before, &after = *scene_.fair_after;
        const float text = pixel_size(*f_.fonts.sans), least_row = text + f_.px(5);
        // A task that this event has woken is only in the later state; its marker does not move.
        std::vector<std::pair<const FairQueue*, const FairRow*>> tracks;
        for (const FairRow& r : before.rows) tracks.emplace_back(&before, &r);
        for (const FairRow& r : after.rows)
            if (std::none_of(before.rows.begin(), before.rows.end(),
                             [&](const FairRow& b) { return b.task == r.task; }))
                tracks.emplace_back(&after, &r);
        const float wanted =
            (area.size.y - text - f_.px(8)) / static_cast<float>(std::max<std::size_t>(1, tracks.size()));
        const float row = std::clamp(wanted, least_row, 2.5F * text);
        const auto rows = static_cast<std::size_t>(std::max(0.0F, (area.size.y - text) / row));
        if (rows == 0) return;
        // One scale for the whole animation: absolute virtual times of both states.
        std::int64_t least = before.min_vruntime + before.average, most = least;
        const auto widen = [&](std::int64_t t) { least = std::min(least, t), most = std::max(most, t); };
        for (const FairQueue* queue : {&before, &after})
            for (const FairRow& r : queue->rows) {
                widen(queue->min_vruntime + r.vruntime);
                if (queue->has_deadlines) widen(queue->min_vruntime + r.deadline);
            }
        if (before.has_deadlines) widen(after.min_vruntime + after.average);
        const float left = area.min.x + f_.px(120), right = area.max().x - f_.px(12);
        const auto x_of = [&](double t) {
            const double share =
                (t - static_cast<double>(least)) / std::max(1.0, static_cast<double>(most - least));
            return left + (right - left) * static_cast<float>(share);
        };
        const auto absolute = [](const FairQueue& q, std::int64_t t) {
            return static_cast<double>(q.min_vruntime + t);
        };
        const double v_now =
            absolute(before, before.average) +
            scene_.charged * (absolute(after, after.average) - absolute(before, before.average));
        std::size_t line = 0;
        for (const auto& [queue, its] : tracks) {
            const FairRow& r = *its;
            if (line >= rows) break;
            const auto same = std::find_if(after.rows.begin(), after.rows.end(),
                                           [&](const FairRow& a) { return a.task == r.task; });
            const bool stays = same != after.rows.end();
            const double from = absolute(*queue, r.vruntime),
                         to = stays ? absolute(after, same->vruntime) : from;
            const double at = from + (to - from) * scene_.charged;
            const double deadline =
                absolute(*queue, r.deadline) +
                (stays ? (absolute(after, same->deadline) - absolute(*queue, r.deadline)) * scene_.charged
                       : 0);
            const float y = area.min.y + row * static_cast<float>(line++), middle = y + row / 2;
            draw_text(f_.fonts.sans, {area.min.x, std::floor(middle - text / 2)}, f_.theme.text,
                      short_name(f_.fonts.sans, c_.name(r.task), f_.px(110)));
            fill_rect(list_, {left, middle}, {right, middle + 1}, f_.theme.grid);
            const ImU32 colour = colour_of(f_, r.task);
            const bool seen = std::find(scene_.seen.begin(), scene_.seen.end(), r.task) != scene_.seen.end();
            // Known once prev is charged.
            const bool eligible = !before.has_deadlines || scene_.charged < 1 || at <= v_now;
            if (!eligible && scene_.charged >= 1 && row >= 2 * text)
                draw_text(f_.fonts.sans, {area.min.x, std::floor(middle + text / 2)}, f_.theme.text_dim,
                          "not eligible");
            const float x = x_of(at), radius = f_.px(5);
            if (before.has_deadlines) {
                const float end = x_of(deadline);
                // The bracket from the vruntime to the deadline; of tasks that are not eligible it is dim.
                fill_rect(list_, {x, middle}, {end, middle + std::max(1.0F, f_.px(2))},
                          eligible ? colour : with_alpha(colour, 0.35F));
                fill_rect(list_, {end - f_.px(1), middle - f_.px(5)}, {end + f_.px(1), middle + f_.px(6)},
                          eligible ? colour : with_alpha(colour, 0.35F));
            }
            const bool hollow = r.running && scene_.charged < 1;
            if (hollow || (before.has_deadlines && !(eligible && seen)))
                ring(list_, {x, middle}, radius, colour, 0, std::max(1.5F, f_.px(2)));
            else
                disc(list_, {x, middle}, radius, colour);
        }
        const float below = area.min.y + row * static_cast<float>(line) + text + f_.px(4);
        if (below + text < area.max().y)
            draw_text(f_.fonts.sans, {area.min.x, below}, f_.theme.text_dim,
                      before.has_deadlines
                          ? "left to right: virtual time; circle: vruntime, filled if examined and eligible, "
                            "which is not right of V, the weighted average; bar: up to the deadline"
                          : "left to right: virtual time; circle: vruntime, filled once it is charged");
        if (before.has_deadlines) {
            const float x = x_of(v_now);
            fill_rect(list_, {x, area.min.y},
                      {x + std::max(1.0F, f_.px(2)), area.min.y + row * static_cast<float>(line)},
                      f_.theme.accent);
            draw_text(f_.fonts.sans, {x + f_.px(4), area.min.y + row * static_cast<float>(line)},
                      f_.theme.accent, "V");
        }
    }

    Frame& f_;
    const Cursor& c_;
    const DecisionScene& scene_;
    SceneArea area_;
    ImDrawList& list_;
    ImVec2 card_{};
    float gap_ = 0, queue_left_ = 0;
    std::size_t most_ = 0;  // cards that fit
};

// --- two runs: their yields on one clock ---

struct CachedRace {
    std::uint64_t a = 0, b = 0;
    YieldRace race;
};

const YieldRace& race_of(Frame& frame) {
    CachedRace& cached = frame.memory.of<CachedRace>();
    const Run &a = *frame.model.a, &b = *frame.model.b;
    if (cached.a != a.id() || cached.b != b.id()) cached = {a.id(), b.id(), yield_race(a, b)};
    return cached.race;
}

bool is_complete(const YieldRace& race) {
    return !race.lanes[0].yields.empty() && !race.lanes[1].yields.empty();
}

std::string race_text(const YieldRace& race, const Model& model) {
    const sim::Nanos a = race.lanes[0].yields.back(), b = race.lanes[1].yields.back();
    return fmt::format("{} yields take {} under {} and {} under {}. The distance, {}, is the cost.",
                       YieldRace::kYields, span(a), model.a->history().policy().spec(), span(b),
                       model.b->history().policy().spec(), span(a > b ? a - b : b - a));
}

// `share`: of the time of the slower run, 0 to 1.
void draw_race(Frame& frame, const YieldRace& race, double share, SceneArea area) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const sans = frame.fonts.sans;
    const float text = pixel_size(*sans), left = area.min.x + frame.px(8),
                right = area.max().x - frame.px(90);
    const auto end = static_cast<double>(std::max<std::int64_t>(1, race.end().count()));
    const double clock = share * end;
    const auto x_of = [&](double t) { return left + (right - left) * static_cast<float>(t / end); };
    const float height = std::min(frame.px(70), (area.size.y - 2 * text) / 2 - text - frame.px(8));
    float ends[2] = {};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::vector<sim::Nanos>& yields = race.lanes[i].yields;
        const float y = area.min.y + static_cast<float>(i) * (height + text + frame.px(14));
        const Run& run = i == 0 ? *frame.model.a : *frame.model.b;
        const auto made = std::count_if(yields.begin(), yields.end(), [&](sim::Nanos t) {
            return static_cast<double>(t.count()) <= clock;
        });
        draw_text(sans, {left, y}, frame.theme.text,
                  fmt::format("{}: {}   {} of {} yields", run_label(i == 0), run.history().policy().spec(),
                              made, YieldRace::kYields));
        const float top = y + text + frame.px(4),
                    stop = x_of(std::min(clock, static_cast<double>(yields.back().count())));
        fill_rect(list, {left, top}, {right, top + height}, frame.theme.grid);
        fill_rect(list, {left, top}, {stop, top + height},
                  with_alpha(i == 0 ? frame.theme.cursor_a : frame.theme.cursor_b, 0.35F));
        for (std::ptrdiff_t k = 0; k < made; ++k) {
            const float x = x_of(static_cast<double>(yields[static_cast<std::size_t>(k)].count()));
            fill_rect(list, {x - 1, top}, {x + 1, top + height}, frame.theme.text);
        }
        ends[i] = stop;
        const double shown = std::min(clock, static_cast<double>(yields.back().count()));
        draw_text(sans, {stop + frame.px(6), top + (height - text) / 2}, frame.theme.text,
                  span(sim::Nanos{static_cast<std::int64_t>(shown)}));
    }
    if (share < 1) return;
    const float y = area.min.y + 2 * (height + text + frame.px(14));
    fill_rect(list, {std::min(ends[0], ends[1]), y},
              {std::max(ends[0], ends[1]), y + std::max(2.0F, frame.px(3))}, frame.theme.warning);
}

// The state of the animation of this decision.
ViewState::Animation& animation_of(Frame& frame, const Cursor& c) {
    ViewState::Animation& a = frame.view.animation;
    if (a.run != c.run.id() || a.decision != c.decision().number)
        a = {.run = c.run.id(), .decision = c.decision().number, .at = 0, .plays = a.plays};
    return a;
}

void draw_progress(Frame& frame, ViewState::Animation& a, const std::vector<SceneAct>& acts,
                   const DecisionScene& scene) {
    const auto count = static_cast<double>(acts.size());
    const auto button = [&](const char* sign, const char* what, double to) {
        if (ImGui::Button(sign)) {
            a.at = to;
            a.plays = false;
        }
        explain_item(what);
        ImGui::SameLine(0, frame.px(3));
    };
    button("⏮", "To the beginning", 0);
    button("⏴", "One act back", std::max(0.0, std::ceil(a.at) - 1));
    if (ImGui::Button(a.plays ? "II pause" : "▶ play")) {
        if (!a.plays && a.at >= count) a.at = 0;
        a.plays = !a.plays;
    }
    explain_item("Play or pause");
    ImGui::SameLine(0, frame.px(3));
    button("⏵", "One act forward", std::min(count, std::floor(a.at) + 1));
    ImGui::SetNextItemWidth(std::max(frame.px(80), ImGui::GetContentRegionAvail().x - frame.px(90)));
    const double none = 0;
    if (ImGui::SliderScalar("##progress", ImGuiDataType_Double, &a.at, &none, &count, "",
                            ImGuiSliderFlags_AlwaysClamp))
        a.plays = false;
    if (scene.clock == sim::Nanos{}) return;
    ImGui::SameLine(0, frame.px(8));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(span(scene.clock).c_str());
}

// The lanes of two runs. Progress: 0 to 1.
void draw_lanes(Frame& frame, ViewState::Animation& a) {
    constexpr double kSeconds = 8;
    const YieldRace& race = race_of(frame);
    a.at = frame.view.reduce_motion ? 1 : std::clamp(a.at, 0.0, 1.0);
    if (a.plays) {
        a.at = std::min(1.0, a.at + static_cast<double>(frame.dt) / kSeconds);
        a.plays = a.at < 1;
        frame.view.moving = frame.view.moving || a.plays;
    }
    if (!frame.view.reduce_motion) {
        if (ImGui::Button(a.plays ? "II" : "▶")) {
            if (!a.plays && a.at >= 1) a.at = 0;
            a.plays = !a.plays;
        }
        explain_item("Play or pause");
        ImGui::SameLine(0, frame.px(3));
        const double none = 0, all = 1;
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
        if (ImGui::SliderScalar("##progress", ImGuiDataType_Double, &a.at, &none, &all,
                                "both runs on one clock", ImGuiSliderFlags_AlwaysClamp))
            a.plays = false;
    }
    paragraph(race_text(race, frame.model));
    const ImVec2 room = ImGui::GetContentRegionAvail();
    draw_race(frame, race, a.at, {ImGui::GetCursorScreenPos(), room});
    ImGui::Dummy({room.x, std::max(1.0F, room.y - 1)});
}

void draw_stills(Frame& frame, const Cursor& c, const std::vector<SceneAct>& acts) {
    const ImVec2 room = ImGui::GetContentRegionAvail(), origin = ImGui::GetCursorScreenPos();
    const auto columns = static_cast<std::size_t>(std::max(1.0F, room.x / frame.px(420)));
    const std::size_t rows = (acts.size() + columns - 1) / columns;
    const ImVec2 size{room.x / static_cast<float>(columns),
                      std::max(frame.px(90), room.y / static_cast<float>(std::max<std::size_t>(1, rows)))};
    for (std::size_t i = 0; i < acts.size(); ++i) {
        const ImVec2 at{origin.x + size.x * static_cast<float>(i % columns),
                        origin.y + size.y * static_cast<float>(i / columns)};
        const float text = pixel_size(*frame.fonts.sans);
        const std::string caption = fmt::format("{}. {}", i + 1, acts[i].caption);
        draw_text(frame.fonts.sans, at, frame.theme.text,
                  cut_to(frame.fonts.sans, caption, size.x - frame.px(12)));
        // Each still shows the end of its act; the recalculation its middle.
        const double end =
            static_cast<double>(i) + (acts[i].what == SceneAct::What::recalculate ? 0.5 : 0.999);
        const DecisionScene scene = scene_at(c, acts, end);
        ScenePainter(
            frame, c, scene,
            {{at.x, at.y + text + frame.px(4)}, {size.x - frame.px(12), size.y - text - frame.px(12)}})
            .draw();
    }
    ImGui::Dummy(room);
}

}  // namespace

void draw_animation(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    const std::optional<Cursor> c = cursor_in(frame.model.a, frame.view);
    if (!c || is_outcome_hidden(frame.view)) {
        dim_text(frame, c ? kHiddenUntilChosen : kNoDecision);
        return;
    }
    const std::vector<SceneAct> acts = scene_acts(*c);
    ViewState::Animation& a = animation_of(frame, *c);
    if (frame.model.b != nullptr && is_complete(race_of(frame))) return draw_lanes(frame, a);
    if (frame.view.reduce_motion) {
        draw_stills(frame, *c, acts);
        return;
    }
    const auto count = static_cast<double>(acts.size());
    a.at = std::clamp(a.at, 0.0, count);
    if (a.plays) {
        const std::size_t act = std::min(static_cast<std::size_t>(a.at), acts.size() - 1);
        a.at = std::min(count, a.at + static_cast<double>(frame.dt) / acts[act].seconds);
        if (a.at >= count) a.plays = false;
        frame.view.moving = frame.view.moving || a.plays;
    }
    const DecisionScene scene = scene_at(*c, acts, a.at);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    std::string lines =
        in_lines(frame.fonts.sans,
                 fmt::format("{} of {}. {}", scene.act + 1, acts.size(), acts[scene.act].caption), width);
    draw_text(frame.fonts.sans, at, frame.theme.text, lines);
    const float text = 2 * ImGui::GetTextLineHeightWithSpacing();
    ImGui::Dummy({width, text});
    draw_progress(frame, a, acts, scene);  // below the caption, so that tooltips do not cover it
    const ImVec2 room = ImGui::GetContentRegionAvail();
    ScenePainter(frame, *c, scene, {ImGui::GetCursorScreenPos(), {room.x, room.y}}).draw();
    ImGui::Dummy({room.x, std::max(1.0F, room.y - 1)});
}

std::string animation_text(const Model& model, const ViewState& view) {
    const std::optional<Cursor> c = cursor_in(model.a, view);
    if (!c) return std::string(kNoDecision) + "\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenUntilChosen) + "\n";
    std::string text;
    if (model.b != nullptr)
        if (const YieldRace race = yield_race(*model.a, *model.b); is_complete(race))
            return race_text(race, model) + "\n";
    int number = 0;
    for (const SceneAct& act : scene_acts(*c)) text += fmt::format("{}. {}\n", ++number, act.caption);
    return text;
}

}  // namespace ui
