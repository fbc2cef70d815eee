#include "sim/replay/run_segments.h"

namespace sim {

RunSegments::RunSegments(const Machine& m, Nanos from)
    : first_task_(m.first_task()),
      from_(from),
      names_(m.shape().cpus + m.shape().tasks),
      pieces_(m.shape().cpus),
      current_(m.shape().cpus) {
    for (TaskId p = m.first_task(); p < m.globals().high_row; ++p)
        names_[p] = {m.task[p].group, m.task[p].ordinal};
    for (CpuId c = 0; c < m.shape().cpus; ++c) {
        const TaskId p = m.cpu(c).current;
        if (!m.is_idle_task(p)) current_[c] = {m.globals().now, {}, p, names_[p].group, names_[p].ordinal};
        current_[c].begin = m.globals().now;
    }
}

void RunSegments::add_record(const TraceRecord& r) {
    if (r.kind == TraceKind::fork || r.kind == TraceKind::exec) names_[r.task] = {r.group, r.ordinal};
    if (r.kind != TraceKind::schedule || r.task == r.other) return;
    end_segment(r.cpu, r.time);
    const bool idle = r.task < first_task_;
    current_[r.cpu] = {r.time, {}, idle ? kNoTask : r.task, names_[r.task].group, names_[r.task].ordinal};
}

void RunSegments::finish(Nanos now) {
    for (CpuId c = 0; c < current_.size(); ++c) end_segment(c, now);
}

void RunSegments::end_segment(CpuId cpu, Nanos now) {
    RunSegment& piece = current_[cpu];
    piece.end = now;
    if (piece.begin == now || now <= from_) return;
    pieces_[cpu].push_back(piece);
    ++count_;
}

}  // namespace sim
