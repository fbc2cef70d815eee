// Who had each CPU, from when to when, as run lengths in JSON: a line for each, in the order in which they
// end.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/base/json_text.h"
#include "sim/exchange/formats.h"

namespace sim::exchange {
namespace {

class ScheduleWriter final : public EventSink {
  public:
    explicit ScheduleWriter(Output output) : output_(std::move(output)) {}

    void begin(const RunInfo& info) override {
        since_.assign(info.cpus, info.begin);
        text_ = fmt::format(
            "{{\"format\": \"switchyard-schedule/1\", \"run\": {},\n"
            " \"columns\": [\"cpu\", \"pid\", \"task\", \"begin_ns\", \"ns\", \"left\"],\n"
            " \"pieces\": [",
            to_json(info));
    }

    void event(const SchedEvent& e, const Threads& threads) override {
        if (e.kind != EventKind::sched_switch) return;
        piece(e, threads);
        since_[e.cpu] = e.time;
    }

    void end(Nanos now) override {
        text_ += fmt::format("\n ],\n \"end_ns\": {}}}\n", now.count());
        flush();
    }

  private:
    // Of the idle task nothing is told: it has what is left.
    void piece(const SchedEvent& e, const Threads& threads) {
        if (e.current == kIdleThread || e.time == since_[e.cpu]) return;
        fmt::format_to(std::back_inserter(text_), "{}\n  [{}, {}, {}, {}, {}, \"{}\"]",
                       has_pieces_ ? "," : "", e.cpu, threads[e.current].pid,
                       json_text(nlohmann::json(threads[e.current].name)), since_[e.cpu].count(),
                       (e.time - since_[e.cpu]).count(), to_letter(e.state));
        has_pieces_ = true;
        constexpr std::size_t kEnough = 1 << 16;
        if (text_.size() >= kEnough) flush();
    }
    void flush() {
        output_(text_);
        text_.clear();
    }

    Output output_;
    std::string text_;
    std::vector<Nanos> since_;  // by CPU
    bool has_pieces_ = false;
};

}  // namespace

Format schedule_format() {
    return {.name = "schedule",
            .ending = "json",
            .summary = "who had each CPU, from when to when, as run lengths in JSON: programs of your own",
            .make = [](Output output) -> std::unique_ptr<EventSink> {
                return std::make_unique<ScheduleWriter>(std::move(output));
            }};
}

}  // namespace sim::exchange
