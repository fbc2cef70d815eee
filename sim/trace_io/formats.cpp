#include "sim/trace_io/formats.h"

namespace sim::trace_io {

const std::vector<Format>& formats() {
    static const std::vector<Format> list{chrome_format(),    csv_format(),      ftrace_format(),
                                          perf_data_format(), perfetto_format(), schedule_format(),
                                          trace_dat_format()};
    return list;
}

}  // namespace sim::trace_io
