// The policy scripts in force in this window, by policy name. Runs are built from these copies, so a file
// that is edited, half written or deleted does not change a run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/policy.h"

namespace ui {

// Version of a file.
struct FileStamp {
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;

    bool operator==(const FileStamp&) const = default;
};
// nullopt if there is no such file.
std::optional<FileStamp> stamp_of(const std::string& file);

class Scripts {
  public:
    const sim::ScriptTexts& texts() const { return texts_; }
    std::vector<std::string> names() const;

    // Makes the policy from the texts in force; reads a file that is not among them. Throws
    // sim::PolicyError.
    sim::NamedPolicy make(const std::string& spec, std::uint32_t cpus);
    // The script text for an intervention that changes to policy `spec`; empty if it has no text in force.
    sim::ScriptTexts text_for(const std::string& spec) const;

    // Puts this text in force.
    void put(const std::string& name, const std::string& text) { texts_[name] = text; }
    // Notes that the file was just read or written with this text.
    void note_file(const std::string& name, const std::string& text);
    void forget(const std::string& name);
    // Text of the file at the last read or write; null if there is no file.
    const std::string* kept(const std::string& name) const;

    // True if the file differs from kept().
    bool file_has_other_text(const std::string& name) const;

    // Files that have changed, but not since the previous call: this skips files that are being written.
    // Each change is returned once.
    std::vector<std::string> changed_files();

  private:
    struct File {
        std::string text;
        std::optional<FileStamp> read, seen;
    };

    sim::ScriptTexts texts_;
    std::map<std::string, File, std::less<>> files_;
};

}  // namespace ui
