#include "sim/cli/output.h"

#include "sim/base/atomic_file.h"
#include "sim/base/main_wrapper.h"
#include "sim/base/text.h"

namespace sim::cli {

void write_output_bytes(std::string_view text, const std::string& path) {
    throw_if_allocation_failed();
    if (path.empty())
        print(text);
    else
        write_atomically(path, text);
}

StreamedOutput::StreamedOutput(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
}

void StreamedOutput::write(std::string_view bytes) {
    bytes_ += bytes.size();
    if (file_)
        file_->write(bytes);
    else
        write_output_bytes(bytes, {});
}

void StreamedOutput::finish() {
    if (file_) file_->finish();
}

void write_output_text(const std::string& text, const std::string& path) {
    write_output_bytes(printable_lines(text), path);
}

void print_immediately(std::string_view text) { print(printable_lines(text)); }

void print_diagnostic(std::string_view sentence) { print_error(printable_lines(sentence) + "\n"); }

}  // namespace sim::cli
