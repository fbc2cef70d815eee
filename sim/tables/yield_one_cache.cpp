// The yield table with one cache for both systems. Linux and NT were measured on one chip, but the machine
// files give only NT a cache. This table shows how well fits with a shared cache match the cells.
#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/scenario_json.h"
#include "sim/tables/tables.h"
#include "sim/tables/yield_fit.h"

namespace sim::tables {
namespace {

constexpr std::size_t kColumns = kYieldContexts.size();

// A line of the result's text: the errors and the cache of a fit.
std::string text_line_of_fit(const char* what, const YieldFit& fit, const std::vector<YieldCell>& cells) {
    const std::vector<Cell> of_linux = fitted_cells(fit, cells, false),
                            of_nt = fitted_cells(fit, cells, true);
    std::vector<Cell> both = of_linux;
    both.insert(both.end(), of_nt.begin(), of_nt.end());
    const auto kib = [](int bytes) {
        return bytes == 0 ? std::string("none") : fmt::format("{:.4g} KiB", bytes / 1024.0);
    };
    return fmt::format(
        "  {:<46}{:>8}{:>7.2f}{:>7.2f}{:>7.2f}{:>7.2f}{:>6}{:>10}{:>10}{:>7.0f} ns\n", what, fit.numbers,
        rms_difference(of_linux), rms_difference(of_nt), rms_difference(both), worst_difference(both),
        std::count_if(both.begin(), both.end(), [](const Cell& c) { return !c.is_within_tolerance(); }),
        kib(fit.linux_footprint), kib(fit.nt_footprint), 1000 * fit.line);
}

std::string cells_line(const char* row, const char* what, const char* format, const std::vector<double>& us) {
    std::string text = fmt::format("  {:<19}{:<11}", row, what);
    for (const double value : us) text += fmt::format("{:>8}", fmt::format(fmt::runtime(format), value));
    return text + "\n";
}

// Simulates a row of Linux with Linux's own costs and NT's cache. Returns published and simulated values as
// text.
std::string nt_cache_on_linux_text(const YieldRow& row) {
    std::vector<double> published(row.published.begin(), row.published.end()), simulated;
    const std::vector<std::string> nt_machine{fmt::format("/machine={}", yield_rows().back().machine)};
    const CacheModel cache = load_scenario(row.scenario, nt_machine).machine.costs.cache;
    const std::vector<std::string> changes{
        fmt::format("/machine/cache/size={}B", cache.size),
        fmt::format("/machine/cache/line={}B", cache.line),
        fmt::format("/machine/cache/footprint/size={}B", cache.footprint),
        fmt::format("/machine/cache/refill={}ns", cache.refill.time.count())};
    for (const int n : kYieldContexts) {
        const YieldCost m = measure_yield_cost(row, n, kYields, changes);
        simulated.push_back(m.per_yield(m.time));
    }
    return "NT's cache with Linux's own costs would give:\n" +
           cells_line(row.label, "published", "{:.0f}", published) +
           cells_line("", "simulated", "{:.1f}", simulated);
}

// The published values of the cells, next to the values simulated with the costs of a fit.
std::vector<Cell> one_cache_cells(const std::vector<YieldCell>& simulated) {
    std::vector<Cell> cells;
    for (std::size_t r = 0; r < yield_rows().size(); ++r) {
        const YieldRow& row = yield_rows()[r];
        for (std::size_t i = 0; i < kColumns; ++i) {
            const YieldCost& m = simulated[r * kColumns + i].measured;
            cells.push_back({.row = row.label,
                             .column = fmt::format("{}", kYieldContexts[i]),
                             .published = row.published[i],
                             .simulated = m.per_yield(m.time),
                             .unit = "us",
                             .scored = false,
                             .note = "this fit is not used; yield-table has the costs in use"});
        }
    }
    return cells;
}

// Published and simulated values, two lines per row of the table.
std::string one_cache_text(const std::vector<Cell>& cells) {
    std::string rows;
    for (std::size_t r = 0; r < yield_rows().size(); ++r) {
        const YieldRow& row = yield_rows()[r];
        std::vector<double> us;
        for (std::size_t i = 0; i < kColumns; ++i) us.push_back(cells[r * kColumns + i].simulated);
        rows += cells_line(row.label, "published", "{:.0f}", {row.published.begin(), row.published.end()}) +
                cells_line("", "one cache", "{:.2f}", us);
    }
    return rows;
}

TableResult reproduce_one_cache(const TableOptions& options) {
    const std::vector<YieldCell> cells = yield_cells();
    const YieldFit apart = fit_yields(cells, SharedFittedNumbers::nothing),
                   cost = fit_yields(cells, SharedFittedNumbers::cost),
                   one = fit_yields(cells, SharedFittedNumbers::everything);
    TableResult result;
    result.cells = one_cache_cells(yield_cells(one.machine_settings(false), one.machine_settings(true)));
    result.text =
        "yield-one-cache: the yield table, fitted with one cache for Linux and for NT\n\n" +
        fmt::format("  {:<46}{:>8}{:>7}{:>7}{:>7}{:>7}{:>6}{:>10}{:>10}{:>10}\n",
                    "least squares, no cost below 0", "numbers", "Linux", "NT", "both", "worst", "off",
                    "Linux", "NT", "a line") +
        text_line_of_fit("a cache only for NT, as in the machine files", apart, cells) +
        text_line_of_fit("one cost per line, a footprint per system", cost, cells) +
        text_line_of_fit("one cost per line and one footprint", one, cells) +
        "  (Linux, NT, both: rms in us. worst: the worst cell. off: cells out of tolerance. Then "
        "the cache that a context\n"
        "  uses under each system, and the refill of a line.)\n"
        "\n" +
        nt_cache_on_linux_text(yield_rows()[3]) + "\nThe last fit, simulated:\n" +
        one_cache_text(result.cells) +
        fmt::format(
            "The first fit is used; the machine files have its costs, adjusted so that no cell is out of "
            "tolerance. One cache for both, with\n"
            "as many numbers, fits worse: two processes of NT would take {:.1f} us, but took {:.0f}. "
            "However, the document differs from\n"
            "itself by 1.6 us (switch-table), so the cells are evidence against one cache but do not refute "
            "it. If each system has a\n"
            "footprint of its own, Linux's is a tenth of NT's, and nothing is gained. A footprint is the "
            "memory that a kernel touches,\n"
            "not a property of the chip, so the two need not be equal. But neither was measured, and the "
            "rise under NT may have\n"
            "another cause, which is not in this model.\n",
            one.says[kLinuxRows * kColumns], cells[kLinuxRows * kColumns].published);
    if (options.hints)
        result.text +=
            "\n"
            "Look at: the values of Linux's threads leave no room for a cache effect like NT's: they "
            "rise because of the\n"
            "  search, which takes 20 us for 40 contexts.\n"
            "Try next:\n"
            "  switchyard reproduce yield-table\n"
            "  switchyard compare yield-threads --set /tasks/0/count=20 --policy "
            "linux-2.0:yield=one_tick --policy nt4@pentium-mmx-200-nt\n";
    return result;
}

}  // namespace

Table yield_one_cache_table() {
    return {.name = "yield-one-cache",
            .summary = "the yield table fitted with one cache for Linux and NT, which is not used: 36 cells",
            .source =
                "the 1997 document on sched_yield, its last table: Linux before and after the change, and NT",
            .reproduce = reproduce_one_cache,
            .fitted = 9};
}

}  // namespace sim::tables
