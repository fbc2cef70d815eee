// Atomic file output: results are written to a temporary file next to the target and then renamed.
// read_text_file() fails if the file changes while it is read.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/os/descriptor.h"

namespace sim {

// A file cannot be written. The message is "PATH: reason".
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Resolves symbolic links; the target need not exist. Throws FileError if a link cannot be read.
std::string resolve_links(const std::string& path);

// Throws FileError if an AtomicFile cannot be written to `path`. Creates nothing. Callers use it as a check
// before long work.
void check_can_be_written(const std::string& path);

// Temporary output that is not finished yet. All objects form an intrusive list, so that
// remove_unfinished_files() finds them without allocating memory.
class PendingOutput {
  public:
    PendingOutput(const PendingOutput&) = delete;
    PendingOutput& operator=(const PendingOutput&) = delete;

  protected:
    PendingOutput() = default;
    ~PendingOutput() = default;

    void add_to_unfinished_list();
    void remove_from_unfinished_list();
    // Deletes the temporary output. Allocates nothing.
    virtual void remove_unfinished_output() const noexcept = 0;

  private:
    friend void remove_unfinished_files() noexcept;

    PendingOutput *before_ = nullptr, *after_ = nullptr;
};

// A file that appears only once it is complete: write() fills a temporary file, finish() renames it. A
// symbolic link is followed; a pipe or device is written directly.
class AtomicFile final : PendingOutput {
  public:
    // Throws FileError if the file cannot be written.
    explicit AtomicFile(std::string path);
    // Removes the output if finish() was not called.
    ~AtomicFile();

    // Throws FileError.
    void write(std::string_view bytes);
    // The path of the file that write() fills. Instead of calling write(), the caller may let another program
    // write this file.
    const std::string& path_being_written() const {
        return temporary_path_.empty() ? path_ : temporary_path_;
    }

    // Renames the file to its final name. If a file of this name exists, it is replaced, and the new file has
    // the permissions of the replaced file. Throws FileError.
    void finish();

  private:
    [[noreturn]] void throw_error(int error) const;
    void create_temporary_file();
    void remove_unfinished_output() const noexcept override;
    void set_permissions(unsigned permissions);
    void flush();

    std::string path_;
    std::string target_;  // the final path, with links resolved; empty if the file is written directly
    std::string temporary_path_;  // path of the temporary file; empty if there is none
    std::string buffer_;          // bytes not written yet
    os::Descriptor file_;
};

// Removes all unfinished output, for a program that exits immediately. Allocates nothing.
void remove_unfinished_files() noexcept;

// Writes a whole file by AtomicFile. Throws FileError.
void write_atomically(const std::string& path, std::string_view bytes);

// A directory that appears only once all of its files are written: finish() renames a temporary directory.
class AtomicDirectory final : PendingOutput {
  public:
    // Throws FileError if `path` is a file or a non-empty directory, or if the temporary directory cannot be
    // created.
    explicit AtomicDirectory(std::string path);
    // Removes the output if finish() was not called.
    ~AtomicDirectory();

    // Writes one file of the directory and creates missing subdirectories. Throws FileError.
    void write(const std::string& relative_path, std::string_view bytes);

    // Renames the directory to its final name. Throws FileError.
    void finish();

  private:
    void create_subdirectory(const std::string& directory, const std::string& shown_path);
    void remove_unfinished_output() const noexcept override;

    std::string path_;
    // The temporary directory and everything created in it, directories before their files; empty: none.
    std::vector<std::string> made_;
};

// Returns the whole text of a file, or of standard input for "-". Throws ScenarioError if the file is not a
// regular file, if the text is larger than `max_bytes` bytes, or if the file changes while it is read.
// REQUIRES: `max_bytes` is a multiple of 1 MiB, because the message states the limit in MiB.
std::string read_text_file(const std::string& path, std::size_t max_bytes);

}  // namespace sim
