#include "sim/trace_io/scenario/recorded_run.h"

#include <utility>

#include "sim/trace_io/import/trace_files.h"
#include "sim/trace_io/tee_sink.h"

namespace sim::trace_io {

int RecordedRun::task_index(const std::string& task) const {
    auto place = numbers.find(task);
    // The name of a forked task is the name of its task group, a dot and its pid.
    if (place == numbers.end()) place = numbers.find(task.substr(0, task.rfind('.')));
    return place == numbers.end() ? -1 : place->second;
}

std::vector<int> RecordedRun::task_indices(const WaitAnalyzer& run) const {
    std::vector<int> list;
    for (const WaitAnalyzer::TaskIdentity& task : run.identities()) list.push_back(task_index(task.name));
    return list;
}

std::unique_ptr<const RecordedRun> read_recorded_run(const std::vector<std::string>& paths,
                                                     const ImportOptions& options,
                                                     const std::string& name_in_messages) {
    auto run = std::make_unique<RecordedRun>();
    TraceFiles files(paths, name_in_messages);
    Notes notes;
    ScenarioMaker maker(options, notes);
    TeeSink both(maker, run->waits);
    files.read(both);
    run->made = maker.write([&](std::string_view piece) { run->scenario += piece; });
    run->remarks = files.remarks();
    for (std::string& sentence : note_sentences(files.name(), notes))
        run->remarks.push_back(std::move(sentence));

    // Index in waits.identities(), by pid and `life`, the number of the task among the tasks with this pid.
    std::map<std::pair<std::int32_t, int>, int> number;
    for (std::size_t n = 0; n < run->waits.identities().size(); ++n)
        number[{run->waits.identities()[n].pid, run->waits.identities()[n].life}] = static_cast<int>(n);
    for (const auto& [task, entry] : maker.names_by_task()) {
        const auto had_a_cpu = number.find(task);
        run->numbers[entry] = had_a_cpu == number.end() ? -1 : had_a_cpu->second;
    }
    return run;
}

}  // namespace sim::trace_io
