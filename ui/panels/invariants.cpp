// The pane INVARIANTS: rules that must be true at every time, and whether they are true at the position.
#include <fmt/format.h>

#include "ui/panels/panel_helpers.h"
#include "ui/platform/imgui_versions.h"
#include "ui/platform/shapes.h"
#include "ui/view/text_table.h"
#include "ui/view/two_runs.h"

namespace ui {
namespace {

using sim::TaskState;

enum class CheckState { holds, broken, unknown };

struct Check {
    CheckState state;
    const char* rule;
    std::string words;
};

struct Fact {
    const char* name;
    std::string words;
};

// The results of the checks at the position, cached because computing them scans all tasks.
struct Findings {
    std::uint64_t run = 0, revision = 0;
    std::vector<Check> checks;
    std::string hash;
};

struct CachedFindings {
    Findings a, b;
};

enum class Rule { time, tasks, counters, queues };

// The rule that a message of check_invariants() refers to.
Rule rule_of_message(const std::string& message) {
    const auto says = [&](const char* what) { return message.find(what) != std::string::npos; };
    if (says("of the time") || says("time is not conserved") || says("do not add up") ||
        says("the switches differ"))
        return Rule::time;
    if (says("has an invalid counter")) return Rule::counters;
    if (says("queues or CPUs")) return Rule::tasks;
    for (const char* what :
         {"queue", "timer", "channel", "waits", "the park", "the lock", "the pipe", "device"})
        if (says(what)) return Rule::queues;
    return Rule::tasks;
}

Findings findings_of(const Run& run) {
    const sim::Machine& m = run.session().machine();
    const sim::Globals& g = m.globals();
    const std::uint32_t cpus = m.shape().cpus;
    std::uint32_t running = 0, ready = 0, sleeping = 0, waiting = 0, exiting = 0, timers = 0;
    std::int32_t least = 0, most = 0;
    bool any = false;
    for (sim::TaskId p = m.first_task(); p < g.high_row; ++p) {
        const sim::Task& task = m.task[p];
        if (task.state == TaskState::unused) continue;
        running += task.state == TaskState::runnable && task.processor != sim::Task::kNoProcessor;
        ready += task.state == TaskState::runnable && task.processor == sim::Task::kNoProcessor;
        sleeping += task.state == TaskState::interruptible || task.state == TaskState::on_timer;
        waiting += task.state == TaskState::waiting;
        exiting += task.state == TaskState::exited;
        timers += m.events().contains(p);
        if (sim::is_real_time(m.sched_class[p])) continue;
        least = any ? std::min(least, m.counter[p]) : m.counter[p];
        most = any ? std::max(most, m.counter[p]) : m.counter[p];
        any = true;
    }
    std::int32_t most_priority = 40;
    for (const sim::TaskGroup& group : run.scenario().groups)
        most_priority = std::max(most_priority, group.priority);

    const std::string& broken = run.check_invariants();
    // check_invariants() ends at the first broken rule, so the state of the other rules is then unknown.
    const auto check = [&](Rule rule, const char* name, std::string words) -> Check {
        if (broken.empty()) return {CheckState::holds, name, std::move(words)};
        if (rule_of_message(broken) == rule) return {CheckState::broken, name, broken};
        return {CheckState::unknown, name, "not checked: another rule is broken"};
    };
    const sim::Nanos sum = run.time_parts().total();
    Findings f{run.id(), run.session().revision(), {}, fmt::format("{:016x}", m.hash())};
    f.checks.push_back(
        check(Rule::time, "Time is conserved",
              fmt::format("user + kernel + idle = {}{}ns = {} {} \u00d7 {}{}ns",
                          group_digits(static_cast<std::uint64_t>(sum.count())), kThinSpace, cpus,
                          cpus == 1 ? "CPU" : "CPUs", group_digits(static_cast<std::uint64_t>(g.now.count())),
                          kThinSpace)));
    std::string counts =
        fmt::format("{} alive = {} running + {} ready + {} sleeping + {} waiting", group_digits(g.nr_tasks),
                    running, group_digits(ready), group_digits(sleeping), group_digits(waiting));
    if (exiting > 0) counts += fmt::format(" + {} exiting", exiting);
    f.checks.push_back(check(Rule::tasks, "No task is lost or duplicated", std::move(counts)));
    f.checks.push_back(check(Rule::counters, "Counters are in range",
                             !run.policy().policy->has_linux_counters()
                                 ? std::string("not applicable: this policy recalculates no counters")
                             : any ? fmt::format("all counters are from {} to {}: none is negative or above "
                                                 "2 \u00d7 {}",
                                                 least, most, most_priority)
                                   : std::string("there are no tasks with a counter")));
    f.checks.push_back(check(Rule::queues, "The queues are consistent",
                             fmt::format("{} {} pending for {} sleeping {}; the forward and backward "
                                         "links of the run queue agree",
                                         group_digits(timers), timers == 1 ? "timer" : "timers",
                                         group_digits(sleeping), sleeping == 1 ? "task" : "tasks")));
    return f;
}

Check check_replays_agree(const Run& run) {
    constexpr const char* kRule = "Replays agree";
    const Run::ReplayProgress& r = run.replays();
    if (r.difference)
        return {CheckState::broken, kRule,
                fmt::format("after event {}, the state of the run has the hash {:016x}, that of the "
                            "re-execution {:016x}",
                            group_digits(r.difference->after_events), r.difference->recorded,
                            r.difference->replayed)};
    if (r.all == 0)
        return {CheckState::holds, kRule,
                "the run is too short: it has a single segment, so there is nothing to compare"};
    return {r.checked == 0 ? CheckState::unknown : CheckState::holds, kRule,
            fmt::format("{} of {} segments were re-executed and gave the same state", group_digits(r.checked),
                        group_digits(r.all))};
}

std::string bytes_text(std::size_t bytes) {
    if (bytes < 10'000) return fmt::format("{} bytes", group_digits(bytes));
    const double kib = static_cast<double>(bytes) / 1024;
    return kib < 1000 ? fmt::format("{:.0f} KiB", kib) : fmt::format("{:.1f} MiB", kib / 1024);
}

std::vector<Fact> run_facts(const Run& run, const std::string& hash) {
    const sim::RunHistory& history = run.history();
    const sim::Globals& g = run.session().machine().globals();
    return {
        {"Keyframes",
         fmt::format("{}, one every {} decisions, {}", group_digits(history.keyframe_count()),
                     group_digits(history.keyframe_spacing()), bytes_text(history.keyframe_bytes()))},
        {"Overview", fmt::format("{} samples, {}", group_digits(history.overview().samples().size()),
                                 bytes_text(history.overview().bytes()))},
        {"Machine", bytes_text(run.session().machine().bytes())},
        {"Position",
         fmt::format("after {} events and {} decisions", group_digits(g.events), group_digits(g.decisions))},
        {"Hash", hash},
    };
}

const char* check_state_word(CheckState state) {
    return state == CheckState::holds ? "holds" : state == CheckState::broken ? "BROKEN" : "unknown";
}

void draw_check(Frame& frame, const Check& check) {
    const ImU32 colour = check.state == CheckState::holds    ? frame.theme.ok
                         : check.state == CheckState::broken ? frame.theme.error
                                                             : frame.theme.text_dim;
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight(), radius = std::floor(line * 0.32f);
    const ImVec2 centre(at.x + radius, at.y + std::floor(line / 2));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (check.state == CheckState::holds) {
        disc(list, centre, radius, colour);
    } else if (check.state == CheckState::unknown) {
        ring(list, centre, radius, colour, 0, std::max(1.0f, frame.px(1)));
    } else {
        const float thick = std::max(2.0f, frame.px(2));
        stroke(list, ImVec2(centre.x - radius, centre.y - radius),
               ImVec2(centre.x + radius, centre.y + radius), colour, thick);
        stroke(list, ImVec2(centre.x - radius, centre.y + radius),
               ImVec2(centre.x + radius, centre.y - radius), colour, thick);
    }
    set_cursor_pos_x(ImGui::GetCursorPosX() + 2 * radius + frame.px(6));
    coloured_text(colour, check_state_word(check.state));
    ImGui::TableSetColumnIndex(1);
    ImGui::TextUnformatted(check.rule);
    ImGui::PushTextWrapPos(0);
    dim_text(frame, check.words);
    ImGui::PopTextWrapPos();
}

void draw_findings(Frame& frame, Run& run, Findings& cached) {
    run.check_replays = true;  // re-executes all segments: slow, so only while this pane is visible
    if (cached.run != run.id() || cached.revision != run.session().revision()) cached = findings_of(run);
    const ImGuiTableFlags flags =
        ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings | ImGuiTableFlags_BordersInnerH;
    const float first = ImGui::CalcTextSize("BROKEN").x + ImGui::GetTextLineHeight() + frame.px(6);
    if (begin_table("checks", 2, flags)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, first);
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (const Check& check : cached.checks) draw_check(frame, check);
        draw_check(frame, check_replays_agree(run));
        ImGui::EndTable();
    }
    ImGui::Dummy(ImVec2(0, frame.px(2)));
    if (begin_table("facts", 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings)) {
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, first);
        ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
        for (const Fact& fact : run_facts(run, cached.hash)) {
            ImGui::TableNextRow();
            ImGui::TableSetColumnIndex(0);
            dim_text(frame, fact.name);
            ImGui::TableSetColumnIndex(1);
            draw_ellipsized_text(fact.words, ImGui::GetContentRegionAvail().x);
        }
        ImGui::EndTable();
    }
}

}  // namespace

