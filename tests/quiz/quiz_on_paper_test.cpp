// Answers the questions again from the printed text alone, with the slow models of tests/reference. Verifies
// that the text suffices, the engine's answer is right and no other choice is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "sim/quiz/question.h"
#include "sim/scenario/scenario_json.h"
#include "tests/reference/linux_2_0_model.h"
#include "tests/reference/linux_2_4_model.h"
#include "tests/reference/linux_2_6_20_model.h"
#include "tests/reference/vmstat_model.h"
#include "tests/support/test_sizes.h"

namespace sim::quiz {
namespace quiz_on_paper_test {

constexpr Level kLevels[] = {Level::easy, Level::medium, Level::hard};
// Number of seeds, and of questions per seed, level and topic.
const std::uint64_t kSeeds = kManyRounds ? 200 : 15, kQuestions = 3;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

struct Row {
    std::string name;
    int counter, priority, mm = 0;
    bool runs, asleep, rt;
    bool fifo;
    int rt_priority = 0;
};

struct Sheet {
    std::string kernel;
    // The queue from head to tail, then the sleeping tasks.
    std::vector<Row> rows;
    std::string event;

    int id(const std::string& name) const {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].name == name) return static_cast<int>(i) + 1;
        return 0;
    }
    std::string running() const {
        for (const Row& row : rows)
            if (row.runs) return row.name;
        return {};
    }
};

Sheet read(const Question& q) {
    const auto lines = lines_of(q.situation);
    Sheet sheet{.kernel = lines.at(0), .rows = {}, .event = lines.back()};
    const bool mms = lines.at(3).find("  mm") != std::string::npos;
    for (std::size_t i = 4; i < lines.size() && !lines[i].empty(); ++i) {
        const auto words = words_of(lines[i]);
        Row row{};
        row.name = words.at(0);
        row.counter = std::stoi(words.at(1));
        row.priority = std::stoi(words.at(2));
        if (mms) row.mm = std::stoi(words.at(3));
        row.runs = words.back() == "runs";
        row.asleep = words.back() == "asleep";
        const auto rt = std::find(words.begin(), words.end(), "rt_priority");
        row.rt = rt != words.end();
        if (row.rt) {
            row.fifo = *(rt - 1) == "fifo,";
            row.rt_priority = std::stoi(*(rt + 1));
        }
        sheet.rows.push_back(row);
    }
    return sheet;
}

// The result of one event, from the model of either kernel.
struct Outcome {
    bool scheduled = false;
    std::string next;
    int considered = 0, recalculated = 0;
    std::map<std::string, int> counters;
};

// Parses the event on the question sheet and calls does(action, task name) for it.
template <class Does>
void act(const Sheet& sheet, Does does) {
    const auto words = words_of(sheet.event);
    if (sheet.event.find("sched_yield()") != std::string::npos)
        does("yield", "");
    else if (sheet.event.find("goes to sleep") != std::string::npos)
        does("block", "");
    else if (sheet.event.find("The timer interrupt") == 0)
        does("tick", "");
    else if (sheet.event.find("wakes") != std::string::npos)
        does("wake", words.at(3));
    else
        does("resched", "");
}

Outcome work_out_2_0(const Sheet& sheet) {
    using namespace reference;
    const bool patched = sheet.kernel.find("two-line patch") != std::string::npos;
    Linux20Model model(patched ? YieldVariant::one_tick : YieldVariant::original, true);
    for (const Row& row : sheet.rows)
        model.add_task(sheet.id(row.name),
                       {.counter = row.counter,
                        .priority = row.priority,
                        .policy = !row.rt    ? reference::SchedClass::other
                                  : row.fifo ? reference::SchedClass::fifo
                                             : reference::SchedClass::rr,
                        .rt_priority = row.rt_priority},
                       !row.asleep);
    model.run(sheet.id(sheet.running()));
    bool forced = false;
    act(sheet, [&](const std::string& what, const std::string& whom) {
        if (what == "yield") model.yield();
        if (what == "block") model.block();
        if (what == "tick") model.tick();
        if (what == "wake") model.wake(sheet.id(whom));
        forced = what == "resched";
    });
    Outcome outcome;
    outcome.scheduled = forced || model.need_resched() || model.current_stopped();
    outcome.next = sheet.running();
    if (outcome.scheduled) {
        const reference::Decision d = model.schedule();
        outcome.next = d.chosen == kIdle ? "idle" : sheet.rows[static_cast<std::size_t>(d.chosen) - 1].name;
        outcome.considered = d.considered;
        outcome.recalculated = d.recalculated;
    }
    for (const Row& row : sheet.rows) outcome.counters[row.name] = model.task(sheet.id(row.name)).counter;
    return outcome;
}

