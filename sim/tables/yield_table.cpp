// The table of 1997: the cost of a yield for 2 to 40 contexts, on Linux before and after a two-line change,
// and on Windows NT.
//
// Each cell is a simulation of at least 100,000 yields. Only the costs in the machine files depend on the
// published values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <tuple>

#include "sim/base/human_text.h"
#include "sim/tables/predictions.h"
#include "sim/tables/published.h"
#include "sim/tables/tables.h"
#include "sim/tables/yield_cost.h"
#include "sim/tables/yield_fit.h"

namespace sim::tables {
namespace {

// Bounds promised in docs/reference/cost_model.md, in us, in addition to the tolerance of each cell.
constexpr double kRmsAllowed = 1.0, kWorstAllowedNt = 1.5;

std::size_t index_of_worst_cell(const std::vector<Cell>& cells) {
    const auto by_size = [](const Cell& a, const Cell& b) {
        return std::abs(a.difference()) < std::abs(b.difference());
    };
    return static_cast<std::size_t>(std::max_element(cells.begin(), cells.end(), by_size) - cells.begin());
}

std::string explain_worst_cell(const std::vector<Cell>& cells, const std::vector<YieldCost>& measured) {
    const Cell* const place = &cells[index_of_worst_cell(cells)];
    const YieldCost& m = measured[index_of_worst_cell(cells)];
    const auto share = [&](std::uint64_t n) {
        return static_cast<double>(n) / static_cast<double>(m.yields);
    };
    return fmt::format(
        "Worst cell: {}, {} contexts: published {:.0f} us, simulated {:.2f} us ({:+.2f}).\n"
        "  Its {:.2f} us are: system call {:.2f}, search {:.2f}, recalculation {:.2f}, switch {:.2f}, "
        "address space {:.2f};\n"
        "  {:.4f} of its yields switch, {:.5f} recalculate. The counts follow from the kernel's code, and "
        "all cells share\n"
        "  the costs. So before minus after is 0.95/N of (one recalculation of all tasks + one switch) for "
        "every N. The\n"
        "  published differences are {} us for processes and {} us for threads. No costs give these "
        "differences:\n"
        "  even 19 free costs could not reach a worst error below 0.89 us (docs/reference/cost_model.md).\n",
        place->row, place->column, place->published, place->simulated, place->difference(),
        m.per_yield(m.time), m.per_yield(m.overhead.system), m.per_yield(m.overhead.select),
        m.per_yield(m.overhead.recalculation), m.per_yield(m.overhead.context_switch),
        m.per_yield(m.overhead.address_space), share(m.switched), share(m.recalculations),
        "15, 7, 2, 2, 1, -1", "13, 8, 5, 3, 3, 1");
}

std::string nt_errors_text(const std::vector<Cell>& cells, std::span<const YieldCost> measured) {
    const Cell& cell = cells[index_of_worst_cell(cells)];
    // `few`, `many`: a yield of NT's processes with 2 and with 40 contexts.
    const YieldCost& few = measured.front();
    const YieldCost& many = measured[kYieldContexts.size() - 1];
    return fmt::format(
        "NT: rms {:.2f} us, worst {:.2f} us over {} cells (published {:.0f} us, simulated {:.2f}: "
        "{}, {} contexts),\n"
        "  all from one set of four fitted costs. A yield with 2 processes and with 40, in us: "
        "system call {:.2f} and {:.2f},\n"
        "  search {:.2f} and {:.2f}, switch {:.2f} and {:.2f}, address space {:.2f} and "
        "{:.2f}, cache refill {:.2f} and {:.2f}.\n",
        rms_difference(cells), worst_difference(cells), cells.size(), cell.published, cell.simulated,
        cell.row, cell.column, few.per_yield(few.overhead.system), many.per_yield(many.overhead.system),
        few.per_yield(few.overhead.select), many.per_yield(many.overhead.select),
        few.per_yield(few.overhead.context_switch), many.per_yield(many.overhead.context_switch),
        few.per_yield(few.overhead.address_space), many.per_yield(many.overhead.address_space),
        few.per_yield(few.overhead.cache_refill), many.per_yield(many.overhead.cache_refill));
}

// Published and simulated value and difference, three lines per row of the table.
std::string rows_text(const std::vector<Cell>& cells) {
    std::string text = fmt::format("  {:<19}{:<11}", "runnable contexts", "");
    for (const int n : kYieldContexts) text += fmt::format("{:>8}", n);
    text += "\n";
    std::size_t first = 0;  // index of the row's first cell
    const auto line = [&](const char* label, const char* what, const char* format, auto value) {
        text += fmt::format("  {:<19}{:<11}", label, what);
        for (std::size_t i = first; i < first + kYieldContexts.size(); ++i)
            text += fmt::format("{:>8}", fmt::format(fmt::runtime(format), value(cells[i])));
        text += "\n";
    };
    for (const YieldRow& row : yield_rows()) {
        line(row.label, "published", "{:.0f}", [](const Cell& c) { return c.published; });
        line("", "simulated", "{:.2f}", [](const Cell& c) { return c.simulated; });
        line("", "difference", "{:+.2f}", [](const Cell& c) { return c.difference(); });
        first += kYieldContexts.size();
    }
    return text;
}

// How often a yield of a process leads to a switch, and how often to a recalculation, before and after the
// patch.
std::string switch_counts_text(const std::vector<YieldCost>& measured) {
    std::string text;
    const auto line = [&](const char* what, std::size_t row, auto value) {
        text += fmt::format("  {:<30}", what);
        for (std::size_t i = 0; i < kYieldContexts.size(); ++i)
            text += fmt::format("{:>8}", value(measured[row * kYieldContexts.size() + i]));
        text += "\n";
    };
    const auto switched = [](const YieldCost& m) {
        return fmt::format("{:.4f}", static_cast<double>(m.switched) / static_cast<double>(m.yields));
    };
    const auto yields_per_recalculation = [](const YieldCost& m) {
        return fmt::format("{:.1f}", static_cast<double>(m.yields) / static_cast<double>(m.recalculations));
    };
    line("before: yields that switch", 0, switched);
    line("        yields/recalculation", 0, yields_per_recalculation);
    line("after:  yields that switch", 2, switched);
    line("        yields/recalculation", 2, yields_per_recalculation);
    return text;
}

// With few tasks, a yield of the patched Linux kernel is cheaper than a yield of NT; with many tasks, NT is
// cheaper. Returns a text that states between which numbers of tasks the costs cross.
std::string crossover_text(const std::vector<Cell>& cells) {
    const std::size_t n = kYieldContexts.size();
    const auto between = [&](std::size_t patched, std::size_t nt, double Cell::*figure) {
        std::size_t i = 0;
        while (i < n && cells[patched * n + i].*figure < cells[nt * n + i].*figure) ++i;
        return i == 0   ? fmt::format("below {}", kYieldContexts.front())
               : i == n ? fmt::format("above {}", kYieldContexts.back())
                        : fmt::format("between {} and {}", kYieldContexts[i - 1], kYieldContexts[i]);
    };
    std::string text;
    for (const auto& [what, patched, nt] : {std::tuple{"processes", 2u, 4u}, std::tuple{"threads", 3u, 5u}})
        text +=
            fmt::format("The patched kernel and NT cross for {}: published {}, simulated {} contexts.\n",
                        what, between(patched, nt, &Cell::published), between(patched, nt, &Cell::simulated));
    return text +
           "  The document's statement that Linux is better up to 20 is wrong for its own threads: at "
           "20 they took 12 us, NT's 10.\n";
}

std::vector<Cell> cells_of_yields(std::span<const YieldCell> simulated) {
    const std::size_t of_linux = kLinuxRows * kYieldContexts.size();
    const auto left_out_values = [&](LeftOutCells which) {
        std::vector<double> values = linux_cross_validated_values(simulated.first(of_linux), which);
        const std::vector<double> nt = nt_cross_validated_values(simulated.subspan(of_linux), which);
        values.insert(values.end(), nt.begin(), nt.end());
        return values;
    };
    const std::vector<double> cell_out = left_out_values(LeftOutCells::cell),
                              column_out = left_out_values(LeftOutCells::column);
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < simulated.size(); ++i) {
        const YieldCell& c = simulated[i];
        cells.push_back({.row = yield_rows()[i / kYieldContexts.size()].label,
                         .column = fmt::format("{}", c.contexts),
                         .published = c.published,
                         .simulated = c.measured.per_yield(c.measured.time),
                         .unit = "us",
                         .noise = kNoise1997,
                         .part = c.is_nt ? "NT" : "Linux",
                         .x = static_cast<double>(c.contexts),
                         .left_out = cell_out[i],
                         .column_left_out = column_out[i]});
    }
    return cells;
}

TableResult reproduce_yield(const TableOptions& options) {
    const std::vector<YieldCell> simulated = yield_cells();
    std::vector<YieldCost> measured;
    for (const YieldCell& c : simulated) measured.push_back(c.measured);

    TableResult result;
    result.cells = cells_of_yields(simulated);
    const auto first_of_nt =
        result.cells.begin() + static_cast<std::ptrdiff_t>(kLinuxRows * kYieldContexts.size());
    const std::vector<Cell> linux_cells(result.cells.begin(), first_of_nt),
        nt(first_of_nt, result.cells.end());
    result.holds = all_within_tolerance(result.cells) && rms_difference(linux_cells) <= kRmsAllowed &&
                   worst_difference(nt) <= kWorstAllowedNt && rms_difference(nt) <= kRmsAllowed;

    std::string& text = result.text;
    text = fmt::format(
        "yield-table: the cost of one yield on Linux 2.0 and on Windows NT, in us; {} yields or "
        "more in each cell\n"
        "\n",
        group_digits(kYields));
    text += rows_text(result.cells) + "\n" + switch_counts_text(measured);
    text += fmt::format(
        "  (For N contexts, without timer interrupts: 1 and N before, 1 - 19/(20 N) and 20 N after; ticks "
        "change the last digit.)\n"
        "\n"
        "rms {:.2f} us, worst {:.2f} us over {} cells, all from one set of five fitted costs.\n",
        rms_difference(linux_cells), worst_difference(linux_cells), linux_cells.size());
    text += explain_worst_cell(linux_cells, measured);
    text += nt_errors_text(nt, std::span(measured).subspan(linux_cells.size()));
    text += crossover_text(result.cells);
    text += fmt::format(
        "Fitted: 9 (five costs of Linux, four of NT). Assumed: the costs of a system call, and 70 "
        "sleeping daemons. Scored\n"
        "published values: {}.\n",
        result.cells.size());
    if (options.hints) {
        text +=
            "\n"
            "Look at: 19 us for two processes and 13 for four. Every N yields, all counters are used "
            "up and the kernel\n"
            "  recalculates those of all tasks, asleep or not: the fewer contexts yield, the more "
            "often. The patch makes it\n"
            "  20 times rarer. From 20 contexts on, the search through the run queue is most of the "
            "cost, and the patch\n"
            "  does not change it. NT looks at one thread, however many are ready. Its cost grows with "
            "the cache lines\n"
            "  that a thread has lost meanwhile.\n"
            "Try next:\n"
            "  switchyard compare yield-processes --policy linux-2.0 --policy linux-2.0:yield=one_tick\n"
            "  switchyard compare yield-processes --set /tasks/0/count=40 --policy linux-2.0 --policy "
            "sorted-queue\n"
            "  switchyard run yield-processes --set /machine=pentium-mmx-200-nt --set "
            "/tasks/0/count=40 --policy nt4\n"
            "  printf 'task A\\ntask B\\nstart\\nyield\\nyield\\nyield\\n' | switchyard step --policy "
            "linux-2.0:yield=one_tick\n";
    }
    return result;
}

}  // namespace

Table yield_table() {
    return {
        .name = "yield-table",
        .summary =
            "the cost of sched_yield() before and after the two-line patch, and of Sleep(0) on NT: 36 cells",
        .source =
            "the 1997 document on sched_yield, its last table: Linux before and after the change, and NT",
        .reproduce = reproduce_yield,
        .fitted = 9,
        .fitted_to = {{"Linux", 5}, {"NT", 4}},
        .predictions = {{.from = {"the cells before the patch"}, .predict = predict_yields_after_patch},
                        {.from = {"gooch-1998"}, .predict = predict_yields_from_gooch}}};
}

}  // namespace sim::tables
