#include "ui/platform/film_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <future>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/atomic_file.h"
#include "sim/os/child_process.h"
#include "sim/os/files.h"
#include "ui/platform/png.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::runtime_error(fmt::format("{}: {}", path, why));
}

// Writes pictures one after another in a separate thread, so that the program can draw the next frame at the
// same time.
class PictureWriter {
  public:
    // `film`: the path of the film, for error messages.
    explicit PictureWriter(std::string film) : film_(std::move(film)) {}
    ~PictureWriter() {
        if (at_work_.valid()) at_work_.wait();
    }
    // Starts to write a picture. Throws std::runtime_error, "FILM: why", if the previous picture could not
    // be written.
    void write(const std::string& path, const Image& image) {
        finish();
        const auto write = [path, image] { write_png(path, image); };
        try {
            at_work_ = std::async(std::launch::async, write);
        } catch (const std::system_error&) {
            // No thread can be created. Then at_work_.get() in finish() runs `write` in this thread.
            at_work_ = std::async(std::launch::deferred, write);
        }
    }
    // Waits until the last picture is written. Throws std::runtime_error if that fails.
    void finish() {
        if (!at_work_.valid()) return;
        try {
            at_work_.get();
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& problem) {
            refuse(film_, problem.what());
        }
    }

  private:
    std::string film_;
    std::future<void> at_work_;
};

// A new directory. The destructor removes it unless keep() was called.
class NewDirectory {
  public:
    // Throws std::runtime_error, "FILM: why", if the directory cannot be created.
    NewDirectory(fs::path path, const std::string& film) : path_(std::move(path)) {
        std::error_code error;
        if (!fs::create_directory(path_, error)) refuse(film, "cannot be created: " + error.message());
    }
    NewDirectory(const NewDirectory&) = delete;
    NewDirectory& operator=(const NewDirectory&) = delete;
    ~NewDirectory() {
        std::error_code error;
        if (!kept_) fs::remove_all(path_, error);
    }

    const fs::path& path() const { return path_; }
    void keep() { kept_ = true; }

  private:
    fs::path path_;
    bool kept_ = false;
};

// --- a directory ---

// A film as a directory of numbered pictures. A frame that equals the previous one is a hard link to it.
class DirectoryFilm final : public FilmFile {
  public:
    DirectoryFilm(const std::string& path, Size size)
        : FilmFile(path, size),
          target_(target_directory(path)),
          temporary_(fmt::format("{}.{}.part", target_.string(), sim::os::unique_name_part()), path) {}

    void finish() override {
        writer_.finish();
        std::error_code error;
        fs::rename(temporary_.path(), target_, error);
        if (error) refuse(path_, error.message());
        temporary_.keep();
    }

  private:
    void write(const Image& frame, int times) override {
        if (frame != last_) {
            last_ = frame;
            last_name_ = next_name();
            writer_.write(last_name_, frame);
            --times;
        }
        if (times > 0) writer_.finish();
        for (; times > 0; --times) {
            const std::string name = next_name();
            std::error_code error;
            fs::create_hard_link(last_name_, name, error);
            if (error) fs::copy_file(last_name_, name);  // the file system has no hard links
        }
    }

    std::string next_name() {
        return fmt::format("{}/frame-{:05}.png", temporary_.path().string(), ++frames_);
    }

    // The path of the finished film. It must not exist or must be an empty directory.
    static fs::path target_directory(const std::string& path) {
        fs::path target =
            fs::weakly_canonical(path.substr(0, path.find_last_not_of(sim::os::kSeparators) + 1));
        std::error_code error;
        const fs::file_status status = fs::status(target, error);
        if (fs::exists(status) && !fs::is_directory(status)) refuse(path, "exists, but is not a directory");
        if (fs::exists(status) && !fs::is_empty(target, error))
            refuse(path, "the directory is not empty; use a new or empty one");
        return target;
    }

