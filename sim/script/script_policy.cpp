#include "sim/script/script_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "sim/base/human_text.h"
#include "sim/base/problem.h"
#include "sim/script/library.h"
#include "sim/script/line_tracer.h"
#include "sim/script/script.h"
#include "sim/script/script_description.h"
#include "sim/script/script_reasons.h"

namespace sim::script {
namespace {

class ScriptPolicy final : public Policy {
  public:
    ScriptPolicy(std::string name, std::string_view text, const PolicyOptions& options)
        : name_(std::move(name)),
          script_(text, options),
          tracer_(script_, text),
          queues_by_key_(text.find(":insert(") != std::string_view::npos &&
                         text.find(":add_") == std::string_view::npos) {}

    void set_line_trace(ScriptLineTrace* lines) const override {
        tracer_.set_sink(lines);
        script_.watch_lines(lines != nullptr ? &tracer_ : nullptr);
    }

    void set_instruction_budget(std::int64_t* instructions) const override {
        script_.set_shared_instruction_budget(instructions);
    }

    StateSize state_size() const override { return layout().state_size(); }
    std::uint64_t instructions_executed() const override { return script_.instructions_executed(); }

    void initialize_cpu_state(Machine& m) const override { ScriptState(m, layout()).initialize(); }

    void start(Machine& m, TaskId p) const override {
        ScriptState(m, layout()).initialize_task_words(p);
        call_with_task(m, Callback::start, p);
    }

    void fork(Machine& m, TaskId parent, TaskId child) const override {
        ScriptState(m, layout()).initialize_task_words(child);
        if (!script_.has(Callback::fork)) call_with_task(m, Callback::start, child);
        if (!runs(m, Callback::fork)) return;
        CallContext s = context(m);
        begin(Callback::fork, s);
        script_.push_task(parent);
        script_.push_task(child);
        finish(m, Callback::fork, s, 0);
        require_queued_count(m, Callback::fork, count_queued_tasks(m));
    }

    void adopt(Machine& m, TaskId p) const override {
        m.task[p].policy_byte = 0;
        ScriptState(m, layout()).initialize_task_words(p);
        call_with_task(m, script_.has(Callback::adopt) ? Callback::adopt : Callback::start, p);
    }
    void exit(Machine& m, TaskId p) const override { call_with_task(m, Callback::exit, p); }
    void reap(Machine& m, TaskId p) const override {
        call_with_task(m, Callback::reap, p);
        if (ScriptState memory(m, layout()); memory.queue_of(p) != ScriptState::kNoQueue) memory.remove(p);
    }

    std::uint32_t enqueue(Machine& m, TaskId p) const override {
        CallContext s = context(m);
        put_on_queue(m, p, "wake", s);
        return s.work.queue_steps;
    }

    bool preempts(const Machine& m, TaskId woken, TaskId current) const override {
        if (m.is_idle_task(current)) return true;
        // CallContext::may_write = false prevents writes to the machine.
        Machine& machine = const_cast<Machine&>(m);
        if (!runs(machine, Callback::preempts)) return false;
        CallContext s = context(machine);
        s.may_write = false;
        begin(Callback::preempts, s);
        script_.push_task(woken);
        script_.push_task(current);
        return finish(machine, Callback::preempts, s, 1);
    }

    std::uint64_t reschedule(const Machine& m, TaskId woken, CpuId here) const override {
        if (!script_.has(Callback::reschedule)) return Policy::reschedule(m, woken, here);
        return cpu_bit_to_reschedule(m, woken);
    }
    std::uint64_t reschedule_prev(const Machine& m, TaskId prev, CpuId here) const override {
        if (!script_.has(Callback::reschedule)) return Policy::reschedule_prev(m, prev, here);
        // Requests a reschedule on an idle CPU only. Otherwise two CPUs could pass a task back and forth
        // forever while no time passes.
        const std::uint64_t asked = cpu_bit_to_reschedule(m, prev);
        return asked != 0 && m.is_idle_task(m.cpu(static_cast<CpuId>(std::countr_zero(asked))).current)
                   ? asked
                   : 0;
    }

    bool tick(Machine& m, TaskId p) const override { return call_with_task(m, Callback::tick, p); }
    bool has_slices() const override { return true; }
    Nanos slice_of(const Machine& m, TaskId p) const override {
        return Nanos{m.policy_state_words(p)[kSlice]};
    }
    bool slice_end(Machine& m, TaskId p) const override {
        return !runs(m, Callback::slice_end) || call_with_task(m, Callback::slice_end, p);
    }

