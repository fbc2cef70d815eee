// Functions for a page with sliders: they simulate a few runs with the values of the sliders, and return a
// measure of each run. Laboratories simulate the runs in chunks between the page's frames.
#include <emscripten.h>
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <optional>
#include <string>

#include "sim/base/join.h"
#include "sim/lab/values.h"
#include "sim/link/link.h"
#include "sim/scenario/scenario_json.h"
#include "ui/app/window_link.h"
#include "ui/view/laboratory.h"

namespace {

struct PageLaboratory {
    ui::Laboratory laboratory;
    std::string wrong;  // error in the request; empty: none
};

// The laboratories of the page; the index is the number that switchyard_laboratory() returned.
std::deque<PageLaboratory> laboratories;
std::string told;  // the text returned last, valid until the next call that returns text

}  // namespace

extern "C" {

// The values of a list such as "0..1000/200", one per line; or the error message if the list is invalid.
EMSCRIPTEN_KEEPALIVE const char* switchyard_values(const char* text) {
    try {
        told = sim::join(sim::lab::parse_values(text), "\n");
    } catch (const std::exception& problem) {
        told = problem.what();
    }
    return told.c_str();
}

// Creates a laboratory. Returns its number.
EMSCRIPTEN_KEEPALIVE int switchyard_laboratory() {
    laboratories.emplace_back();
    return static_cast<int>(laboratories.size()) - 1;
}

// Starts the laboratory request that a link specifies by `scenario`, `set`, `vary`, `with`, `until` and
// `measure`. REQUIRES: switchyard_laboratory() has returned `number`.
EMSCRIPTEN_KEEPALIVE void switchyard_ask(int number, const char* link) {
    PageLaboratory& reading = laboratories[static_cast<std::size_t>(number)];
    reading.wrong.clear();
    try {
        const sim::Link asked = sim::parse_link(link);
        const sim::Scenario scenario = sim::load_scenario(asked.scenario, asked.sets);
        reading.laboratory.set_request({asked.scenario, asked.sets},
                                       ui::lab_request(asked, scenario, scenario.policy));
        reading.wrong = reading.laboratory.error();
    } catch (const std::exception& problem) {
        reading.wrong = problem.what();
    }
}

// Simulates for `milliseconds` of wall time. Returns 1 if work remains. REQUIRES: switchyard_laboratory()
// has returned `number`.
EMSCRIPTEN_KEEPALIVE int switchyard_work(int number, double milliseconds) {
    PageLaboratory& reading = laboratories[static_cast<std::size_t>(number)];
    if (!reading.wrong.empty()) return 0;
    const ui::Deadline now = ui::Deadline::clock::now();
    const auto time = std::chrono::duration<double, std::milli>(milliseconds);
    return reading.laboratory.work(now + std::chrono::duration_cast<ui::Deadline::duration>(time)) ? 1 : 0;
}

// The results: the name of the measure, then a line per policy with its name, a tab, and the value of its
// run. If the request is invalid, returns only the error. REQUIRES: switchyard_work() has returned 0.
EMSCRIPTEN_KEEPALIVE const char* switchyard_answers(int number) {
    const PageLaboratory& reading = laboratories[static_cast<std::size_t>(number)];
    told = reading.wrong;
    if (!told.empty() || !reading.laboratory.is_complete()) return told.c_str();
    const ui::Laboratory& lab = reading.laboratory;
    told = lab.measure().heading();
    for (const sim::lab::Curve& curve : lab.curves())
        for (const sim::lab::CurvePoint& point : curve.points)
            told +=
                fmt::format("\n{}\t{}", lab.spec().policies[curve.policy],
                            lab.measure().text(point.y.n > 0 ? std::optional(point.y.mean) : std::nullopt));
    return told.c_str();
}

}  // extern "C"
