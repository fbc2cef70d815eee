// The table of all views.
#include "sim/cli/views.h"

#include <vector>

namespace sim::cli {

std::span<const View> views() {
    static const std::vector<View> list{pidstat_view(), vmstat_view()};
    return list;
}

}  // namespace sim::cli