Outcome work_out_2_4(const Sheet& sheet) {
    using namespace reference24;
    const Version version = sheet.kernel.starts_with("Linux 2.2")     ? Version::v2_2_1
                            : sheet.kernel.starts_with("Linux 2.4.0") ? Version::v2_4_0
                                                                      : Version::v2_4_22;
    Linux24Model model(version, 1, false);
    for (const Row& row : sheet.rows)
        model.add_task(sheet.id(row.name), {.counter = row.counter,
                                            .nice = 20 - row.priority,
                                            .policy = !row.rt    ? reference24::SchedClass::other
                                                      : row.fifo ? reference24::SchedClass::fifo
                                                                 : reference24::SchedClass::rr,
                                            .rt_priority = row.rt_priority,
                                            .mm = row.mm,
                                            .active_mm = row.mm});
    std::vector<int> ready;
    for (const Row& row : sheet.rows)
        if (!row.asleep) ready.push_back(sheet.id(row.name));
    // each wake-up adds a task at the head
    if (version != Version::v2_4_22) std::reverse(ready.begin(), ready.end());
    for (const int id : ready) model.wake(id, 0);
    model.run(sheet.id(sheet.running()), 0);
    bool forced = false;
    act(sheet, [&](const std::string& what, const std::string& whom) {
        if (what == "yield") model.yield(0);
        if (what == "block") model.block(0);
        if (what == "tick") model.tick(0);
        if (what == "wake") model.wake(sheet.id(whom), 0);
        forced = what == "resched";
    });
    Outcome outcome;
    outcome.scheduled = forced || model.must_schedule(0);
    outcome.next = sheet.running();
    if (outcome.scheduled) {
        const reference24::Decision d = model.schedule(0);
        outcome.next = d.chosen == 0 ? "idle" : sheet.rows[static_cast<std::size_t>(d.chosen) - 1].name;
        outcome.considered = d.considered;
        outcome.recalculated = d.recalculated;
    }
    for (const Row& row : sheet.rows)
        outcome.counters[row.name] = model.tasks().at(sheet.id(row.name)).counter;
    return outcome;
}

bool is_2_0(const Sheet& sheet) { return sheet.kernel.find("Linux 2.0") != std::string::npos; }

Outcome work_out(const Sheet& sheet) { return is_2_0(sheet) ? work_out_2_0(sheet) : work_out_2_4(sheet); }

template <class Check>
void for_each_question(const char* topic, Check check) {
    for (const Level level : kLevels)
        for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
            for (std::uint64_t k = 1; k <= kQuestions; ++k) {
                const Question q = make_question({topic, level, seed, k});
                check(q, q.choices[q.answer_index()].text);
                if (testing::Test::HasFailure()) {
                    ADD_FAILURE() << to_string(q.id) << "\n" << question_text(q) << solution_text(q);
                    return;
                }
            }
}

// Expects that exactly one choice is right according to the model, and that it is the answer of the
// question.
template <class IsRight>
void expect_one(const Question& q, IsRight is_right) {
    for (std::size_t i = 0; i < q.choices.size(); ++i)
        EXPECT_EQ(is_right(q.choices[i].text), i == q.answer_index()) << q.choices[i].text;
}
void expect_one(const Question& q, const std::string& said) {
    expect_one(q, [&](const std::string& text) { return text == said; });
}

TEST(PrintedQuiz, NextTaskAnswerMatchesModel) {
    for_each_question("who-runs-next", [](const Question& q, const std::string&) {
        const Outcome outcome = work_out(read(q));
        EXPECT_TRUE(outcome.scheduled);
        expect_one(q, outcome.next);
    });
}

