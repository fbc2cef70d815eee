#include "sim/scenario/job_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "sim/base/join.h"
#include "sim/base/problem.h"
#include "sim/base/suggest.h"
#include "sim/base/text.h"
#include "sim/base/units.h"
#include "sim/scenario/job_cells.h"
#include "sim/scenario/job_values.h"

namespace sim {
namespace {

enum class Column : std::uint8_t { name, arrival, burst, priority, result };

// The words that can be the title of a column. Column::result is a column that students fill in, such as the
// waiting time; its cells are ignored.
struct ColumnTitles {
    Column column;
    std::vector<std::string_view> words;
};
const std::array<ColumnTitles, 5> kColumns{{
    {Column::name,
     {"name", "process", "processes", "processid", "processname", "job", "jobs", "jobname", "task", "tasks",
      "taskname", "pid", "id", "proc", "thread"}},
    {Column::arrival,
     {"arrival", "arrivaltime", "arrives", "arrivesat", "arrivalat", "arr", "at", "start", "starttime",
      "release", "releasetime", "submit", "submittime"}},
    {Column::burst,
     {"burst",
      "bursttime",
      "bursts",
      "bt",
      "cpuburst",
      "cpubursttime",
      "cputime",
      "cpu",
      "service",
      "servicetime",
      "st",
      "length",
      "joblength",
      "duration",
      "run",
      "runtime",
      "runningtime",
      "execution",
      "executiontime",
      "processingtime",
      "computation",
      "computationtime"}},
    {Column::priority, {"priority", "prio", "pri", "priorities"}},
    {Column::result,
     {"waiting", "waitingtime", "wt", "turnaround", "turnaroundtime", "tat", "tt", "completion",
      "completiontime", "ct", "finish", "finishtime", "response", "responsetime", "rt", "starts",
      "normalizedturnaround"}},
}};

std::optional<Column> column_of(std::string_view title) {
    std::string word;
    for (const char c : title.substr(0, title.find_first_of("([")))
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
            word += static_cast<char>(c >= 'a' ? c : c - 'A' + 'a');
    for (const ColumnTitles& column : kColumns)
        if (std::find(column.words.begin(), column.words.end(), word) != column.words.end())
            return column.column;
    return std::nullopt;
}

// The unit in a title such as "Burst (s)"; empty if the title names no unit.
std::string unit_of_title(std::string_view title) {
    const std::size_t begin = title.find_first_of("([");
    const std::size_t end = title.find_last_of(")]");
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return "";
    const std::string unit(title.substr(begin + 1, end - begin - 1));
    std::string why;
    return parse_time("1" + unit, why) ? unit : "";
}

// The titles in a title row. If the row was split at spaces, the parts of a title such as "Burst Time (ms)"
// are joined again.
JobCells join_titles(const JobCells& row) {
    JobCells titles;
    for (const JobCell& cell : row) {
        const bool continues = cell.text == "time" || cell.text == "Time" || cell.text == "TIME" ||
                               cell.text.starts_with('(') || cell.text.starts_with('[');
        if (continues && !titles.empty())
            titles.back().text += " " + cell.text;
        else
            titles.push_back(cell);
    }
    return titles;
}

// A row of titles contains no digit, names the bursts and another column, and consists mostly of known
// titles.
bool is_title_row(const JobCells& row) {
    bool names_bursts = false;
    std::size_t known = 0;
    const JobCells titles = join_titles(row);
    for (const JobCell& title : titles) {
        const std::optional<Column> column = column_of(title.text);
        known += column ? 1 : 0;
        names_bursts = names_bursts || column == Column::burst;
    }
    return names_bursts && known > 1 && 2 * known > titles.size() &&
           std::none_of(row.begin(), row.end(), [](const JobCell& cell) { return has_digit(cell.text); });
}

class JobReader {
  public:
    explicit JobReader(std::string file) : file_(std::move(file)) {}

