// The output of a film: a directory of numbered pictures, or a file produced by ffmpeg.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ui/platform/image.h"

namespace ui {

// Nothing exists at its path until finish(); an unfinished film is removed.
class FilmFile {
  public:
    // The format depends on the end of the path: `.mp4` and `.gif` need the program `ffmpeg`; an existing
    // empty directory, or a name with a final slash, gets frame-00001.png etc. Throws std::runtime_error,
    // "PATH: why", if it is none of these or not writable. REQUIRES: fps > 0.
    static std::unique_ptr<FilmFile> make(const std::string& path, Size size, int fps);

    virtual ~FilmFile() = default;

    // `times`: duration in frames. Throws std::runtime_error if it cannot be written, or has another size
    // than the film.
    void add(const Image& frame, int times = 1);

    // The film appears at its path. Call it once, last. Throws std::runtime_error.
    virtual void finish() = 0;

  protected:
    FilmFile(std::string path, Size size) : path_(std::move(path)), size_(size) {}
    virtual void write(const Image& frame, int times) = 0;

    std::string path_;

  private:
    Size size_;
};

}  // namespace ui
