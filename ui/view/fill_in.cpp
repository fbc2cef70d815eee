#include "ui/view/fill_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/quiz/misconceptions.h"
#include "sim/replay/why_not.h"
#include "ui/view/fair_queue.h"
#include "ui/view/format.h"

namespace ui {
namespace {

using sim::Nanos;
using sim::TaskId;
using sim::quiz::Misconception;

constexpr std::size_t kMostCells = 60;

// Returns, for each cell, the time for which each task has the CPU. The idle task is kNoTask.
std::vector<std::map<TaskId, Nanos>> times_of(const Run& run, const FillInExercise& exercise) {
    std::vector<std::map<TaskId, Nanos>> times(exercise.cells.size());
    const Nanos end = cell_begin(exercise, exercise.cells.size());
    sim::RangeSegments segments(run.history(), exercise.begin, end, 100'000);
    while (segments.advance(1 << 16)) continue;
    for (const sim::RunSegment& piece : segments.segments().by_cpu()[0])
        for (std::size_t i = 0; i < times.size(); ++i) {
            const Nanos from = std::max(piece.begin, cell_begin(exercise, i)),
                        to = std::min(piece.end, cell_begin(exercise, i + 1));
            if (to > from) times[i][piece.task] += to - from;
        }
    return times;
}

TaskId longest_running_task(const std::map<TaskId, Nanos>& times) {
    const auto most = std::max_element(times.begin(), times.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == times.end() ? sim::kNoTask : most->first;
}

bool is_right_answer(const std::map<TaskId, Nanos>& times, std::optional<TaskId> answer, Nanos cell_length) {
    if (!answer) return false;
    if (times.empty()) return *answer == sim::kNoTask;
    const auto found = times.find(*answer);
    return found != times.end() &&
           (3 * found->second >= cell_length || longest_running_task(times) == *answer);
}

std::string name_of(const Run& run, const sim::Machine& m, TaskId p) {
    return p == sim::kNoTask ? "no task" : run.scenario().task_name(m, p);
}

// The misconception that explains the answer `answer` for a cell in which the task `running_task` has the
// CPU.
Misconception misconception_of_answer(const Run& run, const sim::Moment& moment, TaskId answer,
                                      TaskId running_task, Nanos cell_begin_time) {
    const sim::Machine& m = moment.machine;
    if (answer == sim::kNoTask) return Misconception::idle_too_early;
    if (!m.is_live(answer) || m.task[answer].state != sim::TaskState::runnable)
        return Misconception::sleeper_runs;
    const std::optional<sim::DecisionView> view = run.history().decision_at(m.globals().decisions);
    if (!view || view->record.task != running_task) return Misconception::none;
    if (view->record.time >= cell_begin_time)
        return sim::quiz::misconception_of(*view, run.history().policy_at(view->before), answer);
    // No decision is made in this cell: the running task keeps the CPU. `woke`: the task of the answer became
    // ready in this cell.
    const bool woke = moment.statistics.tasks[answer].ready_since >= cell_begin_time;
    return woke ? Misconception::small_advantage_preempts : Misconception::blames_the_slice;
}

}  // namespace

Nanos cell_begin(const FillInExercise& exercise, std::size_t cell) {
    return exercise.begin + exercise.cell * static_cast<std::int64_t>(cell);
}

std::optional<FillInExercise> begin_fill_in_exercise(const Run& run, const TimeRange& visible_range) {
    FillInExercise exercise;
    exercise.run = run.id();
    exercise.begin = run.now();
    const bool is_complete = run.history().is_complete();
    const Nanos rest = run.end() - run.now();
    if (is_complete && rest <= Nanos{}) return std::nullopt;
    exercise.cell = Nanos{1'000'000};
    Nanos length = rest;
    if (!is_complete || rest > exercise.cell * static_cast<std::int64_t>(kMostCells)) {
        length = std::max(Nanos{1'000}, visible_range.end - std::max(visible_range.begin, run.now()));
        if (visible_range.end <= run.now()) length = visible_range.end - visible_range.begin;
        exercise.cell = Nanos{std::max<std::int64_t>(1, smallest_round_step(length.count(), 30))};
    }
    const auto count = static_cast<std::size_t>((length + exercise.cell - Nanos{1}) / exercise.cell);
    exercise.cells.resize(std::clamp<std::size_t>(count, 1, kMostCells));
    return exercise;
}

std::vector<TaskId> solution_of(const Run& run, const FillInExercise& exercise) {
    std::vector<TaskId> tasks;
    for (const auto& times : times_of(run, exercise)) tasks.push_back(longest_running_task(times));
    return tasks;
}

std::optional<std::size_t> first_wrong_cell(const Run& run, const FillInExercise& exercise) {
    const auto times = times_of(run, exercise);
    for (std::size_t i = 0; i < times.size(); ++i)
        if (!is_right_answer(times[i], exercise.cells[i], exercise.cell)) return i;
    return std::nullopt;
}

std::string feedback_on(const Run& run, const FillInExercise& exercise, std::size_t cell) {
    const Nanos begin = cell_begin(exercise, cell), end = cell_begin(exercise, cell + 1);
    const TaskId runs = longest_running_task(times_of(run, exercise)[cell]);
    // Explains the state after the events at the beginning of the cell. If the task that the cell should show
    // gets the CPU later, explains the state at the end of the cell instead.
    sim::Moment moment = run.session().moment();
    run.history().state_at(begin + Nanos{1}, moment);
    if (runs != sim::kNoTask && moment.machine.cpu(0).current != runs) run.history().state_at(end, moment);
    const sim::Machine& m = moment.machine;
    const std::string place = fmt::format("{} to {}", instant_text(begin), instant_text(end));
    const std::optional<TaskId> said = exercise.cells[cell];
    const std::string who = runs == sim::kNoTask ? "no task is ready" : name_of(run, m, runs) + " runs";
    if (!said) return fmt::format("{}: this cell is empty, but {}.", place, who);
    std::string text = fmt::format("{}: you drew {}, but {}.", place, name_of(run, m, *said), who);
    const Misconception mistake = runs == sim::kNoTask && *said != sim::kNoTask
                                      ? Misconception::sleeper_runs
                                      : misconception_of_answer(run, moment, *said, runs, begin);
    if (const std::string_view sentence = sim::quiz::sentence_of(mistake); !sentence.empty())
        text += " " + std::string(sentence);
    if (*said != sim::kNoTask)
        text += " " + with_micro_sign(sim::explain_not_running(run.history(), moment, *said));
    return text;
}

}  // namespace ui
