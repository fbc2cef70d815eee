// Syntax-aware mutator of Lua: replaces words; removes, duplicates, moves and inserts lines; inserts
// functions of built-in scripts. Most results load and are called. One mutation in four is made by
// libFuzzer, which changes bytes. The first SWITCHYARD_FUZZ_PREFIX bytes are the target's selector, not
// text.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/rng.h"
#include "sim/scenario/builtin_files.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

// The vocabulary of scripts: everything listed in docs/how-to/scripts.md, boundary values, and names that the
// sandbox forbids.
constexpr const char* kWords[] = {"p",
                                  "prev",
                                  "current",
                                  "cpu",
                                  "machine",
                                  "ready",
                                  "level",
                                  "option",
                                  "option.quantum",
                                  "p.left",
                                  "p.pid",
                                  "p.class",
                                  "p.priority",
                                  "p.rt_priority",
                                  "p.counter",
                                  "p.mm",
                                  "p.cpu",
                                  "p.runnable",
                                  "p.running",
                                  "p.queued",
                                  "p.remaining",
                                  "p.ran",
                                  "p.arrival",
                                  "p.length",
                                  "p.deadline",
                                  "p.release",
                                  "p.period",
                                  "p.tickets",
                                  "ready:first()",
                                  "ready:last()",
                                  "ready:empty()",
                                  "ready:has(p)",
                                  "#ready",
                                  "ready:add_last(p)",
                                  "ready:add_first(p)",
                                  "ready:add_before(p, prev)",
                                  "ready:insert(p, 1)",
                                  "ready:remove(p)",
                                  "ready:move_last(p)",
                                  "ready:append(ready)",
                                  "ready:each()",
                                  "tasks()",
                                  "consider(p)",
                                  "consider(p, 1)",
                                  "refill(p, 1)",
                                  "may_run(p)",
                                  "now()",
                                  "ticks()",
                                  "ms",
                                  "us",
                                  "machine.cpus",
                                  "machine.hz",
                                  "machine.nr_running",
                                  "cpu.number",
                                  "cpu.current",
                                  "random(3)",
                                  "min",
                                  "max",
                                  "abs",
                                  "ipairs",
                                  "pairs",
                                  "type",
                                  "tostring",
                                  "error",
                                  "assert",
                                  "idle",
                                  "nil",
                                  "true",
                                  "false",
                                  "not",
                                  "and",
                                  "or",
                                  "==",
                                  "~=",
                                  "<",
                                  "<=",
                                  "+",
                                  "-",
                                  "*",
                                  "//",
                                  "%",
                                  "/",
                                  "^",
                                  "<<",
                                  ">>",
                                  "&",
                                  "|",
                                  "~",
                                  "..",
                                  "#",
                                  "return",
                                  "break",
                                  "local",
                                  "{}",
                                  "0",
                                  "1",
                                  "-1",
                                  "2",
                                  "64",
                                  "1023",
                                  "1024",
                                  "1e308",
                                  "0x7fffffffffffffff",
                                  "math.mininteger",
                                  "0.5",
                                  "'x'",
                                  "_ENV",
                                  "_G",
                                  "goto",
                                  "do",
                                  "end",
                                  "while true do end",
                                  "repeat until false",
                                  "function() end",
                                  "setmetatable",
                                  "string",
                                  "os",
                                  "io",
                                  "debug",
                                  "coroutine",
                                  "load",
                                  "pcall",
                                  "collectgarbage()"};

