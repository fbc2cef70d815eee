#include "sim/trace_io/scenario/program_text_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/base/units.h"
#include "sim/trace_io/scenario/fold.h"

namespace sim::trace_io {
namespace {

// Programs of more than kMostStepsToRead steps are written as words (sim/scenario/program_words.cpp), not
// as objects. If all programs together exceed kMostStepsInAll steps, the limit for each program is
// kFewSteps, because a file is limited to kMaxJsonValues.
constexpr std::size_t kMostStepsToRead = 400, kMostStepsInAll = 50'000, kFewSteps = 4;

}  // namespace

ProgramTextWriter::ProgramTextWriter(const ImportOptions& options, const CostModel& costs,
                                     const std::vector<ProgramLifetime>& lives,
                                     const std::vector<std::string>& names, Notes& notes)
    : options_(options), costs_(costs), lives_(lives), names_(names), notes_(notes) {
    for (const ProgramLifetime& life : lives_) steps_in_all_ += life.steps.size();
}

// The cost that the machine charges for this step's system call, including the kernel work in the call.
Nanos ProgramTextWriter::charged_system_call_time(const ProgramStep& step,
                                                  const ProgramLifetime& life) const {
    const auto of = [&](KernelWork kind) { return costs_.syscall.time + costs_.cost_of(kind); };
    switch (step.kind) {
        case ProgramStep::Kind::wake:
            return of(KernelWork::wake_up);
        case ProgramStep::Kind::fork: {
            const ProgramLifetime& child = lives_[step.target];
            const bool is_thread = child.is_kernel || child.tgid == life.tgid;
            return of(is_thread ? KernelWork::fork_thread : KernelWork::fork_process);
        }
        case ProgramStep::Kind::exec:
            return of(KernelWork::exec);
        case ProgramStep::Kind::exit:
            return of(KernelWork::exit);
        default:
            return costs_.syscall.time;
    }
}

std::string ProgramTextWriter::text_of(const ProgramLifetime& life) {
    const std::vector<RepeatedSteps> folded =
        options_.folds ? fold_repetitions(life.steps) : unfolded_steps(life.steps.size());
    std::size_t written = 0;
    for (const RepeatedSteps& part : folded) written += part.length;
    steps_ += written;
    const bool as_words = written > (steps_in_all_ > kMostStepsInAll ? kFewSteps : kMostStepsToRead);
    const std::string_view between = as_words ? " " : ", ";
    std::string text;
    for (const RepeatedSteps& part : folded) {
        if (!text.empty()) text += between;
        if (part.times > 1)
            text += as_words ? fmt::format("{}[ ", part.times)
                             : fmt::format("{{\"loop\": {}, \"steps\": [", part.times);
        for (std::size_t i = part.first; i < part.first + part.length; ++i) {
            if (i > part.first) text += between;
            add_step(text, life.steps[i], life, as_words);
        }
        if (part.times > 1) text += as_words ? " ]" : "]}";
    }
    return as_words ? json_string_of(text) : "[" + text + "]";
}

// Appends a step, as an object or a word. If the step's system call took longer than the machine charges
// for it, first appends the additional time.
void ProgramTextWriter::add_step(std::string& text, const ProgramStep& step, const ProgramLifetime& life,
                                 bool as_word) {
    const auto with_name = [&](const char* action, char letter, std::size_t whose) {
        text += as_word ? fmt::format("{}:{}", letter, names_[whose])
                        : fmt::format("{{\"{}\": {}}}", action, json_string_of(names_[whose]));
    };
    const auto with_time = [&](const char* action, const char* letter, Nanos time) {
        text += as_word ? fmt::format("{}{}", letter, time.count())
                        : fmt::format("{{\"{}\": \"{}\"}}", action, format_time(time));
    };
    // If the user specifies a machine, a system call takes only the time that the specified machine charges
    // for it.
    const bool is_known = step.system != ProgramStep::kUnknown && options_.machine.empty();
    const Nanos longer = is_known ? step.system - charged_system_call_time(step, life) : Nanos{};
    if (longer < Nanos{})
        notes_.add({"system call that took less time in the trace than it takes on the machine",
                    "system calls that took less time in the trace than they take on the machine"});
    if (step.kind == ProgramStep::Kind::syscall) return with_time("syscall", "s", std::max(longer, Nanos{}));
    if (longer > Nanos{}) {
        with_time("in_kernel", "k", longer);
        text += as_word ? " " : ", ";
    }
    switch (step.kind) {
        case ProgramStep::Kind::run:
            return with_time("run", "", step.time);
        case ProgramStep::Kind::arrival:
            return with_time("arrival", "a", step.time);
        case ProgramStep::Kind::arrival_at:
            return with_time("arrival_at", "@", step.time);
        case ProgramStep::Kind::wait:
            return with_name("wait", 'w', static_cast<std::size_t>(&life - lives_.data()));
        case ProgramStep::Kind::wake:
            return with_name("wake", 'u', step.target);
        case ProgramStep::Kind::yield:
            text += as_word ? "y" : "\"yield\"";
            return;
        case ProgramStep::Kind::fork:
            return with_name("fork", 'f', step.target);
        case ProgramStep::Kind::exec:
            return with_name("exec", 'x', step.target);
        case ProgramStep::Kind::exit:
            text += as_word ? "e" : "\"exit\"";
            return;
        case ProgramStep::Kind::syscall:
            return;
    }
}

}  // namespace sim::trace_io