// Simple guesses must often be wrong. They are: the highest counter, always prev, and always the first
// task.
TEST(PrintedQuiz, SimpleGuessRarelyFindsNextTask) {
    int highest = 0, prev = 0, first = 0, all = 0;
    for_each_question("who-runs-next", [&](const Question& q, const std::string& right) {
        const Sheet sheet = read(q);
        const Row* best = nullptr;
        for (const Row& row : sheet.rows)
            if (!row.asleep && (best == nullptr || row.counter > best->counter)) best = &row;
        ++all;
        highest += right == best->name ? 1 : 0;
        prev += right == sheet.running() ? 1 : 0;
        first += right == sheet.rows.front().name ? 1 : 0;
    });
    EXPECT_LT(highest, all * 65 / 100);
    EXPECT_LT(prev, all * 40 / 100);
    EXPECT_LT(first, all * 60 / 100);
    EXPECT_GT(std::min({highest, prev, first}), all / 10);  // no guess is always wrong
}

TEST(PrintedQuiz, RecalculationAnswerMatchesModel) {
    for_each_question("recalculation", [](const Question& q, const std::string&) {
        const Outcome outcome = work_out(read(q));
        std::string text;
        for (const auto& [name, counter] : outcome.counters)
            text += (text.empty() ? "" : ", ") + name + " " + std::to_string(counter);
        expect_one(q, (outcome.recalculated > 0 ? "yes: " : "no: ") + text);
    });
}

TEST(PrintedQuiz, ConsideredCountAnswerMatchesModel) {
    for_each_question("considered", [](const Question& q, const std::string&) {
        const Sheet sheet = read(q);
        const Outcome outcome = work_out(sheet);
        // In a sorted queue, only the head and the running task are compared.
        int considered = outcome.considered;
        if (sheet.kernel.find("sorted") != std::string::npos)
            considered = std::min(considered, sheet.event.find("goes to sleep") == std::string::npos ? 2 : 1);
        expect_one(q, "tasks examined: " + std::to_string(considered) +
                          ", counters recalculated: " + std::to_string(outcome.recalculated));
    });
}

TEST(PrintedQuiz, VoluntarySwitchAnswerMatchesModel) {
    for_each_question("voluntary", [](const Question& q, const std::string&) {
        const Sheet sheet = read(q);
        const std::string who = sheet.running();
        const Outcome outcome = work_out(sheet);
        const auto event = words_of(sheet.event);
        std::string said = "no switch: " + who + " continues";
        if (outcome.next != who)
            act(sheet, [&](const std::string& what, const std::string& whom) {
                if (what == "block") said = "voluntary, by " + who + " itself";
                if (what == "yield") said = "involuntary, by " + who + " itself";
                if (what == "tick") said = "involuntary, because the slice is used up";
                if (what == "wake") said = "involuntary, because of " + whom;
            });
        EXPECT_TRUE(outcome.next == who || sheet.event.find("wakes") == std::string::npos ||
                    outcome.next == event.at(3));
        expect_one(q, said);
    });
}