void draw_invariants(Frame& frame) {
    if (draw_message_if_no_scenario(frame)) return;
    CachedFindings& kept = frame.memory.of<CachedFindings>();
    const Model& model = frame.model;
    if (model.b == nullptr) return draw_findings(frame, *model.a, kept.a);
    dim_text(frame, "A  " + model.a->policy().spec());
    draw_findings(frame, *model.a, kept.a);
    ImGui::Dummy(ImVec2(0, frame.px(6)));
    dim_text(frame, "B  " + model.b->policy().spec());
    ImGui::PushID("B");
    draw_findings(frame, *model.b, kept.b);
    ImGui::PopID();
}

std::string invariants_text(const Model& model, const ViewState&) {
    if (model.a == nullptr) return "No scenario is open.\n";
    std::string text;
    for (const Run* run : {static_cast<const Run*>(model.a), static_cast<const Run*>(model.b)}) {
        if (run == nullptr) continue;
        if (!text.empty()) text += "\n";
        if (model.b != nullptr)
            text += fmt::format("{}: {}\n", run_label(run == model.a), run->policy().spec());
        Findings f = findings_of(*run);
        f.checks.push_back(check_replays_agree(*run));
        TextTable table("lll");
        for (const Check& check : f.checks)
            table.add({check_state_word(check.state), check.rule, check.words});
        text += fmt::format("at {}\n{}", instant_text(run->now()), table.text());
        TextTable rest("ll");
        for (const Fact& fact : run_facts(*run, f.hash)) rest.add({fact.name, fact.words});
        text += rest.text();
    }
    return text;
}

}  // namespace ui
