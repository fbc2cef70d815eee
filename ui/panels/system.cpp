// The pane SYSTEM: values of the machine as in vmstat. Each line contains the values of one interval; the
// lines cover the time around the position.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "sim/base/units.h"
#include "sim/replay/vmstat_columns.h"
#include "sim/scenario/scenario_json.h"
#include "ui/control/control.h"
#include "ui/panels/activity_fill.h"
#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/view/cost_report.h"
#include "ui/view/decision_cursor.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"
#include "ui/view/vmstat_lines.h"

namespace ui {
namespace {

using sim::Nanos;

constexpr std::size_t kPiecesAFrame = 6;  // chunks of work per run and frame; all together take 1 to 2 ms
constexpr std::int64_t kLinesInText = 20;

Nanos shown_vmstat_interval(const Model& model, const ViewState& view) {
    return view.vmstat_interval > Nanos{} ? view.vmstat_interval : vmstat_interval(*model.a);
}

// The totals from the start of the run to the position, cached until the position moves.
struct RunTotals {
    std::uint64_t run = 0, revision = 0;
    sim::Sample sample;
};

sim::Sample totals_of(const Run& run) {
    return sim::sample_of(run.scenario(), run.session().statistics(), run.session().machine());
}

struct CachedTotals {
    RunTotals a, b;
};
struct CachedVmstatLines {
    std::array<VmstatLines, 2> of;
};

const sim::Sample& totals_of(const Run& run, RunTotals& kept) {
    if (kept.run != run.id() || kept.revision != run.session().revision())
        kept = {run.id(), run.session().revision(), totals_of(run)};
    return kept.sample;
}

struct NamedValue {
    const char* name;
    const char* meaning;
    std::string value;
};

std::vector<NamedValue> named_totals(const sim::Sample& s) {
    const double seconds = static_cast<double>(s.time.count()) / 1e9;
    const auto rate = [&](std::uint64_t n) {
        if (s.time == Nanos{}) return std::string("-");
        const double r = static_cast<double>(n) / seconds;
        return r < 100 ? fmt::format("{:.2f}/s", r)
                       : group_digits(static_cast<std::uint64_t>(std::llround(r))) + "/s";
    };
    return {
        {"switches", "changes of the running task, including changes to and from the idle task",
         group_digits(s.switches)},
        {"per second", "switches per second of simulated time, on average", rate(s.switches)},
        {"voluntary", "switches after which the previous task was no longer runnable",
         group_digits(s.voluntary)},
        {"involuntary", "switches after which the previous task was still runnable: preempted, or it yielded",
         group_digits(s.involuntary)},
        {"yields", "calls of sched_yield()", group_digits(s.yields)},
        {"ticks", "timer interrupts", group_digits(s.ticks)},
        {"mean queue", "tasks that schedule() had to choose from, on average",
         s.decisions == 0
             ? std::string("-")
             : fmt::format("{:.2f}", static_cast<double>(s.queue_sum) / static_cast<double>(s.decisions))},
        {"longest queue", "the most tasks that schedule() had to choose from", group_digits(s.longest)},
    };
}

// The number of values per row. The width of the scroll bar is always reserved. Otherwise the bar would
// appear and disappear in turn, because it depends on the number of rows.
int totals_per_row(const Model& model) {
    const float width = ImGui::GetWindowWidth() - 2 * ImGui::GetStyle().ScrollbarSize;
    const float wanted =
        ImGui::CalcTextSize("involuntary  99 999 999").x * (model.b == nullptr ? 1.0f : 1.6f);
    return std::clamp(static_cast<int>(width / wanted), 1, 4);
}

void draw_totals(Frame& frame, int values_per_row) {
    CachedTotals& kept = frame.memory.of<CachedTotals>();
    const Model& model = frame.model;
    const std::vector<NamedValue> a = named_totals(totals_of(*model.a, kept.a));
    const std::vector<NamedValue> b =
        model.b == nullptr ? std::vector<NamedValue>{} : named_totals(totals_of(*model.b, kept.b));
    if (!begin_table("totals", values_per_row,
                     ImGuiTableFlags_SizingStretchSame | ImGuiTableFlags_NoSavedSettings |
                         ImGuiTableFlags_BordersInnerV))
        return;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ImGui::TableNextColumn();
        dim_text(frame, a[i].name);
        explain_item(a[i].meaning);
        ImGui::SameLine();
        draw_right_aligned_text(b.empty() ? a[i].value : a[i].value + " | " + b[i].value, frame.theme.text);
    }
    ImGui::EndTable();
}

// The start of an interval as text, such as "1.5 s".
std::string time_label(Nanos t) {
    if (t == Nanos{}) return "0 s";
    std::string text = sim::format_time(t);
    text.insert(text.find_first_not_of("0123456789."), " ");
    return with_micro_sign(text);
}

// Draws the shares of the kinds of time as a stacked bar, as in the pane COSTS.
void draw_share_bar(Frame& frame, const sim::TimeParts& parts) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = std::floor(ImGui::GetTextLineHeight() * 0.7f);
    const float y = at.y + std::floor((ImGui::GetTextLineHeight() - height) / 2);
    const double all = static_cast<double>(std::max(Nanos{1}, parts.total()).count());
    double sum = 0;
    for (const CostPart& part : cost_parts()) {
        const float from = at.x + std::round(width * static_cast<float>(sum / all));
        sum += static_cast<double>(part.of(parts).count());
        const float to = at.x + std::round(width * static_cast<float>(sum / all));
        if (to > from)
            fill(*ImGui::GetWindowDrawList(), frame.fonts, frame.theme, fill_of(frame.theme, part.activity),
                 ImVec2(from, y), ImVec2(to, y + height));
    }
}

