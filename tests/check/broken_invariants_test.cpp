// check_invariants() must report each violated rule. Each test violates one rule in a machine that uses all
// features. Two rules are not tested. One is that an unused row is in no queue: the rule of that queue is
// violated first. The other is the order inside the event queue, which is not accessible.
#include <functional>
#include <string>

#include "tests/support/simulation.h"

namespace sim {
namespace broken_invariants_test {

using Kind = ChannelSpec::Kind;

// A machine with two CPUs at 5 ms. a and b run, and r is ready. s sleeps until a tick, t sleeps until an
// arrival, and both tasks w wait. l1 waits, too, and has the lock for which l.1 and l.2 wait. The disk
// serves one of two tasks i, and the other is next. e reads from an empty pipe, p is parked, and old has
// exited.
Simulation machine_with_all_features() {
    Simulation run(small_scenario(
        R"(
        {"name": "old", "program": []},
        {"name": "s", "program": [{"sleep": "20ms"}]},
        {"name": "t", "program": [{"arrival": "30ms"}]},
        {"name": "w", "count": 2, "program": [{"wait": "c"}]},
        {"name": "l1", "program": [{"lock": "k"}, {"wait": "d"}, {"unlock": "k"}]},
        {"name": "l", "start": "100us", "count": 2, "program": [{"lock": "k"}, {"unlock": "k"}]},
        {"name": "i", "count": 2, "program": [{"io": "disk"}]},
        {"name": "e", "program": [{"pipe_read": "p"}]},
        {"name": "f", "start": "80ms", "program": [{"pipe_write": "p"}]},
        {"name": "p", "program": ["park"]},
        {"name": "u", "start": "90ms", "program": [{"unpark": "p"}, {"wake": "c"}, {"wake": "c"}, {"wake": "d"}]},
        {"name": "a", "start": "1ms", "affinity": [0], "program": [{"run": "50ms"}]},
        {"name": "b", "start": "1ms", "affinity": [1], "program": [{"run": "50ms"}]},
        {"name": "r", "start": "2ms", "affinity": [0], "program": [{"run": "50ms"}]})",
        {.cpus = 2,
         .machine = R"("tlb": {"entries": 64, "refill": "100ns"},)",
         .more = R"("pipes": {"p": {"capacity": "4B"}}, "devices": {"disk": {"service_time": "40ms"}},)",
         .hz = 100}));
    EXPECT_EQ(run.go(5ms), StopReason::until);
    return run;
}

class InvariantCheck : public testing::Test {
  protected:
    // Changes a copy of the machine and returns the violation that check_invariants() reports for it.
    std::string violation_after_change(const std::function<void(Machine&)>& change) const {
        Machine m = run.m;
        change(m);
        return check_invariants(m, run.scenario, *run.policy.policy, &run.statistics);
    }
    std::string violation_after_statistics_change(const std::function<void(Statistics&)>& change) const {
        Statistics s = run.statistics;
        change(s);
        return check_invariants(run.m, run.scenario, *run.policy.policy, &s);
    }
    TaskId row(const char* name) const { return run.task(name); }
    Channel& channel(Machine& m, Kind kind, const char* name) const {
        return m.channel(run.channel(kind, name));
    }

    const Simulation run = machine_with_all_features();
};

TEST_F(InvariantCheck, DetectsCpuViolations) {
    const TaskId a = row("a"), b = row("b"), r = row("r"), s = row("s");
    EXPECT_EQ(violation_after_change([](Machine&) {}), "");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(0).current = 1'000; }),
              "cpu0 runs a task that does not exist");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpu(0).current = row("a") + 100; }),
              "cpu0 runs a task that does not exist");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(0).current = 1; }),
              "cpu0 runs the idle task of another CPU");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpu(0).current = s; }), "cpu0 runs a sleeping task");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpu(1).current = r; }),
              "the task that cpu1 runs is recorded on a different CPU");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpus_allowed[a] = 2; }),
              "cpu0 runs a task whose affinity excludes this CPU");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(0).pending_work = 1ns; }),
              "cpu0 has uncharged kernel work");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(1).deadline = 5ms - 1ns; }),
              "the next event of cpu1 is in the past");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(1).deadline = m.cpu(1).burst_end + 1ns; }),
              "the next event of cpu1 comes after the end of the burst");
    EXPECT_EQ(violation_after_change([](Machine& m) {
                  m.cpu(1).need_resched = true;
                  m.cpu(1).deadline = kHorizon;
              }),
              "cpu1 has need_resched set but will never reschedule");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[r].processor = 0; }),
              "task r does not run on its recorded CPU");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[r].processor = 2; }),
              "task r does not run on its recorded CPU");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.counter[b] = -1; }),
              "task b has an invalid counter: -1");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.counter[b] = 81; }),
              "task b has an invalid counter: 81");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.counter[b] = 80; }), "");
}

