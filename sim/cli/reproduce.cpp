// `switchyard reproduce`: published tables next to simulated values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/join.h"
#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/output.h"
#include "sim/cli/progress.h"
#include "sim/scenario/json_text.h"
#include "sim/tables/score.h"
#include "sim/tables/table_report.h"
#include "sim/tables/tables.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

struct ReproduceOptions : CommonOptions {
    std::string table;
    std::string picture;
    bool scores = false;
};

ordered_json json_of(const std::vector<tables::Cell>& list) {
    ordered_json cells = ordered_json::array();
    for (const tables::Cell& c : list) {
        const bool is_published = !std::isnan(c.published);
        cells.push_back({{"row", c.row},
                         {"column", c.column},
                         {"published", c.published},
                         {"simulated", c.simulated},
                         {"unit", c.unit},
                         {"tolerance", std::round(c.tolerance() * 1e6) / 1e6},
                         {"within", is_published ? ordered_json(c.is_within_tolerance()) : ordered_json()},
                         {"scored", c.scored},
                         {"basis", is_published ? ordered_json(to_string(c.basis)) : ordered_json()},
                         {"left_out", c.left_out},
                         {"column_left_out", c.column_left_out},
                         {"counted_elsewhere", c.counted_elsewhere},
                         {"note", c.note}});
    }
    return cells;
}

ordered_json json_of(const std::optional<tables::FitResult>& contender) {
    if (!contender) return nullptr;
    return {{"what", contender->what},
            {"numbers", contender->numbers},
            {"rms", contender->rms},
            {"worst", contender->worst},
            {"left_out_rms", contender->left_out ? ordered_json(*contender->left_out) : ordered_json()},
            {"column_left_out_rms",
             contender->column_left_out ? ordered_json(*contender->column_left_out) : ordered_json()}};
}

ordered_json json_of(const tables::Table& table, const std::vector<tables::Score>& scores) {
    ordered_json list = ordered_json::array();
    for (const tables::Score& s : scores)
        list.push_back({{"part", s.part},
                        {"unit", s.unit},
                        {"cells", s.cells},
                        {"degrees_of_freedom", std::max(0, s.cells - s.model.numbers)},
                        {"model", json_of(std::optional(s.model))},
                        {"not_left_out", s.model.left_out ? "" : tables::why_no_cross_validation(table)},
                        {"constant", json_of(std::optional(s.constant))},
                        {"line", json_of(s.line)},
                        {"as_many_numbers", json_of(s.as_many)}});
    return list;
}

ordered_json json_of(const tables::PredictionSource& source, const tables::Prediction& prediction) {
    const std::vector<tables::Cell> counting = tables::predicted_cells(prediction);
    ordered_json baselines = ordered_json::array();
    for (const tables::Baseline& baseline : prediction.baselines) {
        const std::vector<tables::Cell> cells = tables::baseline_cells(prediction, baseline);
        baselines.push_back({{"what", baseline.what},
                             {"rms", tables::rms_difference(cells)},
                             {"worst", tables::worst_difference(cells)}});
    }
    return {{"from", source.from},
            {"how", prediction.how},
            {"cells", json_of(prediction.cells)},
            {"counting", counting.size()},
            {"rms", tables::rms_difference(counting)},
            {"worst", tables::worst_difference(counting)},
            {"baselines", baselines}};
}

ordered_json json_of(const tables::Table& table, const std::vector<tables::Prediction>& predictions) {
    ordered_json list = ordered_json::array();
    for (std::size_t i = 0; i < predictions.size(); ++i)
        list.push_back(json_of(table.predictions[i], predictions[i]));
    return list;
}

// Counts cells of several tables. Scored cells are compared with their published values. Predicted cells are
// simulated with costs that are not fitted to the published value of any predicted cell. A measurement that
// occurs in several tables or predictions is counted once.
struct CellCounts {
    std::size_t scored = 0, repeated = 0, tables_scored = 0, tables_predicted = 0;
    std::vector<tables::Cell> predicted;