TEST(PrintedQuiz, YieldTraceMatchesExactlyOneKernel) {
    // A trace lists the running task at each position. In easy questions, the counter of that task follows
    // its name.
    using Trace = std::vector<std::string>;
    for_each_question("which-yield", [](const Question& q, const std::string&) {
        const bool counters_told = q.id.level == Level::easy;
        const auto lines = lines_of(q.situation);
        const auto counters = words_of(lines.at(1));
        Trace trace;
        for (std::size_t i = 3; i < lines.size(); ++i) {
            const auto words = words_of(lines[i]);
            trace.push_back((words.at(3) == "it" ? words.at(0) : words.at(3)) +
                            (counters_told ? words.back() : ""));
        }
        const auto seen = [&](int task, int counter) {
            return std::string(1, static_cast<char>('A' + task - 1)) +
                   (counters_told ? std::to_string(counter) : "");
        };
        const int count = static_cast<int>(counters.size() / 2);
        const auto by_2_0 = [&](reference::YieldVariant variant) {
            reference::Linux20Model model(variant, true);
            for (int i = 0; i < count; ++i)
                model.add_task(i + 1, {.counter = std::stoi(counters[static_cast<std::size_t>(2 * i + 1)])},
                               true);
            model.run(1);
            Trace names;
            for (std::size_t i = 0; i < trace.size(); ++i) {
                model.yield();
                if (model.need_resched()) model.schedule();
                names.push_back(seen(model.current(), model.task(model.current()).counter));
            }
            return names;
        };
        const auto by_2_2 = [&] {
            reference24::Linux24Model model(reference24::Version::v2_2_1, 1, false);
            for (int i = count; i-- > 0;) {
                model.add_task(i + 1, {.counter = std::stoi(counters[static_cast<std::size_t>(2 * i + 1)]),
                                       .mm = i + 1,
                                       .active_mm = i + 1});
                model.wake(i + 1, 0);
            }
            model.run(1, 0);
            Trace names;
            for (std::size_t i = 0; i < trace.size(); ++i) {
                model.yield(0);
                if (model.must_schedule(0)) model.schedule(0);
                names.push_back(seen(model.current(0), model.tasks().at(model.current(0)).counter));
            }
            return names;
        };
        const std::map<std::string, Trace> by{
            {"linux-2.0", by_2_0(reference::YieldVariant::original)},
            {"linux-2.0:yield=one_tick", by_2_0(reference::YieldVariant::one_tick)},
            {"linux-2.0:yield=move_last_only", by_2_0(reference::YieldVariant::move_last_only)},
            {"linux-2.2", by_2_2()}};
        expect_one(q,
                   [&](const std::string& text) { return by.at(text.substr(0, text.find(": "))) == trace; });
    });
}

TEST(PrintedQuiz, PageTableLoadsMatchHandCount) {
    for_each_question("switch-cost", [](const Question& q, const std::string&) {
        const auto lines = lines_of(q.situation);
        const bool lazy = lines.at(0).starts_with("Linux 2.4");
        std::string loaded;
        int loads = 0;
        for (const std::string& who : words_of(lines.at(3))) {
            if (who == "->") continue;
            std::string wanted = who == "A" || who == "B" ? "X" : who;
            if (who == "idle" || who == "K") wanted = lazy ? loaded : "kernel";
            if (!loaded.empty() && wanted != loaded) ++loads;
            loaded = wanted;
        }
        expect_one(q, std::to_string(loads));
    });
}

// A row of the printed table that shows the active and the expired array.
struct ArrayRow {
    std::string name;
    int prio = 0;
    bool interactive = false;
};

// Inserts the row after all rows of the same or better prio.
void put(std::vector<ArrayRow>& array, const ArrayRow& row) {
    array.insert(std::upper_bound(array.begin(), array.end(), row,
                                  [](const ArrayRow& a, const ArrayRow& b) { return a.prio < b.prio; }),
                 row);
}

TEST(PrintedQuiz, PriorityArrayAnswerMatchesHandComputation) {
    for_each_question("o1-next", [](const Question& q, const std::string&) {
        const auto lines = lines_of(q.situation);
        std::vector<ArrayRow> active, expired, asleep;
        ArrayRow prev;
        for (std::size_t i = 4; !lines.at(i).empty(); ++i) {
            const auto words = words_of(lines[i]);
            reference2620::Linux2620Model::Task task;
            task.static_prio = 120 + std::stoi(words.at(2));
            task.sleep_avg = std::stoll(words.at(4)) * 1'000'000;
            task.prio = std::stoi(words.at(1));
            EXPECT_EQ(reference2620::Linux2620Model().effective_prio(task), task.prio);
            const ArrayRow row{words.at(0), task.prio, reference2620::Linux2620Model::task_interactive(task)};
            const std::string& array = words.at(6);
            if (words.back() == "runs")
                prev = row;
            else
                (array == "asleep" ? asleep : array == "expired" ? expired : active).push_back(row);
        }
        EXPECT_TRUE(active.empty() || prev.prio <= active.front().prio);
        // The printed arrays are sorted by prio.
        for (const std::vector<ArrayRow>& array : {active, expired})
            EXPECT_TRUE(std::is_sorted(array.begin(), array.end(),
                                       [](const ArrayRow& a, const ArrayRow& b) { return a.prio < b.prio; }));
        const std::string& event = lines.back();
        bool scheduled = true;
        if (event.find("sched_yield()") != std::string::npos) {
            put(expired, prev);
        } else if (event.find("uses up its slice") != std::string::npos) {
            put(prev.interactive ? active : expired, prev);
        } else if (event.find("wakes") != std::string::npos) {
            EXPECT_EQ(asleep.size(), 1u);
            EXPECT_EQ(words_of(event).at(3), asleep.front().name);
            scheduled = asleep.front().prio < prev.prio;
            put(active, asleep.front());
        } else {
            EXPECT_NE(event.find("goes to sleep"), std::string::npos);
        }
        const bool swaps = scheduled && active.empty();
        if (swaps) std::swap(active, expired);
        expect_one(q, (scheduled ? active.front().name : prev.name) + ", and " +
                          (swaps ? "the two arrays are swapped first" : "the arrays stay as they are"));
    });
}

