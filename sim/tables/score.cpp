#include "sim/tables/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "sim/lab/least_squares.h"

namespace sim::tables {
namespace {

// The design matrix of a fit: for each cell, the factors by which the fitted numbers are multiplied.
using Design = std::vector<std::vector<double>>;  // indices: cell, fitted number

const std::string kStraightLine = "a constant and a slope", kColumnConstants = "a constant for each column";

struct Formula {
    std::string what;
    Design design;
};

// The rms and worst error of the cells if their simulated values were `simulated_values`.
std::pair<double, double> rms_and_worst_error(std::vector<Cell> cells,
                                              const std::vector<double>& simulated_values) {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i].simulated = simulated_values[i];
    return {rms_difference(cells), worst_difference(cells)};
}

bool none_is_missing(const std::vector<double>& values) {
    return std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

// For each cell i, the value predicted by a fit to all cells j for which is_left_out(i, j) is false.
std::vector<double> cross_validation_values(
    const std::vector<lab::Observation>& observations,
    const std::function<bool(std::size_t, std::size_t)>& is_left_out) {
    std::vector<double> values;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        std::vector<lab::Observation> others;
        for (std::size_t j = 0; j < observations.size(); ++j)
            if (!is_left_out(i, j)) others.push_back(observations[j]);
        values.push_back(lab::predicted_value(observations[i], lab::least_squares(others)));
    }
    return values;
}

// Fits the formula to the cells. `leaves_columns_out`: also computes FitResult::column_left_out.
FitResult fit_formula(const Formula& formula, const std::vector<Cell>& cells, bool leaves_columns_out) {
    std::vector<lab::Observation> all;
    for (std::size_t i = 0; i < cells.size(); ++i) all.push_back({formula.design[i], cells[i].published});
    const std::vector<double> numbers = lab::least_squares(all);
    std::vector<double> said;
    for (const lab::Observation& o : all) said.push_back(lab::predicted_value(o, numbers));
    const auto [rms, worst] = rms_and_worst_error(cells, said);
    FitResult contender{formula.what, static_cast<int>(numbers.size()), rms, worst};
    // If the formula has a separate number for each cell, a fit to the other cells does not determine the
    // number of this cell. Then there is no cross-validation. The same is true of columns.
    if (numbers.size() < cells.size())
        contender.left_out =
            rms_and_worst_error(
                cells, cross_validation_values(all, [](std::size_t i, std::size_t j) { return i == j; }))
                .first;
    if (leaves_columns_out && numbers.size() < cells.size() && formula.what != kColumnConstants)
        contender.column_left_out =
            rms_and_worst_error(cells, cross_validation_values(all,
                                                               [&](std::size_t i, std::size_t j) {
                                                                   return cells[i].column == cells[j].column;
                                                               }))
                .first;
    return contender;
}

std::string series_of(const Cell& c) { return c.series.empty() ? c.row : c.series; }

// The design matrix of a fit: one row per cell and one column per kind of cell. An element is 1 if the
// row's cell is of the column's kind, otherwise 0.
template <class Kind>
Design indicator_columns(const std::vector<Cell>& cells, const Kind& kind) {
    std::set<std::string> kinds;
    for (const Cell& c : cells) kinds.insert(kind(c));
    Design design;
    for (const Cell& c : cells) {
        design.emplace_back();
        for (const std::string& k : kinds) design.back().push_back(kind(c) == k ? 1 : 0);
    }
    return design;
}

// Returns the products of each column of `design` with x^min_power, ..., x^max_power, where x is scaled to a
// maximum of 1.
Design with_powers_of_x(const std::vector<Cell>& cells, const Design& design, int min_power, int max_power) {
    double most = 0;
    for (const Cell& c : cells) most = std::max(most, std::abs(c.x));
    Design wider(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (int power = min_power; power <= max_power; ++power)
            for (const double column : design[i])
                wider[i].push_back(column * lab::power(cells[i].x / most, static_cast<unsigned>(power)));
    return wider;
}

Design joined_columns(Design a, const Design& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i].insert(a[i].end(), b[i].begin(), b[i].end());
    return a;
}

std::string powers_text(int power) {
    return power == 1 ? "slope" : power == 2 ? "slope and square" : fmt::format("powers up to {}", power);
}

// The formulas with at most `numbers` fitted numbers. Formulas with powers of x are included only if all
// cells have an x.
std::vector<Formula> candidate_formulas(const std::vector<Cell>& cells, int numbers) {
    const Design one = indicator_columns(cells, [](const Cell&) { return std::string{}; });
    const Design of_series = indicator_columns(cells, series_of);
    const Design of_columns = indicator_columns(cells, [](const Cell& c) { return c.column; });
    const int rows = static_cast<int>(of_series.front().size());
    std::vector<Formula> list{{"a constant", one}};
    if (numbers >= static_cast<int>(cells.size())) {
        Design each(cells.size(), std::vector<double>(cells.size(), 0.0));
        for (std::size_t i = 0; i < cells.size(); ++i) each[i][i] = 1;
        list.push_back({"a number for each cell", each});
        return list;
    }
    const int columns = static_cast<int>(of_columns.front().size());
    if (rows > 1 && rows <= numbers) list.push_back({"a constant for each row", of_series});
    if (columns > 1 && columns <= numbers) list.push_back({kColumnConstants, of_columns});
    if (std::any_of(cells.begin(), cells.end(), [](const Cell& c) { return std::isnan(c.x); })) return list;

    std::set<double> places;
    for (const Cell& c : cells) places.insert(c.x);
    const int most = static_cast<int>(places.size()) - 1;  // higher powers are redundant
    if (const int power = std::min(numbers - 1, most); power > 0)
        list.push_back({power == 1 ? kStraightLine : fmt::format("a constant and {}", powers_text(power)),
                        with_powers_of_x(cells, one, 0, power)});
    if (const int power = std::min(numbers - rows, most); power > 0 && rows > 1)
        list.push_back({fmt::format("a constant for each row, a common {}", powers_text(power)),
                        joined_columns(of_series, with_powers_of_x(cells, one, 1, power))});
    if (const int power = std::min(numbers / rows - 1, most); power > 0 && rows > 1)
        list.push_back({fmt::format("for each row a constant and {}", powers_text(power)),
                        with_powers_of_x(cells, of_series, 0, power)});
    return list;
}

FitResult best_fit_of(const std::vector<Formula>& formulas, const std::vector<Cell>& cells,
                      bool leaves_columns_out) {
    std::vector<FitResult> contenders;
    for (const Formula& formula : formulas)
        contenders.push_back(fit_formula(formula, cells, leaves_columns_out));
    return *std::min_element(contenders.begin(), contenders.end(),
                             [](const FitResult& a, const FitResult& b) { return a.rms < b.rms; });
}

Score score_of(const std::vector<Cell>& cells, int fitted_numbers) {
    std::vector<double> left_out, column_left_out;
    double mean = 0;
    for (const Cell& c : cells) {
        left_out.push_back(c.left_out);
        column_left_out.push_back(c.column_left_out);
        mean += c.published / static_cast<double>(cells.size());
    }
    const bool by_column = none_is_missing(column_left_out);
    Score score{.part = cells.front().part,
                .unit = cells.front().unit,
                .cells = static_cast<int>(cells.size()),
                .model = {"the model", fitted_numbers, rms_difference(cells), worst_difference(cells)},
                .constant = fit_formula(candidate_formulas(cells, 1).front(), cells, by_column),
                .line = {},
                .as_many = {}};
    if (none_is_missing(left_out)) score.model.left_out = rms_and_worst_error(cells, left_out).first;
    if (by_column) score.model.column_left_out = rms_and_worst_error(cells, column_left_out).first;
    score.constant.what = fmt::format("the best constant, {:.4g}", mean);
    for (const Formula& formula : candidate_formulas(cells, 2)) {
        if (formula.what != kStraightLine) continue;
        score.line = fit_formula(formula, cells, by_column);
        score.line->what = "the best straight line";
    }
    if (const std::vector<Formula> list = candidate_formulas(cells, fitted_numbers);
        fitted_numbers > 1 && list.size() > 1)
        score.as_many = best_fit_of(list, cells, by_column);
    return score;
}

std::string error_text(double error) {
    if (error < 1e-9) return "0";
    return error >= 1000 ? fmt::format("{:.0f}", error) : fmt::format("{:.3g}", error);
}

}  // namespace

