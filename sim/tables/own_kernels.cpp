// Simulates each table of the 2010s under two policies, with the same costs: under CFS, and under the
// stand-in policy. The stand-in policy is the one under which the costs were fitted or assumed. Reports which
// simulation is nearer to the published values. CFS was Linux's scheduler in those years, but most of the
// documents do not name their kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

// The 2019 document on switches names 2.6.32. The server in the document on parking seems to have run
// CentOS 6, which has that kernel. The documents on goroutines and on reclamation name no kernel.
constexpr const char* kOwnKernel = "linux-2.6.32";

// The difference from the published value, relative to the published value.
double relative_error(const Cell& c) { return std::abs(c.difference() / c.published); }

struct KernelComparison {
    std::string table;
    std::vector<Cell> stand_in, own;  // the same cells under the stand-in policy, and under kOwnKernel

    double mean_error(const std::vector<Cell>& cells) const {
        double sum = 0;
        for (const Cell& c : cells) sum += relative_error(c) / static_cast<double>(cells.size());
        return sum;
    }
};

// Returns 1 if `own` is nearer to the published value, -1 if `stand_in` is, and 0 if the simulated values
// are equal to three digits.
int compare_errors(const Cell& stand_in, const Cell& own) {
    const auto digits = [](double x) { return fmt::format("{:.3g}", x); };
    if (digits(stand_in.simulated) == digits(own.simulated)) return 0;
    return relative_error(own) < relative_error(stand_in) ? 1 : -1;
}

KernelComparison compare_kernels(const Table& table) {
    KernelComparison result{.table = table.name, .stand_in = {}, .own = {}};
    const std::vector<Cell> own = table.cells_under(kOwnKernel);
    const std::vector<Cell> stand_in = table.cells_under({});
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (std::isnan(own[i].published) || own[i].published == 0) continue;
        result.stand_in.push_back(stand_in[i]);
        result.own.push_back(own[i]);
    }
    return result;
}

TableResult reproduce_own_kernels(const TableOptions& options) {
    std::vector<KernelComparison> all;
    for (const Table& table : all_tables())
        if (table.cells_under) all.push_back(compare_kernels(table));

    TableResult result;
    std::string text = fmt::format("own-kernels: tables of the years of CFS, under {}\n\n", kOwnKernel);
    text += fmt::format("  {:<13}{:<34}{:<28}{:>11}{:>11}{:>11}  {}\n", "table", "row", "column", "published",
                        "stand-in", "own kernel", "nearer");
    std::string sums;
    int wins = 0, losses = 0, equals = 0;
    for (const KernelComparison& t : all) {
        int own = 0, other = 0;
        for (std::size_t i = 0; i < t.own.size(); ++i) {
            const Cell &c = t.own[i], &before = t.stand_in[i];
            const int which = compare_errors(before, c);
            (which > 0 ? own : which < 0 ? other : equals) += 1;
            text += fmt::format("  {:<13}{:<34}{:<28}{:>11.4g}{:>11.4g}{:>11.4g}  {}\n", t.table, c.row,
                                c.column, c.published, before.simulated, c.simulated,
                                which > 0   ? "own kernel"
                                : which < 0 ? "stand-in"
                                            : "");
            result.cells.push_back({.row = t.table + ", " + c.row,
                                    .column = c.column,
                                    .published = c.published,
                                    .simulated = c.simulated,
                                    .unit = c.unit,
                                    .scored = false,
                                    .note = "no cost is fitted to this value under this kernel",
                                    .basis = c.basis});
        }
        wins += own;
        losses += other;
        sums += fmt::format("  {:<13}{:>9.1f} %{:>12.1f} %{:>9} of {}\n", t.table,
                            100 * t.mean_error(t.stand_in), 100 * t.mean_error(t.own), own, t.own.size());
    }
    text +=
        "\nMean error:\n  " +
        fmt::format("{:<13}{:>11}{:>14}  {}\n", "", "stand-in", "own kernel", "nearer under own kernel") +
        sums +
        fmt::format(
            "\n"
            "Of {} values, {} are nearer under their own kernel, {} under the stand-in, and {} do not "
            "differ in three digits.\n"
            "Several published values correspond to one simulated number: three runs, or four monitors.\n"
            "Only lmbench's row (lat-ctx) names the kernel; for token-pipe, thread-ring and php-fpm, of the "
            "same document, it is\n"
            "assumed. For park-unpark, the kernel would follow from the distribution if this was CentOS 6. "
            "For goroutines\n"
            "and reclamation, the kernel is unknown.\n"
            "The machines' costs are those fitted or assumed under the stand-ins; none is fitted again. "
            "This table has no\n"
            "tolerances.\n",
            wins + losses + equals, wins, losses, equals);
    if (options.hints)
        text +=
            "\nTry next:\n"
            "  switchyard run park-unpark --policy linux-2.6.32 --view vmstat\n"
            "  switchyard compare php-fpm --policy linux-2.4.22 --policy linux-2.6.32\n";
    result.text = text;
    return result;
}

}  // namespace

Table own_kernels_table() {
    return {.name = "own-kernels",
            .summary = "seven tables of the years of CFS, under Linux 2.6.32 and under its stand-ins",
            .source = "the documents of those tables; only lmbench's row names the kernel",
            .reproduce = reproduce_own_kernels};
}

}  // namespace sim::tables