    std::vector<ListedJob> read(std::string_view text) {
        const std::vector<JobCells> rows = split_job_rows(text, kMostJobs + 2);
        const bool has_titles = !rows.empty() && is_title_row(rows.front());
        if (has_titles) read_titles(join_titles(rows.front()));
        if (unit_.empty()) unit_ = "ms";
        const std::size_t first = has_titles ? 1 : 0;
        if (rows.size() == first)
            problems_.push_back(
                {file_, 0, 0, {}, "there is no job; write one as: A 0 8 (name, arrival, burst)"});
        if (rows.size() - first > kMostJobs)
            problems_.push_back(
                {file_, rows.back().front().line, 1, {}, fmt::format("expected at most {} jobs", kMostJobs)});
        for (std::size_t i = first; i < rows.size() && problems_.size() < kMostProblems; ++i)
            read_row(rows[i], has_titles, i - first + 1);
        if (!problems_.empty()) throw ScenarioError(std::move(problems_));
        return std::move(jobs_);
    }

  private:
    static constexpr std::size_t kMostProblems = 20, kLongestJobName = 64;

    void refuse(const JobCell& at, std::string message) {
        problems_.push_back({file_, at.line, at.column, {}, std::move(message)});
    }

    void read_titles(const JobCells& row) {
        std::set<Column> seen;
        for (const JobCell& cell : row) {
            const std::optional<Column> column = column_of(cell.text);
            if (!column)
                refuse(cell,
                       fmt::format("unknown column '{}'; the columns are name, arrival, burst, priority",
                                   printable(shorten(cell.text, 40))));
            else if (*column != Column::result && !seen.insert(*column).second)
                refuse(cell, fmt::format("column '{}' is named twice", printable(shorten(cell.text, 40))));
            const std::string unit = unit_of_title(cell.text);
            if (!unit.empty() && unit_.empty()) unit_ = unit;
            columns_.push_back({column.value_or(Column::result), unit});
        }
    }

    // The columns of a row in a table that has no title row.
    static std::vector<std::pair<Column, std::string>> usual_columns(const JobCells& row) {
        constexpr Column kUsual[] = {Column::name, Column::arrival, Column::burst, Column::priority};
        std::vector<std::pair<Column, std::string>> columns;
        const bool has_name = row.size() > 2 || !is_plain_number(row.front().text);
        if (row.size() == 2 && has_name) return {{Column::name, ""}, {Column::burst, ""}};
        for (std::size_t i = has_name ? 0 : 1; i < std::size(kUsual); ++i)
            columns.emplace_back(kUsual[i], "");
        return columns;
    }

    void read_row(const JobCells& row, bool has_titles, std::size_t job_number) {
        const auto columns = has_titles ? columns_ : usual_columns(row);
        if (row.size() > columns.size() || (!has_titles && row.size() < 2)) {
            refuse(row.size() > columns.size() ? row[columns.size()] : row.front(),
                   has_titles
                       ? fmt::format("this row has {} cells, but the first row has {}", row.size(),
                                     columns.size())
                       : fmt::format("expected name, arrival and burst, like A 0 8 (or A 0 8 2 with a "
                                     "priority), got {}",
                                     row.size() == 1 ? "one value" : fmt::format("{} values", row.size())));
            return;
        }
        ListedJob job;
        bool has_burst = false;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const JobCell& cell = row[i];
            const auto& [column, unit] = columns[i];
            if (cell.text.empty() && column != Column::burst) continue;
            switch (column) {
                case Column::name:
                    job.name = job_name_in(cell);
                    break;
                case Column::arrival:
                    job.arrival = time(cell, "arrival", unit);
                    break;
                case Column::burst:
                    job.burst = time(cell, "burst", unit);
                    has_burst = true;
                    if (job.burst == Nanos{} && problems_.size() == bad_)
                        refuse(cell, "a burst must be above 0");
                    break;
                case Column::priority:
                    job.priority = priority(cell);
                    break;
                case Column::result:
                    break;
            }
            bad_ = problems_.size();
        }
        if (!has_burst) refuse(row.back(), "the burst is missing");
        if (job.name.empty()) job.name = fmt::format("P{}", job_number);
        if (!names_.insert(job.name).second)
            refuse(row.front(), fmt::format("the name '{}' is used twice", printable(job.name)));
        jobs_.push_back(std::move(job));
        bad_ = problems_.size();
    }