    void add(const tables::TableResult& result, const std::vector<tables::Prediction>& predictions) {
        std::size_t here = 0;
        for (const tables::Cell& c : result.cells) {
            here += c.scored && !c.counted_elsewhere;
            repeated += c.scored && c.counted_elsewhere;
        }
        scored += here;
        tables_scored += here > 0;
        std::set<std::pair<std::string, std::string>> seen;
        for (const tables::Prediction& prediction : predictions)
            for (const tables::Cell& c : tables::predicted_cells(prediction))
                if (!c.counted_elsewhere && seen.emplace(c.row, c.column).second) predicted.push_back(c);
        tables_predicted += !seen.empty();
    }
    std::string text() const {
        return fmt::format(
            "\nScored: {} published values of {} tables; {} more are repeated or follow from others.\n"
            "Predicted without the published values of these cells: {} cells of {} tables, {}.\n",
            scored, tables_scored, repeated, predicted.size(), tables_predicted,
            tables::prediction_errors_text(predicted));
    }
};

int execute_reproduce(const ReproduceOptions& o) {
    std::vector<std::string> names;
    for (const tables::Table& table : tables::all_tables()) names.push_back(table.name);
    if (!o.table.empty() && std::find(names.begin(), names.end(), o.table) == names.end())
        throw UsageError(fmt::format("unknown table '{}'{} (available: {})", o.table,
                                     did_you_mean(o.table, names), join(names, ", ")));
    if (!o.picture.empty() && o.table.empty()) throw UsageError("--picture needs the name of one table");

    TerminalProgress progress(o.quiet);
    std::string text, picture;
    ordered_json list = ordered_json::array();
    CellCounts counts;
    bool all = true;
    for (const tables::Table& table : tables::all_tables()) {
        if (!o.table.empty() && table.name != o.table) continue;
        const tables::TableResult result = table.reproduce({.hints = !o.quiet, .progress = progress.get()});
        if (!o.picture.empty()) picture = tables::report_svg(table, result);
        if (!text.empty()) text += "\n";
        const tables::TableReport report = tables::make_report(table, result);
        text += report.text;
        if (o.scores) text += report.details;
        counts.add(result, report.predictions);
        list.push_back({{"table", table.name},
                        {"source", table.source},
                        {"cells", json_of(result.cells)},
                        {"rms", tables::rms_difference(result.cells)},
                        {"worst", tables::worst_difference(result.cells)},
                        {"fitted", table.fitted},
                        {"scores", json_of(table, report.scores)},
                        {"predictions", json_of(table, report.predictions)},
                        {"holds", result.holds}});
        all = all && result.holds;
    }
    if (o.table.empty()) text += counts.text();
    const ordered_json& json = o.table.empty() ? list : list.front();
    if (!o.picture.empty()) write_output_bytes(picture, o.picture);
    write_output_text(o.is_json() ? json_text(json, 2) + "\n" : text, o.output);
    return all ? kDone : kFailed;
}

}  // namespace

void add_reproduce_command(Command& program) {
    auto o = std::make_shared<ReproduceOptions>();
    Command& command = program.add_command("reproduce", "compare published tables with simulated values");
    command.add_option("TABLE", o->table, "name from `switchyard list tables` (default: all)").type_name("");
    command.add_option("--picture", o->picture, "draw the table into this SVG file").type_name("FILE");
    command.add_flag("--scores", o->scores,
                     "also compare the errors with the errors of simple formulas, and print predicted cells");
    add_output_options(command, *o);
    command.set_examples({"switchyard reproduce yield-table", "switchyard reproduce yield-table --scores",
                          "switchyard reproduce yield-table --picture yield-table.svg"});
    command.set_action([o] { return execute_reproduce(*o); });
}

}  // namespace sim::cli
