// Pictures to files: screenshots and the pictures of the manual.
#pragma once

#include <string>

#include "ui/platform/image.h"

namespace ui {

// The picture as a PNG file, without its alpha; the same bytes for the same picture, always. Several threads
// may call it. REQUIRES: the picture is not empty.
std::string encode_png(const Image& image);

// Writes encode_png(image) as write_whole_file() does. Throws std::runtime_error, "PATH: why", when that
// fails.
void write_png(const std::string& path, const Image& image);

}  // namespace ui
