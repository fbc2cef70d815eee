// `switchyard calibrate`: repeats the measurements of 1997 on this machine and makes a machine file from
// them.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "sim/base/atomic_file.h"
#include "sim/base/main_wrapper.h"
#include "sim/base/text.h"
#include "sim/calibrate/cost_list.h"
#include "sim/cli/calibration_text.h"
#include "sim/cli/command.h"
#include "sim/cli/file_arguments.h"
#include "sim/cli/output.h"
#include "sim/os/linux/measure.h"
#include "sim/os/streams.h"
#include "sim/scenario/json_tree.h"

namespace sim::cli {
namespace {

struct CalibrateOptions {
    std::string time, samples, save_samples, save_machine;
    std::optional<int> cpu;
    std::string format = "text", output;
    bool allows_noise = false, quiet = false;
};

// Shows the elapsed share of the measuring time on standard error if standard error is a terminal.
class TimeBar {
  public:
    explicit TimeBar(bool quiet) : on_(!quiet && os::is_terminal(os::kStandardError)) {}
    ~TimeBar() {
        if (shown_ >= 0) print_error("\r                                                            \r");
    }
    TimeBar(const TimeBar&) = delete;
    TimeBar& operator=(const TimeBar&) = delete;

    void show(double share) {
        const int now = static_cast<int>(share * 100);
        if (!on_ || now == shown_) return;
        shown_ = now;
        print_error(fmt::format("\rmeasuring {} {:3} %", text_bar(share, 30), now));
    }

  private:
    bool on_;
    int shown_ = -1;
};

calibrate::CalibrationSamples read_or_measure_samples(const CalibrateOptions& o) {
    if (!o.samples.empty())
        return calibrate::parse_samples(o.samples == "-" ? "standard input" : o.samples,
                                        read_text_file(o.samples, kMaxJsonBytes));
    calibrate::MeasureOptions options;
    if (!o.time.empty()) {
        const Nanos time = parse_time_option("--time", o.time);
        if (time < 1s || time > 600s) throw UsageError(fmt::format("--time {}: expected 1s to 600s", o.time));
        options.time = std::chrono::nanoseconds(time.count());
    }
    if (o.cpu) options.cpu = *o.cpu;
    TimeBar shown(o.quiet);
    options.progress = [&](double share) { shown.show(share); };
    return calibrate::measure_this_machine(options);
}

int execute_calibrate(const CalibrateOptions& o) {
    if (!o.samples.empty() && (!o.time.empty() || o.cpu))
        throw UsageError("--samples reads an existing measurement; leave out --time and --cpu");
    calibrate::CalibrationSamples samples = read_or_measure_samples(o);
    if (!o.save_samples.empty()) write_atomically(o.save_samples, calibrate::samples_text(samples));
    const double noise = calibrate::machine_noise(calibrate::summarize_samples(samples));
    if (noise > calibrate::kMostNoise && !o.allows_noise) {
        print_diagnostic(fmt::format(
            "this machine is too noisy: in one of ten measured operations, the median time is {:.0f} % "
            "above the lower quartile; the limit is {:.0f} %. Stop other programs and try again, perhaps "
            "with another --cpu or a longer --time; --allow-noise continues anyway",
            100 * noise, 100 * calibrate::kMostNoise));
        return kFailed;
    }
    const Calibration calibration = fit_calibration(std::move(samples));
    if (!o.save_machine.empty())
        write_atomically(o.save_machine,
                         calibrate::machine_file_text(calibration.fit.list, calibration.samples.facts));
    write_output_text(
        o.format == "json" ? calibration_json(calibration) : calibration_text(calibration, o.quiet),
        o.output);
    return kDone;
}

}  // namespace

void add_calibrate_command(Command& program) {
    auto o = std::make_shared<CalibrateOptions>();
    Command& command = program.add_command(
        "calibrate", "repeat the measurements of 1997 on this machine and make a machine file from them");
    command.add_option("--time", o->time, "measuring time, 1s to 600s (default 30s)").type_name("TIME");
    command.add_option("--cpu", o->cpu, "run on this CPU (default: the last one allowed)")
        .type_name("N")
        .check(in_range(0, 8191));
    command.add_option("--samples", o->samples, "read the measurements from this file instead of measuring")
        .type_name("FILE");
    command.add_option("--save-samples", o->save_samples, "write the measurements to this file")
        .type_name("FILE");
    command.add_option("--save-machine", o->save_machine, "write the machine file to this file")
        .type_name("FILE");
    command.add_flag("--allow-noise", o->allows_noise,
                     "continue even if the machine is too noisy for meaningful costs");
    command.add_option("--format", o->format, "text or json")
        .type_name("FORMAT")
        .check(one_of({"text", "json"}));
    add_output_option(command, o->output);
    command.add_flag("--quiet", o->quiet, "do not show progress or hints");
    command.set_examples(
        {"switchyard calibrate --time 1s --allow-noise --save-samples mine-samples.json",
         "switchyard calibrate --samples tests/calibrate/xeon-linux-6.18.json --save-machine mine.json",
         "switchyard calibrate --samples tests/calibrate/xeon-linux-6.18.json --format json"});
    command.set_action([o] { return execute_calibrate(*o); });
}

}  // namespace sim::cli
