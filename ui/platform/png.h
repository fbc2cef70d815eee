// Writes PNG files: screenshots and the pictures of the manual.
#pragma once

#include <string>

#include "ui/platform/image.h"

namespace ui {

// Encodes the image as a PNG file without alpha. The same image always yields the same bytes. Thread-safe.
// REQUIRES: the image is not empty.
std::string encode_png(const Image& image);

// Writes the image as a PNG file by write_atomically(). On failure, throws std::runtime_error with the
// message "PATH: why".
void write_png(const std::string& path, const Image& image);

}  // namespace ui