struct VmstatColumn {
    const char* title;
    const char* meaning;
    std::int64_t (*of)(const sim::VmstatLine&);
};
constexpr std::array<VmstatColumn, 8> kVmstatColumns{{
    {"r", "ready and running tasks at the end of the interval",
     [](const sim::VmstatLine& l) { return std::int64_t{l.runnable}; }},
    {"b", "tasks that wait for a disk at the end of the interval",
     [](const sim::VmstatLine& l) { return std::int64_t{l.blocked}; }},
    {"in", "interrupts per second: from the timer, from devices that woke tasks, and between CPUs",
     [](const sim::VmstatLine& l) { return l.interrupts; }},
    {"cs", "context switches per second", [](const sim::VmstatLine& l) { return l.switches; }},
    {"us", "percent of the time in the tasks' own work", [](const sim::VmstatLine& l) { return l.user; }},
    {"sy", "percent of the time in the kernel", [](const sim::VmstatLine& l) { return l.system; }},
    {"id", "percent of the time with nothing to do", [](const sim::VmstatLine& l) { return l.idle; }},
    {"wa", "percent of the time with nothing to do while a task waits for a disk",
     [](const sim::VmstatLine& l) { return l.io_wait; }},
}};
constexpr int kColumns = static_cast<int>(kVmstatColumns.size());

void draw_interval_choice(Frame& frame, Nanos interval) {
    ImGui::AlignTextToFramePadding();
    dim_text(frame, "one line every");
    ImGui::SameLine();
    const bool automatic = frame.view.vmstat_interval == Nanos{};
    const std::string now = span(interval) + (automatic ? " (auto)" : "");
    ImGui::SetNextItemWidth(ImGui::CalcTextSize("100 ms (auto)").x + 2 * ImGui::GetFrameHeight());
    if (ImGui::BeginCombo("##interval", now.c_str())) {
        if (ImGui::Selectable("auto", automatic)) frame.view.vmstat_interval = Nanos{};
        for (std::int64_t n = 1'000; n <= 60'000'000'000; n *= n == 1'000'000'000 ? 60 : 10) {
            const Nanos choice{n};
            if (ImGui::Selectable(span(choice).c_str(), !automatic && choice == interval))
                frame.view.vmstat_interval = choice;
        }
        ImGui::EndCombo();
    }
}

struct VisibleLines {
    Nanos interval;
    std::int64_t first, last, current;  // numbers of intervals; the interval `current` contains the position
    std::array<const Run*, 2> runs;     // runs A and B; B is null without a comparison
    std::array<VmstatLines, 2>& kept;

    bool is_comparing() const { return runs[1] != nullptr; }
    int columns() const { return is_comparing() ? 1 + 2 * kColumns : 1 + kColumns + 1; }
    // True if any run has reached line i.
    bool has(std::int64_t i) const {
        const Nanos begin = interval * i;
        return std::any_of(runs.begin(), runs.end(), [&](const Run* run) {
            return run != nullptr && (begin < run->end() || (begin == Nanos{} && i == current));
        });
    }
};

