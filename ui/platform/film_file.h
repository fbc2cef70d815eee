// Where a film goes: a folder of numbered pictures, or a file that the program ffmpeg makes of them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ui/platform/image.h"

namespace ui {

// A film, frame by frame. It appears when all of it is there: until finish() nothing stands at its path, and
// what is not finished is gone.
class FilmFile {
  public:
    // What it becomes goes by the path's end: `.mp4` and `.gif` are films, and need the program `ffmpeg`; a
    // folder that is there and empty, or a name that ends with a slash, gets frame-00001.png and so on.
    // Throws std::runtime_error, "PATH: why", when it can be none of these, or cannot be written.
    // REQUIRES: fps > 0.
    static std::unique_ptr<FilmFile> make(const std::string& path, Size size, int fps);

    virtual ~FilmFile() = default;

    // The next frame, shown for as long as `times` of them. Throws std::runtime_error when it cannot be
    // written, or has another size than the film.
    void add(const Image& frame, int times = 1);

    // The film is whole: it appears. Throws std::runtime_error when that fails. Call it once, last.
    virtual void finish() = 0;

  protected:
    FilmFile(std::string path, Size size) : path_(std::move(path)), size_(size) {}
    virtual void write(const Image& frame, int times) = 0;

    std::string path_;

  private:
    Size size_;
};

}  // namespace ui
