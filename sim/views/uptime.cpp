// The view `uptime`: the line of `uptime` at the end of each interval.
#include "sim/views/uptime.h"

#include <fmt/format.h>

#include "sim/replay/vmstat_columns.h"
#include "sim/views/intervals.h"

namespace sim::views {
namespace {

std::string print_uptime(const ViewedRun& run) {
    std::string text;
    for_each_interval(
        run, [&](const ReportInterval& i) { text += uptime_line(i.after.time, i.statistics.load) + "\n"; });
    return text;
}

}  // namespace

std::string uptime_line(Nanos now, const LoadAverage& load) {
    const std::int64_t seconds = now / 1s, days = seconds / 86'400;
    const std::int64_t hours = seconds / 3600 % 24, minutes = seconds / 60 % 60;
    std::string text = fmt::format(" {:02}:{:02}:{:02} up ", hours, minutes, seconds % 60);
    if (days > 0) text += fmt::format("{} day{}, ", days, days == 1 ? "" : "s");
    text += hours > 0 ? fmt::format("{:2}:{:02}, ", hours, minutes) : fmt::format("{} min, ", minutes);
    return text + " 0 users,  load average: " + to_text(load);
}

View uptime_view() { return {"uptime", {ViewOption::interval}, print_uptime}; }

}  // namespace sim::views
