// Common parts of the published tables: tolerance, and printed form of cells.
#include "sim/tables/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/join.h"

namespace sim::tables {

std::vector<Prediction> predictions_of(const Table& table, const TableResult& result) {
    std::vector<Prediction> list;
    for (const PredictionSource& source : table.predictions) {
        if (source.predict) {
            list.push_back(source.predict());
            continue;
        }
        Prediction& own = list.emplace_back();
        own.baselines = source.baselines;
        for (const Cell& c : result.cells)
            if (c.basis == Basis::predicted && !std::isnan(c.published)) own.cells.push_back(c);
    }
    return list;
}

std::vector<Cell> predicted_cells(const Prediction& prediction) {
    std::vector<Cell> cells;
    for (Cell c : prediction.cells) {
        if (c.basis != Basis::predicted) continue;
        c.scored = true;
        cells.push_back(c);
    }
    return cells;
}

std::vector<Cell> baseline_cells(const Prediction& prediction, const Baseline& baseline) {
    std::vector<Cell> cells = predicted_cells(prediction);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].simulated = baseline.values.at(i);
    return cells;
}

std::string prediction_errors_text(const std::vector<Cell>& predicted) {
    double share = 0;
    for (const Cell& c : predicted)
        share += std::abs(c.difference() / c.published) / static_cast<double>(predicted.size());
    return fmt::format("off by {:.0f} % on average, {} of {} within their tolerance", 100 * share,
                       std::count_if(predicted.begin(), predicted.end(),
                                     [](const Cell& c) { return c.is_within_tolerance(); }),
                       predicted.size());
}

namespace {

// States that all residuals have the same sign: a systematic error of the model. Empty if both signs occur.
std::string systematic_error_text(const std::vector<Cell>& cells) {
    constexpr std::size_t kFew = 3;  // with fewer cells, all residuals have the same sign by chance too often
    const auto high = static_cast<std::size_t>(
        std::count_if(cells.begin(), cells.end(), [](const Cell& c) { return c.difference() > 0; }));
    const auto low = static_cast<std::size_t>(
        std::count_if(cells.begin(), cells.end(), [](const Cell& c) { return c.difference() < 0; }));
    if (cells.size() < kFew || (high != cells.size() && low != cells.size())) return "";
    return fmt::format("  All {} values are too {}.\n", cells.size(), low > 0 ? "low" : "high");
}

}  // namespace

std::string prediction_text(const PredictionSource& source, const Prediction& prediction) {
    const std::vector<Cell> cells = predicted_cells(prediction);
    std::string text = fmt::format(
        "Predicted from {}, without the values of these cells: {} cell{}, rms {:.3g} {}, worst {:.3g},\n"
        "  {}.\n",
        join(source.from, " and "), cells.size(), cells.size() == 1 ? "" : "s", rms_difference(cells),
        cells.front().unit, worst_difference(cells), prediction_errors_text(cells));
    for (const Baseline& baseline : prediction.baselines) {
        const std::vector<Cell> without = baseline_cells(prediction, baseline);
        text += fmt::format("  Without a model, {}: rms {:.3g}, worst {:.3g}.\n", baseline.what,
                            rms_difference(without), worst_difference(without));
    }
    return text + systematic_error_text(cells);
}

std::string prediction_details(const PredictionSource& source, const Prediction& prediction) {
    if (!source.predict) return "";
    return fmt::format("Predicted from {}:\n  {}\n", join(source.from, " and "), prediction.how) +
           cells_text(prediction.cells);
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

std::string basis_counts_text(const Table& table, const std::vector<Cell>& cells) {
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
        fmt::format("Basis of the scored cells: {}.", parts.empty() ? "none is scored" : join(parts, ", "));
    if (rests_on_numbers > 0 && table.fitted == 0)
        text += " The numbers were fitted to another table.";
    else if (rests_on_numbers > 0)
        text += fmt::format(" {} numbers were fitted or tuned to {} cells: {} degrees of freedom.",
                            table.fitted, rests_on_numbers, std::max(0, rests_on_numbers - table.fitted));
    text += "\n";
    return text;
}

double rms_difference(const std::vector<Cell>& cells) {
    double sum = 0;
    std::size_t n = 0;
    for (const Cell& c : cells) {
        if (!c.scored) continue;
        sum += c.difference() * c.difference();
        ++n;
    }
    return n == 0 ? 0 : std::sqrt(sum / static_cast<double>(n));
}

double worst_difference(const std::vector<Cell>& cells) {
    double most = 0;
    for (const Cell& c : cells)
        if (c.scored) most = std::max(most, std::abs(c.difference()));
    return most;
}

double Cell::tolerance() const { return std::max(0.1 * std::abs(published), noise); }

bool Cell::is_within_tolerance() const { return std::abs(difference()) <= tolerance(); }

bool all_within_tolerance(const std::vector<Cell>& cells) {
    return std::all_of(cells.begin(), cells.end(),
                       [](const Cell& c) { return !c.scored || c.is_within_tolerance(); });
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
    std::string said;  // note of the previous row; a note shared by successive rows is printed once
    for (const Cell& c : cells) {
        const std::string residual =
            std::isnan(c.published)
                ? ""
                : fmt::format("{:+.1f}%", c.published == 0 ? 0 : 100 * c.difference() / c.published);
        const char* remark = !c.scored                  ? "  (not scored)"
                             : !c.is_within_tolerance() ? "  OUT OF TOLERANCE"
                                                        : "";
        const std::string unit = c.unit.empty() ? remark : fmt::format("  {}{}", c.unit, remark);
        text += fmt::format("{:{}}  {:{}} {:>11} {:>11} {:>9}{}\n", c.row, rows, c.column, columns,
                            number(c.published), number(c.simulated), residual, unit);
        if (!c.note.empty() && c.note != said) text += fmt::format("{:{}}  {}\n", "", rows, c.note);
        said = c.note;
    }
    return text;
}

}  // namespace sim::tables