    // Calls the script's preempts() again, which changes nothing, and lists the fields that it reads.
    std::string wake_reason(const Machine& m, TaskId woken, TaskId current, bool needs_resched,
                            const TaskNamer& name) const override {
        if (m.shape().cpus > 1 && script_.has(Callback::reschedule))
            return fmt::format("reschedule() chooses {}", needs_resched ? "this CPU" : "no CPU");
        if (!script_.has(Callback::preempts)) return "no wake-up preempts under this policy";
        // CallContext::may_write = false prevents writes to the machine.
        Machine& machine = const_cast<Machine&>(m);
        if (!runs(machine, Callback::preempts)) return {};
        std::vector<CallContext::FieldRead> reads;
        CallContext s = context(machine);
        s.may_write = false;
        s.reads = &reads;
        begin(Callback::preempts, s);
        script_.push_task(woken);
        script_.push_task(current);
        const bool preempts = finish(machine, Callback::preempts, s, 1);
        if (!s.because.empty()) return s.because;
        return fmt::format("preempts() returns {}{}", preempts, fields_text(reads, name));
    }

    std::string tick_reason(const Machine& m, TaskId p, ReschedCheck::Point at, bool needs_resched,
                            const TaskNamer& name) const override {
        ScriptState memory(const_cast<Machine&>(m), layout());
        const Nanos left{memory.slice(p)};
        if (at == ReschedCheck::Point::slice_end)
            return fmt::format("{}'s slice is used up{}", name(p),
                               needs_resched ? "" : ", but slice_end() lets it continue");
        if (needs_resched) return "tick() asks for a schedule()";
        if (left > Nanos{}) return fmt::format("{} has {} of its slice left", name(p), human_time(left));
        if (script_.has(Callback::tick)) return fmt::format("tick() lets {} continue", name(p));
        return "no slice ends under this policy";
    }

    std::int64_t candidate_key(const Machine& m, TaskId p) const override {
        return ScriptState(const_cast<Machine&>(m), layout()).task_word(p, kKey);
    }
    bool has_keys_in_queue() const override { return queues_by_key_; }
    std::string not_chosen_reason(const Machine&, TaskId, TaskId winner,
                                  const TaskNamer& name) const override {
        return script_.has(Callback::pick_next) && !queues_by_key_ ? "pick_next() chooses " + name(winner)
                                                                   : "";
    }

    std::string queue_name(const Machine& m, TaskId p) const override {
        ScriptState memory(const_cast<Machine&>(m), layout());
        const std::uint32_t q = memory.queue_of(p);
        return layout().queues < 2 || q == ScriptState::kNoQueue ? "the queue" : script_.queue_names()[q];
    }

    bool yield(Machine& m, TaskId p) const override {
        if (runs(m, Callback::yield)) return call_with_task(m, Callback::yield, p);
        ScriptState memory(m, layout());
        if (const std::uint32_t q = memory.queue_of(p); q != ScriptState::kNoQueue) {
            memory.remove(p);
            memory.add_last(q, p);
        }
        return true;
    }

    std::uint64_t renice(Machine& m, TaskId p, std::int32_t priority) const override {
        m.priority[p] = priority;
        const bool asks = call_with_task(m, Callback::renice, p);
        const std::uint16_t c = m.task[p].processor;
        return asks && c != Task::kNoProcessor ? std::uint64_t{1} << c : 0;
    }

    void adopt_running_task(Machine& m, CpuId, TaskId p) const override {
        ScriptState memory(m, layout());
        memory.task_word(p, kOnSince) = m.globals().now.count();
        memory.set_slice(p, memory.task_word(p, kSlice));
        if (!layout().keeps_running_task_queued && memory.queue_of(p) != ScriptState::kNoQueue)
            memory.remove(p);
    }