    // The name of the job in this cell. The number 1 becomes P1; spaces become '_'.
    std::string job_name_in(const JobCell& cell) {
        std::string name;
        for (std::size_t i = 0; i < cell.text.size();) {
            const Character c = character_at(cell.text, i);
            const bool is_last_colon = cell.text[i] == ':' && i + 1 == cell.text.size();
            if (!is_last_colon) name += is_unicode_space(c.code) ? "_" : cell.text.substr(i, c.bytes);
            i += c.bytes;
        }
        if (is_plain_number(name)) name = "P" + name;
        if (name.size() > kLongestJobName) refuse(cell, "a name has at most 64 bytes");
        if (!is_safe_to_show(name)) refuse(cell, "a name must not contain control characters");
        if (name == "idle") refuse(cell, "'idle' is reserved for the idle task");
        return name;
    }

    Nanos time(const JobCell& cell, const char* what, const std::string& unit) {
        std::string why;
        const std::optional<Nanos> time = parse_job_time(cell.text, unit.empty() ? unit_ : unit, why);
        if (!time) refuse(cell, fmt::format("{}: {}", what, why));
        return time.value_or(Nanos{});
    }

    std::optional<std::int32_t> priority(const JobCell& cell) {
        std::string why;
        const std::optional<std::int32_t> priority = parse_job_priority(cell.text, why);
        if (!priority) refuse(cell, "priority: " + why);
        return priority;
    }

    std::string file_;
    // Columns of a table with a title row, with the units that the titles name.
    std::vector<std::pair<Column, std::string>> columns_;
    std::string unit_;  // the first unit that a title names
    std::vector<ListedJob> jobs_;
    std::set<std::string> names_;
    std::vector<Problem> problems_;
    std::size_t bad_ = 0;  // number of problems found before the current cell
};

// The first rows of the text. Returns no rows if the text is probably JSON.
std::vector<JobCells> first_rows(std::string_view text, std::size_t max_rows) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] == '{' || text[first] == '[') return {};
    if (text[first] == '/') return {};  // the text is probably a JSON file that begins with a comment
    constexpr std::size_t kEnough = 4096;
    return split_job_rows(text.substr(0, kEnough), max_rows);
}

bool is_job_row(const JobCells& row) {
    if (row.size() < 2 || row.size() > 4) return false;
    std::string why;
    return std::all_of(row.begin() + 1, row.end(),
                       [&](const JobCell& cell) { return parse_job_time(cell.text, "ms", why).has_value(); });
}

}  // namespace

bool looks_like_jobs(std::string_view text) {
    const std::vector<JobCells> rows = first_rows(text, 1);
    return !rows.empty() && (is_title_row(rows.front()) || is_job_row(rows.front()));
}

bool has_job_row(std::string_view text) {
    constexpr std::size_t kMost = 20;
    const std::vector<JobCells> rows = first_rows(text, kMost);
    return looks_like_jobs(text) || std::any_of(rows.begin(), rows.end(), is_job_row);
}

std::vector<ListedJob> read_jobs(const std::string& file, std::string_view text) {
    return JobReader(file).read(text);
}

std::string scenario_of_jobs(const std::vector<ListedJob>& jobs) {
    return fmt::format(
        R"({{
    "format": "switchyard-scenario/1",
    "title": "A table of jobs",
    "machine": "ideal",
    "policy": "fcfs",
    "tasks": {}
}}
)",
        json_of(std::span(jobs)));
}

}  // namespace sim