// Simple guesses must often be wrong. They are: always the task in the first or second line of the table,
// always "with a swap of the arrays", and always "without a swap".
TEST(PrintedQuiz, SimpleGuessRarelySolvesPriorityArrays) {
    int swaps = 0, stays = 0, second = 0, all = 0;
    for_each_question("o1-next", [&](const Question& q, const std::string& right) {
        const auto lines = lines_of(q.situation);
        ++all;
        swaps += right.find("are swapped") != std::string::npos ? 1 : 0;
        stays += right.starts_with(words_of(lines.at(4)).at(0) + ",") ? 1 : 0;
        second += right.starts_with(words_of(lines.at(5)).at(0) + ",") ? 1 : 0;
    });
    EXPECT_LT(swaps, all * 60 / 100);
    EXPECT_GT(swaps, all * 15 / 100);
    EXPECT_LT(stays, all * 40 / 100);
    EXPECT_GT(stays, all * 5 / 100);
    EXPECT_LT(second, all * 90 / 100);
}

// A task with its virtual time; `deadline` is used for 6.6 only.
struct ClockRow {
    std::string name;
    double weight = 1024, vruntime = 0, deadline = 0;
};

TEST(PrintedQuiz, FairQueueAnswerMatchesHandComputation) {
    for_each_question("fair-next", [](const Question& q, const std::string&) {
        const bool is_eevdf = q.id.level == Level::hard;
        const auto lines = lines_of(q.situation);
        std::vector<ClockRow> ready;
        std::size_t prev = 0;
        for (std::size_t i = 3; !lines.at(i).empty(); ++i) {
            const auto words = words_of(lines[i]);
            if (words.back() == "asleep") continue;
            if (words.back() == "runs") prev = ready.size();
            if (is_eevdf)
                ready.push_back({words.at(0), 1024, std::stod(words.at(1)), std::stod(words.at(2))});
            else
                ready.push_back({words.at(0), std::stod(words.at(2)), std::stod(words.at(3))});
        }
        const std::string& event = lines.back();
        const auto words = words_of(event);
        ASSERT_EQ(words.at(0), ready.at(prev).name);
        const double ran = std::stod(words.at(4));
        const bool yields = event.find("sched_yield()") != std::string::npos;
        ClockRow& runs = ready[prev];
        if (!is_eevdf) {
            EXPECT_EQ(std::min_element(
                          ready.begin(), ready.end(),
                          [](const ClockRow& a, const ClockRow& b) { return a.vruntime < b.vruntime; }) -
                          ready.begin(),
                      static_cast<std::ptrdiff_t>(prev));
            double last = runs.vruntime;
            for (const ClockRow& row : ready) last = std::max(last, row.vruntime);
            if (yields && lines.at(0).find("sched_compat_yield") != std::string::npos) runs.vruntime = last;
        }
        runs.vruntime += ran * 1024 / runs.weight;
        constexpr double kSlice = 0.75, kNothing = 1e-9;
        if (is_eevdf && runs.vruntime > runs.deadline - kNothing) runs.deadline = runs.vruntime + kSlice;
        if (is_eevdf && yields) runs.deadline += kSlice;
        if (event.find("goes to sleep") != std::string::npos)
            ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(prev));
        double average = 0;
        for (const ClockRow& row : ready) average += row.vruntime / static_cast<double>(ready.size());
        std::vector<ClockRow> eligible;
        for (const ClockRow& row : ready)
            if (!is_eevdf || row.vruntime < average + kNothing) eligible.push_back(row);
        const auto key = [&](const ClockRow& row) { return is_eevdf ? row.deadline : row.vruntime; };
        std::sort(eligible.begin(), eligible.end(),
                  [&](const ClockRow& a, const ClockRow& b) { return key(a) < key(b); });
        ASSERT_FALSE(eligible.empty());
        if (eligible.size() > 1) {
            EXPECT_GT(key(eligible[1]) - key(eligible[0]), is_eevdf ? 0.01 : 0.09) << "a tie, nearly";
        }
        expect_one(q, eligible.front().name);
    });
}

