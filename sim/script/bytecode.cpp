#include "sim/script/bytecode.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace sim::script {
namespace {

constexpr std::uint32_t kGetUpvalue = 9;                // OP_GETUPVAL: R[A] := UpValue[B]
constexpr std::uint32_t kSetUpvalue = 10;               // OP_SETUPVAL: UpValue[B] := R[A]
constexpr std::uint32_t kSetInUpvalue = 15;             // OP_SETTABUP: UpValue[A][K[B]] := RK(C)
constexpr std::uint32_t kBitwiseConstant[] = {29, 31};  // first and last of the opcodes OP_BANDK to OP_BXORK
constexpr std::uint32_t kBitwise[] = {41, 43};          // first and last of OP_BAND, OP_BOR, OP_BXOR
constexpr std::size_t kMostOfOperand = 255;  // maximum index of a constant in an operand of an instruction
constexpr std::int8_t kAbsoluteLine = -0x80;

std::uint32_t opcode_of(std::uint32_t instruction) { return instruction & 0x7f; }
std::uint8_t upvalue_operand_b(std::uint32_t instruction) {
    return static_cast<std::uint8_t>(instruction >> 16 & 0xff);
}

struct Upvalue {
    // true: captures a local variable of the enclosing function; false: captures an upvalue of the enclosing
    // function.
    bool of_parent_frame;
    std::uint8_t index;  // of the captured local variable or upvalue
};

struct DumpedFunction {
    std::vector<std::uint32_t> code;
    std::size_t constants = 0;
    std::vector<Upvalue> upvalues;
    std::vector<std::string> upvalue_names;
    std::vector<DumpedFunction> inner;
    int line = 0;
    // Line increment of each instruction; kAbsoluteLine: the line is in `lines`.
    std::vector<std::int8_t> line_steps;
    // For each instruction with the increment kAbsoluteLine: the index of the instruction, and its line.
    std::vector<std::pair<std::uint32_t, int>> lines;
};

// Reads the output of lua_dump() of Lua 5.4 (its ldump.c). This process has written the output, so it is
// not validated.
class DumpReader {
  public:
    explicit DumpReader(std::string_view dump) : at_(dump.data()) {}

    DumpedFunction read() {
        at_ += 4 + 1 + 1 + 6;  // signature, version, format, check data
        at_ += 1 + 1 + 1;      // sizes of instruction, integer and number
        at_ += sizeof(lua_Integer) + sizeof(lua_Number);
        ++at_;  // number of upvalues of the main function
        return read_function();
    }

  private:
    std::uint8_t read_byte() { return static_cast<std::uint8_t>(*at_++); }

    std::size_t read_size() {
        std::size_t value = 0;
        for (;;) {
            const std::uint8_t b = read_byte();
            value = value << 7 | (b & 0x7f);
            if ((b & 0x80) != 0) return value;
        }
    }

    std::string read_text() {
        const std::size_t size_and_one = read_size();
        if (size_and_one == 0) return {};
        std::string result(at_, size_and_one - 1);
        at_ += size_and_one - 1;
        return result;
    }

    DumpedFunction read_function() {
        DumpedFunction f;
        read_text();  // source
        f.line = static_cast<int>(read_size());
        read_size();  // last line
        at_ += 3;
        f.code.resize(read_size());
        std::memcpy(f.code.data(), at_, f.code.size() * sizeof(std::uint32_t));
        at_ += f.code.size() * sizeof(std::uint32_t);
        f.constants = read_size();
        for (std::size_t n = f.constants; n > 0; --n) skip_constant();
        for (std::size_t n = read_size(); n > 0; --n) {
            const bool of_parent_frame = read_byte() != 0;
            f.upvalues.push_back({of_parent_frame, read_byte()});
            ++at_;  // kind
        }
        for (std::size_t n = read_size(); n > 0; --n) f.inner.push_back(read_function());
        f.line_steps.resize(read_size());
        std::memcpy(f.line_steps.data(), at_, f.line_steps.size());
        at_ += f.line_steps.size();
        for (std::size_t n = read_size(); n > 0; --n) {
            const auto instruction = static_cast<std::uint32_t>(read_size());
            f.lines.emplace_back(instruction, static_cast<int>(read_size()));
        }
        for (std::size_t n = read_size(); n > 0; --n) {  // local variables
            read_text();
            read_size();
            read_size();
        }
        for (std::size_t n = read_size(); n > 0; --n) f.upvalue_names.push_back(read_text());
        return f;
    }

    void skip_constant() {
        switch (read_byte()) {
            case 0x03:  // integer
            case 0x13:  // float
                at_ += 8;
                break;
            case 0x04:  // short string
            case 0x14:  // long string
                read_text();
                break;
            default:  // nil, false, true: no further bytes
                break;
        }
    }

