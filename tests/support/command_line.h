// Fixture for tests of the built `switchyard` program. Each test runs it in a temporary directory with links
// to tests/ and scenarios/. The examples of the help texts find their files there, and the source tree stays
// clean.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/program.h"

using Words = std::vector<std::string>;

inline void write_file(const std::filesystem::path& path, const std::string& text) {
    std::ofstream out(path, std::ios::binary);
    out << text;
    out.close();
    ASSERT_TRUE(out) << path;
}

inline Words lines_of(const std::string& text) {
    Words lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

inline std::string joined(const Words& words) { return fmt::format("{}", fmt::join(words, " ")); }

class CommandLine : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "/switchyard-cli-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr) << name;
        base_ = std::filesystem::canonical(name);
        std::filesystem::create_directory(folder());
        std::filesystem::create_directory_symlink(SWITCHYARD_SOURCE_DIR "/tests", folder() / "tests");
        std::filesystem::create_directory_symlink(SWITCHYARD_SOURCE_DIR "/scenarios", folder() / "scenarios");
    }
    void TearDown() override {
        if (!base_.empty()) std::filesystem::remove_all(base_);
    }

    // The working directory of the program.
    std::filesystem::path folder() const { return base_ / "work"; }

    Finished switchyard(Words words, const std::string& input = "") const {
        words.insert(words.begin(), SWITCHYARD_BINARY);
        return run(words, input);
    }

    // Runs a shell command line, with the directory of the program first in PATH.
    Finished shell(const std::string& line) const { return run({"/bin/sh", "-c", line}, ""); }

    // Returns the standard output of a command that must succeed.
    std::string output(const Words& words, const std::string& input = "") const {
        const Finished f = switchyard(words, input);
        EXPECT_EQ(f.exit_code, 0) << joined(words) << "\n" << f;
        EXPECT_EQ(f.err, "") << joined(words);
        return f.out;
    }
    nlohmann::json json_output(Words words) const {
        words.insert(words.end(), {"--format", "json"});
        const std::string text = output(words);
        nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
        EXPECT_FALSE(value.is_discarded()) << joined(words) << "\n" << text;
        return value;
    }

    // The JSON of `switchyard reproduce TABLE`: a published table next to its simulation. The exit code
    // must be 0 if the table is reproduced, else 1. A table is simulated once per process;
    // tests/CMakeLists.txt puts the tests that use it into one process.
    const nlohmann::json& reproduced(const std::string& table) const {
        static std::map<std::string, nlohmann::json> tables;
        if (tables.contains(table)) return tables[table];
        const Finished f = switchyard({"reproduce", table, "--format", "json"});
        nlohmann::json value = nlohmann::json::parse(f.out, nullptr, false);
        EXPECT_FALSE(value.is_discarded()) << table << "\n" << f;
        EXPECT_EQ(f.exit_code, value.value("holds", false) ? 0 : 1) << table;
        EXPECT_EQ(f.err, "") << table;
        return tables[table] = std::move(value);
    }
    const std::string& reproduced_text(const std::string& table) const {
        static std::map<std::string, std::string> texts;
        if (texts.contains(table)) return texts[table];
        const Finished f = switchyard({"reproduce", table});
        EXPECT_LE(f.exit_code, 1) << table;
        EXPECT_EQ(f.err, "") << table;
        return texts[table] = f.out;
    }

    // Names of all files and directories in the working directory.
    std::set<std::string> listing() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder()))
            names.insert(entry.path().filename());
        return names;
    }

    Words commands() const {
        const std::string help = output({"--help"});
        const std::size_t begin = help.find("Subcommands:\n");
        EXPECT_NE(begin, std::string::npos) << help;
        Words names;
        for (const std::string& line : lines_of(help.substr(begin + 13))) {
            if (!line.starts_with("  ") || line.starts_with("   ")) {
                if (line.empty()) break;
                continue;  // a line that continues a long summary
            }
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
        EXPECT_GE(names.size(), 7u) << help;
        return names;
    }

    Words scenarios() const {
        Words names;
        for (const nlohmann::json& entry : json_output({"list", "scenarios"}))
            names.push_back(entry.at("name"));
        EXPECT_GE(names.size(), 6u);
        return names;
    }

    // Expects exit code 2, an empty standard output, and `message` on standard error.
    void expect_refused(const Words& words, const std::string& message, const std::string& input = "") const {
        const Finished f = switchyard(words, input);
        EXPECT_EQ(f.exit_code, 2) << joined(words) << "\n" << f;
        EXPECT_EQ(f.out, "") << joined(words);
        EXPECT_NE(f.err.find(message), std::string::npos) << joined(words) << "\nlacks: " << message << "\n"
                                                          << f.err;
        EXPECT_TRUE(f.err.ends_with("\n")) << f.err;
    }

  private:
    Finished run(const Words& words, const std::string& input) const {
        const char* path = std::getenv("PATH");
        return run_program(
            words,
            {folder(),
             input,
             {fmt::format("PATH={}:{}", std::filesystem::path(SWITCHYARD_BINARY).parent_path().string(),
                          path == nullptr ? "/usr/bin:/bin" : path)}});
    }

    std::filesystem::path base_;
};