// `pane_width`: the width of the pane. It must be measured outside the table, because inside the table it
// would include the part that is scrolled out of view.
void set_up_columns(Frame& frame, const VisibleLines& lines, float pane_width) {
    const float padding = 2 * ImGui::GetStyle().CellPadding.x;
    float used = 0;
    const auto column = [&](float width) {
        width = std::ceil(width);
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, width);
        used += width + padding + 1;
    };
    float widest = ImGui::CalcTextSize("from").x;
    for (std::int64_t i = lines.first; i <= lines.last; ++i)
        widest = std::max(widest, ImGui::CalcTextSize(time_label(lines.interval * i).c_str()).x);
    column(widest);
    for (int r = 0; r < (lines.is_comparing() ? 2 : 1); ++r)
        for (std::size_t c = 0; c < kVmstatColumns.size(); ++c)
            column(ImGui::CalcTextSize(c == 2 || c == 3 ? "999 999" : c > 3 ? "100" : "999").x);
    if (!lines.is_comparing()) column(std::clamp(pane_width - used - padding, frame.px(80), frame.px(600)));
}

void draw_headings(Frame& frame, const VisibleLines& lines) {
    if (lines.is_comparing()) {
        ImGui::TableNextRow();
        for (int r = 0; r < 2; ++r) {
            ImGui::TableSetColumnIndex(1 + kColumns * r);
            dim_text(frame, r == 0 ? "A" : "B");
        }
    }
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    draw_right_aligned_text("from", frame.theme.text_dim);
    for (int r = 0; r < (lines.is_comparing() ? 2 : 1); ++r)
        for (std::size_t c = 0; c < kVmstatColumns.size(); ++c) {
            ImGui::TableSetColumnIndex(1 + kColumns * r + static_cast<int>(c));
            draw_right_aligned_text(kVmstatColumns[c].title, frame.theme.text_dim);
            explain_item(kVmstatColumns[c].meaning);
        }
    if (!lines.is_comparing()) {
        ImGui::TableSetColumnIndex(lines.columns() - 1);
        const bool fits = ImGui::CalcTextSize("how time was spent").x <= ImGui::GetContentRegionAvail().x;
        dim_text(frame, fits ? "how time was spent" : "time");
        explain_item("how the time of the interval was spent, in the colours of the pane COSTS");
    }
}

void draw_vmstat_line(Frame& frame, const VisibleLines& lines, std::int64_t i) {
    const Nanos begin = lines.interval * i;
    const bool is_current = i == lines.current;
    ImGui::TableNextRow();
    if (is_current) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, with_alpha(frame.theme.accent, 0.28f));
    ImGui::TableSetColumnIndex(0);
    ImGui::PushID(static_cast<int>(i));
    const float x = ImGui::GetCursorPosX();
    if (ImGui::Selectable("##line", false, ImGuiSelectableFlags_SpanAllColumns))
        frame.ask([begin](Control& control) { control.navigator().seek(begin); });
    ImGui::SameLine();
    set_cursor_pos_x(x);
    ImGui::PopID();
    draw_right_aligned_text(time_label(begin), is_current ? frame.theme.text : frame.theme.text_dim);
    for (std::size_t r = 0; r < lines.runs.size(); ++r) {
        if (lines.runs[r] == nullptr) continue;
        const std::optional<sim::VmstatLine> line = lines.kept[r].line(i);
        for (std::size_t c = 0; c < kVmstatColumns.size(); ++c) {
            ImGui::TableSetColumnIndex(1 + kColumns * static_cast<int>(r) + static_cast<int>(c));
            if (!line) {
                if (c == 3)
                    draw_right_aligned_text(begin < lines.runs[r]->end() ? "…" : "", frame.theme.text_dim);
                continue;
            }
            const std::int64_t value = kVmstatColumns[c].of(*line);
            draw_right_aligned_text(group_digits(static_cast<std::uint64_t>(value)),
                                    value == 0 ? frame.theme.text_dim : frame.theme.text);
        }
        if (line && !lines.is_comparing()) {
            ImGui::TableSetColumnIndex(lines.columns() - 1);
            draw_share_bar(frame, *lines.kept[r].parts(i));
        }
    }
}

}  // namespace