    Decision pick_next(Machine& m, CpuId cpu, TaskId prev, DecisionLog* log) const override {
        ScriptState memory(m, layout());
        CallContext s = context(m);
        s.cpu = cpu;
        s.log = log;
        const LineTracer::ScheduleScope schedule_scope(tracer_);
        const bool prev_is_idle = m.is_idle_task(prev);
        if (!prev_is_idle) {
            const bool used_up = m.slice_end(cpu) != kHorizon && memory.slice(prev) == 0;
            memory.task_word(prev, kSlice) = memory.slice(prev);
            memory.task_word(prev, kRan) += m.globals().now.count() - memory.task_word(prev, kOnSince);
            if (m.task[prev].state != TaskState::runnable) {
                if (memory.queue_of(prev) != ScriptState::kNoQueue) memory.remove(prev);
                m.task[prev].processor = Task::kNoProcessor;
                // If the task went to sleep exactly at the end of its slice, slice_end() is called, too.
                if (used_up && m.task[prev].state != TaskState::exited)
                    call_with_task(m, Callback::slice_end, prev);
            } else if (memory.queue_of(prev) == ScriptState::kNoQueue) {
                m.task[prev].processor = Task::kNoProcessor;
                put_on_queue(m, prev, "preempted", s);
            }
        }
        m.task[prev].processor = Task::kNoProcessor;
        TaskId next = choose_next_task(m, memory, cpu, prev_is_idle ? kNoTask : prev, s);
        if (next == kNoTask) {
            next = cpu;
        } else {
            if (s.work.considered == 0) s.work.considered = 1;
            if (log != nullptr) complete_log(script_, *log, m, memory, next, s.because);
            if (!layout().keeps_running_task_queued && memory.queue_of(next) != ScriptState::kNoQueue)
                memory.remove(next);
            memory.task_word(next, kOnSince) = m.globals().now.count();
        }
        m.set_running_task(next, cpu);
        s.work.next = next;
        return s.work;
    }

    bool needs_burst_lengths() const override { return true; }
    bool needs_job_parameters() const override { return true; }
    void set_job_parameters(Machine& m, TaskId p, const JobParameters& facts) const override {
        ScriptState(m, layout()).set_job_parameters(p, facts);
    }

    bool keeps_running_task_queued() const override { return layout().keeps_running_task_queued; }

    std::string scheduling_values(const Machine& m, TaskId p) const override {
        std::string text;
        ScriptState memory(const_cast<Machine&>(m), layout());
        for (std::uint32_t i = 0; i < layout().of_task.size(); ++i)
            text +=
                fmt::format("{}{} {}", i > 0 ? ", " : "", layout().of_task[i].name, memory.task_field(p, i));
        return text.empty() ? Policy::scheduling_values(m, p) : text;
    }

    SchedulingKey scheduling_key(const Machine& m, TaskId p) const override {
        if (layout().of_task.empty()) return Policy::scheduling_key(m, p);
        const std::int64_t value = ScriptState(const_cast<Machine&>(m), layout()).task_field(p, 0);
        const std::string& field = layout().of_task[0].name;
        return {field, field_text(field, value), value};
    }

    std::vector<QueuePart> queue_parts(const Machine& m) const override {
        std::vector<QueuePart> parts;
        if (layout().queues < 2) return parts;
        ScriptState memory(const_cast<Machine&>(m), layout());
        for (std::uint32_t q = 0; q < layout().queues; ++q)
            parts.push_back({script_.queue_names()[q], static_cast<std::uint32_t>(memory.count_tasks(q))});
        return parts;
    }

    const PolicyFailure* failure() const override { return failure_.what.empty() ? nullptr : &failure_; }

  private:
    const ScriptStateLayout& layout() const { return script_.layout(); }

    static CallContext context(Machine& m) {
        CallContext s;
        s.m = &m;
        return s;
    }

    // Whether the callback must be called: the script defines it, and the run has not been stopped.
    bool runs(const Machine& m, Callback callback) const {
        return script_.has(callback) && !m.globals().is_stopped;
    }

    void begin(Callback callback, CallContext& s) const {
        tracer_.begin_call(callback);
        s.notes_lines = tracer_.is_tracing();
        script_.begin_call(callback, s);
    }

    std::int64_t count_queued_tasks(Machine& m) const {
        return ScriptState(m, layout()).count_queued_tasks();
    }

    // Calls a function of the script with the task p as argument. Returns its result, or false if the
    // script does not define the function.
    bool call_with_task(Machine& m, Callback callback, TaskId p) const {
        if (!runs(m, callback)) return false;
        CallContext s = context(m);
        if (m.task[p].processor != Task::kNoProcessor) s.cpu = m.task[p].processor;
        const std::int64_t before = count_queued_tasks(m);
        begin(callback, s);
        script_.push_task(p);
        const bool said = finish(m, callback, s, 1);
        require_queued_count(m, callback, before);
        return said;
    }

    // Whether the policy treats this callback as returning true if the script's function returns nothing.
    static bool is_true_by_default(Callback callback) {
        return callback == Callback::slice_end || callback == Callback::yield;
    }

