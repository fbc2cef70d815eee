#include <algorithm>

#include "sim/trace_io/import/reader.h"

namespace sim::trace_io {

void Notes::add(const NoteWording& wording, std::uint64_t line, std::uint64_t count) {
    constexpr std::size_t kFew = 3;
    auto note = std::find_if(notes_.begin(), notes_.end(),
                             [&](const Note& n) { return n.wording.many == wording.many; });
    if (note == notes_.end()) note = notes_.insert(notes_.end(), Note{wording, 0, {}});
    note->count += count;
    if (line > 0 && note->lines.size() < kFew) note->lines.push_back(line);
}

}  // namespace sim::trace_io
