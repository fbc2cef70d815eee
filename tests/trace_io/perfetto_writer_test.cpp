// Decodes Perfetto traces with a decoder written here: all emitted events are in them, with exact times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/test_name.h"
#include "tests/trace_io/recorded_events.h"

namespace sim {
namespace perfetto_writer_test {

using namespace trace_io;
using recorded_events::EventRecord;
using recorded_events::EventsOfRun;

// A field of a protobuf message: a number, or bytes that may be a nested message.
struct Field {
    std::uint64_t id = 0, number = 0;
    std::string_view bytes;
};

class Decoded {
  public:
    explicit Decoded(std::string_view bytes) {
        std::size_t at = 0;
        const auto varint = [&] {
            std::uint64_t value = 0;
            for (unsigned shift = 0;; shift += 7) {
                if (at >= bytes.size() || shift > 63) throw std::runtime_error("varint");
                const auto byte = static_cast<unsigned char>(bytes[at++]);
                value |= std::uint64_t{byte & 0x7fu} << shift;
                if (byte < 0x80) return value;
            }
        };
        while (at < bytes.size()) {
            const std::uint64_t tag = varint();
            Field field{.id = tag / 8, .number = varint(), .bytes = {}};
            if (tag % 8 == 2) {
                if (field.number > bytes.size() - at) throw std::runtime_error("length");
                field.bytes = bytes.substr(at, field.number);
                at += field.number;
            } else if (tag % 8 != 0) {
                throw std::runtime_error("wire type");
            }
            fields_.push_back(field);
        }
    }

    const std::vector<Field>& fields() const { return fields_; }
    bool has(std::uint64_t id) const { return find(id) != nullptr; }
    std::int64_t number(std::uint64_t id) const {
        const Field* field = find(id);
        return field == nullptr ? -1 : static_cast<std::int64_t>(field->number);
    }
    std::string text(std::uint64_t id) const {
        const Field* field = find(id);
        return field == nullptr ? "none" : std::string(field->bytes);
    }
    Decoded message(std::uint64_t id) const {
        const Field* field = find(id);
        return Decoded(field == nullptr ? std::string_view() : field->bytes);
    }

