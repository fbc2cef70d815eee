// `sar -w`: tasks created and context switches per second, with a line for each interval and an average line.
#include <fmt/format.h>

#include "sim/views/intervals.h"

namespace sim::views {
namespace {

std::string sar_line(const std::string& time_label, const Sample& before, const Sample& after) {
    return fmt::format("{:<11} {:9.2f} {:9.2f}\n", time_label,
                       per_second(after.forks - before.forks, before, after),
                       per_second(after.switches - before.switches, before, after));
}

std::string print_sar(const ViewedRun& run) {
    std::string text = fmt::format("{} {:>9} {:>9}\n", time_of_day({}), "proc/s", "cswch/s");
    Sample last;
    for_each_interval(run, [&](const ReportInterval& i) {
        text += sar_line(time_of_day(i.after.time), i.before, i.after);
        last = i.after;
    });
    if (last.time > Nanos{}) text += sar_line("Average:", {}, last);
    return text;
}

}  // namespace

View sar_view() { return {"sar", {ViewOption::interval}, print_sar}; }

}  // namespace sim::views
