// Interventions that the window stores in the scenario: undo, position, and the same run after reopening.
#include <gtest/gtest.h>

#include <string>

#include "sim/lab/simulation.h"
#include "sim/scenario/scenario_json.h"
#include "tests/support/headless_window.h"
#include "ui/control/control.h"

namespace ui {
namespace ui_interventions_test {

using namespace std::chrono_literals;
using Kind = sim::ScenarioIntervention::Kind;
using sim::TaskId;

class StoredIntervention : public testing::Test {
  protected:
    void SetUp() override {
        control.set_wait_without_limit(true);
        ASSERT_TRUE(control.open({.file = "t.json",
                                  .text = R"({
    "format": "switchyard-scenario/1",
    "until": "200ms",
    "tasks": [
        {"name": "B", "program": [{"sleep": "100ms"}]}, // sleeps
        {"name": "A", "count": 2, "burst": "50ms"}
    ]
}
)",
                                  .folder = "",
                                  .name = "t"}));
        simulate();
        control.navigator().seek(5ms);
    }
    void simulate() {
        control.update_after_actions();
        control.work(Deadline::max());
    }
    const sim::Scenario& scenario() const { return control.model().a->scenario(); }
    const std::string& text() const { return control.source_text().text; }
    TaskId task(const std::string& name) const {
        const ui::Run& run = *control.model().a;
        TaskId p = run.session().machine().first_task();
        while (run.name(p) != name) ++p;
        return p;
    }
    std::uint64_t hash_of_window() {
        simulate();
        return control.model().a->history().simulated_end().machine.hash();
    }

    Control control;
};

TEST_F(StoredIntervention, EachKindIsOneUndoStepAndKeepsPosition) {
    const std::string before = text();
    control.store_intervention(Kind::kill, task("A.1"));
    EXPECT_NE(text().find(R"("interventions": [{"kill": "A.1", "at": "5ms"}])"), std::string::npos) << text();
    EXPECT_EQ(control.model().a->now(), 5ms);
    control.store_intervention(Kind::renice, task("A.2"), 7);
    control.store_intervention(Kind::block, task("A.2"));
    control.store_intervention(Kind::wake, task("B"));
    ASSERT_EQ(scenario().interventions.size(), 4u);
    EXPECT_EQ(scenario().interventions[1].priority, 7);
    EXPECT_EQ(control.model().a->now(), 5ms);
    EXPECT_NE(text().find("// sleeps"), std::string::npos);
    for (int left = 3; left >= 0; --left) {
        control.undo();
        control.update_after_actions();
        EXPECT_EQ(scenario().interventions.size(), static_cast<std::size_t>(left));
        EXPECT_EQ(control.model().a->now(), 5ms);
    }
    EXPECT_EQ(text(), before);
    control.redo();
    EXPECT_EQ(scenario().interventions.size(), 1u);
}

TEST_F(StoredIntervention, ReopenedScenarioGivesTheSameRun) {
    const std::uint64_t without = hash_of_window();
    control.store_intervention(Kind::block, task("A.1"));
    control.navigator().seek(60ms);
    control.store_intervention(Kind::wake, task("A.1"));
    const std::uint64_t with = hash_of_window();
    EXPECT_NE(with, without);
    sim::lab::Simulation repeated(sim::parse_scenario("t.json", text()), std::string{});
    repeated.run_to_end();
    EXPECT_EQ(repeated.machine().hash(), with);
    EXPECT_EQ(repeated.statistics().interventions,
              (std::vector{sim::InterventionResult::done, sim::InterventionResult::done}));
    Control other;
    other.set_wait_without_limit(true);
    ASSERT_TRUE(other.open(control.source_text()));
    other.work(Deadline::max());
    EXPECT_EQ(other.model().a->history().simulated_end().machine.hash(), with);
}

TEST_F(StoredIntervention, EqualsTheComparedBranch) {
    sim::Intervention what{};
    what.kind = sim::Intervention::Kind::kill;
    what.task = task("A.1");
    control.comparison().compare_with_intervention(what);
    simulate();
    sim::Machine branch = control.model().b->history().simulated_end().machine;
    control.store_intervention(Kind::kill, task("A.1"));
    simulate();
    sim::Machine stored = control.model().a->history().simulated_end().machine;
    stored.globals().next_intervention = 0;
    EXPECT_EQ(stored.hash(), branch.hash());
}

TEST_F(StoredIntervention, FollowsTheEventsOfThePosition) {
    control.navigator().seek_beginning();
    control.navigator().step(sim::StepEventKind::event, 1);  // the first decision, at 0
    control.store_intervention(Kind::kill, task("A.1"));
    EXPECT_EQ(scenario().interventions.front().at, 1ns);
    EXPECT_EQ(control.model().a->session().machine().globals().events, 1u);
}

TEST_F(StoredIntervention, ImpossibleOneIsRefused) {
    const std::string before = text();
    control.store_intervention(Kind::wake, task("A.1"));
    EXPECT_EQ(control.model().message, "the task is already awake");
    control.store_intervention(Kind::block, task("B"));
    EXPECT_EQ(control.model().message, "the task is already asleep");
    control.store_intervention(Kind::kill, 99);
    EXPECT_EQ(control.model().message, "this task does not exist at this time");
    control.set_scenario_text("{");
    control.store_intervention(Kind::kill, task("A.1"));
    EXPECT_NE(control.model().message.find("problems"), std::string::npos);
    EXPECT_EQ(text(), before);
    Control empty;
    empty.store_intervention(Kind::kill, 1);
    empty.add_task_at_position();
}

TEST_F(StoredIntervention, AddedTaskArrivesAtPosition) {
    control.add_task_at_position();
    ASSERT_EQ(scenario().groups.size(), 3u);
    EXPECT_EQ(scenario().groups[2].start, 5ms);
    EXPECT_EQ(control.model().a->now(), 5ms);
    control.undo();
    EXPECT_EQ(scenario().groups.size(), 2u);
}

TEST_F(StoredIntervention, RemovedJobTakesItsInterventionsAlong) {
    control.store_intervention(Kind::kill, task("A.2"));
    control.store_intervention(Kind::wake, task("B"));
    control.remove_job(1);
    ASSERT_EQ(scenario().interventions.size(), 1u);
    EXPECT_EQ(scenario().interventions[0].kind, Kind::wake);
}

TEST_F(StoredIntervention, FollowsTheNewNameOfAJob) {
    control.store_intervention(Kind::kill, task("A.2"));
    control.store_intervention(Kind::wake, task("B"));
    control.edit_field(1, sim::JobField::name, "long");
    EXPECT_NE(text().find(R"({"kill": "long.2", "at": "5ms"})"), std::string::npos) << text();
    control.edit_field(0, sim::JobField::name, "A");
    EXPECT_NE(text().find(R"({"wake": "A", "at": "5ms"})"), std::string::npos) << text();
}

TEST_F(StoredIntervention, TaskBeyondTheLimitIsRefused) {
    control.set_value("/max_tasks", "3");
    control.add_task_at_position();
    EXPECT_NE(control.model().message.find("max_tasks is 3, less than the 4 tasks"), std::string::npos)
        << control.model().message;
    EXPECT_EQ(scenario().groups.size(), 2u);
}

}  // namespace ui_interventions_test
}  // namespace ui