TEST_F(InvariantCheck, DetectsTimerAndQueueViolations) {
    const TaskId s = row("s"), t = row("t"), r = row("r"), first = run.m.first_task();
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[t].wake_at += 1ns; }),
              "a timer is set to the wrong time");
    EXPECT_EQ(violation_after_change([&](Machine& m) {
                  m.events().remove(t);
                  m.task[t].wake_at = 4ms;
                  m.events().push(EventQueue::key(4ms, t));
              }),
              "a timer was missed");
    EXPECT_EQ(violation_after_change([&](Machine& m) {
                  m.events().remove(s);
                  m.task[s].wake_at += 1ns;
                  m.events().push(EventQueue::key(m.task[s].wake_at, s));
              }),
              "a sleep would end between two ticks instead of at a tick");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[t].state = TaskState::waiting; }),
              "a timer is pending for a task that is awake");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.events().remove(row("i.1")); }),
              "a device serves a task that has no timer");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[first].state = TaskState::in_service; }),
              "a device serves a task that has no timer")
        << "and of the first task, too";
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.next_run[r] = 1'000; }),
              "the links of the run queue are inconsistent");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.prev_run[r] = r; }),
              "the links of the run queue are inconsistent");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.events().remove(s); }),
              "task s is in 0 queues or CPUs; expected exactly 1");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[r].state = TaskState::waiting; }),
              fmt::format("the task in row {} is on the run queue but not runnable", r));
    EXPECT_EQ(violation_after_change([](Machine& m) { ++m.globals().nr_tasks; }),
              fmt::format("{} tasks are alive, but nr_tasks is {}", run.m.globals().nr_tasks,
                          run.m.globals().nr_tasks + 1));
    EXPECT_EQ(violation_after_change([](Machine& m) { --m.globals().nr_running; }),
              "3 tasks are runnable, but nr_running is 2");
}

