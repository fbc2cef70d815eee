// Fuzz target of the reader of quiz answers: accepts the bytes or reports what is wrong.
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/problem.h"
#include "sim/quiz/answers_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        sim::quiz::read_answers("fuzz.json", std::string(reinterpret_cast<const char*>(data), size));
    } catch (const sim::ScenarioError& error) {
        for (const sim::Problem& problem : error.problems()) problem.text();
    }
    return 0;
}
