// Question: which kernel's sched_yield() produced this trace? The same tasks make the same calls under four
// kernels. The question is asked only if no other kernel produces the same trace.
#include <fmt/format.h>

#include <array>

#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"

namespace sim::quiz {
namespace {

using enum Misconception;

struct YieldVariant {
    const char* policy;
    const char* text;
    Misconception mistake;  // mistake in the answer that this variant produced the trace
};

constexpr std::array<YieldVariant, 4> kVariants{{
    {"linux-2.0", "linux-2.0: caller to the tail, counter = 0", takes_for_whole_slice},
    {"linux-2.0:yield=one_tick", "linux-2.0:yield=one_tick: caller to the tail, counter - 1",
     takes_for_one_tick},
    {"linux-2.0:yield=move_last_only", "linux-2.0:yield=move_last_only: caller to the tail, no schedule()",
     takes_for_move_last},
    {"linux-2.2", "linux-2.2: caller to the tail, flagged, counter unchanged", takes_for_yield_flag},
}};

// The result of several sched_yield() calls, each by the task that runs. `names`: the tasks that ran after
// each call, in order. `told`: the trace shown to the student. `why`: the queue after each call.
struct YieldRun {
    std::string names, told, why;
};

YieldRun run_yields(const YieldVariant& variant, const std::vector<DriverTask>& tasks, int calls,
                    Level level) {
    const NamedPolicy policy = make_policy(variant.policy);
    PolicyDriver driver(*policy.policy, static_cast<std::uint32_t>(tasks.size()));
    // In kernels that put a woken task at the head of the queue, tasks are added in reverse, so that the
    // queue has the order of `tasks`.
    const bool at_head = std::string_view(variant.policy).starts_with("linux-2.2");
    for (std::size_t i = 0; i < tasks.size(); ++i) driver.add(tasks[at_head ? tasks.size() - 1 - i : i]);
    driver.put_on_cpu(driver.find(tasks.front().name));
    YieldRun run;
    const auto counter = [&] { return driver.machine().counter[driver.current()]; };
    for (int i = 0; i < calls; ++i) {
        const std::string caller = driver.name(driver.current());
        const bool scheduled = driver.yield();
        const std::string next = driver.name(driver.current());
        run.names += next;
        run.told += fmt::format("  {} calls sched_yield(): {} {}", caller, next == caller ? "it" : next,
                                next == caller ? "continues" : "runs");
        if (level == Level::easy) run.told += fmt::format(", with a counter of {}", counter());
        run.told += "\n";
        run.why += fmt::format("after call {}: {}{}\n", i + 1, driver.queue_text(),
                               !scheduled                                 ? "  (no schedule())"
                               : driver.log().decision.recalculations > 0 ? "  (all counters recalculated)"
                                                                          : "");
    }
    return run;
}

}  // namespace

Question make_which_yield(RandomDraw& draw, Level level) {
    const std::size_t right = draw.below(kVariants.size());
    const int calls = level == Level::easy ? 4 : level == Level::medium ? 5 : 6;
    for (;;) {
        std::vector<DriverTask> tasks;
        const int count = level == Level::easy ? 2 : draw.between(2, 3);
        const std::int32_t middle = draw.between(2, 12);
        for (int i = 0; i < count; ++i)
            tasks.push_back({.name = std::string(1, static_cast<char>('A' + i)),
                             .counter = std::max(middle + draw.between(-2, 2), 1),
                             .mm = static_cast<MmId>(i + 1)});
        std::array<YieldRun, kVariants.size()> runs;
        for (std::size_t v = 0; v < kVariants.size(); ++v)
            runs[v] = run_yields(kVariants[v], tasks, calls, level);
        bool differ = true;
        for (std::size_t v = 0; v < kVariants.size(); ++v) {
            if (v == right) continue;
            differ = differ && (level == Level::easy ? runs[v].told != runs[right].told
                                                     : runs[v].names != runs[right].names);
        }
        if (!differ) continue;

        Question q;
        q.situation =
            "These processes have priority 20 and are listed in queue order; A runs. No tick "
            "occurs between the calls. Counters:\n"
            " ";
        for (const DriverTask& task : tasks) q.situation += fmt::format(" {} {}", task.name, task.counter);
        q.situation += "\n\n" + runs[right].told;
        q.text = "Under which kernel did this happen?";
        q.choices.push_back({kVariants[right].text});
        for (std::size_t v = 0; v < kVariants.size(); ++v)
            if (v != right) add_wrong_choice(q, kVariants[v].text, kVariants[v].mistake);
        q.explanation = "The queue, with counters, under each kernel:\n";
        for (std::size_t v = 0; v < kVariants.size(); ++v) {
            q.explanation += fmt::format("{}{}\n", kVariants[v].policy, v == right ? "  <- this one" : "");
            for (std::size_t begin = 0; begin < runs[v].why.size();) {
                const std::size_t end = runs[v].why.find('\n', begin);
                q.explanation += "  " + runs[v].why.substr(begin, end - begin) + "\n";
                begin = end + 1;
            }
        }
        shuffle_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