    // Executes the call that begin() prepared. Returns whether the result of the script's function is true.
    // If it returned nothing, returns is_true_by_default().
    bool finish(Machine& m, Callback callback, CallContext& s, int results) const {
        const auto problem = script_.call(results);
        bool said = false;
        const int said_at =
            results > 0 && !problem && !lua_isnil(script_.state(), -1) ? lua_gettop(script_.state()) : 0;
        if (!problem) tracer_.on_return(s, script_.state(), said_at);
        if (problem)
            fail(m, callback, kNoTask, *problem);
        else if (results > 0)
            said = said_at == 0 ? is_true_by_default(callback) : lua_toboolean(script_.state(), -1) != 0;
        script_.end_call();
        return said;
    }

    // Calls the script's reschedule(p) for a ready task p. Returns the bit of the selected CPU; 0: no CPU.
    std::uint64_t cpu_bit_to_reschedule(const Machine& m, TaskId p) const {
        // CallContext::may_write = false prevents writes to the machine.
        Machine& machine = const_cast<Machine&>(m);
        if (!runs(machine, Callback::reschedule)) return 0;
        CallContext s = context(machine);
        s.may_write = false;
        begin(Callback::reschedule, s);
        script_.push_task(p);
        const auto problem = script_.call(1);
        const CpuId asked = problem ? kNoCpu : Script::cpu_at(script_.state(), -1);
        const bool asks_nobody = !problem && lua_isnil(script_.state(), -1);
        const std::string returned = problem ? "" : describe_value(script_.state(), -1);
        if (!problem) tracer_.on_return(s, script_.state(), lua_gettop(script_.state()));
        script_.end_call();
        if (problem)
            fail(machine, Callback::reschedule, kNoTask, *problem);
        else if (asked != kNoCpu && m.may_run(p, asked))
            return std::uint64_t{1} << asked;
        else if (asked != kNoCpu)
            fail(machine, Callback::reschedule, p,
                 {0, fmt::format("reschedule() returned CPU {}, which {{}} may not use", asked), {}});
        else if (!asks_nobody)
            fail(machine, Callback::reschedule, p,
                 {0, fmt::format("reschedule() returned {}; expected a CPU or nil", returned), {}});
        return 0;
    }

    void put_on_queue(Machine& m, TaskId p, const char* why, CallContext& s) const {
        ScriptState memory(m, layout());
        if (runs(m, Callback::enqueue)) {
            const std::int64_t before = memory.count_queued_tasks();
            begin(Callback::enqueue, s);
            script_.push_task(p);
            script_.push(why);
            finish(m, Callback::enqueue, s, 0);
            if (!m.globals().is_stopped && memory.queue_of(p) == ScriptState::kNoQueue)
                fail(m, Callback::enqueue, p, {0, "enqueue() did not put {} on a queue", {}});
            const bool is_queued = memory.queue_of(p) != ScriptState::kNoQueue;
            require_queued_count(m, Callback::enqueue, before + (is_queued ? 1 : 0));
        }
        if (memory.queue_of(p) == ScriptState::kNoQueue) memory.add_last(0, p);
    }

    // Stops the run with a failure unless the queues contain exactly `expected` tasks in total. This check
    // detects lost tasks, and running tasks that are on a queue.
    void require_queued_count(Machine& m, Callback callback, std::int64_t expected,
                              TaskId chosen = kNoTask) const {
        ScriptState memory(m, layout());
        if (m.globals().is_stopped || memory.count_queued_tasks() == expected) return;
        for (TaskId p = m.first_task(); p < m.globals().high_row; ++p) {
            if (p == chosen || !m.is_live(p) || m.task[p].state != TaskState::runnable) continue;
            const bool is_queued = memory.queue_of(p) != ScriptState::kNoQueue;
            const bool is_running = m.task[p].processor != Task::kNoProcessor;
            if (is_queued || (is_running && !layout().keeps_running_task_queued)) continue;
            fail(m, callback, p,
                 {0, fmt::format("{}() left {{}} on no queue: the task is lost", to_string(callback)), {}});
            memory.add_last(0, p);
            return;
        }
        fail(m, callback, kNoTask,
             {0, fmt::format("{}() queued a task that must not be on a queue", to_string(callback)), {}});
    }

