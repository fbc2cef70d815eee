#include "ui/control/scripts.h"

namespace ui {

std::optional<FileStamp> stamp_of(const std::string& file) {
    std::error_code error;
    FileStamp stamp;
    stamp.written = std::filesystem::last_write_time(file, error);
    if (error) return std::nullopt;
    stamp.bytes = std::filesystem::file_size(file, error);
    return error ? std::nullopt : std::optional(stamp);
}

std::vector<std::string> Scripts::names() const {
    std::vector<std::string> names;
    for (const auto& [name, text] : texts_) names.push_back(name);
    return names;
}

sim::NamedPolicy Scripts::make_policy(const std::string& spec, std::uint32_t cpus) {
    const std::string name(sim::name_in_spec(spec));
    if (!sim::is_script_file(name) || texts_.count(name) > 0) return sim::make_policy(spec, cpus, texts_);
    // Reads the stamp before the text. If another program writes the file between these two reads, a later
    // changed_files() returns the file.
    const std::optional<FileStamp> stamp = stamp_of(name);
    const std::string text = sim::script_text(name);
    sim::NamedPolicy policy = sim::make_policy(spec, cpus, {{name, text}});
    texts_[name] = text;
    files_[name] = {text, stamp, stamp};
    return policy;
}

sim::ScriptTexts Scripts::script_texts_for_policy(const std::string& spec) const {
    const auto found = texts_.find(sim::name_in_spec(spec));
    return found == texts_.end() ? sim::ScriptTexts{} : sim::ScriptTexts{*found};
}

void Scripts::on_file_read_or_written(const std::string& name, const std::string& text) {
    const std::optional<FileStamp> stamp = stamp_of(name);
    files_[name] = {text, stamp, stamp};
}

void Scripts::remove(const std::string& name) {
    texts_.erase(name);
    files_.erase(name);
}

const std::string* Scripts::file_text(const std::string& name) const {
    const auto found = files_.find(name);
    return found == files_.end() ? nullptr : &found->second.text;
}

bool Scripts::has_file_changed(const std::string& name) const {
    const std::string* const text = file_text(name);
    if (text == nullptr || !stamp_of(name)) return false;
    try {
        return sim::script_text(name) != *text;
    } catch (const sim::PolicyError&) {
        return true;
    }
}

std::vector<std::string> Scripts::changed_files() {
    std::vector<std::string> changed;
    for (auto& [name, file] : files_) {
        const std::optional<FileStamp> now = stamp_of(name);
        const bool rests = now == file.seen;
        file.seen = now;
        // Skips a file that is deleted, still being written, or unchanged.
        if (!now || !rests || now == file.read) continue;
        file.read = now;
        changed.push_back(name);
    }
    return changed;
}

}  // namespace ui
