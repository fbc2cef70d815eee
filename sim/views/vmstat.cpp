// The views `vmstat -w` and `vmstat -w -a`.
#include "sim/replay/vmstat_columns.h"

#include "sim/views/intervals.h"

namespace sim::views {
namespace {

std::string print_vmstat(const ViewedRun& run, VmstatMemoryColumns memory) {
    std::string text = vmstat_header(memory);
    for_each_interval(run, [&](const ReportInterval& i) { text += to_text(vmstat_line(i.before, i.after)); });
    return text;
}

}  // namespace

View vmstat_view() {
    return {"vmstat", {ViewOption::interval}, [](const ViewedRun& run) {
                return print_vmstat(run, VmstatMemoryColumns::buffers);
            }};
}
View vmstat_a_view() {
    return {"vmstat-a", {ViewOption::interval}, [](const ViewedRun& run) {
                return print_vmstat(run, VmstatMemoryColumns::active);
            }};
}

}  // namespace sim::views
