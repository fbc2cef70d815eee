#include "sim/trace_io/export/export_formats.h"

namespace sim::trace_io {

const std::vector<ExportFormat>& export_formats() {
    static const std::vector<ExportFormat> list{chrome_format(),    csv_format(),      ftrace_format(),
                                                perf_data_format(), perfetto_format(), schedule_format(),
                                                trace_dat_format()};
    return list;
}

}  // namespace sim::trace_io