void draw_system(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    if (is_outcome_hidden(frame.view)) return dim_text(frame, kHiddenUntilChosen);
    const Model& model = frame.model;
    const Nanos interval = shown_vmstat_interval(model, frame.view);
    draw_interval_choice(frame, interval);
    ImGui::SameLine();
    dim_text(frame, "load average " + sim::to_text(model.a->session().statistics().load));
    explain_item(
        "running tasks and tasks that wait for a disk, over 1, 5 and 15 minutes, as the kernel computes "
        "them");

    std::array<VmstatLines, 2>& kept = frame.memory.of<CachedVmstatLines>().of;
    std::array<const Run*, 2> runs{model.a, model.b};
    const bool is_comparing = model.b != nullptr;

    const float line_height = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
    const std::int64_t current = std::max<std::int64_t>(0, model.a->now() / interval);
    // The totals are below the lines of the intervals. If there is no room for both, the pane scrolls.
    const int pairs = totals_per_row(model);
    const float totals = static_cast<float>((8 + pairs - 1) / pairs) * line_height + frame.px(6);
    const float headers = (is_comparing ? 2.0f : 1.0f) * line_height;
    const float lines_height = std::max(headers + 7 * line_height, ImGui::GetContentRegionAvail().y - totals);
    const std::int64_t room =
        std::clamp<std::int64_t>(static_cast<std::int64_t>((lines_height - headers) / line_height), 3, 60);
    const std::int64_t first = std::max<std::int64_t>(0, current - room * 2 / 3);
    const std::int64_t last = first + room;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        if (runs[r] == nullptr) continue;
        kept[r].reset_if_changed(*runs[r], interval);
        const bool more = kept[r].compute_lines(*runs[r], first, last, kPiecesAFrame);
        frame.view.moving = frame.view.moving || more;
    }

    const VisibleLines seen{interval, first, last, current, runs, kept};
    const ImGuiTableFlags flags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings |
                                  ImGuiTableFlags_ScrollX | ImGuiTableFlags_BordersInnerV;
    const float whole = ImGui::GetContentRegionAvail().x;
    if (!begin_table("vmstat", seen.columns(), flags, ImVec2(0, lines_height)))
        return draw_totals(frame, pairs);
    set_up_columns(frame, seen, whole);
    draw_headings(frame, seen);
    for (std::int64_t i = first; i < last && seen.has(i); ++i) draw_vmstat_line(frame, seen, i);
    ImGui::EndTable();
    draw_totals(frame, pairs);
}

std::string system_text(const Model& model, const ViewState& view) {
    if (model.a == nullptr) return "No scenario is open.\n";
    if (is_outcome_hidden(view)) return std::string(kHiddenUntilChosen) + "\n";
    std::string text;
    for (const Run* run : {static_cast<const Run*>(model.a), static_cast<const Run*>(model.b)}) {
        if (run == nullptr) continue;
        if (!text.empty()) text += "\n";
        if (model.b != nullptr)
            text += fmt::format("{} {}\n", run_label(run == model.a), run->policy().spec());
        text += fmt::format("until {}\n", instant_text(run->now()));
        TextTable table("lr");
        for (const NamedValue& f : named_totals(totals_of(*run))) table.add({f.name, f.value});
        text += table.text();
        text += fmt::format("load average: {}\n", sim::to_text(run->session().statistics().load));

        const Nanos interval = shown_vmstat_interval(model, view);
        const std::int64_t current = run->now() / interval;
        const std::int64_t first = std::max<std::int64_t>(0, current - kLinesInText / 2);
        VmstatLines lines;
        lines.reset_if_changed(*run, interval);
        while (
            lines.compute_lines(*run, first, first + kLinesInText, std::numeric_limits<std::size_t>::max())) {
        }
        text += fmt::format("\none line every {}, the first line from {}\n{}", span(interval),
                            time_label(interval * first), sim::vmstat_header());
        for (std::int64_t i = first; i < first + kLinesInText; ++i) {
            const std::optional<sim::VmstatLine> line = lines.line(i);
            if (!line) break;
            std::string one = sim::to_text(*line);
            if (i == current) one.insert(one.size() - 1, "  <- here");
            text += one;
        }
    }
    return text;
}

}  // namespace ui