// Returns the programs of the tasks in a vmstat question, parsed from the question's text.
std::vector<reference::Round> rounds_of(const Question& q) {
    constexpr std::int64_t kMs = 1'000'000;
    using Kind = reference::Round::Kind;
    std::vector<reference::Round> rounds;
    for (const std::string& line : lines_of(q.situation)) {
        const auto words = words_of(line);
        if (words.size() < 2 || !line.starts_with("  ")) continue;
        const auto after = [&](const char* word) {
            return std::stoll(*(std::find(words.begin(), words.end(), word) + 1));
        };
        if (words[0].starts_with("hog"))
            rounds.push_back({Kind::hog, 0, 3'600'000 * kMs});
        else if (words[0].starts_with("nap"))
            rounds.push_back({Kind::sleeper, after("sleeps") * kMs, after("computes") * kMs});
        else if (words[0].starts_with("srv"))
            rounds.push_back({Kind::server, after("waits") * kMs, after("computes") * kMs});
        else if (words[0].starts_with("yield"))
            rounds.push_back({Kind::yielder, 0, after("computes") * 1'000});
        else
            ADD_FAILURE() << line;
    }
    return rounds;
}

reference::Costs prices_of_1997() {
    const Scenario scenario = parse_scenario("prices", R"({"format": "switchyard-scenario/1",
        "machine": "pentium-mmx-200", "tasks": [{"name": "a", "program": [{"run": "1ms"}]}]})");
    const CostModel& c = scenario.machine.costs;
    return {c.syscall.time.count(), c.schedule.time.count(), c.considered.time.count(),
            c.recalculated.time.count(), c.switch_other_mm.time.count()};
}

// Sleeps end at ticks and do not count in the column `in`. Packets arrive at any time and count as
// interrupts. The answer must not depend on kernel costs, which the question does not state.
TEST(PrintedQuiz, VmstatAnswerMatchesSlowModel) {
    const reference::Costs costs = prices_of_1997();
    const reference::Costs nearly_none{10, 10, 10, 10, 10};
    for_each_question("vmstat", [&](const Question& q, const std::string&) {
        const std::vector<reference::Round> rounds = rounds_of(q);
        const reference::VmstatSecond second = vmstat_second(rounds, costs);
        expect_one(q, [&](const std::string& text) {
            const auto words = words_of(text);
            const auto column = [&](const char* name) {
                return std::stoi(*(std::find(words.begin(), words.end(), name) + 1));
            };
            const auto is_near = [&](const char* name, double share) {
                return std::abs(column(name) - share) <= 0.51;
            };
            return column("r") == second.runnable && column("in") == second.interrupts &&
                   column("cs") == second.switches && is_near("us", second.user) &&
                   is_near("sy", second.system) && is_near("id", second.idle);
        });
        const bool yields = std::any_of(rounds.begin(), rounds.end(), [](const reference::Round& r) {
            return r.kind == reference::Round::Kind::yielder;
        });
        if (yields) return;  // the number of yields depends on the costs
        const reference::VmstatSecond free = vmstat_second(rounds, nearly_none);
        EXPECT_EQ(free.runnable, second.runnable);
        EXPECT_EQ(free.interrupts, second.interrupts);
        EXPECT_EQ(free.switches, second.switches);
    });
}

}  // namespace quiz_on_paper_test
}  // namespace sim::quiz
