// Files whole or not at all: results are written beside their place first, and a text that changes while it
// is read is refused.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/descriptor.h"

namespace sim {

// "PATH: why" a file cannot be written.
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Where a link leads in the end, though nothing may be there yet; else the path itself. Throws FileError when
// a link cannot be read.
std::string followed_links(const std::string& path);

// Refuses a place where a WholeFile can be seen not to be writable, before there is anything to write: for
// work that takes long. Leaves nothing there. Throws FileError.
void check_can_be_written(const std::string& path);

// What stands beside its place until it is finished. All of these are in a list, through themselves, so that
// a program that has no memory finds them.
class Unfinished {
  public:
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

  protected:
    Unfinished() = default;
    ~Unfinished() = default;

    void enlist();
    void forget();
    // From the disk. Allocates nothing.
    virtual void remove() const noexcept = 0;

  private:
    friend void remove_unfinished_files() noexcept;

    Unfinished *before_ = nullptr, *after_ = nullptr;
};

// A file that appears when all of it has been written: write() writes beside its place, and finish() renames,
// so that nobody ever sees half of it. A link is followed; a pipe or device is written as it is.
class WholeFile final : Unfinished {
  public:
    // Throws FileError when nothing can be written there.
    explicit WholeFile(std::string path);
    // What was written and not finished is gone.
    ~WholeFile();

    // Throws FileError.
    void write(std::string_view bytes);
    // Where it is written: for a program that writes it in place of write().
    const std::string& written_at() const { return beside_.empty() ? path_ : beside_; }

    // Puts the file in its place, with the permissions that the one had that was there. Throws FileError.
    void finish();

  private:
    [[noreturn]] void refuse(int error) const;
    void open_beside();
    void remove() const noexcept override;
    void keep_permissions(unsigned mode);
    void flush();

    std::string path_;
    std::string target_;  // where the file is to appear; empty for what is written as it is
    std::string beside_;  // where it stands until then; empty when nothing does
    std::string buffer_;  // what is to be written next
    Descriptor file_;
};

// Removes what every WholeFile and WholeFolder has written and not finished: for a program that ends at once.
// Allocates nothing.
void remove_unfinished_files() noexcept;

// Writes the bytes as WholeFile does. Throws FileError.
void write_whole_file(const std::string& path, std::string_view bytes);

// A folder that appears when all of its files have been written: write() writes beside its place, and
// finish() renames.
class WholeFolder final : Unfinished {
  public:
    // Throws FileError when there is such a file, or a folder with something in it, or nothing can be made
    // there.
    explicit WholeFolder(std::string path);
    // What was written and not finished is gone.
    ~WholeFolder();

    // Writes a file of the folder, and makes the folders on its way. Throws FileError.
    void write(const std::string& file, std::string_view bytes);

    // Puts the folder in its place. Throws FileError when that fails.
    void finish();

  private:
    void make(const std::string& folder, const std::string& shown);
    void remove() const noexcept override;

    std::string path_;
    // Where it stands until then, and what is in it, folders before their files; empty when nothing does.
    std::vector<std::string> made_;
};

// All of a file, or of standard input for "-". Refuses what is no regular file, larger than so many bytes (in
// whole MiB), or changes meanwhile. Throws ScenarioError.
std::string read_text_file(const std::string& path, std::size_t most);

}  // namespace sim