TEST_F(InvariantCheck, DetectsChannelViolations) {
    const TaskId w = row("w.1"), w2 = row("w.2");
    const auto in = [&](Kind kind, const char* name, const std::function<void(Channel&)>& change) {
        return violation_after_change([&](Machine& m) { change(channel(m, kind, name)); });
    };
    EXPECT_EQ(in(Kind::channel, "c", [](Channel& c) { c.tokens = 1; }),
              "the channel 'c' has waiting tasks and unused wake-ups");
    EXPECT_EQ(in(Kind::channel, "c", [](Channel& c) { c.first = 1'000; }),
              "the links of a channel's queue are inconsistent");
    EXPECT_EQ(in(Kind::channel, "c", [&](Channel& c) { c.last = w; }),
              "the recorded last task of the wait queue of a channel is wrong");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[w2].waiting_on = kNoChannel; }),
              "a task in the wait queue of a channel does not wait for this channel");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[row("t")].waiting_on = 0; }),
              "task t refers to a channel but does not wait for it");
    EXPECT_EQ(in(Kind::channel, "c", [&](Channel& c) { c.owner = w; }),
              "the channel 'c' has an owner but is not a lock");
    EXPECT_EQ(in(Kind::lock, "k", [](Channel& c) { c.tokens = 2; }),
              "the lock 'k' is recorded as free more than once");
    EXPECT_EQ(in(Kind::lock, "k", [](Channel& c) { c.tokens = 1; }), "the lock 'k' is free but has an owner");
    EXPECT_EQ(in(Kind::lock, "k", [](Channel& c) { c.owner = kNoTask; }),
              "the lock 'k' is taken but has no owner");
    EXPECT_EQ(in(Kind::lock, "k", [](Channel& c) { c.owner = 1'000; }),
              "the lock 'k' is held by a task that does not exist");
    EXPECT_EQ(in(Kind::lock, "k",
                 [](Channel& c) {
                     c.owner = kNoTask;
                     c.tokens = 1;
                 }),
              "the lock 'k' is free, tasks wait for it, and none was woken");
    EXPECT_EQ(in(Kind::device, "disk", [](Channel& c) { c.tokens = 1; }),
              "the capacity of the device 'disk' is 1; expected served requests (1) plus free capacity (1)");
    EXPECT_EQ(violation_after_change([&](Machine& m) {
                  Task& served = m.task[row("i.1")];
                  served.state = TaskState::interruptible;
                  served.waiting_on = kNoChannel;
                  channel(m, Kind::device, "disk").tokens = 1;
              }),
              "the device 'disk' has room, but tasks wait for it");
    EXPECT_EQ(in(Kind::parking, "", [](Channel& c) { c.tokens = 2; }),
              "the park 'p' has more than one permit");
    EXPECT_EQ(in(Kind::pipe_readers, "p", [](Channel& c) { c.tokens = 1; }),
              "the pipe 'p' has lost or gained bytes");
    EXPECT_EQ(violation_after_change([&](Machine& m) {
                  channel(m, Kind::pipe_readers, "p").tokens = 1;
                  channel(m, Kind::pipe_writers, "p").tokens = 3;
              }),
              "the pipe 'p' has data, readers wait, and none was woken");
}

TEST_F(InvariantCheck, DetectsAddressSpaceAndCacheViolations) {
    const TaskId a = row("a"), b = row("b"), r = row("r");
    const MmId mm = run.m.task[a].mm;
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[r].mm = 1'000; }),
              "a task has an address space that does not exist");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(0).active_mm = 1'000; }),
              "a CPU has loaded an address space that does not exist");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpu(0).active_mm = m.task[b].mm; }),
              "cpu0 has not loaded the address space of its task");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(0).left_mm = true; }),
              "cpu0 has not loaded the address space of its task");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.mm(mm).users = 2; }),
              fmt::format("address space {} has 1 users, but its count is 2", mm));
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.mm(mm).count = 3; }),
              fmt::format("address space {} has 1 references, but its reference count is 3", mm));
    EXPECT_EQ(violation_after_change([](Machine& m) { m.globals().free_mm = 1'000; }),
              "the list of free address spaces is broken");
    const MmId freed = run.m.globals().free_mm;
    ASSERT_NE(freed, kKernelMm) << "that of the task that has exited";
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.mm(freed).count = 1; }),
              fmt::format("address space {} is free but has references", freed));
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.globals().free_mm = m.mm(freed).users; }),
              fmt::format("address space {} is lost: neither used nor free", freed));
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.task[r].mm = freed; }),
              fmt::format("address space {} is free, but a task or CPU uses it", freed));
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(0).recent = 1'000; }),
              "cpu0 lists too many recent tasks");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.recent(0)[0].task = 0; }),
              "cpu0 lists a recent task that does not exist");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.resident_on[a] = 1; }),
              "cpu0 lists a recent task of another CPU");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.recent(0)[1].task = m.recent(0)[0].task; }),
              "cpu0 lists the same recent task twice");
    EXPECT_EQ(violation_after_change([](Machine& m) { std::swap(m.recent(0)[0], m.recent(0)[1]); }),
              "the running task of cpu0 is not the first of its recent tasks");
    const auto forgotten = [&](std::uint16_t where) {
        return violation_after_change([&](Machine& m) { m.resident_on[r] = where; });
    };
    ASSERT_EQ(run.m.resident_on[r], Task::kNoProcessor);
    EXPECT_EQ(forgotten(2), "a task is recorded as recent on a CPU that does not exist");
    EXPECT_EQ(forgotten(1), "a task is recorded as recent on a CPU that does not list it");
}

