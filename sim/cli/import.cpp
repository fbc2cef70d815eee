// `switchyard import`: makes a scenario from a trace of a real machine, or from an export of a run.

#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/read_trace.h"

namespace sim::cli {

void add_import_command(Command& program) {
    struct Options {
        ImportOptions input;
        ScenarioOutputOptions made;
    };
    auto o = std::make_shared<Options>();
    Command& command = program.add_command(
        "import",
        "make a scenario from a trace of a real machine or from an rt-app workload, to run it "
        "under other schedulers");
    add_import_options(command, o->input);
    add_scenario_output_options(command, o->made);
    command.set_examples(
        {"switchyard import tests/recordings/interactive-vs-hog.txt --output mine.json",
         "switchyard import tests/recordings/interactive-vs-hog.txt --replay open --policy linux-6.6",
         "switchyard export two-hogs | switchyard import - | switchyard run - --policy sorted-queue"});
    command.set_action([o] {
        check_scenario_output(o->made);
        convert_trace_to_scenario(o->input, o->made);
        return static_cast<int>(kDone);
    });
}

}  // namespace sim::cli
