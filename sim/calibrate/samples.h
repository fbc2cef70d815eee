// What was measured, as it is kept: every batch of every cell, and what machine it was. A file of samples is
// fitted again and printed again without a clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim::calibrate {

// The batches of one cell: a batch is a few milliseconds of the same operation.
struct CellSamples {
    std::vector<double> ns;        // of one operation, batch by batch
    std::vector<double> switches;  // context switches for each operation, as the kernel counted them
    std::vector<double> others;    // the share of the batch in which the CPU ran somebody else, 0 to 1
};

struct Facts {
    std::string kernel;                       // "6.18.44": the numbers of the release alone
    std::string architecture;                 // "x86_64"
    std::string processor;                    // as the system calls it
    std::uint32_t cpus = 1;                   // online
    std::uint32_t hz = 250;                   // timer interrupts a second
    std::uint32_t l1d = 0, l2 = 0, line = 0;  // bytes; 0: not known
};

struct Samples {
    Facts facts;
    std::vector<CellSamples> cells;  // as in cells()
};

// The text of a file.
std::string samples_text(const Samples& samples);
// What such a text says; `file` is only named in messages. Throws ScenarioError for everything that is no
// file of samples of all cells.
Samples parse_samples(const std::string& file, std::string text);

}  // namespace sim::calibrate
