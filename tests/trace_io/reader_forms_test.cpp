// Tests of the trace reader: lines of all forms, and the events read from them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/trace_io/trace_contents.h"

namespace sim {
namespace reader_forms_test {

using namespace trace_io;
using trace_contents::in_words;
using trace_contents::TraceContents;

struct Form {
    const char* name;
    std::vector<std::string> lines, events;
    std::vector<std::string> notes = {};
};

std::string one_text(const std::vector<std::string>& lines) {
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

const std::string kSwitch =
    "sched_switch: prev_comm=A prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=B next_pid=6 "
    "next_prio=110";
const std::vector<std::string> kEvents = {"0 1 - sched_switch R A:5", "0 1 A:5 sched_switch S B:6",
                                          "0 1 B:6 sched_switch R+ -"};

const std::vector<Form> kForms = {
    {"tracefs", {"               A-5       [001] d..2.   100.000001: " + kSwitch}, kEvents},
    {"tracefs_without_flags", {"               A-5       [001]   100.000001: " + kSwitch}, kEvents},
    {"tracefs_before_5_13", {"               A-5     [001] d..2   100.000001: " + kSwitch}, kEvents},
    {"tracefs_eight_flags", {"               A-5     [001] dN.2..1.   100.000001: " + kSwitch}, kEvents},
    {"tracefs_with_tgid", {"               A-5     (    4) [001] d..2.   100.000001: " + kSwitch}, kEvents},
    {"tracefs_without_a_known_tgid",
     {"               A-5     (-----) [001] d..2.   100.000001: " + kSwitch},
     kEvents},
    {"tracefs_carriage_returns",
     {"# tracer: nop\r", "#\r", "               A-5       [001] d..2.   100.000001: " + kSwitch + "\r"},
     kEvents},
    {"tracefs_byte_order_mark",
     {"\xef\xbb\xbf# tracer: nop", "               A-5       [001] d..2.   100.000001: " + kSwitch},
     kEvents},
    {"tracefs_headers_and_lost_events",
     {"# tracer: nop", "#", "# entries-in-buffer/entries-written: 1/1   #P:2",
      "##### CPU 1 buffer started ####", "CPU:1 [LOST 12 EVENTS]", "CPU:0 [LOST EVENTS]",
      "CPU:0 [7 EVENTS DROPPED]", "CPU 0 is empty",
      "               A-5       [001] d..2.   100.000001: " + kSwitch},
     kEvents,
     {"20 events that the tracer reports as lost [5 6 7]"}},
    {"tracefs_latency_format",
     {"       A-5        1d..2. 16163us+: " + kSwitch,
      "       B-6        1d.h2. 16164us : sched_waking: comm=A pid=5 prio=120 target_cpu=001"},
     {"0 1 - sched_switch R A:5", "0 1 A:5 sched_switch S B:6", "1000 1 B:6 sched_waking A:5 1 in_interrupt",
      "1000 1 B:6 sched_switch R+ -"}},
    {"tracefs_latency_format_with_tgid", {"       A-5     (     4)   1d..2. 16163us!: " + kSwitch}, kEvents},
    {"tracefs_names_with_blanks_and_digits",
     {"         yield 0-3335  [001] d..2.   100.000001: sched_switch: prev_comm=yield 0 prev_pid=3335 "
      "prev_prio=120 "
      "prev_state=R ==> next_comm=a=b [1] 2.5: next_pid=6 next_prio=120"},
     {"0 1 - sched_switch R yield 0:3335", "0 1 yield 0:3335 sched_switch R a=b [1] 2.5::6",
      "0 1 a=b [1] 2.5::6 sched_switch R+ -"}},
    {"tracefs_a_name_that_looks_like_arguments",
     {"           <...>-5       [001] d..2.   100.000001: sched_switch: prev_comm=prev_pid=7 prev_pid=5 "
      "prev_prio=120 "
      "prev_state=S ==> next_comm=next_pid=9 x next_pid=6 next_prio=110"},
     {"0 1 - sched_switch R prev_pid=7:5", "0 1 prev_pid=7:5 sched_switch S next_pid=9 x:6",
      "0 1 next_pid=9 x:6 sched_switch R+ -"}},
    {"names_that_the_tracer_did_not_know",
     {"           <...>-5       [001] .....   100.000001: sched_waking: comm=B pid=6 prio=110 target_cpu=000",
      "           <...>-5       [001] d..2.   100.000002: " + kSwitch},
     {"0 1 - sched_switch R <...>:5", "0 1 <...>:5 sched_waking B:6 0", "1000 1 A:5 sched_switch S B:6",
      "1000 1 B:6 sched_switch R+ -"}},
    {"the_newest_name_is_that_of_the_last_switch",
     {"           yield-5       [001] d..2.   100.000001: " + kSwitch,
      "               B-6       [001] d..2.   100.000002: sched_switch: prev_comm=B prev_pid=6 prev_prio=110 "
      "prev_state=S ==> next_comm=yieldn next_pid=5 next_prio=120",
      "           yield-5       [001] .....   100.000003: task_rename: pid=5 oldcomm=yieldn newcomm=yield 0 "
      "oom_score_adj=0",
      "           yield-5       [001] .....   100.000003: sched_process_exec: "
      "filename=/usr/bin/a-rather-long-name pid=5 old_pid=5"},
     {"0 1 - sched_switch R A:5", "0 1 A:5 sched_switch S B:6", "1000 1 B:6 sched_switch S yieldn:5",
      "2000 1 a-rather-long-n:5 sched_process_exec", "2000 1 a-rather-long-n:5 sched_switch R+ -"}},
    {"all_events_of_tracefs",
     {"               A-5       [001] .....   1.000000001: sched_process_fork: comm=A pid=5 child_comm=A "
      "child_pid=7",
      "               A-5       [001] d..2.   1.000000002: sched_wakeup_new: comm=A pid=7 prio=120 "
      "target_cpu=000",
      "               A-5       [001] d.h3.   1.000000003: sched_waking: comm=B pid=6 prio=110 "
      "target_cpu=001",
      "               A-5       [001] d.s3.   1.000000004: sched_migrate_task: comm=B pid=6 prio=110 "
      "orig_cpu=1 dest_cpu=0",
      "               A-5       [001] dNH3.   1.000000005: sched_wakeup: comm=B pid=6 prio=110 "
      "target_cpu=000",
      "               A-5       [001] .....   1.000000006: sys_enter: NR 24 (0, 80, 1, 7fbe20db9f80, 0, "
      "7fbe20da4740)",
      "               A-5       [001] .....   1.000000007: sys_enter: NR 240 (0, 80, 1, 7fbe20db9f80, 0, "
      "7fbe20da4740)",
      "               A-5       [001] .....   1.000000008: sys_sched_yield()",
      "               A-5       [001] .....   1.000000009: sys_sched_yield -> 0x0",
      "               A-5       [001] .....   1.000000010: sys_enter_sched_yield: ",
      "               A-5       [001] .....   1.000000011: sched_process_exit: comm=A pid=5 prio=120 "
      "group_dead=true",
      "               A-5       [001] d..2.   1.000000012: sched_switch: prev_comm=A prev_pid=5 "
      "prev_prio=120 prev_state=Z ==> next_comm=swapper/1 next_pid=0 next_prio=120",
      "          <idle>-0       [001] d..2.   1.000000013: cpu_idle: state=1 cpu_id=1"},
     {"0 1 - sched_switch R A:5", "0 1 A:5 sched_process_fork A:7", "1 1 A:5 sched_wakeup_new A:7 0",
      "2 1 A:5 sched_waking B:6 1 in_interrupt", "3 1 A:5 sched_migrate_task B:6 1 0",
      "4 1 A:5 sched_wakeup B:6 0 in_interrupt", "5 1 A:5 sched_yield", "7 1 A:5 sched_yield",
      "9 1 A:5 sched_yield", "10 1 A:5 sched_process_exit", "11 1 A:5 sched_switch X -"},
     {"3 events of other kinds, ignored []"}},
    {"states_in_letters",
     {" A-1 [000] 1.1: sched_switch: prev_comm=A prev_pid=1 prev_prio=120 prev_state=R+ ==> next_comm=B "
      "next_pid=2 next_prio=120",
      " B-2 [000] 1.2: sched_switch: prev_comm=B prev_pid=2 prev_prio=120 prev_state=D|K ==> next_comm=A "
      "next_pid=1 next_prio=120",
      " A-1 [000] 1.3: sched_switch: prev_comm=A prev_pid=1 prev_prio=120 prev_state=I ==> next_comm=B "
      "next_pid=2 next_prio=120",
      " B-2 [000] 1.4: sched_switch: prev_comm=B prev_pid=2 prev_prio=120 prev_state=t ==> next_comm=A "
      "next_pid=1 next_prio=120",
      " A-1 [000] 1.5: sched_switch: prev_comm=A prev_pid=1 prev_prio=120 prev_state=x ==> next_comm=B "
      "next_pid=2 next_prio=-1",
      " B-2 [000] 1.6: sched_switch: prev_comm=B prev_pid=2 prev_prio=-1 prev_state=R ==> "
      "next_comm=swapper/0 next_pid=0 next_prio=120"},
     {"0 0 - sched_switch R A:1", "0 0 A:1 sched_switch R+ B:2", "100000000 0 B:2 sched_switch D A:1",
      "200000000 0 A:1 sched_switch S B:2", "300000000 0 B:2 sched_switch S A:1",
      "400000000 0 A:1 sched_switch X B:2", "500000000 0 B:2 sched_switch R -"}},
    {"trace_cmd",
     {"version = 6", "cpus=2",
      "               A-5     [001]   100.000001: sched_switch:         A:5 [120] S ==> B:6 [110]",
      "               B-6     [001]   100.000002: sched_waking:         comm=A pid=5 prio=120 target_cpu=001",
      "               B-6     [001]   100.000003: sched_wakeup:         A:5 [120] CPU:000",
      "               B-6     [001]   100.000004: sched_wakeup_new:     a b:7 [120] success=1 CPU:003",
      "               B-6     [001]   100.000005: sched_wakeup:         A:5 [120] success=0 CPU:000",
      "               B-6     [001]   100.000006: sched_switch:         B:6 [110] R ==> swapper/1:0 [120]"},
     {"0 1 - sched_switch R A:5", "0 1 A:5 sched_switch S B:6", "1000 1 B:6 sched_waking A:5 1",
      "2000 1 B:6 sched_wakeup A:5 0", "3000 1 B:6 sched_wakeup_new a b:7 3", "5000 1 B:6 sched_switch R -"},
     {"1 switch that does not distinguish a preempted task from one that called sched_yield() [8]",
      "1 event of another kind, ignored []"}},
    {"trace_cmd_N_t",
     {"cpus=2", "               A-5     [001]   100.000001234: sched_switch:         " + kSwitch.substr(14)},
     kEvents},
    {"trace_cmd_of_a_named_buffer",
     {"cpus=2", "b:             <...>-5     [001]   100.000001234: " + kSwitch},
     kEvents},
    {"trace_cmd_flags_without_a_blank",
     {"cpus=2", "               A-5     [001] d..2.100.000001234: " + kSwitch},
     kEvents},
    {"trace_cmd_l",
     {"cpus=2", "       A-5        1d..2. 100.000001: sched_switch:         A:5 [120] S ==> B:6 [110]"},
     kEvents},
    {"trace_cmd_l_of_a_name_with_dashes",
     {"cpus=2",
      " a-1 2-x-5       11d.h2. 100.000001: sched_waking:         comm=B pid=6 prio=110 target_cpu=001",
      " a-1 2-x-5       11d..2. 100.000002: sched_switch:         A:5 [120] S ==> B:6 [110]"},
     {"0 11 - sched_switch R a-1 2-x:5", "0 11 a-1 2-x:5 sched_waking B:6 1 in_interrupt",
      "1000 11 A:5 sched_switch S B:6", "1000 11 B:6 sched_switch R+ -"}},
    {"trace_cmd_R",
     {"cpus=2", " A-5 [001] 1.0: sched_process_fork:    parent_comm=A parent_pid=5 child_comm=A child_pid=7",
      " A-5 [001] 1.1: sched_switch:          prev_comm=A prev_pid=5 prev_prio=120 prev_state=256 "
      "next_comm=B next_pid=6 next_prio=110",
      " B-6 [001] 1.2: sched_switch:          prev_comm=B prev_pid=6 prev_prio=110 prev_state=2 next_comm=A "
      "next_pid=5 next_prio=120",
      " A-5 [001] 1.3: sched_switch:          prev_comm=A prev_pid=5 prev_prio=120 prev_state=64 next_comm=B "
      "next_pid=6 next_prio=110",
      " B-6 [001] 1.4: sched_switch:          prev_comm=B prev_pid=6 prev_prio=110 prev_state=32 "
      "next_comm=swapper/1 next_pid=0 next_prio=120"},
     {"0 1 - sched_switch R A:5", "0 1 A:5 sched_process_fork A:7", "100000000 1 A:5 sched_switch R+ B:6",
      "200000000 1 B:6 sched_switch D A:5", "300000000 1 A:5 sched_switch S B:6",
      "400000000 1 B:6 sched_switch X -"}},
    {"trace_cmd_R_of_an_older_kernel",
     {" A-5 [001] 1.1: sched_switch:          prev_comm=A prev_pid=5 prev_prio=120 prev_state=4096 "
      "next_comm=B next_pid=6 next_prio=110",
      " B-6 [001] 1.2: sched_switch:          prev_comm=B prev_pid=6 prev_prio=110 prev_state=130 "
      "next_comm=A next_pid=5 next_prio=120",
      " A-5 [001] 1.3: sched_switch:          prev_comm=A prev_pid=5 prev_prio=120 prev_state=2048 "
      "next_comm=B next_pid=6 next_prio=110",
      " B-6 [001] 1.4: sched_switch:          prev_comm=B prev_pid=6 prev_prio=110 prev_state=64 "
      "next_comm=swapper/1 next_pid=0 next_prio=120"},
     {"0 1 - sched_switch R A:5", "0 1 A:5 sched_switch R+ B:6", "100000000 1 B:6 sched_switch D A:5",
      "200000000 1 A:5 sched_switch R+ B:6", "300000000 1 B:6 sched_switch X -"}},
    {"perf_script",
     {"               A     5 [001]   100.000001:       sched:sched_switch: " + kSwitch.substr(14)},
     kEvents},
    {"perf_script_with_headers",
     {"# ========", "# captured on    : a day", "# ========", "#",
      "               A     5 [001]   100.000001:       sched:sched_switch: " + kSwitch.substr(14)},
     kEvents},
    {"perf_script_pid_tid_ns",
     {"               A     4/5     [001]   100.000001234:       sched:sched_switch: " + kSwitch.substr(14)},
     kEvents},
    {"perf_script_with_a_period",
     {"               A     5 [001]   100.000001:          1       sched:sched_switch: " +
      kSwitch.substr(14)},
     kEvents},
    {"perf_script_plugin_form",
     {"               A     5 [001]   100.000001: sched:sched_switch: A:5 [120] S ==> B:6 [110]"},
     kEvents},
    {"perf_script_before_systems_were_named",
     {"               A     5 [001]   100.000001: sched_switch: " + kSwitch.substr(14)},
     kEvents},
    {"perf_script_names_with_blanks_and_digits",
     {"         yield 0  3365 [001]   817.681696:       sched:sched_waking: comm=yield 1 pid=3363 prio=120 "
      "target_cpu=001",
      "         yield 0  3365 [001]   817.681697:       sched:sched_switch: prev_comm=yield 0 prev_pid=3365 "
      "prev_prio=120 prev_state=R ==> next_comm=yield 1 next_pid=3363 next_prio=120"},
     {"0 1 - sched_switch R yield 0:3365", "0 1 yield 0:3365 sched_waking yield 1:3363 1",
      "1000 1 yield 0:3365 sched_switch R yield 1:3363", "1000 1 yield 1:3363 sched_switch R+ -"}},
    {"perf_script_of_a_thread_that_has_gone",
     {"             :-1    -1 [001]   100.000001:       sched:sched_switch: " + kSwitch.substr(14),
      "             :-1    -1 [001]   100.000002:       sched:sched_waking: comm=A pid=5 prio=120 "
      "target_cpu=001",
      "            :6     6 [001]   100.000003:       sched:sched_stat_runtime: comm=B pid=6 runtime=8964 "
      "[ns]"},
     {"0 1 - sched_switch R A:5", "0 1 A:5 sched_switch S B:6", "1000 1 B:6 sched_waking A:5 1",
      "2000 1 B:6 sched_switch R+ -"},
     {"1 task with CPU time reported by the kernel (sched_stat_runtime): 2 us according to these reports, 2 "
      "us according to the switches; largest difference 0 ns (B 6) []"}},
    {"perf_script_interrupts",
     {"               A     5 [000]   1.000001:       irq_vectors:local_timer_entry: vector=236",
      "               A     5 [000]   1.000002:       sched:sched_waking: comm=B pid=6 prio=110 "
      "target_cpu=000",
      "               A     5 [000]   1.000003:       irq:softirq_entry: vec=1 [action=TIMER]",
      "               A     5 [000]   1.000004:       sched:sched_wakeup: comm=B pid=6 prio=110 "
      "target_cpu=000",
      "               A     5 [000]   1.000005:       irq:softirq_exit: vec=1 [action=TIMER]",
      "               A     5 [000]   1.000006:       irq_vectors:local_timer_exit: vector=236",
      "               A     5 [000]   1.000007:       sched:sched_waking: comm=C pid=7 prio=110 "
      "target_cpu=000",
      "               A     5 [000]   1.000008:       sched:sched_switch: prev_comm=A prev_pid=5 "
      "prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 next_prio=120",
      "         swapper     0 [000]   1.000009:       sched:sched_waking: comm=A pid=5 prio=120 "
      "target_cpu=000"},
     {"1000 0 - sched_switch R A:5", "1000 0 A:5 sched_waking B:6 0 in_interrupt",
      "3000 0 A:5 sched_wakeup B:6 0 in_interrupt", "6000 0 A:5 sched_waking C:7 0",
      "7000 0 A:5 sched_switch S -", "8000 0 - sched_waking A:5 0 in_interrupt"}},
    {"perf_script_stacks_and_lost_events",
     {"               A     5 [001]   100.000001:       sched:sched_switch: " + kSwitch.substr(14),
      "\tffffffff81a0b1c2 __schedule+0x2c2 ([kernel.kallsyms])", "",
      "               A     5 [001]   100.000002: PERF_RECORD_LOST lost 9"},
     kEvents,
     {
         "9 events that the tracer reports as lost [4]",
     }},
    {"bpftrace",
     {"Attaching 5 probes...", "ST:0:1f2e3d4c", "P:1:5:78:a:b", "S:a:1:5:1:6", "P:b:6:ffffffff:B",
      "W:b:1:0:5", "M:c:1:1:0:5", "S:d:1:6:100:0"},
     {"9 1 - sched_switch R a:b:5", "9 1 a:b:5 sched_switch S <...>:6", "10 1 B:6 sched_wakeup a:b:5 0",
      "11 1 B:6 sched_migrate_task a:b:5 1 0", "12 1 B:6 sched_switch R+ -"}},
    {"our_export",
     {"# switchyard: {\"title\":\"T\",\"cpus\":2,\"hz\":100,\"policy\":\"linux-2.0\",\"begin_ns\":5}",
      "          <idle>-0       (-------) [001] d....     0.000000005: sched_switch: prev_comm=swapper/1 "
      "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=A next_pid=5 next_prio=120",
      "               A-5       (      5) [001] d....     0.000000006: tracing_mark_write: B|5|schedule",
      "               A-5       (      5) [001] d....     0.000000006: tracing_mark_write: I|5|refill of 3 "
      "counters",
      "               A-5       (      5) [001] d....     0.000000006: tracing_mark_write: B|5|of somebody "
      "else",
      "               A-5       (      5) [001] d....     0.000000006: tracing_mark_write: E|5",
      "               A-5       (      5) [001] d....     0.000000007: tracing_mark_write: E|5",
      "               A-5       (      5) [001] d....     0.000000008: tracing_mark_write: I|5|sched_yield",
      "               A-5       (      5) [001] d....     0.000000008: tracing_mark_write: C|0|nr_running|2",
      "               A-5       (      5) [001] d....     0.000000008: tracing_mark_write: C|7|frames|2",
      "               A-5       (      5) [001] d....     0.000000009: sched_switch: prev_comm=A prev_pid=5 "
      "prev_prio=120 prev_state=R ==> next_comm=swapper/1 next_pid=0 next_prio=120"},
     {"5 1 - sched_switch R A:5", "6 1 A:5 work_begin schedule", "6 1 A:5 recalculation 3",
      "6 1 A:5 work_begin work", "6 1 A:5 work_end", "7 1 A:5 work_end", "8 1 A:5 sched_yield",
      "8 1 A:5 nr_running 2", "9 1 A:5 sched_switch R -"},
     {"1 event of another kind, ignored []"}},
    {"markers_of_programs_are_none_of_ours",
     {"               A-5       [001] .....   100.000000: tracing_mark_write: B|5|schedule",
      "               A-5       [001] d..2.   100.000001: " + kSwitch},
     kEvents,
     {"1 event of another kind, ignored []"}},
};

class FormOf : public testing::TestWithParam<Form> {};

TEST_P(FormOf, ProducesExpectedEvents) {
    const TraceContents contents(one_text(GetParam().lines), "form.txt");
    EXPECT_EQ(one_text(contents.events.lines), one_text(GetParam().events));
    EXPECT_EQ(one_text(in_words(contents.notes)), one_text(GetParam().notes));
}

INSTANTIATE_TEST_SUITE_P(Forms, FormOf, testing::ValuesIn(kForms),
                         [](const auto& of) { return std::string(of.param.name); });

// The output of trace-cmd for an exported trace.dat, with the header prepended.
TEST(TraceReader, ExportedTraceDatKeepsAllEvents) {
    const std::string name(40, 'n');
    const std::string text = fmt::format(
        "# switchyard: {{\"title\":\"t\",\"cpus\":1,\"policy\":\"linux-2.4\",\"begin_ns\":0,\"threads\":"
        "[[5,5,120,0,0,\"1\",\"A\"],[6,6,120,1,0,\"1\",\"{0}\"]]}}\n# switchyard 0 is 1 ns\ncpus=1\n"
        "  <idle>-0       0d.h..     0.000000001: sched_wakeup_new:     comm=A pid=5 prio=120 "
        "target_cpu=000\n"
        "  <idle>-0       0d....     0.000000001: nr_running:           tasks=2\n"
        "  <idle>-0       0d....     0.000000001: sched_switch:         prev_comm=swapper/0 prev_pid=0 "
        "prev_prio=120 "
        "prev_state=R ==> next_comm=A next_pid=5 next_prio=120\n"
        "  A-5            0d....     0.000000001: work_begin:           schedule\n"
        "  A-5            0d....     0.000000003: work_end:             schedule\n"
        "  A-5            0d....     0.000000004: sched_yield:          pid=5\n"
        "  A-5            0d....     0.000000004: recalculation:        counters=3\n"
        "  A-5            0d....     0.000000004: refill:               counters=2\n"
        "  A-5            0d....     0.000000004: recalculation:        counters=x\n"
        "  A-5            0dN...     0.000000005: sched_switch:         prev_comm=A prev_pid=5 prev_prio=120 "
        "prev_state=R+ ==> next_comm={1} next_pid=6 next_prio=120\n",
        name, name.substr(0, 31));
    const TraceContents contents(text, "run.dat");
    EXPECT_EQ(contents.events.lines,
              (std::vector<std::string>{"0 0 - sched_wakeup_new A:5 0 in_interrupt", "0 0 - nr_running 2",
                                        "0 0 - sched_switch R A:5", "0 0 A:5 work_begin schedule",
                                        "3 0 A:5 work_end", "4 0 A:5 sched_yield", "4 0 A:5 recalculation 3",
                                        "4 0 A:5 recalculation 2", "5 0 A:5 sched_switch R+ " + name + ":6",
                                        "5 0 " + name + ":6 sched_switch R+ -"}));
    EXPECT_EQ(in_words(contents.notes),
              (std::vector<std::string>{"1 event with missing or invalid fields [12]"}));
    EXPECT_TRUE(contents.events.all[2].is_kernel);
}

// A reused pid denotes a new thread, even if the name is the same.
TEST(TraceReader, ReusedPidIsNewThread) {
    const auto line = [](int micros, const std::string& rest) {
        return fmt::format(" A-5 [000] d..2. 1.{:06}: {}", micros, rest);
    };
    const std::string to_child =
        "sched_switch: prev_comm=A prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=A next_pid=7 "
        "next_prio=120";
    const auto back = [](const char* state) {
        return fmt::format(
            "sched_switch: prev_comm=A prev_pid=7 prev_prio=120 prev_state={} ==> next_comm=A "
            "next_pid=5 next_prio=120",
            state);
    };
    const std::string fork = "sched_process_fork: comm=A pid=5 child_comm=A child_pid=7";
    const std::string exit = "sched_process_exit: comm=A pid=7 prio=120";
    const auto threads = [&](const std::vector<std::string>& events) {
        std::string text;
        for (std::size_t i = 0; i < events.size(); ++i) text += line(static_cast<int>(i), events[i]) + "\n";
        return TraceContents(text, "pids.txt").events.all.size() - 1;
    };
    EXPECT_EQ(threads({fork, to_child, back("S"), to_child, back("S")}), 2U);
    EXPECT_EQ(threads({fork, to_child, back("X"), fork, to_child, back("S")}), 3U);
    EXPECT_EQ(threads({fork, to_child, back("Z"), to_child, back("S")}), 3U);
    // The last switch of the old thread is missing.
    EXPECT_EQ(threads({fork, to_child, exit, back("R"), fork, to_child, back("S")}), 3U);
    EXPECT_EQ(threads({fork, to_child, exit, back("R"), to_child, back("X")}), 2U);
}

// A line of an export lists all its threads; there may be thousands of them.
TEST(TraceReader, LongHeaderIsReadCompletely) {
    RunInfo info{.title = "many", .cpus = 2, .policy = "linux-2.4"};
    for (std::int32_t pid = 1; pid <= 3000; ++pid)
        info.threads.push_back(
            {.thread = {.pid = pid, .tgid = pid, .name = fmt::format("worker.{}", pid)}, .asleep = true});
    const std::string text =
        fmt::format("# switchyard: {}\n A-5 [000] d..2. 1.0: {}\n", to_json(info), kSwitch);
    ASSERT_GT(text.size(), 65'536U);
    const TraceContents contents(text, "long.txt");
    EXPECT_TRUE(contents.notes.notes().empty());
    EXPECT_EQ(to_json(contents.events.run), to_json(info));
    EXPECT_EQ(contents.events.all.size(), 3001U);
}

}  // namespace reader_forms_test
}  // namespace sim
