#include "sim/exchange/formats.h"

namespace sim::exchange {

const std::vector<Format>& formats() {
    static const std::vector<Format> list{csv_format(), ftrace_format(), schedule_format(),
                                          trace_dat_format()};
    return list;
}

}  // namespace sim::exchange