// Complete lines that declare or end something.
constexpr const char* kLines[] = {"options { quantum = 2 }\n",
                                  "fields { left = 0 }\n",
                                  "machine_fields { left = 0 }\n",
                                  "cpu_fields { left = 0 }\n",
                                  "level = queues(3)\n",
                                  "lowest \"key\"\n",
                                  "highest \"key\"\n",
                                  "keep_running_task_queued()\n",
                                  "function tick(p) return true end\n",
                                  "function preempts(p, current) return true end\n",
                                  "function yield(p) end\n",
                                  "function adopt(p) end\n",
                                  "function exit(p) end\n",
                                  "function reap(p) end\n",
                                  "function renice(p) return true end\n",
                                  "function fork(parent, child) end\n",
                                  "function pick_next(prev, cpu) return idle end\n",
                                  "for p in ready:each() do\n",
                                  "for p in tasks() do\n",
                                  "for i = 1, 9 do\n",
                                  "while not ready:empty() do\n",
                                  "if p then\n",
                                  "end\n"};

const std::vector<Lines>& built_in() {
    static const std::vector<Lines> scripts = [] {
        std::vector<Lines> made;
        for (const sim::BuiltinFile& file : sim::builtin_files())
            if (std::string_view(file.name).substr(0, 9) == "policies/") made.push_back(lines_of(file.text));
        return made;
    }();
    return scripts;
}

class Mutator {
  public:
    explicit Mutator(unsigned seed) : stream_(seed) {}

    std::size_t below(std::size_t bound) {
        return static_cast<std::size_t>(sim::random_below(stream_, bound));
    }
    template <class List>
    const auto& one_of(const List& list) {
        return list[below(std::size(list))];
    }

    void mutate(Lines& lines) {
        if (lines.empty()) lines = one_of(built_in());
        const std::size_t at = below(lines.size());
        const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
        switch (below(8)) {
            case 0:
                lines.erase(place);
                break;
            case 1:
                lines.insert(place, std::string(one_of(lines)));
                break;
            case 2:
                std::swap(lines[at], lines[below(lines.size())]);
                break;
            case 3:
                lines.insert(place, one_of(kLines));
                break;
            case 4:
                lines.insert(place, one_of(one_of(built_in())));
                break;
            case 5:
                put_in_part_of(lines, at, one_of(built_in()));
                break;
            default:
                replace_word(lines[at]);
                break;
        }
    }

  private:
    // Inserts a part of `other` from one empty line to the next: usually a function.
    void put_in_part_of(Lines& lines, std::size_t at, const Lines& other) {
        std::size_t begin = below(other.size());
        while (begin > 0 && other[begin - 1] != "\n") --begin;
        std::size_t end = begin;
        while (end < other.size() && other[end] != "\n") ++end;
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                     other.begin() + static_cast<std::ptrdiff_t>(begin),
                     other.begin() + static_cast<std::ptrdiff_t>(end));
    }

    void replace_word(std::string& line) {
        if (line.empty()) return;
        const auto in_word = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        std::size_t begin = below(line.size()), end = begin;
        while (begin > 0 && in_word(line[begin - 1])) --begin;
        while (end < line.size() && in_word(line[end])) ++end;
        if (end == begin) ++end;
        line.replace(begin, end - begin, std::string(" ") + one_of(kWords) + " ");
        if (line.back() != '\n') line += '\n';
    }

    std::uint64_t stream_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
    Mutator mutator(seed);
    if (size <= SWITCHYARD_FUZZ_PREFIX || mutator.below(4) == 0) return LLVMFuzzerMutate(data, size, most);
    Lines lines = lines_of(std::string_view(reinterpret_cast<char*>(data) + SWITCHYARD_FUZZ_PREFIX,
                                            size - SWITCHYARD_FUZZ_PREFIX));
    for (std::size_t changes = 1 + mutator.below(3); changes > 0; --changes) mutator.mutate(lines);
    if (mutator.below(16) == 0) data[0] = static_cast<std::uint8_t>(mutator.below(256));
    std::string text;
    for (const std::string& line : lines) text += line;
    const std::size_t length = std::min(text.size(), most - SWITCHYARD_FUZZ_PREFIX);
    std::memcpy(data + SWITCHYARD_FUZZ_PREFIX, text.data(), length);
    return SWITCHYARD_FUZZ_PREFIX + length;
}
