// `switchyard reproduce`: published tables beside simulated figures.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/suggest.h"
#include "sim/cli/command.h"
#include "sim/cli/figure.h"
#include "sim/cli/output.h"
#include "sim/cli/tables.h"
#include "sim/plot/svg.h"

namespace sim::cli {
namespace {

using nlohmann::ordered_json;

constexpr int kPictureWidth = 960, kPictureHeight = 540;  // pixels

struct ReproduceOptions : CommonOptions {
    std::string table;
    std::string picture;
};

ordered_json to_json(const Table& table, const TableResult& result) {
    ordered_json cells = ordered_json::array();
    for (const Cell& c : result.cells)
        cells.push_back(
            {{"row", c.row},
             {"column", c.column},
             {"published", c.published},
             {"simulated", c.simulated},
             {"unit", c.unit},
             {"tolerance", std::round(c.tolerance() * 1e6) / 1e6},
             {"scored", c.scored},
             {"basis", std::isnan(c.published) ? ordered_json() : ordered_json(to_string(c.basis))},
             {"note", c.note}});
    return {{"table", table.name},      {"source", table.source},       {"cells", cells},
            {"rms", rms(result.cells)}, {"worst", worst(result.cells)}, {"fitted", table.fitted},
            {"holds", result.holds}};
}

int execute_reproduce(const ReproduceOptions& o) {
    std::vector<std::string> names;
    for (const Table& table : tables()) names.push_back(table.name);
    if (!o.table.empty() && std::find(names.begin(), names.end(), o.table) == names.end())
        throw UsageError(fmt::format("unknown table '{}'{} (there are {})", o.table,
                                     did_you_mean(o.table, names), fmt::join(names, ", ")));
    if (!o.picture.empty() && o.table.empty()) throw UsageError("--picture goes with the name of one table");

    std::string text, picture;
    ordered_json list = ordered_json::array();
    bool all = true;
    for (const Table& table : tables()) {
        if (!o.table.empty() && table.name != o.table) continue;
        const TableResult result = table.reproduce(o.quiet);
        if (!o.picture.empty())
            picture = plot::svg(plot::layout(plot_of(table, result, "switchyard reproduce " + table.name),
                                             kPictureWidth, kPictureHeight,
                                             figure_options(kPictureWidth, kPictureHeight, "light")));
        if (!text.empty()) text += "\n";
        text += result.text + basis_text(table, result.cells);
        list.push_back(to_json(table, result));
        all = all && result.holds;
    }
    const ordered_json& json = o.table.empty() ? list : list.front();
    if (!o.picture.empty()) deliver(picture, o.picture);
    deliver(o.json() ? json.dump(2) + "\n" : text, o.output);
    return all ? kDone : kFailed;
}

}  // namespace

std::span<const Table> tables() {
    static const std::vector<Table> list{
        ajax_polling_table(), create_table(),      gooch_table(),   goroutines_table(),  lat_ctx_table(),
        lazy_tlb_table(),     park_unpark_table(), php_fpm_table(), reclamation_table(), thread_ring_table(),
        token_pipe_table(),   web_server_table(),  yield_table()};
    return list;
}

const char* to_string(Basis basis) {
    switch (basis) {
        case Basis::predicted:
            return "predicted";
        case Basis::fitted:
            return "fitted";
        case Basis::tuned:
            return "tuned";
        case Basis::assumed:
            return "assumed";
        case Basis::defined:
            return "defined";
        case Basis::count:
            return "count";
    }
    return "?";
}

std::string basis_text(const Table& table, const std::vector<Cell>& cells) {
    std::vector<std::string> parts;
    int rests_on_numbers = 0;
    for (const Basis basis :
         {Basis::predicted, Basis::fitted, Basis::tuned, Basis::assumed, Basis::defined, Basis::count}) {
        int n = 0;
        for (const Cell& c : cells) n += c.scored && c.basis == basis;
        if (n > 0) parts.push_back(fmt::format("{} {}", n, to_string(basis)));
        if (basis == Basis::fitted || basis == Basis::tuned) rests_on_numbers += n;
    }
    std::string text =
        fmt::format("Basis of the scored cells: {}.",
                    parts.empty() ? "none is scored" : fmt::format("{}", fmt::join(parts, ", ")));
    if (rests_on_numbers > 0)
        text += fmt::format(" {} numbers were fitted or tuned to {}: {} degrees of freedom.", table.fitted,
                            rests_on_numbers, std::max(0, rests_on_numbers - table.fitted));
    text += "\n";
    // With three cells of a unit or more, a constant is the least that a model must be better than.
    std::vector<std::string> units;
    for (const Cell& c : cells)
        if (c.scored && c.basis != Basis::count &&
            std::find(units.begin(), units.end(), c.unit) == units.end())
            units.push_back(c.unit);
    for (const std::string& unit : units) {
        std::vector<Cell> same;
        for (const Cell& c : cells)
            if (c.scored && c.basis != Basis::count && c.unit == unit) same.push_back(c);
        if (same.size() < 3) continue;
        double mean = 0;
        for (const Cell& c : same) mean += c.published / static_cast<double>(same.size());
        std::vector<Cell> constant = same;
        for (Cell& c : constant) c.simulated = mean;
        text += fmt::format("  {} cells in {}: rms {:.3g}; the best constant, {:.4g}, has {:.3g}.\n",
                            same.size(), unit.empty() ? "numbers" : unit, rms(same), mean, rms(constant));
    }
    return text;
}

double rms(const std::vector<Cell>& cells) {
    double sum = 0;
    std::size_t n = 0;
    for (const Cell& c : cells) {
        if (!c.scored) continue;
        sum += c.difference() * c.difference();
        ++n;
    }
    return n == 0 ? 0 : std::sqrt(sum / static_cast<double>(n));
}

double worst(const std::vector<Cell>& cells) {
    double most = 0;
    for (const Cell& c : cells)
        if (c.scored) most = std::max(most, std::abs(c.difference()));
    return most;
}

double Cell::tolerance() const {
    const double floor = unit == "ns" ? 1500 : unit == "us" ? 1.5 : unit == "ms" ? 0.0015 : 0;
    return std::max(0.1 * std::abs(published), floor);
}

bool Cell::is_within() const { return std::abs(difference()) <= tolerance(); }

bool all_within(const std::vector<Cell>& cells) {
    return std::all_of(cells.begin(), cells.end(), [](const Cell& c) { return !c.scored || c.is_within(); });
}

std::string cells_text(const std::vector<Cell>& cells) {
    std::size_t rows = 0, columns = 0;
    for (const Cell& c : cells) {
        rows = std::max(rows, c.row.size());
        columns = std::max(columns, c.column.size());
    }
    const auto number = [](double value) {
        if (std::isnan(value)) return std::string("-");
        return std::abs(value) >= 1000 || value == std::trunc(value) ? fmt::format("{:.0f}", value)
                                                                     : fmt::format("{:.4g}", value);
    };
    std::string text = fmt::format("{:{}}  {:{}} {:>11} {:>11} {:>9}\n", "", rows, "", columns, "published",
                                   "simulated", "residual");
    std::string said;  // a note for several rows stands below the first
    for (const Cell& c : cells) {
        const std::string residual =
            std::isnan(c.published)
                ? ""
                : fmt::format("{:+.1f}%", c.published == 0 ? 0 : 100 * c.difference() / c.published);
        const char* remark = !c.scored ? "  (not scored)" : !c.is_within() ? "  OUT OF TOLERANCE" : "";
        const std::string unit = c.unit.empty() ? remark : fmt::format("  {}{}", c.unit, remark);
        text += fmt::format("{:{}}  {:{}} {:>11} {:>11} {:>9}{}\n", c.row, rows, c.column, columns,
                            number(c.published), number(c.simulated), residual, unit);
        if (!c.note.empty() && c.note != said) text += fmt::format("{:{}}  {}\n", "", rows, c.note);
        said = c.note;
    }
    return text;
}

void add_reproduce(CLI::App& app, int& exit_code) {
    auto o = std::make_shared<ReproduceOptions>();
    CLI::App* command = app.add_subcommand("reproduce", "published tables beside simulated figures");
    command->add_option("TABLE", o->table, "a name from `switchyard list tables`; without one, all")
        ->type_name("");
    command->add_option("--picture", o->picture, "draw the table into this SVG file")->type_name("FILE");
    add_output_options(*command, *o);
    set_examples(*command,
                 {"switchyard reproduce yield-table", "switchyard reproduce yield-table --format json",
                  "switchyard reproduce yield-table --picture yield-table.svg"});
    command->callback([o, &exit_code] { exit_code = execute_reproduce(*o); });
}

}  // namespace sim::cli