std::vector<Score> scores_of(const Table& table, const std::vector<Cell>& cells) {
    std::vector<std::vector<Cell>> groups;
    for (const Cell& c : cells) {
        if (!c.scored || c.basis == Basis::count) continue;
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const std::vector<Cell>& group) {
            return group.front().part == c.part && group.front().unit == c.unit;
        });
        same == groups.end() ? groups.push_back({c}) : same->push_back(c);
    }
    std::vector<Score> scores;
    for (const std::vector<Cell>& group : groups) {
        if (group.size() < 2) continue;
        int numbers = table.fitted;
        for (const auto& [part, count] : table.fitted_to)
            if (part == group.front().part) numbers = count;
        scores.push_back(score_of(group, numbers));
    }
    return scores;
}

std::string why_no_cross_validation(const Table& table) {
    if (table.fitted == 0) return "nothing was fitted";
    return table.not_left_out.empty() ? "its fit is not repeated without single cells" : table.not_left_out;
}

std::string scores_text(const Table& table, const std::vector<Score>& scores) {
    std::string text;
    bool any_left_out = false;
    for (const Score& score : scores) {
        std::string head = fmt::format("{} cells", score.cells);
        if (!score.part.empty()) head = score.part + ", " + head;
        if (!score.unit.empty()) head += ", in " + score.unit;
        const bool by_column = score.model.column_left_out.has_value();
        text += fmt::format("{:<54}{:>9}{:>9}{:>8}{:>8}{:>10}{}\n", "Score of " + head, "numbers", "freedom",
                            "rms", "worst", "left out", by_column ? "  column out" : "");
        const auto error_or_dash = [](const std::optional<double>& error) {
            return error ? error_text(*error) : "-";
        };
        const auto line = [&](const FitResult& c) {
            text += fmt::format("  {:<52}{:>9}{:>9}{:>8}{:>8}{:>10}", c.what, c.numbers,
                                std::max(0, score.cells - c.numbers), error_text(c.rms), error_text(c.worst),
                                error_or_dash(c.left_out));
            text += by_column ? fmt::format("{:>12}\n", error_or_dash(c.column_left_out)) : "\n";
        };
        line(score.model);
        line(score.constant);
        if (score.line) line(*score.line);
        if (score.as_many) line(*score.as_many);
        any_left_out = any_left_out || score.model.left_out;
    }
    if (!scores.empty() && table.fitted > 0 && !any_left_out)
        text += fmt::format("  The model has no leave-one-out fit: {}.\n", why_no_cross_validation(table));
    return text;
}

}  // namespace sim::tables
