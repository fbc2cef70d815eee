// Temporary directories for tests, removed at the end of their scope.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

class ScratchFolder {
  public:
    ScratchFolder() {
        std::string name = testing::TempDir() + "/switchyard-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error(name);
        path_ = std::filesystem::canonical(name);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() { std::filesystem::remove_all(path_); }

    const std::filesystem::path& path() const { return path_; }
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    // Writes a file and returns its path.
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream out(path_ / name, std::ios::binary);
        out << text;
        out.close();
        EXPECT_TRUE(out) << name;
        return *this / name;
    }

  private:
    std::filesystem::path path_;
};

// A ScratchFolder that is the current directory during its lifetime.
class InsideScratchFolder : public ScratchFolder {
  public:
    InsideScratchFolder() : before_(std::filesystem::current_path()) {
        std::filesystem::current_path(path());
    }
    ~InsideScratchFolder() { std::filesystem::current_path(before_); }

  private:
    std::filesystem::path before_;
};
