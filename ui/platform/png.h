// PNG files: screenshots and the pictures of the manual.
#pragma once

#include <string>

#include "ui/platform/image.h"

namespace ui {

// The image as a PNG file without alpha; always the same bytes for the same image. Thread-safe. REQUIRES: the
// image is not empty.
std::string encode_png(const Image& image);

// Writes encode_png(image) by write_atomically(). Throws std::runtime_error, "PATH: why".
void write_png(const std::string& path, const Image& image);

}  // namespace ui
