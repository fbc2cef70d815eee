// `vmstat -w`.
#include "sim/replay/vmstat.h"

#include "sim/cli/views/intervals.h"

namespace sim::cli {
namespace {

std::string print_vmstat(const ViewedRun& run) {
    std::string text = vmstat_header();
    for_each_interval(run, [&](const Interval& i) { text += to_text(vmstat_line(i.before, i.after)); });
    return text;
}

}  // namespace

View vmstat_view() { return {"vmstat", true, print_vmstat}; }

}  // namespace sim::cli