  private:
    const Field* find(std::uint64_t id) const {
        for (const Field& field : fields_)
            if (field.id == id) return &field;
        return nullptr;
    }
    std::vector<Field> fields_;
};

// The contents of a trace as text.
struct Read {
    std::map<std::int64_t, std::vector<std::string>> of_cpus;              // ftrace events, by CPU
    std::map<std::string, std::vector<std::string>> of_tracks;             // track events, by track name
    std::map<std::int64_t, std::pair<std::string, std::int64_t>> threads;  // name and tgid, by tid
    std::map<std::int64_t, std::string> processes;
    std::map<std::int64_t, std::int64_t> parents;  // parents of processes
    std::string release, note;
};

// An ftrace event as text. The numbers are the protobuf fields of each event type.
std::string sentence(std::int64_t time, std::int64_t pid, std::uint64_t id, const Decoded& e) {
    std::string text = fmt::format("{} {} ", time, pid);
    const auto num = [&](std::uint64_t field) { return e.number(field); };
    switch (id) {
        case 4:
            return text + fmt::format("switch {} {} {} {} > {} {} {}", e.text(1), num(2), num(3), num(4),
                                      e.text(5), num(6), num(7));
        case 20:
        case 17:
        case 114:
            return text + fmt::format("{} {} {} {} on {}",
                                      id == 20   ? "waking"
                                      : id == 17 ? "wakeup"
                                                 : "wakeup_new",
                                      e.text(1), num(2), num(3), num(5));
        case 491:
            return text +
                   fmt::format("migrate {} {} {} from {} to {}", e.text(1), num(2), num(3), num(4), num(5));
        case 239:
            return text + fmt::format("fork {} {} > {} {}", e.text(1), num(2), e.text(3), num(4));
        case 235:
            return text + fmt::format("newtask {} {} {}", num(1), e.text(2), num(3));
        case 237:
            return text + fmt::format("exec {} {} {}", e.text(1), num(2), num(3));
        case 238:
            return text + fmt::format("exit {} {} {} {}", e.text(1), num(2), num(3), num(4));
        case 240:
            return text + fmt::format("free {} {} {}", e.text(1), num(2), num(3));
        default:
            return text + fmt::format("field {}", id);
    }
}

Read read(const std::string& file) {
    Read read;
    std::map<std::int64_t, std::string> tracks;
    const Decoded trace(file);
    for (const Field& field : trace.fields()) {
        EXPECT_EQ(field.id, 1u);
        const Decoded packet(field.bytes);
        EXPECT_EQ(packet.number(10), 1);
        if (packet.has(45)) read.release = packet.message(45).message(1).text(3);
        if (packet.has(5)) read.note = packet.message(5).message(2).text(2);
        if (packet.has(60)) {
            const Decoded track = packet.message(60);
            tracks[track.number(1)] =
                track.has(4)
                    ? fmt::format("thread {} of {}", track.message(4).number(2), track.message(4).number(1))
                    : track.text(2);
        }
        if (packet.has(11)) {
            const Decoded event = packet.message(11);
            std::string text = fmt::format("{} {}", packet.number(8), event.number(9));
            if (event.has(23)) text += " " + event.text(23);
            if (event.has(30)) text += fmt::format(" {}", event.number(30));
            if (event.has(4))
                text += fmt::format(" {} {}", event.message(4).text(10), event.message(4).number(4));
            read.of_tracks[tracks.at(event.number(11))].push_back(text);
        }
        if (packet.has(2)) {
            const Decoded tree = packet.message(2);
            if (tree.has(1)) {
                const Decoded process = tree.message(1);
                const std::int64_t pid = process.number(1);
                // If two entries of a process name different parents, readers treat them as two processes.
                if (read.processes.count(pid)) {
                    EXPECT_EQ(process.has(2), read.parents.count(pid) != 0) << pid;
                }
                read.processes[pid] = process.text(3);
                if (process.has(2)) read.parents[pid] = process.number(2);
            }
            read.threads[tree.message(2).number(1)] = {tree.message(2).text(2), tree.message(2).number(3)};
        }
        if (!packet.has(1)) continue;
        const Decoded bundle = packet.message(1);
        for (const Field& entry : bundle.fields()) {
            if (entry.id != 2) continue;
            const Decoded event(entry.bytes);
            const Field& last = event.fields().back();
            read.of_cpus[bundle.number(1)].push_back(
                sentence(event.number(1), event.number(2), last.id, Decoded(last.bytes)));
        }
    }
    return read;
}

// The ftrace events that the file should contain for an event, as text.
std::vector<std::string> expected_sentences(const EventRecord& record) {
    const SchedEvent& e = record.event;
    const Thread &current = record.current, &thread = record.thread;
    const std::int64_t time = e.time.count();
    const std::string begin = fmt::format("{} {} ", time, current.pid);
    const auto woken = [&](const char* how) {
        return begin + fmt::format("{} {} {} {} on {}", how, thread.name, thread.pid, thread.prio, e.target);
    };
    constexpr int kStates[] = {0, 256, 1, 2, 16};
    std::vector<std::string> sentences;
    switch (e.kind) {
        case EventKind::sched_switch:
            sentences.push_back(begin + fmt::format("switch {} {} {} {} > {} {} {}", record.current_comm,
                                                    current.pid, current.prio,
                                                    kStates[static_cast<std::size_t>(e.state)],
                                                    record.thread_comm, thread.pid, thread.prio));
            if (e.state == PrevState::dead)
                sentences.push_back(fmt::format("{} {} free {} {} {}", time, thread.pid, current.name,
                                                current.pid, current.prio));
            return sentences;
        case EventKind::waking:
            return {woken("waking")};
        case EventKind::wakeup:
            return {woken("wakeup")};
        case EventKind::wakeup_new:
            return {woken("waking"), woken("wakeup_new")};
        case EventKind::migrate:
            return {begin + fmt::format("migrate {} {} {} from {} to {}", thread.name, thread.pid,
                                        thread.prio, e.value, e.target)};
        case EventKind::fork: {
            sentences.push_back(begin + fmt::format("fork {} {} > {} {}", record.current_comm, current.pid,
                                                    thread.name, thread.pid));
            const bool own = thread.tgid == thread.pid;
            if (own || thread.tgid == current.tgid)
                sentences.push_back(
                    begin + fmt::format("newtask {} {} {}", thread.pid, thread.name, own ? 17 : 0x10f00));
            return sentences;
        }
        case EventKind::exec:
            return {begin + fmt::format("exec {} {} {}", current.name, current.pid, current.pid)};
        case EventKind::exit:
            return {begin +
                    fmt::format("exit {} {} {} {}", current.name, current.pid, current.tgid, current.prio)};
        default:
            return sentences;
    }
}

// Adds the track event that the file should contain for an event, if it has one.
void add_expected_track_event(const EventRecord& record, Read& read) {
    const SchedEvent& e = record.event;
    const std::int64_t time = e.time.count();
    const std::string cpu_track = fmt::format("CPU {}", e.cpu);
    switch (e.kind) {
        case EventKind::yield:
            read.of_tracks[fmt::format("thread {} of {}", record.current.pid, record.current.tgid)].push_back(
                fmt::format("{} 3 sched_yield", time));
            break;
        case EventKind::recalculation:
            read.of_tracks[cpu_track].push_back(
                fmt::format("{} 3 recalculation of {} counters counters {}", time, e.value, e.value));
            break;
        case EventKind::work_begin:
            read.of_tracks[cpu_track].push_back(fmt::format("{} 1 {}", time, e.what));
            break;
        case EventKind::work_end:
            read.of_tracks[cpu_track].push_back(fmt::format("{} 2", time));
            break;
        case EventKind::queue_length:
            read.of_tracks["nr_running"].push_back(fmt::format("{} 4 {}", time, e.value));
            break;
        default:
            break;
    }
}

// The expected contents of the trace, computed from the emitted events.
Read expected(const EventsOfRun& run) {
    Read read;
    for (const EventRecord& record : run.events) {
        for (std::string& sentence : expected_sentences(record))
            read.of_cpus[record.event.cpu].push_back(std::move(sentence));
        if (record.event.kind == EventKind::fork && record.thread.tgid == record.thread.pid)
            read.parents[record.thread.pid] = record.current.tgid;
        add_expected_track_event(record, read);
    }
    return read;
}

class PerfettoOf : public testing::TestWithParam<std::string> {};

TEST_P(PerfettoOf, HasEachEventAndNamesEachThread) {
    const EventsOfRun run = recorded_events::record_run(GetParam(), perfetto_format(), 400);
    const Read emitted = expected(run), in_file = read(run.file);
    EXPECT_EQ(in_file.of_cpus, emitted.of_cpus);
    EXPECT_EQ(in_file.of_tracks, emitted.of_tracks);
    EXPECT_EQ(in_file.release, "6.1.0");
    EXPECT_EQ(in_file.note, to_json(run.info));
    EXPECT_EQ(in_file.parents, emitted.parents);
    recorded_events::Names names;
    for (const auto& [pid, thread] : in_file.threads) names[pid] = thread.first;
    recorded_events::expect_each_thread_is_named(run, names, in_file.processes);
    for (const EventRecord& record : run.events)
        for (const Thread& thread : {record.current, record.thread}) {
            if (thread.pid == 0) continue;
            ASSERT_TRUE(in_file.threads.count(thread.pid)) << thread.pid;
            EXPECT_EQ(in_file.threads.at(thread.pid).second, thread.tgid);
        }
}

INSTANTIATE_TEST_SUITE_P(Gallery, PerfettoOf, testing::ValuesIn(builtin_file_names("")), name_of_parameter);

}  // namespace perfetto_writer_test
}  // namespace sim