    const char* at_;
};

// The source line of each instruction of the function.
std::vector<int> instruction_lines(const DumpedFunction& f) {
    std::vector<int> lines(f.line_steps.size());
    int line = f.line;
    auto absolute = f.lines.begin();  // pairs (instruction, line), sorted by instruction
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (f.line_steps[i] != kAbsoluteLine) {
            line += f.line_steps[i];
        } else {
            while (absolute != f.lines.end() && absolute->first < i) ++absolute;
            if (absolute != f.lines.end()) line = absolute->second;
        }
        lines[i] = line;
    }
    return lines;
}

struct UpvalueAssignment {
    std::uint8_t upvalue;
    int line;
};

// All assignments to upvalues of `f`, made by `f` or by functions nested in it.
std::vector<UpvalueAssignment> assignments(const DumpedFunction& f) {
    std::vector<UpvalueAssignment> all;
    const std::vector<int> lines = instruction_lines(f);
    for (std::size_t i = 0; i < f.code.size(); ++i)
        if (opcode_of(f.code[i]) == kSetUpvalue) all.push_back({upvalue_operand_b(f.code[i]), lines.at(i)});
    for (const DumpedFunction& inner : f.inner)
        for (const UpvalueAssignment& found : assignments(inner)) {
            const Upvalue& outer = inner.upvalues[found.upvalue];
            if (!outer.of_parent_frame) all.push_back({outer.index, found.line});
        }
    return all;
}

// True if an instruction reads the table of globals as a value. This happens if the text uses `_ENV`, or if
// many constants or a long name prevent Lua from accessing a global in one instruction.
bool uses_globals_table(const DumpedFunction& f) {
    for (const std::uint32_t instruction : f.code)
        if (opcode_of(instruction) == kGetUpvalue &&
            f.upvalue_names.at(upvalue_operand_b(instruction)) == "_ENV")
            return true;
    return std::any_of(f.inner.begin(), f.inner.end(), uses_globals_table);
}

bool assigns_field_of_upvalue(const DumpedFunction& f) {
    for (const std::uint32_t instruction : f.code)
        if (opcode_of(instruction) == kSetInUpvalue) return true;
    return std::any_of(f.inner.begin(), f.inner.end(), assigns_field_of_upvalue);
}

bool is_bitwise(std::uint32_t instruction) {
    const std::uint32_t op = opcode_of(instruction);
    return (op >= kBitwiseConstant[0] && op <= kBitwiseConstant[1]) ||
           (op >= kBitwise[0] && op <= kBitwise[1]);
}

std::optional<int> line_miscompiled_by_lua(const DumpedFunction& f) {
    if (f.constants > kMostOfOperand) {
        const auto found = std::find_if(f.code.begin(), f.code.end(), is_bitwise);
        if (found != f.code.end())
            return instruction_lines(f).at(static_cast<std::size_t>(found - f.code.begin()));
    }
    for (const DumpedFunction& inner : f.inner)
        if (const auto line = line_miscompiled_by_lua(inner)) return line;
    return std::nullopt;
}

// The writer function of lua_dump(): appends the bytes to `text`. Returns 1 if memory is exhausted, because
// exceptions must not pass through Lua.
int append(lua_State*, const void* bytes, std::size_t size, void* text) {
    try {
        static_cast<std::string*>(text)->append(static_cast<const char*>(bytes), size);
        return 0;
    } catch (const std::bad_alloc&) {
        return 1;
    }
}

std::string dump_top_function(lua_State* L) {
    std::string dump;
    if (lua_dump(L, append, &dump, 0) != 0) throw std::bad_alloc();
    return dump;
}

}  // namespace

bool only_reads_globals(lua_State* L) {
    const DumpedFunction f = DumpReader(dump_top_function(L)).read();
    return !uses_globals_table(f) && std::none_of(f.inner.begin(), f.inner.end(), assigns_field_of_upvalue);
}

std::optional<int> line_miscompiled_by_lua(lua_State* L) {
    return line_miscompiled_by_lua(DumpReader(dump_top_function(L)).read());
}

std::optional<NamedUpvalueAssignment> find_upvalue_assignment(lua_State* L, std::size_t& bytes) {
    const std::string dump = dump_top_function(L);
    bytes += dump.size();
    const DumpedFunction f = DumpReader(dump).read();
    const std::vector<UpvalueAssignment> all = assignments(f);
    if (all.empty()) return std::nullopt;
    const auto first = std::min_element(
        all.begin(), all.end(),
        [](const UpvalueAssignment& a, const UpvalueAssignment& b) { return a.line < b.line; });
    return NamedUpvalueAssignment{f.upvalue_names.at(first->upvalue), first->line};
}

}  // namespace sim::script
