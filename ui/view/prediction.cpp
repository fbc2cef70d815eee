#include "ui/view/prediction.h"

#include <fmt/format.h>

#include <algorithm>

#include "ui/view/format.h"

namespace ui {

bool outcome_hidden(const ViewState& view) { return view.predicting && !view.prediction; }

std::optional<Cursor> cursor_in(const Run* run, const ViewState& view) {
    const Inside* in = run == nullptr ? nullptr : run->inside();
    if (in == nullptr || in->steps.empty()) return std::nullopt;
    const std::size_t last = in->steps.size() - 1;
    const bool stepping = view.level == DepthLevel::inside && !outcome_hidden(view);
    return Cursor{.run = *run,
                  .in = *in,
                  .at = stepping ? std::min(view.inside_step, last) : last,
                  .stepping = stepping};
}

std::optional<bool> predicted_right(const Cursor& cursor, const ViewState& view) {
    if (!view.predicting || !view.prediction) return std::nullopt;
    return mistake_in(cursor, *view.prediction) == sim::quiz::Misconception::none;
}

std::string count_of_tasks(std::uint32_t tasks) { return grouped(tasks) + (tasks == 1 ? " task" : " tasks"); }

bool can_refill(const Cursor& cursor) {
    const auto code = cursor.policy().pseudo_code();
    return std::any_of(code.begin(), code.end(),
                       [](const sim::PseudoLine& line) { return line.phase == sim::Phase::refill; });
}

std::vector<sim::Candidate> choosable(const Cursor& cursor) {
    const sim::DecisionLog& log = cursor.decision().log;
    std::vector<sim::Candidate> list = log.candidates;
    if (log.searched_before > 0) list.resize(log.searched_before);
    if (cursor.policy().keeps_running_task_queued()) return list;
    // Of a queue in order only the head was looked at.
    const sim::Machine& m = cursor.decision().after;
    std::vector<bool> listed(m.globals().high_row);
    for (const sim::Candidate& c : list) listed[c.task] = true;
    for (sim::TaskId p = m.next_run[0]; p != 0 && p != sim::kNoTask; p = m.next_run[p]) {
        if (listed[p]) continue;
        std::int32_t counter = m.counter[p];
        for (const sim::Refill& refill : log.refills)
            if (refill.task == p) counter = refill.before;
        list.push_back({.task = p, .counter = counter, .bonus = 0, .goodness = 0, .best = false});
    }
    return list;
}

std::vector<Answer> answers(const Cursor& cursor, Ask ask) {
    if (ask == Ask::refill) return {{{ask, 1}, "yes"}, {{ask, 0}, "no"}};
    std::vector<Answer> list;
    const sim::DecisionView& view = cursor.decision();
    for (const sim::quiz::Count& count : sim::quiz::considered_counts(view.log, view.after, cursor.policy()))
        list.push_back({{ask, count.tasks}, count_of_tasks(count.tasks)});
    std::sort(list.begin(), list.end(),
              [](const Answer& a, const Answer& b) { return a.says.value < b.says.value; });
    return list;
}

std::optional<Prediction> numbered_answer(const Cursor& cursor, Ask ask, std::size_t n) {
    if (ask == Ask::who) {
        if (n == 0) return Prediction{ask, cursor.decision().record.cpu};
        const std::vector<sim::Candidate> list = choosable(cursor);
        if (n > list.size()) return std::nullopt;
        return Prediction{ask, list[n - 1].task};
    }
    const std::vector<Answer> list = answers(cursor, ask);
    if (n == 0 || n > list.size()) return std::nullopt;
    return list[n - 1].says;
}

sim::quiz::Misconception mistake_in(const Cursor& cursor, const Prediction& said) {
    const sim::DecisionView& view = cursor.decision();
    switch (said.ask) {
        case Ask::who:
            return sim::quiz::misconception_of(view, cursor.policy(), said.value);
        case Ask::refill:
            return sim::quiz::misconception_of_refill(view.log, view.after, said.value != 0);
        case Ask::considered:
            for (const sim::quiz::Count& count :
                 sim::quiz::considered_counts(view.log, view.after, cursor.policy()))
                if (count.tasks == said.value) return count.misconception;
    }
    return sim::quiz::Misconception::miscounted;
}

std::string score_so_far(const ViewState& view) {
    if (view.predicted == 0) return {};
    return fmt::format("{} of {} right.", view.predicted_right, view.predicted);
}

}  // namespace ui
