// The parts below the tracks: the legend, and the statistics of the selection.
#include <fmt/format.h>

#include <functional>

#include "ui/panels/timeline/pane.h"

namespace ui {

// An entry of the legend of colours. `sample` draws an example of the colour into a rectangle.
struct TimelinePane::LegendEntry {
    const char* name;
    std::function<void(ImVec2, ImVec2)> sample;
};

// Describes what one slice or column of the timeline represents in the visible range.
std::string TimelinePane::legend_description() const {
    std::string words;
    if (has_slices(0)) {
        const auto pixels = [&](Nanos t) { return static_cast<double>(t.count()) / scale_.ns_per_pixel(); };
        words = fmt::format(
            "every slice is drawn; slices in the same {:.0f} pixels form one "
            "bar",
            pixels(cpu_narrow_));
        if (row_narrow_ > cpu_narrow_)
            words += fmt::format(" ({:.0f} pixels in the rows of tasks)", pixels(row_narrow_));
    } else if (scale_.range.begin >= run(0).end()) {
        words = run(0).history().is_complete() ? "the run ends before this range" : "not simulated yet";
    } else {
        double switches = 0;
        for (const TimelineColumn& c : columns_[0]) switches += c.switches;
        const double each = columns_[0].empty() ? 0 : switches / static_cast<double>(columns_[0].size());
        words = "each column: " + span(column_duration_) + ", about " +
                (each < 9.95 ? fmt::format("{:.1f}", each)
                             : group_digits(static_cast<std::uint64_t>(std::llround(each)))) +
                " switches";
        words += detail_[0].refining ? "; refining…" : "; zoom in to see single switches";
    }
    const sim::RunHistory& history = run(0).history();
    if (history.is_complete() && run(0).end() == scale_.range.end &&
        history.stop_reason() != sim::StopReason::until)
        words += std::string("; the run is over: ") + words_for(history.stop_reason());
    return words;
}

std::vector<TimelinePane::LegendEntry> TimelinePane::legend_entries() {
    std::vector<LegendEntry> entries;
    for (const CpuActivity a : {CpuActivity::system, CpuActivity::select, CpuActivity::recalculation,
                                CpuActivity::context_switch, CpuActivity::address_space,
                                CpuActivity::cache_refill, CpuActivity::stolen, CpuActivity::interrupt}) {
        if (!has_cost(a)) continue;
        entries.push_back({words_for(a), [this, a](ImVec2 min, ImVec2 max) {
                               fill(list_, f_.fonts, theme_, fill_of(theme_, a), min, max);
                           }});
    }
    if (f_.view.show_mms && run(0).lazy_tlb())
        entries.push_back({"borrowed", [this](ImVec2 min, ImVec2 max) {
                               draw_mm_mark(f_, 1, true, ImVec2(min.x, max.y - px(6)), max);
                           }});
    entries.push_back({"in the kernel", [this](ImVec2 min, ImVec2 max) {
                           const float h = std::floor((max.y - min.y) / 4);
                           rect(min.x, min.y + h, max.x, max.y - h, theme_.system_call);
                       }});
    entries.push_back({"ready", [this](ImVec2 min, ImVec2 max) {
                           fill_pattern(list_, f_.fonts, Pattern::hatch, min, max, theme_.ready);
                       }});
    entries.push_back({"asleep", [this](ImVec2 min, ImVec2 max) {
                           draw_hairline(min.x, max.x, std::floor((min.y + max.y) / 2), theme_.text_dim,
                                         false);
                       }});
    entries.push_back({"waiting", [this](ImVec2 min, ImVec2 max) {
                           draw_hairline(min.x, max.x, std::floor((min.y + max.y) / 2), theme_.text_dim,
                                         true);
                       }});
    return entries;
}

void TimelinePane::draw_legend() {
    if (legend_top_ >= at_.y + size_.y) return;
    const float y = legend_top_ + px(2);
    std::string words = legend_description();
    const float end = right_ - px(4);
    // Draws the description at the left and the legend of colours at the right. If there is too little space,
    // removes clauses from the end of the description, but not its first clause, and then the last entries of
    // the legend.
    std::vector<LegendEntry> entries = legend_entries();
    float width = 0;
    const float box = px(18);
    for (const LegendEntry& e : entries) width += box + px(4) + text_width(e.name) + px(12);
    const auto free = [&] { return end - (at_.x + px(6) + text_width(words) + px(24)); };
    for (std::size_t clause; width > free() && (clause = words.find_last_of(";,")) != std::string::npos;)
        words.erase(clause);
    words = text_that_fits(words, end - at_.x - px(6));
    text(at_.x + px(6), y, theme_.text_dim, words);
    if (legend_rows_ > 1) return draw_legend_rows(entries, y + line_, end);
    while (!entries.empty() && width > free()) {
        width -= box + px(16) + text_width(entries.back().name);
        entries.pop_back();
    }
    float x = std::floor(end - width);
    for (const LegendEntry& e : entries) {
        e.sample(ImVec2(x, y + px(2)), ImVec2(x + box, y + line_ - px(2)));
        text(x + box + px(4), y, theme_.text_dim, e.name);
        x += box + px(16) + text_width(e.name);
    }
}

// Draws the entries of the legend in rows, from the left edge to `end`. Entries that do not fit are left out.
void TimelinePane::draw_legend_rows(const std::vector<LegendEntry>& entries, float y, float end) {
    const float begin = at_.x + px(6), box = px(18);
    float x = begin;
    int row = 1;
    for (const LegendEntry& e : entries) {
        const float width = box + px(4) + text_width(e.name);
        if (x > begin && x + width > end) {
            if (++row == legend_rows_) return;
            x = begin;
            y += line_;
        }
        e.sample(ImVec2(x, y + px(2)), ImVec2(x + box, y + line_ - px(2)));
        text(x + box + px(4), y, theme_.text_dim, e.name);
        x += width + px(12);
    }
}

void TimelinePane::draw_range_report(std::size_t r, float x0, float x1, float y) {
    if (x1 - x0 < px(60)) return;
    const bool dragging = f_.view.drag.what == ViewState::Drag::What::select;
    const TimeRange& range = *f_.view.selection;
    std::string title = std::string(run_count() == 2 ? r == 0 ? "A  " : "B  " : "") + "selected " +
                        span(range.length()) + ": " + time_text(range.begin) + " to " + time_text(range.end);
    text(x0, y, theme_.text, text_that_fits(title, x1 - x0));
    y += line_ + px(2);
    if (dragging) return;
    const RangeReport report = range_report(run(r), range);
    text(x0, y, theme_.text, text_that_fits(report.counts, x1 - x0));
    y += line_ + px(4);
    if (report.progress < 1) {
        rect(x0, y, x1, y + px(6), dimmed(theme_.text, 0.12f));
        rect(x0, y, x0 + (x1 - x0) * static_cast<float>(report.progress), y + px(6), theme_.accent);
        return;
    }
    if (report.shares.empty()) return;
    const bool wide = x1 - x0 > px(760);
    const float split = wide ? std::floor(x0 + (x1 - x0) * 0.48f) : x1;
    const float bar_top = y;
    y = draw_shares(report, x0, split, y);
    float table_x = x0;
    if (wide) {
        table_x = split;
        y = bar_top - px(2);
    }
    draw_duration_table(report, table_x, x1, y);
}

// Draws a bar of the shares of CPU time, with the names of its parts. Returns the y coordinate below it.
float TimelinePane::draw_shares(const RangeReport& report, float x0, float split, float y) {
    float x = x0;
    double sum = 0;
    std::string words;
    for (const RangeReport::Share& s : report.shares) {
        sum += s.share;
        const float end =
            std::floor(x0 + (split - px(20) - x0) * static_cast<float>(std::min(1.0, sum)) + 0.5f);
        fill(list_, f_.fonts, theme_, fill_of(theme_, s.activity), ImVec2(x, y), ImVec2(end, y + px(10)));
        x = end;
        words += (words.empty() ? "" : "   ") + std::string(words_for(s.activity)) + " " + percent(s.share);
    }
    y += px(13);
    text(x0, y, theme_.text, text_that_fits(words, split - px(20) - x0));
    y += line_ + px(2);
    std::string users = report.task_shares.empty() ? "" : "tasks with most user time:";
    for (const RangeReport::TaskShare& u : report.task_shares)
        users += "   " + u.name + " " + percent(u.share);
    text(x0, y, theme_.text_dim, text_that_fits(users, split - px(20) - x0));
    y += line_ + px(2);
    return y;
}

// Draws the table of durations.
void TimelinePane::draw_duration_table(const RangeReport& report, float table_x, float x1, float y) {
    const float name_width = std::min(px(150), (x1 - table_x) * 0.36f);
    const float column = (x1 - table_x - name_width) / 5;
    constexpr std::array<const char*, 5> kTitles{"count", "average", "median", "95 %", "99 %"};
    const auto cell = [&](std::size_t i, ImU32 colour, const std::string& what) {
        const std::string fits = text_that_fits(what, column - px(4));
        text(table_x + name_width + column * static_cast<float>(i + 1) - text_width(fits), y, colour, fits);
    };
    for (std::size_t i = 0; i < kTitles.size(); ++i) cell(i, theme_.text_dim, kTitles[i]);
    y += line_;
    for (const RangeReport::DurationStatistics& s : report.spans) {
        text(table_x, y, theme_.text, text_that_fits(s.what, name_width));
        cell(0, theme_.text, group_digits(s.count));
        const std::array<Nanos, 4> values{s.average, s.p50, s.p95, s.p99};
        for (std::size_t i = 0; i < values.size(); ++i)
            cell(i + 1, theme_.text, s.count == 0 ? "-" : span(values[i]));
        y += line_;
    }
}

void TimelinePane::draw_statistics() {
    if (!f_.view.selection || statistics_top_ >= legend_top_) return;
    rect(at_.x, statistics_top_, right_, legend_top_, dimmed(theme_.text, 0.06f));
    rect(at_.x, statistics_top_, right_, statistics_top_ + 1, theme_.panel_border);
    list_.PushClipRect(ImVec2(at_.x, statistics_top_), ImVec2(right_, legend_top_), true);
    const float width = (right_ - at_.x) / static_cast<float>(run_count());
    for (std::size_t r = 0; r < run_count(); ++r) {
        const float x0 = at_.x + width * static_cast<float>(r);
        draw_range_report(r, std::floor(x0 + px(8)), std::floor(x0 + width - px(8)), statistics_top_ + px(4));
    }
    list_.PopClipRect();
}

}  // namespace ui
