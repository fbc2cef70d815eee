#include "sim/cli/file_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

#include "sim/base/atomic_file.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"

namespace sim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFilledIn[] = {
    "--output",       "--save-answers", "--save-trace", "--save-samples",  "--save-machine", "--results",
    "--results-from", "--from",         "--first",      "--class",         "--grade",        "--decode",
    "--tests",        "--template",     "--picture",    "--show-scenario", "--policy",       "--until",
    "--seed",         "--slurm",        "--samples"};
constexpr const char* kWritten[] = {"--output",     "--picture",      "--results",      "--save-answers",
                                    "--save-trace", "--save-samples", "--save-machine", "--slurm"};
// Options whose output files are opened only at the end of the command. Whether these files can be written is
// therefore checked before the command starts. The files of the other options are opened at the start.
constexpr const char* kOpenedAtEnd[] = {"--output", "--picture", "--save-samples", "--save-machine",
                                        "--slurm"};
constexpr const char* kRead[] = {"SCENARIO",       "SUBJECT", "FILE",    "SCRIPT",  "--merge",
                                 "--results-from", "--class", "--grade", "--tests", "--samples"};

bool contains_name(std::span<const char* const> names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

struct FileArgument {
    std::string option, file;
    std::string text() const { return fmt::format("{} {}", option, printable(file)); }
};

// Whether both paths refer to the same file, which need not exist yet; false if this cannot be determined.
bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    if (fs::exists(a, error) && fs::exists(b, error)) return fs::equivalent(a, b, error);
    const auto place = [&error](const std::string& path) {
        return fs::weakly_canonical(fs::absolute(resolve_links(path), error), error);
    };
    const fs::path where = place(a);
    return !where.empty() && where == place(b);
}

void check_command_files(const Command& command) {
    std::vector<FileArgument> written, read;
    for (const Option& option : command.options()) {
        const std::string name = option.name();
        const bool is_read = contains_name(kRead, name);
        if (!contains_name(kWritten, name) && !is_read) continue;
        for (const std::string& value : option.values()) (is_read ? read : written).push_back({name, value});
    }
    if (command.name() == "save") read.clear();
    for (std::size_t i = 0; i < written.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other)
            if (is_same_file(written[i].file, written[other].file))
                throw UsageError(
                    fmt::format("{} and {}: the same file is used twice; specify two different files",
                                written[other].text(), written[i].text()));
        std::error_code error;
        for (const FileArgument& input : read)
            if (fs::exists(input.file, error) && is_same_file(written[i].file, input.file))
                throw UsageError(fmt::format("{}: {} reads this file; write to another file",
                                             written[i].text(), input.option));
    }
    const Option* const class_option = command.find_option("--class");
    // With --class, --output is not a file but a directory, which the command itself checks and creates.
    if (class_option != nullptr && class_option->is_given()) return;
    for (const FileArgument& output : written)
        if (contains_name(kOpenedAtEnd, output.option)) check_can_be_written(output.file);
}

}  // namespace

void add_output_option(Command& command, std::string& file) {
    command.add_option("-o,--output", file, "write to this file atomically").type_name("FILE");
}

void check_file_arguments(Command& program) {
    const ValueCheck is_there{[](const std::string& value) {
        return value.empty() ? std::string("the value must not be empty") : "";
    }};
    for (Command& command : program.commands()) {
        for (const char* const name : kFilledIn)
            if (Option* const option = command.find_option(name)) option->check(is_there);
        command.set_check([&command] { check_command_files(command); });
    }
}

}  // namespace sim::cli
