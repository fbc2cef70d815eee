#include "ui/png.h"

#include <fmt/format.h>
#include <stb_image_write.h>
#include <unistd.h>

#include <cassert>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace ui {

std::vector<std::uint8_t> encode_png(const Image& image) {
    assert(image.width > 0 && image.height > 0);
    assert(image.rgba.size() ==
           static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4);
    std::vector<std::uint8_t> bytes;
    const auto append = [](void* to, void* data, int size) {
        const auto* begin = static_cast<const std::uint8_t*>(data);
        auto& all = *static_cast<std::vector<std::uint8_t>*>(to);
        all.insert(all.end(), begin, begin + size);
    };
    if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                               image.width * 4) == 0)
        throw std::runtime_error("a picture could not be encoded");
    return bytes;
}

void write_png(const std::string& path, const Image& image) {
    const std::vector<std::uint8_t> bytes = encode_png(image);
    namespace fs = std::filesystem;
    std::error_code error;
    const auto write_to = [&](const std::string& file) {
        std::ofstream out(file, std::ios::binary);
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        out.close();
        return static_cast<bool>(out);
    };
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        if (fs::is_directory(status) || !write_to(path))
            throw std::runtime_error(fmt::format("{}: cannot be written", path));
        return;
    }
    const std::string target =
        fs::is_symlink(path, error) ? fs::weakly_canonical(path, error).string() : path;
    const std::string beside = fmt::format("{}.{}.part", target, getpid());
    if (!write_to(beside)) {
        fs::remove(beside, error);
        throw std::runtime_error(fmt::format("{}: cannot be written", path));
    }
    if (fs::exists(status)) fs::permissions(beside, status.permissions(), error);
    fs::rename(beside, target, error);
    if (error) {
        const std::string why = error.message();
        fs::remove(beside, error);
        throw std::runtime_error(fmt::format("{}: {}", path, why));
    }
}

}  // namespace ui
