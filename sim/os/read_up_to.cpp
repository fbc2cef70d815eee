#include <algorithm>
#include <cerrno>

#include "sim/os/descriptor.h"

namespace sim::os {

int read_up_to(int descriptor, std::size_t max_bytes, std::string& bytes) {
    constexpr std::size_t kStep = 1 << 16;
    bytes.clear();
    while (bytes.size() < max_bytes) {
        const std::size_t size = bytes.size(), room = std::min(kStep, max_bytes - size);
        bytes.resize(size + room);
        const std::ptrdiff_t n = read_some(descriptor, bytes.data() + size, room);
        bytes.resize(size + static_cast<std::size_t>(std::max<std::ptrdiff_t>(n, 0)));
        if (n < 0) return errno;
        if (n == 0) break;
    }
    return 0;
}

}  // namespace sim::os
