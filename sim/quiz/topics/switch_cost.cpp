// Question: which switches load page tables? Threads of one address space, processes, a kernel thread and the
// idle task run in a random order; the engine counts the loads.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "sim/core/engine.h"
#include "sim/quiz/situation.h"
#include "sim/quiz/topics/topics.h"
#include "sim/scenario/scenario_json.h"

namespace sim::quiz {
namespace {

using enum Misconception;

struct Actor {
    const char* name;
    const char* mm;    // member `mm` of the task in the scenario's JSON; empty: no such member
    const char* what;  // description
};
constexpr Actor kActors[] = {
    {"A", "\"mm\": \"X\", ", "a thread in address space X"},
    {"B", "\"mm\": \"X\", ", "another thread in address space X"},
    {"C", "", "a separate process"},
    {"D", "", "another separate process"},
    {"K", "\"mm\": null, ", "a kernel thread"},
};
constexpr int kKernelThread = 4, kIdle = -1;

// Returns a scenario in which the tasks run in the order `order`. Each task waits until the task before it in
// `order` wakes it. Exception: before an entry kIdle, a task sleeps briefly, and it runs again after this
// entry. REQUIRES: the entries before and after kIdle are the same task.
std::string scenario_of(const std::vector<int>& order, const std::string& policy) {
    std::string programs[std::size(kActors)];
    std::string text = fmt::format(
        R"({{"format": "switchyard-scenario/1", "machine": "pentium-mmx-200", "policy": "{}", "until": "200ms", "tasks": [)",
        policy);
    int turn = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] == kIdle) continue;
        std::string& program = programs[static_cast<std::size_t>(order[i])];
        const bool from_idle = i > 0 && order[i - 1] == kIdle;
        if (i > 0 && !from_idle) program += fmt::format(R"({{"wait": "turn{}"}}, )", turn);
        program += R"({"run": "100us"}, )";
        if (i + 1 == order.size()) break;
        program += order[i + 1] == kIdle ? R"({"sleep": "5ms"}, )"
                                         : fmt::format(R"({{"wake": "turn{}"}}, )", ++turn);
    }
    // A sleep at the end of each program prevents the task from exiting before the last turn is over.
    const char* separator = "";
    for (std::size_t a = 0; a < std::size(kActors); ++a) {
        if (programs[a].empty()) continue;
        text += fmt::format(R"({}{{"name": "{}", {}{}"program": [{}{{"sleep": "1s"}}]}})", separator,
                            kActors[a].name, kActors[a].mm,
                            static_cast<int>(a) == order.front() ? R"("start": "10ms", )" : "", programs[a]);
        separator = ", ";
    }
    return text + "]}";
}

// An assumption about page tables, true or false, from which an answer follows.
struct PageTableAssumption {
    bool lazy;                     // kernel threads and the idle task borrow page tables
    bool threads_share = true;     // tasks of one address space have the same page tables
    bool processes_share = false;  // all tasks except kernel threads have the same page tables
    bool idle_is_free = false;     // the idle task loads no page tables, even if kernel threads do
};

int count_loads(const std::vector<int>& order, const PageTableAssumption& assumption) {
    const auto tables = [&](int actor) {
        if (actor == kIdle || actor == kKernelThread) return -1;
        if (assumption.processes_share) return 0;
        return assumption.threads_share && actor <= 1 ? 0 : actor;
    };
    int loaded = tables(order.front()), loads = 0;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const int wanted = tables(order[i]);
        if (wanted == -1 && (assumption.lazy || (assumption.idle_is_free && order[i] == kIdle))) continue;
        loads += wanted != loaded ? 1 : 0;
        loaded = wanted;
    }
    return loads;
}

std::string name_of_actor(int actor) { return actor == kIdle ? "idle" : kActors[actor].name; }

// Draws the order in which tasks run on the CPU, with `switches` switches.
std::vector<int> draw_order(RandomDraw& draw, Level level, int switches) {
    std::vector<int> order{draw.between(0, 2)};
    while (static_cast<int>(order.size()) <= switches) {
        const int before = order.back();
        if (before == kIdle) {
            order.push_back(order[order.size() - 2]);
            continue;
        }
        const int next = static_cast<int>(order.size()) < switches && draw.chance(25) ? kIdle
                         : draw.chance(30)                                            ? kKernelThread
                                           : draw.between(0, level == Level::easy ? 2 : 3);
        if (next != before) order.push_back(next);
    }
    return order;
}

