// The texts of the scripts that are in force in this window, by the names of their policies: as their files
// had them when they were read, or as the editor has made them since. Runs are made of these, so that a file
// that is changed, half written or gone changes no run behind one's back.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/policy.h"

namespace ui {

// What tells one version of a file from another.
struct FileStamp {
    std::filesystem::file_time_type written;
    std::uintmax_t bytes = 0;

    bool operator==(const FileStamp&) const = default;
};
// Nothing when there is no such file.
std::optional<FileStamp> stamp_of(const std::string& file);

class Scripts {
  public:
    const sim::ScriptTexts& texts() const { return texts_; }
    std::vector<std::string> names() const;

    // The policy of this spec, with the texts in force; a file that is not among them is read. Throws
    // sim::PolicyError.
    sim::NamedPolicy make(const std::string& spec, std::uint32_t cpus);
    // The same text in an intervention that goes on under another policy.
    sim::ScriptTexts text_for(const std::string& spec) const;

    // This text is in force from now on.
    void put(const std::string& name, const std::string& text) { texts_[name] = text; }
    // The file of this name has been read or written, and has this text.
    void note_file(const std::string& name, const std::string& text);
    void forget(const std::string& name);
    // What the file had when it was last read or written; null when it is in no file.
    const std::string* kept(const std::string& name) const;

    // Whether the file that was read under this name has another text by now.
    bool file_has_other_text(const std::string& name) const;

    // The files whose versions are others than those that were read, and have been for one call at least:
    // what is just being written is left alone. Each of them once.
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
