// The output of a film: a directory of numbered pictures, or a file produced by ffmpeg.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ui/platform/image.h"

namespace ui {

// A film that is being written. Nothing exists at its path until finish(); an unfinished film is removed.
class FilmFile {
  public:
    // Creates a film. The path selects the format. `NAME.mp4` and `NAME.gif` need the program `ffmpeg`.
    // `NAME/`, or an existing empty directory, becomes a directory of pictures, frame-00001.png etc. Throws
    // std::runtime_error, "PATH: why", for any other path or one that is not writable. REQUIRES: fps > 0.
    static std::unique_ptr<FilmFile> make(const std::string& path, Size size, int fps);

    virtual ~FilmFile() = default;

    // Adds a picture that lasts `times` frames. Throws std::runtime_error if it cannot be written, or if
    // its size is not that of the film.
    void add_frame(const Image& frame, int times = 1);

    // Completes the film and moves it to its path. Call it once, as the last function. Throws
    // std::runtime_error.
    virtual void finish() = 0;

  protected:
    FilmFile(std::string path, Size size) : path_(std::move(path)), size_(size) {}
    virtual void write(const Image& frame, int times) = 0;

    std::string path_;

  private:
    Size size_;
};

}  // namespace ui