    // The task that pick_next() chooses; without pick_next(), the first ready task. kNoTask: the CPU idles.
    TaskId choose_next_task(Machine& m, ScriptState& memory, CpuId cpu, TaskId prev, CallContext& s) const {
        if (runs(m, Callback::pick_next)) {
            const std::int64_t before = memory.count_queued_tasks();
            begin(Callback::pick_next, s);
            script_.push_task(prev);
            script_.push_cpu(cpu);
            const auto problem = script_.call(1);
            const TaskId chosen = problem ? kNoTask : Script::task_at(script_.state(), -1);
            const bool idles = !problem && Script::is_idle_word(script_.state(), -1);
            const bool returned_nothing = !problem && lua_isnil(script_.state(), -1);
            const std::string returned =
                problem || chosen != kNoTask ? "" : describe_value(script_.state(), -1);
            if (!problem) tracer_.on_return(s, script_.state(), lua_gettop(script_.state()));
            script_.end_call();
            if (problem) {
                fail(m, Callback::pick_next, kNoTask, *problem);
            } else if (chosen == kNoTask) {
                require_queued_count(m, Callback::pick_next, before);
                if (idles || (returned_nothing && first_ready(m, cpu) == kNoTask)) return kNoTask;
                fail(m, Callback::pick_next, first_ready(m, cpu),
                     {0,
                      returned_nothing
                          ? "pick_next() returned nothing, but {} is ready (return idle to leave the CPU "
                            "idle)"
                          : fmt::format("pick_next() returned {}; expected a task or idle", returned),
                      {}});
            } else if (const char* wrong = obstacle_to_choice(m, chosen, cpu); wrong != nullptr) {
                fail(m, Callback::pick_next, chosen, {0, wrong, {}});
            } else {
                const bool took_it_off = memory.queue_of(chosen) == ScriptState::kNoQueue;
                require_queued_count(m, Callback::pick_next, before - (took_it_off ? 1 : 0), chosen);
                if (took_it_off && layout().keeps_running_task_queued)
                    fail(m, Callback::pick_next, chosen, {0, "pick_next() removed {} from its queue", {}});
                return chosen;
            }
        }
        return first_ready(m, cpu);
    }

    // The first ready task, over all queues in order, that may run on this CPU.
    static TaskId first_ready(const Machine& m, CpuId cpu) {
        for (TaskId p = m.next_run[0]; p != 0; p = m.next_run[p])
            if (m.task[p].processor == Task::kNoProcessor && m.may_run(p, cpu)) return p;
        return kNoTask;
    }

    // Stops the run with a failure. If a CPU still needs a next task, pick_next() returns the first ready
    // task. If p is not kNoTask, `{}` in problem.what is replaced by the name of p. For a message from the
    // script, p is kNoTask, so that the message is not changed.
    void fail(Machine& m, Callback callback, TaskId p, const Problem& problem) const {
        Globals& g = m.globals();
        if (g.is_stopped) return;
        g.is_stopped = true;
        g.stopped = StopReason::policy_failed;
        failure_ = {.place = problem.line > 0 ? fmt::format("{}:{}", name_, problem.line) : name_,
                    .what = problem.what,
                    .stack = problem.stack,
                    .during = to_string(callback),
                    .task = p,
                    .at = g.now,
                    .decisions = g.decisions};
        tracer_.on_failure(problem.line);
    }

    std::string name_;
    mutable Script script_;  // mutable because const functions call the script; a call leaves no state in it
    mutable PolicyFailure failure_;
    mutable LineTracer tracer_;
    bool queues_by_key_;  // the script enqueues tasks only with insert(), so each queued task has a key
};

}  // namespace

PolicyInfo script_policy(const std::string& name, std::string_view text) {
    PolicyInfo info{.name = name,
                    .summary = summary_of_script(text),
                    .source = "a script",
                    .options = {},
                    .criterion = "turn",
                    .pseudo_code = {},
                    .make = {}};
    const auto load = [name,
                       source = std::make_shared<const std::string>(text)](const PolicyOptions& options) {
        try {
            return std::make_unique<ScriptPolicy>(name, *source, options);
        } catch (const LoadError& error) {
            throw PolicyError(fmt::format("{}:{}{}", name, error.has_line() ? "" : " ", error.what()));
        }
    };
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        info.source_lines.push_back(printable_line(line));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    }
    try {
        const Script script(text, {});
        info.options = script.options();
        for (OptionInfo& option : info.options)
            option.summary = summary_of_option(info.source_lines, option.name);
        info.pseudo_code = [code =
                                pseudo_code(script.has(Callback::enqueue), script.has(Callback::pick_next))](
                               const PolicyOptions&) { return code; };
        const RankingCriterion& criterion = script.criterion();
        info.criterion = criterion.what;
        if (criterion.by != RankingCriterion::Order::turn && criterion.what != "goodness")
            info.why = [criterion](const DecisionLog& log, const Candidate& winner) {
                return why_winner_won(criterion, log, winner);
            };
    } catch (const LoadError& error) {
        throw PolicyError(fmt::format("{}:{}{}", name, error.has_line() ? "" : " ", error.what()));
    }
    info.make = load;
    return info;
}

}  // namespace sim::script
