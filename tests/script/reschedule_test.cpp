// Tests of reschedule(), the function of a script that returns the CPU on which a waiting task should run.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sim/core/policy.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/simulation.h"

namespace sim {
namespace reschedule_test {

constexpr const char* kJobs =
    R"({"name": "A", "program": [{"run": "4ms"}]}, {"name": "B", "start": "1ms", "program": [{"run": "4ms"}]},
       {"name": "C", "affinity": [0], "start": "2ms", "program": [{"run": "1ms"}]})";

// Returns the decisions for three jobs on two CPUs under this script, or the script's error message.
std::string decisions(const std::string& script) {
    const ScratchFolder folder;
    const std::string path = (folder.path() / "my.lua").string();
    std::ofstream(path) << script;
    try {
        Simulation s(small_scenario(kJobs, {.cpus = 2}), path);
        s.go(1s);
        s.engine.throw_if_policy_failed(s.m);
        return s.decisions();
    } catch (const PolicyError& error) {
        const std::string what = error.what();
        return what.substr(what.find("my.lua"));
    }
}

TEST(RescheduleFunction, AbsentFunctionAsksIdleCpu) {
    EXPECT_EQ(
        decisions(""),
        "0 cpu0 idle>A, 1000000 cpu1 idle>B, 4000000 cpu0 A>C, 5000000 cpu0 C>idle, 5000000 cpu1 B>idle");
}

TEST(RescheduleFunction, ReturnedCpuIsRescheduled) {
    EXPECT_EQ(
        decisions("function reschedule(p)\n"
                  "    local last\n"
                  "    for cpu in cpus() do if may_run(p, cpu) then last = cpu end end\n"
                  "    if last.current then return nil end\n"
                  "    return last\nend\n"),
        "0 cpu1 idle>A, 2000000 cpu0 idle>B, 4000000 cpu1 A>idle, 6000000 cpu0 B>C, 7000000 cpu0 C>idle");
}

// For a preempted task, a request counts only if it names an idle CPU. Otherwise CPU 0 would be requested
// again and again to take back the task that has just been preempted on it.
TEST(RescheduleFunction, PreemptedTaskAsksIdleCpusOnly) {
    EXPECT_EQ(decisions("function enqueue(p) p.slice = 1 * ms ready:add_last(p) end\n"
                        "function reschedule(p)\n"
                        "    for cpu in cpus() do if cpu.number == 0 then return cpu end end\nend\n"),
              "0 cpu0 idle>A, 1000000 cpu0 A>B, 2000000 cpu0 B>A, 3000000 cpu0 A>C, 4000000 cpu0 C>B, "
              "5000000 cpu0 B>A, 6000000 cpu0 A>B, 7000000 cpu0 B>A, 8000000 cpu0 A>B, 9000000 cpu0 B>idle");
}

TEST(RescheduleFunction, NeedReschedShowsEarlierRequest) {
    EXPECT_EQ(decisions("function enqueue(p) p.slice = 1 * ms ready:add_last(p) end\n"
                        "function reschedule(p)\n"
                        "    for cpu in cpus() do\n"
                        "        assert(cpu.number < machine.cpus)\n"
                        "        if not cpu.current then\n"
                        "            assert(not cpu.need_resched, 'asked already')\n"
                        "            return cpu\n"
                        "        end\n"
                        "    end\nend\n"
                        "function start(p) end\n"),
              "my.lua:6: asked already, in reschedule() at 1ms, after 2 decisions");
}

TEST(RescheduleFunction, InvalidValuesAndCallsAreReported) {
    EXPECT_EQ(decisions("function reschedule(p) return 1 end\n"),
              "my.lua: reschedule() returned 1; expected a CPU or nil, in reschedule() at 0ns, after 0 "
              "decisions");
    EXPECT_EQ(decisions("function reschedule(p) for cpu in cpus() do if cpu.number == 1 then return cpu end "
                        "end end\n"),
              "my.lua: reschedule() returned CPU 1, which C may not use, in reschedule() at 2ms, after 2 "
              "decisions");
    EXPECT_EQ(decisions("function reschedule(p)\n    ready:remove(p)\nend\n"),
              "my.lua:2: remove changes state, which reschedule() must not do, in reschedule() at 0ns, "
              "after 0 decisions");
    EXPECT_EQ(decisions("function reschedule(p)\n    return may_run(p, 1)\nend\n"),
              "my.lua:2: may_run: expected a CPU, got 1, in reschedule() at 0ns, after 0 decisions");
    EXPECT_EQ(decisions("function pick_next(prev, cpu)\n    return cpu.idle\nend\n"),
              "my.lua:2: a CPU has no field 'idle', in pick_next() at 0ns, after 0 decisions");
}

}  // namespace reschedule_test
}  // namespace sim
