// The table of all views.
#include "sim/views/views.h"

#include <vector>

namespace sim::views {

std::span<const View> all_views() {
    static const std::vector<View> list{
        jobs_view(),        perf_record_view(), perf_sched_view(),       perf_stat_view(),
        perf_stat_a_view(), pidstat_view(),     pidstat_t_view(),        pidstat_u_view(),
        pidstat_ut_view(),  proc_status_view(), proc_task_status_view(), sar_view(),
        schedule_view(),    strace_c_view(),    strace_f_view(),         time_v_view(),
        top_view(),         uptime_view(),      vmstat_view(),           vmstat_a_view()};
    return list;
}

}  // namespace sim::views
