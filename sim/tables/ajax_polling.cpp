// Table of browsers that poll a server every 5 seconds: the server's load as the number of browsers grows.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/human_text.h"
#include "sim/lab/simulation.h"
#include "sim/tables/tables.h"

namespace sim::tables {
namespace {

constexpr std::array kClients{1000, 2000, 4000, 8000, 9000, 9500, 10'000, 12'000};
constexpr int kClientsAtPublishedLoad = 9500;
// measured interval of the run; the clients start one by one in the first 5 s
constexpr Nanos kFrom = 10s, kTo = 20s;

struct PollingRun {
    double switches = 0, involuntary = 0;  // per second
    double busy = 0;                       // % of one CPU
    double queue = 0;                      // ready and running tasks, mean over decisions
    double wait = 0;                       // ms, mean time in which a request is ready but does not run
    double scheduler = 0;                  // % of the busy time, for searches, recalculations and switches
};

PollingRun measure_polling(int clients) {
    lab::Simulation s("ajax-polling",
                      {fmt::format("/tasks/0/program/0/loop={}", clients),
                       fmt::format("/tasks/0/program/0/steps/1/arrival={}ns", 5'000'000'000 / clients)});
    const auto ready = [&] {
        Nanos sum{};
        for (const TaskStatistics& t : s.tasks()) sum += t.ready;
        return sum;
    };
    s.run_until(kFrom);
    const Sample before = s.sample();
    const Nanos ready_before = ready();
    const std::uint64_t arrivals_before = s.statistics().arrivals.switches;
    s.run_until(kTo);
    const Sample after = s.sample();
    const TimeParts time = after.parts - before.parts;
    const double seconds = static_cast<double>((kTo - kFrom).count()) / 1e9;
    // For each request, a client waits twice with `arrival`: for the database, and for the time of the next
    // poll.
    const double requests = static_cast<double>(s.statistics().arrivals.switches - arrivals_before) / 2;
    const auto part = [](Nanos of, Nanos whole) {
        return 100 * static_cast<double>(of.count()) / static_cast<double>(whole.count());
    };
    const Nanos busy = time.total() - time.idle;
    return {.switches = static_cast<double>(after.switches - before.switches) / seconds,
            .involuntary = static_cast<double>(after.involuntary - before.involuntary) / seconds,
            .busy = part(busy, kTo - kFrom),
            .queue = static_cast<double>(after.queue_sum - before.queue_sum) /
                     static_cast<double>(after.decisions - before.decisions),
            .wait = static_cast<double>((ready() - ready_before).count()) / 1e6 / requests,
            .scheduler = part(time.overhead.total() - time.overhead.system, busy)};
}

TableResult reproduce_ajax_polling(const TableOptions& options) {
    TableResult result;
    std::string lines;
    for (const int clients : kClients) {
        const PollingRun m = measure_polling(clients);
        lines += fmt::format("  {:>8}{:>12.0f}{:>14.0f}{:>9.0f} %{:>10.1f}{:>12.2f} ms{:>10.3f} %\n",
                             group_digits(static_cast<std::uint64_t>(clients)), m.switches, m.involuntary,
                             m.busy, m.queue, m.wait, m.scheduler);
        const std::string row = fmt::format("{} clients", clients);
        const bool like = clients == kClientsAtPublishedLoad;
        const char* invented = "not published; the time of a request is assumed";
        result.cells.push_back({row, "switches (cs)", kNotPublished, m.switches, "1/s", false, invented});
        result.cells.push_back(
            {row, "busy CPUs", like ? 3000 : kNotPublished, m.busy, "%", false,
             like ? "the number of clients is chosen for the published load; the time of a request is assumed"
                  : invented});
        result.cells.push_back({row, "a request waits", kNotPublished, m.wait, "ms", false, invented});
    }
    result.text = fmt::format(
        "ajax-polling: a server of 32 CPUs, and browsers that each poll it every 5 s\n"
        "\n"
        "  {:>8}{:>12}{:>14}{:>11}{:>10}{:>15}{:>12}\n"
        "{}",
        "clients", "switches/s", "involuntary/s", "busy CPUs", "ready", "request waits", "scheduler", lines);
    result.text +=
        "\n"
        "Only the polling interval of 5 s and a load of 3000 % are published, so no cell is scored and "
        "nothing is fitted. Assumed: 16 ms of\n"
        "CPU time for each request, in two parts with a database request in between; 32 CPUs.\n";
    if (options.hints)
        result.text +=
            "\n"
            "Look at: the switches increase with the number of clients until the CPUs are busy, at 32 "
            "* 5 s / 16 ms =\n"
            "  10,000 clients. A load of 3000 % is 9,500 clients: above it, the queue and the wait of "
            "a request grow fast.\n"
            "  The switches show the polling, but they do not keep the CPUs busy. Below this limit, "
            "the scheduler takes\n"
            "  less than a thousandth of the time; above it, the search goes through a queue of "
            "hundreds.\n"
            "Try next:\n"
            "  switchyard run ajax-polling --view vmstat\n"
            "  switchyard run ajax-polling --set /tasks/1/program/0/steps/3/arrival=30s\n";
    return result;
}

}  // namespace

Table ajax_polling_table() {
    return {"ajax-polling", "browsers that poll every 5 s: how many of them a server of 32 CPUs can serve",
            "a document on context switches by LockSupport.park(), its introduction", reproduce_ajax_polling};
}

}  // namespace sim::tables
