// The table of all views.
#include "sim/cli/views.h"

#include <vector>

namespace sim::cli {

std::span<const View> views() {
    static const std::vector<View> list{perf_sched_view(), pidstat_view(), proc_status_view(),
                                        sar_view(),        time_v_view(),  vmstat_view()};
    return list;
}

}  // namespace sim::cli
