#include "sim/trace_io/rt_app/rt_app_waiters.h"

#include "sim/trace_io/rt_app/rt_app_keys.h"
#include "sim/trace_io/scenario/entry_name.h"

namespace sim::trace_io {

std::string channel_name(std::string_view name) { return entry_name(name); }

std::string suspended_as(const JsonValue& value, const RtAppThread& thread) {
    return value.text().empty() ? std::string(thread.value->key()) : std::string(value.text());
}

void RtAppWaiters::add_waits_of(const RtAppThread& thread, const JsonValue& events) {
    for (const JsonValue* member : events.children()) {
        const auto event = event_of(member->key());
        std::string name;
        if (event == RtEvent::suspend && member->is_string())
            name = suspended_as(*member, thread);
        else if ((event == RtEvent::wait || event == RtEvent::sync) && member->is_object())
            for (const JsonValue* part : member->children())
                if (part->key() == "ref" && part->is_string()) name = part->text();
        if (name.empty()) continue;
        std::vector<Waiter>& waiters = waiters_[channel_name(name)];
        if (waiters.empty() || waiters.back().thread != &thread)
            waiters.push_back({&thread, channel_name(name)});
    }
}

void RtAppWaiters::name_channels() {
    for (auto& [name, waiters] : waiters_)
        if (waiters.size() > 1)
            for (Waiter& waiter : waiters) waiter.channel = name + "." + waiter.thread->name;
}

std::string RtAppWaiters::own_channel(const std::string& name, const RtAppThread& thread) const {
    const auto of = waiters_.find(channel_name(name));
    const bool is_shared = of != waiters_.end() && of->second.size() > 1;
    return is_shared ? channel_name(name) + "." + thread.name : channel_name(name);
}

std::vector<const RtAppWaiters::Waiter*> RtAppWaiters::others(const std::string& name, const JsonValue& value,
                                                              const RtAppThread& thread) {
    std::vector<const Waiter*> list;
    const auto of = waiters_.find(channel_name(name));
    if (of == waiters_.end()) return list;
    constexpr std::size_t kMost = 1'000'000;
    looked_at_ += of->second.size();
    if (looked_at_ > kMost)
        file_.refuse_all(value, "more than 1,000,000 wake-ups in a file are not supported");
    for (const Waiter& waiter : of->second)
        if (waiter.thread != &thread || waiter.thread->count > 1) list.push_back(&waiter);
    return list;
}

}  // namespace sim::trace_io
