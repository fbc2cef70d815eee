#include "sim/trace_io/rt_app/omitted_features.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/join.h"
#include "sim/base/text.h"

namespace sim::trace_io {

void OmittedFeatures::add(const NoteWording& wording, const JsonValue& value) {
    auto place = std::find_if(list_.begin(), list_.end(),
                              [&](const OmittedFeature& i) { return i.wording == &wording; });
    if (place == list_.end()) place = list_.insert(list_.end(), {&wording, 0, {}});
    ++place->count;
    constexpr std::size_t kFew = 3;
    if (place->first.size() < kFew) place->first.push_back(printable(value.pointer(kLongestPointer)));
}

void OmittedFeatures::add_notes(Notes& notes) const {
    for (const OmittedFeature& item : list_) {
        const std::string where =
            fmt::format(" ({}{})", join(item.first, ", "), item.count > item.first.size() ? ", ..." : "");
        notes.add({item.wording->one + where, item.wording->many + where}, 0, item.count);
    }
}

}  // namespace sim::trace_io
