#include "sim/figures/vruntime_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace sim::figures {
namespace {

constexpr std::size_t kMostCurves = 7;  // maximum number of curves of tasks, each with its own line style
constexpr std::size_t kStyleOfV = 0;    // solid style of the curve V, the average vruntime

double in_ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

}  // namespace

void VruntimeCurves::add_point(const Machine& m, const fair::TaskVirtualTimes& task) {
    Curve& curve = curves_[{task.task, m.task[task.task].pid}];
    if (curve.name.empty()) curve.name = scenario_.task_name(m, task.task);
    if (!curve.goes_on) curve.pieces.emplace_back();
    curve.goes_on = true;
    curve.pieces.back().push_back({.x = in_ms(m.globals().now.count()), .y = in_ms(task.vruntime)});
}

void VruntimeCurves::add_decision(const Machine& m, TaskId prev, std::uint32_t pid) {
    const fair::VirtualTimes times = fair::virtual_times(m, cpu_, kernel_);
    const Nanos now = m.globals().now;
    if (const auto found = curves_.find({prev, pid}); found != curves_.end() && decisions_ > 0)
        found->second.ran += now - last_;
    last_ = now;
    ++decisions_;

    std::vector<fair::TaskVirtualTimes> tasks = times.tree;
    if (times.current.task != kNoTask) tasks.push_back(times.current);
    std::set<std::pair<TaskId, std::uint32_t>> runnable;
    for (const fair::TaskVirtualTimes& task : tasks) {
        add_point(m, task);
        runnable.insert({task.task, m.task[task.task].pid});
    }
    const bool has_left = !m.is_idle_task(prev) && m.is_live(prev) && m.task[prev].pid == pid &&
                          m.task[prev].state != TaskState::runnable && !is_real_time(m.sched_class[prev]);
    if (has_left) add_point(m, fair::task_virtual_times(m, prev, times.min_vruntime, kernel_));
    for (auto& [task, curve] : curves_)
        if (!runnable.contains(task)) curve.goes_on = false;

    if (kernel_ != fair::FairKernel::linux_6_6) return;
    if (tasks.empty()) {
        average_.goes_on = false;
        return;
    }
    if (!average_.goes_on) average_.pieces.emplace_back();
    average_.goes_on = true;
    average_.pieces.back().push_back({.x = in_ms(now.count()), .y = in_ms(fair::average_vruntime(tasks))});
}

plot::Plot VruntimeCurves::plot(Nanos from, Nanos to, const std::string& title,
                                const std::string& source) const {
    std::vector<const Curve*> by_time;
    for (const auto& [task, curve] : curves_) by_time.push_back(&curve);
    std::stable_sort(by_time.begin(), by_time.end(),
                     [](const Curve* a, const Curve* b) { return a->ran > b->ran; });
    const std::size_t left_out = by_time.size() - std::min(by_time.size(), kMostCurves);
    by_time.resize(by_time.size() - left_out);
    const std::set<const Curve*> chosen(by_time.begin(), by_time.end());

    plot::Panel panel;
    panel.x.label = "simulated time, ms";
    panel.x.from = in_ms(from.count());
    panel.x.to = in_ms(to.count());
    panel.y.label = "vruntime - min_vruntime, ms";
    std::size_t style = kStyleOfV + 1;
    const auto add_curve = [&](const Curve& curve, const std::string& name, std::size_t of_style,
                               bool emphasis) {
        for (std::size_t i = 0; i < curve.pieces.size(); ++i)
            panel.series.push_back({.name = i == 0 ? name : "",
                                    .type = plot::ChartType::line,
                                    .points = curve.pieces[i],
                                    .style = of_style,
                                    .emphasis = emphasis});
    };
    for (const auto& [task, curve] : curves_)
        if (chosen.contains(&curve)) add_curve(curve, curve.name, style++, false);
    add_curve(average_, "V: tasks up to here are eligible", kStyleOfV, true);
    std::string subtitle = fmt::format("{} decision{}", decisions_, decisions_ == 1 ? "" : "s");
    if (scenario_.cpus > 1) subtitle = fmt::format("CPU {} of {}: {}", cpu_, scenario_.cpus, subtitle);
    if (left_out > 0)
        subtitle +=
            fmt::format("; not shown: {} more task{}, which run less", left_out, left_out == 1 ? "" : "s");
    return {.title = title, .subtitle = subtitle, .source = source, .panels = {std::move(panel)}};
}

}  // namespace sim::figures
