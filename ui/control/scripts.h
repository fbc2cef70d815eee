// The texts of the policy scripts that this window uses, by policy name. Runs are built from these copies,
// so a run does not change if its file is edited, half written or deleted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/policy.h"

namespace ui {

// Identifies a version of a file.
struct FileStamp {
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;

    bool operator==(const FileStamp&) const = default;
};
// The current version of a file; nullopt if the file does not exist.
std::optional<FileStamp> stamp_of(const std::string& file);

class Scripts {
  public:
    const sim::ScriptTexts& texts() const { return texts_; }
    std::vector<std::string> names() const;

    // Makes the policy `spec`. Uses the stored text of a script; if none is stored, reads the script's file
    // and stores its text. Throws sim::PolicyError.
    sim::NamedPolicy make_policy(const std::string& spec, std::uint32_t cpus);
    // The script text for an intervention that changes to policy `spec`; empty if no text is stored for it.
    sim::ScriptTexts script_texts_for_policy(const std::string& spec) const;

    // Stores the text of a script; later runs use it.
    void set_text_for_runs(const std::string& name, const std::string& text) { texts_[name] = text; }
    // Records that the file `name`, which has just been read or written, contains this text.
    void on_file_read_or_written(const std::string& name, const std::string& text);
    void remove(const std::string& name);
    // The text of the file when it was last read or written; null if the script has no file.
    const std::string* file_text(const std::string& name) const;

    // True if the file's current text differs from file_text().
    bool has_file_changed(const std::string& name) const;

    // Returns each changed file once: a file that differs from the version that was read. But if the file has
    // also changed since the previous call, another program may still be writing it. Such a file is returned
    // by a later call.
    std::vector<std::string> changed_files();

  private:
    struct File {
        std::string text;
        std::optional<FileStamp> read;  // version of the file when `text` was read or written
        std::optional<FileStamp> seen;  // version of the file at the last changed_files()
    };

    sim::ScriptTexts texts_;
    std::map<std::string, File, std::less<>> files_;
};

}  // namespace ui