    fs::path target_;
    NewDirectory temporary_;  // directory of the unfinished film; finish() renames it to target_
    Image last_;
    std::string last_name_;
    int frames_ = 0;
    PictureWriter writer_{path_};
};

// --- ffmpeg ---

using Arguments = std::vector<std::string>;

// A running ffmpeg process. Its input is the bytes from send(), or files that its arguments name.
class Ffmpeg {
  public:
    // `path`: the path of the film, for error messages. Throws std::runtime_error if ffmpeg is not
    // installed.
    Ffmpeg(std::string path, const Arguments& arguments) : path_(std::move(path)) {
        Arguments words{"ffmpeg", "-hide_banner", "-loglevel", "error"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        sim::os::Descriptor its_end;
        if (const int error = sim::os::make_child_input_pipe(to_child_, its_end); error != 0)
            refuse(path_, std::strerror(error));
        const int failed = child_.start(words, {.in = its_end.number()});
        if (failed == 0) return;
        refuse(path_, failed == ENOENT ? "requires the program ffmpeg (Debian package ffmpeg), which is not "
                                         "in PATH; numbered pictures (--film DIRECTORY/) do not require it"
                                       : fmt::format("ffmpeg: {}", std::strerror(failed)));
    }
    Ffmpeg(const Ffmpeg&) = delete;
    Ffmpeg& operator=(const Ffmpeg&) = delete;
    ~Ffmpeg() {
        if (!child_.is_running()) return;
        child_.terminate();
        wait_for_child();
    }

    // Throws std::runtime_error if ffmpeg no longer reads.
    void send(const std::vector<std::uint8_t>& bytes) {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const int error = sim::os::send_all(to_child_, text);
        if (error == 0) return;
        const std::string why = wait_for_child();
        refuse(path_, why.empty() ? fmt::format("ffmpeg: {}", std::strerror(error)) : why);
    }

    // Closes ffmpeg's input and waits until ffmpeg ends. Throws std::runtime_error if ffmpeg failed.
    void finish() {
        if (const std::string why = wait_for_child(); !why.empty()) refuse(path_, why);
    }

  private:
    // Returns the error message of ffmpeg; empty if it succeeded.
    std::string wait_for_child() {
        to_child_.close();
        sim::os::ChildExitStatus end;
        if (const int error = child_.wait(end); error != 0)
            return fmt::format("ffmpeg: {}", std::strerror(error));
        if (end.signal != 0) return fmt::format("ffmpeg was killed by signal {}", end.signal);
        if (end.exit_code != 0) return fmt::format("ffmpeg failed, with exit code {}", end.exit_code);
        return {};
    }

    std::string path_;
    sim::os::Descriptor to_child_;
    sim::os::ChildProcess child_;
};

// Options of ffmpeg that make the file the same on every machine: no dates or versions, and a fixed number
// of threads.
Arguments output_options(const std::string& format, const std::string& path) {
    return {"-threads", "2", "-bitexact", "-f", format, "-y", "file:" + path};
}

Arguments operator+(Arguments words, const Arguments& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// A film in H.264; ffmpeg reads raw pixels.
class Mp4Film final : public FilmFile {
  public:
    Mp4Film(const std::string& path, Size size, int fps)
        : FilmFile(path, size),
          file_(path),
          ffmpeg_(path, Arguments{"-f", "rawvideo", "-pixel_format", "rgba", "-video_size",
                                  fmt::format("{}x{}", size.width, size.height), "-framerate",
                                  std::to_string(fps), "-i", "pipe:0", "-an", "-sws_flags",
                                  "bicubic+accurate_rnd+full_chroma_int+bitexact",
                                  // Players require a colour format that has one value per 2 x 2 pixels, so
                                  // the size must be even.
                                  "-vf",
                                  "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,"
                                  "format=yuv420p",
                                  "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
                                  "-color_range", "tv", "-c:v", "libx264", "-preset", "veryfast", "-crf",
                                  "18", "-movflags", "+faststart"} +
                            output_options("mp4", file_.path_being_written())) {}

    void finish() override {
        ffmpeg_.finish();
        file_.finish();
    }

  private:
    void write(const Image& frame, int times) override {
        for (; times > 0; --times) ffmpeg_.send(frame.rgba);
    }

    sim::AtomicFile file_;
    Ffmpeg ffmpeg_;
};

// Replaces percent signs, because ffmpeg interprets them as placeholders in the path of a picture.
std::string without_percent(std::string path) {
    std::replace(path.begin(), path.end(), '%', '_');
    return path;
}

// A film as a GIF file. The palette depends on all frames, so ffmpeg reads them twice, from temporary
// pictures. Successive equal frames share one picture.
class GifFilm final : public FilmFile {
  public:
    GifFilm(const std::string& path, Size size, int fps)
        : FilmFile(path, size),
          fps_(fps),
          file_(path),
          pictures_(without_percent(file_.path_being_written() + ".frames"), path) {
        Ffmpeg(path_, {"-version"}).finish();  // throws at the start, not at the end, if ffmpeg is missing
    }

    void finish() override {
        writer_.finish();
        const std::string list = (pictures_.path() / "all.ffconcat").string();
        std::string text = "ffconcat version 1.0\n";
        for (std::size_t i = 0; i < shown_.size(); ++i)
            text += fmt::format("file {}\nduration {:.6f}\n", name_of(i), seconds(shown_[i]));
        sim::write_atomically(list, text);
        const Arguments frames{"-safe", "0", "-f", "concat", "-i", "file:" + list};
        const std::string palette = (pictures_.path() / "palette.png").string();
        Ffmpeg(path_, frames + Arguments{"-vf", "palettegen", "-frames:v", "1", "-update", "1"} +
                          output_options("image2", palette))
            .finish();
        Ffmpeg(path_,
               frames +
                   Arguments{"-f", "image2", "-pattern_type", "none", "-i", "file:" + palette, "-lavfi",
                             "paletteuse=dither=none:diff_mode=rectangle", "-fps_mode", "vfr", "-final_delay",
                             fmt::format("{:.0f}", 100 * seconds(shown_.back()))} +
                   output_options("gif", file_.path_being_written()))
            .finish();
        file_.finish();
    }

  private:
    void write(const Image& frame, int times) override {
        if (frame != last_) {
            last_ = frame;
            shown_.push_back(0);
            writer_.write((pictures_.path() / name_of(shown_.size() - 1)).string(), frame);
        }
        shown_.back() += times;
    }

    static std::string name_of(std::size_t picture) { return fmt::format("{}.png", picture); }
    double seconds(int frames) const { return static_cast<double>(frames) / fps_; }

    int fps_;
    sim::AtomicFile file_;
    NewDirectory pictures_;
    std::vector<int> shown_;  // by picture: the number of frames that show it
    Image last_;
    PictureWriter writer_{path_};
};

}  // namespace

std::unique_ptr<FilmFile> FilmFile::make(const std::string& path, Size size, int fps) {
    std::error_code error;
    if ((!path.empty() && sim::os::is_separator(path.back())) || fs::is_directory(path, error))
        return std::make_unique<DirectoryFilm>(path, size);
    if (path.ends_with(".mp4")) return std::make_unique<Mp4Film>(path, size, fps);
    if (path.ends_with(".gif")) return std::make_unique<GifFilm>(path, size, fps);
    refuse(path, "unknown kind of film; expected NAME.mp4, NAME.gif, or a directory: NAME/");
}

void FilmFile::add_frame(const Image& frame, int times) {
    if (Size{frame.width, frame.height} != size_)
        refuse(path_, fmt::format("a film has one size, but the window changed from {}x{} to {}x{}",
                                  size_.width, size_.height, frame.width, frame.height));
    write(frame, times);
}

}  // namespace ui