// The switches of a simulated run, and its loads of page tables.
struct OrderResult {
    std::string told;      // the tasks in order: "A -> B -> idle"
    std::string why;       // explanation, a line per switch
    int loads = 0;         // number of switches that load page tables
    std::size_t seen = 0;  // number of entries of `order` that the trace has reached so far
};

OrderResult play_order(const std::vector<int>& order, const std::string& policy) {
    const Scenario scenario = parse_scenario("quiz", scenario_of(order, policy));
    const NamedPolicy named = make_policy(scenario.policy);
    const Engine engine(scenario, *named.policy);
    Machine m = engine.initial_state();
    Trace trace;
    engine.run(m, {.until = 10ms}, {});
    engine.run(m, {.until = 150ms}, {.trace = &trace});
    // The switch to the first task of the order is not part of the question, which is about the switches
    // after it.
    OrderResult result;
    for (const TraceRecord& r : trace.records) {
        if (r.kind != TraceKind::schedule || r.task == r.other || result.seen == order.size()) continue;
        const std::string next = m.is_idle_task(r.task) ? "idle" : scenario.task_name(m, r.task);
        assert(next == name_of_actor(order[result.seen]));
        if (result.seen > 0) {
            const std::string prev = name_of_actor(order[result.seen - 1]);
            result.loads += r.loads_mm ? 1 : 0;
            result.why += fmt::format("{:>4} -> {:<4}  {}\n", prev, next, r.loads_mm ? "loads" : "-");
        }
        result.told += (result.seen > 0 ? " -> " : "") + next;
        ++result.seen;
    }
    return result;
}

// The answers that mistakes lead to. `lazy`: the kernel has lazy TLB.
std::vector<Choice> wrong_load_counts(const std::vector<int>& order, bool lazy) {
    std::vector<Choice> wrong;
    const auto offer = [&](const PageTableAssumption& assumption, Misconception mistake) {
        wrong.push_back({fmt::format("{}", count_loads(order, assumption)), mistake});
    };
    offer({.lazy = !lazy}, lazy ? forgot_lazy : imagined_lazy);
    offer({.lazy = lazy, .threads_share = false}, threads_load);
    offer({.lazy = lazy, .processes_share = true}, processes_share);
    if (!lazy) offer({.lazy = false, .idle_is_free = true}, idle_is_free);
    return wrong;
}

}  // namespace

Question make_switch_cost(RandomDraw& draw, Level level) {
    const int switches = level == Level::easy ? 4 : level == Level::medium ? 6 : 7;
    const std::vector<std::string> kernels{"linux-2.0", "linux-2.4.22"};
    for (;;) {
        const std::string policy = draw.one_of(kernels);
        const std::vector<int> order = draw_order(draw, level, switches);
        if (std::find(order.begin(), order.end(), kKernelThread) == order.end() && draw.chance(80)) continue;

        const OrderResult result = play_order(order, policy);
        if (result.seen != order.size()) continue;

        std::vector<Choice> wrong = wrong_load_counts(order, policy == "linux-2.4.22");
        draw.shuffle(wrong);

        Question q;
        q.situation = kernel_name(policy) + ".\nThese tasks have the CPU one after another:\n\n  " +
                      result.told + "\n\n";
        for (int a = 0; a < static_cast<int>(std::size(kActors)); ++a)
            if (std::find(order.begin(), order.end(), a) != order.end())
                q.situation += fmt::format("  {:<5} {}\n", kActors[a].name, kActors[a].what);
        q.text = fmt::format("How many of these {} switches load other page tables (CR3 changes)?",
                             order.size() - 1);
        q.choices.push_back({fmt::format("{}", result.loads)});
        for (Choice& choice : wrong) add_wrong_choice(q, std::move(choice.text), choice.misconception);
        if (q.choices.size() < 3) continue;
        q.explanation = result.why + fmt::format("Loads of page tables in all: {}.\n", result.loads);
        shuffle_choices(q, draw);
        return q;
    }
}

}  // namespace sim::quiz
