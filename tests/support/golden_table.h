// Golden hashes of texts. Each line of tests/golden/FILE is "name hash", sorted by name. `./run
// update-golden` rewrites the files after an intended change.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/rng.h"

class GoldenTable {
  public:
    explicit GoldenTable(const char* file)
        : path_(std::string(SWITCHYARD_SOURCE_DIR "/tests/golden/") + file) {
        std::ifstream in(path_);
        for (std::string name, hash; in >> name >> hash;) hashes_[name] = hash;
    }

    // Expects that the text has the hash stored under `name`.
    void expect(const std::string& name, std::string_view text) {
        const std::string hash = hash_of(text);
        if (is_being_written()) {
            hashes_[name] = hash;
            write();
        }
        EXPECT_EQ(hashes_[name], hash)
            << name << " says something else than before; if that is right, `./run update-golden`\n"
            << text.substr(0, 4000);
    }

    // Expects that the table has exactly these names.
    void expect_names(const std::vector<std::string>& names) {
        const std::set<std::string> expected(names.begin(), names.end());
        if (is_being_written()) {
            std::erase_if(hashes_, [&](const auto& line) { return !expected.contains(line.first); });
            write();
        }
        std::set<std::string> found;
        for (const auto& [name, hash] : hashes_) found.insert(name);
        EXPECT_EQ(found, expected);
    }

  private:
    static bool is_being_written() { return std::getenv("SWITCHYARD_WRITE_GOLDEN") != nullptr; }

    static std::string hash_of(std::string_view text) {
        std::uint64_t h = text.size();
        for (const char c : text) h = sim::mix64(h + static_cast<unsigned char>(c) + 0x9e3779b97f4a7c15);
        return fmt::format("{:016x}", h);
    }

    void write() const {
        std::ofstream out(path_, std::ios::binary);
        for (const auto& [name, hash] : hashes_) out << name << ' ' << hash << '\n';
        out.close();
        ASSERT_TRUE(out) << path_;
    }

    std::string path_;
    std::map<std::string, std::string> hashes_;
};