TEST_F(InvariantCheck, DetectsStatisticsViolations) {
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { s.user += 1ns; }),
              fmt::format("time is not conserved: the parts add up to {} ns, expected {} ns", 10'000'001,
                          10'000'000));
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) {
                  s.user -= 100ms;
                  s.idle += 100ms;
              }),
              "a part of the time (user, kernel or idle) is negative");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { ++s.switches.voluntary; }),
              "the counts of the switches differ between the statistics and the machine");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { ++s.switches.same_mm; }),
              "the switches by destination do not add up to the total");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { ++s.arrivals.switches; }),
              "the voluntary switches by cause do not add up to the total");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { ++s.cpus[0].switches; }),
              "the switches or migrations by CPU do not add up to the total");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { ++s.cpus[1].to_idle; }),
              "the switches or migrations by CPU do not add up to the total");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { ++s.cpus[1].nr_iowait; }),
              "0 tasks of cpu1 wait for devices, but nr_iowait is 1");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { s.cpus[1].io_wait = 1h; }),
              "cpu1 waited longer for devices than it was idle");
    EXPECT_EQ(violation_after_statistics_change([](Statistics& s) { s.cpus[1].idle += 1ns; }),
              "the idle times of the CPUs do not add up to the total idle time");
    const ChannelId c = run.channel(Kind::channel, "c");
    EXPECT_EQ(violation_after_statistics_change([&](Statistics& s) { s.waits[c].waited += 1ns; }),
              "the waits for the channel 'c' counted by waker do not add up to the total");
}

// A machine with three CPUs and non-lazy TLBs at 15 ms. a runs. r has been ready for longer than a tick and
// may run only on CPU 0; the other CPUs are idle. Two of six tasks wait because a pipe is full.
class InvariantCheckWithIdleCpus : public testing::Test {
  protected:
    InvariantCheckWithIdleCpus()
        : run(small_scenario(
              R"(
              {"name": "a", "start": "1ms", "affinity": [0], "program": [{"run": "50ms"}]},
              {"name": "r", "start": "2ms", "affinity": [0], "program": [{"run": "50ms"}]},
              {"name": "f", "count": 6, "program": [{"pipe_write": "p"}, {"sleep": "1s"}]},
              {"name": "e", "start": "80ms", "program": [{"pipe_read": "p"}]})",
              {.cpus = 3,
               .machine = R"("lazy_tlb": false, "tick_phases": "together",)",
               .more = R"("pipes": {"p": {"capacity": "4B"}},)",
               .hz = 100})) {
        EXPECT_EQ(run.go(15ms), StopReason::until);
    }
    std::string violation_after_change(const std::function<void(Machine&)>& change) const {
        Machine m = run.m;
        change(m);
        return check_invariants(m, run.scenario, *run.policy.policy, &run.statistics);
    }

    Simulation run;
};

TEST_F(InvariantCheckWithIdleCpus, DetectsIdleCpuAndPipeViolations) {
    EXPECT_EQ(violation_after_change([](Machine&) {}), "");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.cpu(2).deadline = 20ms; }),
              "cpu2 is idle, but a next event is set for it");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpu(2).active_mm = m.task[run.task("a")].mm; }),
              "cpu2 borrows an address space, but lazy TLB mode is off");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpus_allowed[run.task("r")] = 7; }),
              "task r is ready, but a CPU that it may use stays idle");
    EXPECT_EQ(violation_after_change([&](Machine& m) { m.cpus_allowed[run.task("r")] = 1; }), "");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.globals().next_interrupt = 14ms; }),
              "a timer interrupt was missed");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.globals().next_interrupt = 19ms; }),
              "the next timer interrupt is at the wrong time");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.globals().next_tick += 1ns; }),
              "the next tick is at the wrong time");
    EXPECT_EQ(violation_after_change([](Machine& m) { m.globals().tick_group = 1; }),
              "the next timer interrupt is for CPUs that do not exist");
    EXPECT_EQ(violation_after_change([&](Machine& m) {
                  m.channel(run.channel(Kind::pipe_readers, "p")).tokens = 0;
                  m.channel(run.channel(Kind::pipe_writers, "p")).tokens = 4;
              }),
              "the pipe 'p' is empty, writers wait, and none was woken");
}

}  // namespace broken_invariants_test
}  // namespace sim
