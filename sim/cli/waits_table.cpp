#include "sim/cli/waits_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sim/base/problem.h"
#include "sim/cli/output.h"

namespace sim::cli {

using nlohmann::ordered_json;

const trace_io::TaskWaits* WaitsColumn::of(const std::string& group) const {
    const auto place = by_group.find(group);
    return place == by_group.end() ? nullptr : &waits->waits_of(place->second);
}

namespace {

using trace_io::TaskWaits;

std::string percentile_text(const SpanHistogram& spans, double percent) {
    return spans.count() == 0 ? "-" : human_time(spans.percentile(percent));
}

std::string longest_text(const SpanHistogram& spans, Nanos unfinished) {
    return spans.count() == 0 && unfinished == Nanos{} ? "-"
                                                       : human_time(std::max(spans.max_span(), unfinished));
}

struct WaitsRow {
    const char* label;
    std::string (*value)(const TaskWaits& w);
};

const WaitsRow kWaitsRows[] = {
    {"switches to a task", [](const TaskWaits& w) { return group_digits(w.switches); }},
    {"involuntary switches", [](const TaskWaits& w) { return group_digits(w.involuntary); }},
    {"CPU time", [](const TaskWaits& w) { return human_time(w.ran); }},
    {"total wait for a CPU", [](const TaskWaits& w) { return human_time(w.total_wait()); }},
    {"  median wait", [](const TaskWaits& w) { return percentile_text(w.waits, 50); }},
    {"  90th percentile", [](const TaskWaits& w) { return percentile_text(w.waits, 90); }},
    {"  99th percentile", [](const TaskWaits& w) { return percentile_text(w.waits, 99); }},
    {"  longest wait", [](const TaskWaits& w) { return longest_text(w.waits, w.unfinished.most); }},
    {"median wait after a wake-up", [](const TaskWaits& w) { return percentile_text(w.latency, 50); }},
    {"  90th percentile", [](const TaskWaits& w) { return percentile_text(w.latency, 90); }},
    {"  99th percentile", [](const TaskWaits& w) { return percentile_text(w.latency, 99); }},
    {"  longest wait", [](const TaskWaits& w) { return longest_text(w.latency, w.unfinished.most_woken); }},
};

std::string unfinished_text(const TaskWaits& w) {
    return w.unfinished.count == 0
               ? "0"
               : fmt::format("{}, {}", group_digits(w.unfinished.count), human_time(w.unfinished.sum));
}

ordered_json json_of_waits(const TaskWaits& w) {
    const auto spans = [](const SpanHistogram& h) {
        return ordered_json{{"count", h.count()},
                            {"sum_ns", h.sum().count()},
                            {"p50_ns", h.percentile(50).count()},
                            {"p90_ns", h.percentile(90).count()},
                            {"p99_ns", h.percentile(99).count()},
                            {"max_ns", h.max_span().count()}};
    };
    return {{"switches", w.switches},
            {"involuntary", w.involuntary},
            {"cpu_ns", w.ran.count()},
            {"waits", spans(w.waits)},
            {"wake_up_latency", spans(w.latency)},
            {"waiting_at_end",
             {{"count", w.unfinished.count},
              {"sum_ns", w.unfinished.sum.count()},
              {"max_ns", w.unfinished.most.count()}}}};
}

}  // namespace

std::string waits_table(const std::vector<WaitsColumn>& columns, const std::vector<std::string>& groups,
                        std::uint32_t most) {
    constexpr int kLabel = 28;
    std::size_t width = 14;
    for (const WaitsColumn& column : columns) width = std::max(width, column.label.size());
    const auto line = [&](const std::string& label,
                          const std::function<std::string(const WaitsColumn&)>& cell) {
        std::string text = fmt::format("{:<{}}", shorten(label, kLabel - 1), kLabel);
        for (const WaitsColumn& column : columns) text += fmt::format("  {:>{}}", cell(column), width);
        return text + "\n";
    };
    std::string text = line("", [](const WaitsColumn& c) { return c.label; });
    for (const WaitsRow& row : kWaitsRows)
        text +=
            line(row.label, [&](const WaitsColumn& c) { return row.value(c.waits->waits_of_all_tasks()); });
    if (std::any_of(columns.begin(), columns.end(),
                    [](const WaitsColumn& c) { return c.waits->waits_of_all_tasks().unfinished.count > 0; }))
        text += line("unfinished waits at the end",
                     [](const WaitsColumn& c) { return unfinished_text(c.waits->waits_of_all_tasks()); });
    text +=
        line("same task on the same CPU", [](const WaitsColumn& c) { return percent(c.agreement.same_cpu); });
    text += line("same task on any CPU", [](const WaitsColumn& c) { return percent(c.agreement.any_cpu); });
    text += line("switches in the same order",
                 [](const WaitsColumn& c) { return percent(c.switches.matched_share()); });
    const auto of_tasks = [&](const char* title, std::string (*value)(const TaskWaits&)) {
        text += fmt::format("\n{}\n", title);
        for (std::size_t i = 0; i < std::min<std::size_t>(most, groups.size()); ++i)
            text += line("  " + groups[i], [&](const WaitsColumn& c) {
                const TaskWaits* const w = c.of(groups[i]);
                return w == nullptr ? std::string("-") : value(*w);
            });
    };
    of_tasks("Total wait for a CPU", [](const TaskWaits& w) { return human_time(w.total_wait()); });
    of_tasks("99th percentile of the waits after a wake-up",
             [](const TaskWaits& w) { return percentile_text(w.latency, 99); });
    if (groups.size() > most)
        text += fmt::format(
            "\n"
            "These {} of {} tasks waited longest in the trace (reschedule --tasks N shows N tasks).\n",
            most, group_digits(groups.size()));
    return text;
}

ordered_json waits_json(const std::vector<WaitsColumn>& columns, const std::vector<std::string>& groups) {
    ordered_json list = ordered_json::array();
    for (const WaitsColumn& column : columns) {
        ordered_json tasks = ordered_json::object();
        for (const std::string& group : groups)
            if (const TaskWaits* const w = column.of(group)) tasks[group] = json_of_waits(*w);
        list.push_back({{"side", column.label},
                        {"length_ns", column.waits->duration().count()},
                        {"all", json_of_waits(column.waits->waits_of_all_tasks())},
                        {"on_recorded_cpu", column.agreement.same_cpu},
                        {"running_when_recorded", column.agreement.any_cpu},
                        {"switches_in_the_same_order", column.switches.same},
                        {"tasks", std::move(tasks)}});
    }
    return list;
}

}  // namespace sim::cli
