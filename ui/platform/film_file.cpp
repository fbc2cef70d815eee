#include "ui/platform/film_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <future>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "sim/base/child_program.h"
#include "sim/base/whole_file.h"
#include "ui/platform/png.h"

extern char** environ;

namespace ui {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
    throw std::runtime_error(fmt::format("{}: {}", path, why));
}

// Writes pictures one after the other, each while the next frame is made.
class PictureWriter {
  public:
    // Of this film, for messages.
    explicit PictureWriter(std::string film) : film_(std::move(film)) {}
    ~PictureWriter() {
        if (at_work_.valid()) at_work_.wait();
    }
    // Throws std::runtime_error, "FILM: why", when the one before could not be written.
    void write(const std::string& path, const Image& image) {
        finish();
        const auto write = [path, image] { write_png(path, image); };
        try {
            at_work_ = std::async(std::launch::async, write);
        } catch (const std::system_error&) {  // no thread is to be had
            at_work_ = std::async(std::launch::deferred, write);
        }
    }
    // Waits until the last one is written. Throws std::runtime_error when it could not be.
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

// A new folder, which is gone with this unless it is kept.
class NewFolder {
  public:
    // Throws std::runtime_error, "FILM: why".
    NewFolder(fs::path path, const std::string& film) : path_(std::move(path)) {
        std::error_code error;
        if (!fs::create_directory(path_, error)) refuse(film, "cannot be made: " + error.message());
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;
    ~NewFolder() {
        std::error_code error;
        if (!kept_) fs::remove_all(path_, error);
    }

    const fs::path& path() const { return path_; }
    void keep() { kept_ = true; }

  private:
    fs::path path_;
    bool kept_ = false;
};

// --- a folder ---

// Numbered pictures. A frame that equals the one before is another name of the same file.
class FolderFilm final : public FilmFile {
  public:
    FolderFilm(const std::string& path, Size size)
        : FilmFile(path, size),
          target_(free_folder(path)),
          beside_(fmt::format("{}.{}.part", target_.string(), getpid()), path) {}

    void finish() override {
        writer_.finish();
        std::error_code error;
        fs::rename(beside_.path(), target_, error);
        if (error) refuse(path_, error.message());
        beside_.keep();
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
            if (error) fs::copy_file(last_name_, name);  // a file system without links
        }
    }

    std::string next_name() { return fmt::format("{}/frame-{:05}.png", beside_.path().string(), ++frames_); }

    // Where it is to appear.
    static fs::path free_folder(const std::string& path) {
        fs::path target = fs::weakly_canonical(path.substr(0, path.find_last_not_of('/') + 1));
        std::error_code error;
        const fs::file_status status = fs::status(target, error);
        if (fs::exists(status) && !fs::is_directory(status)) refuse(path, "is there, and is no folder");
        if (fs::exists(status) && !fs::is_empty(target, error))
            refuse(path, "the folder is not empty; frames go to a new or empty one");
        return target;
    }

    fs::path target_;
    NewFolder beside_;  // where it stands until then
    Image last_;
    std::string last_name_;
    int frames_ = 0;
    PictureWriter writer_{path_};
};

// --- ffmpeg ---

using Arguments = std::vector<std::string>;

// The program at work: on what is sent to it, or on files.
class Ffmpeg {
  public:
    // Begins. `path` is the film's, for messages. Throws std::runtime_error when there is no such program.
    Ffmpeg(std::string path, const Arguments& arguments) : path_(std::move(path)) {
        Arguments words{"ffmpeg", "-hide_banner", "-loglevel", "error"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const std::vector<char*> pointers = sim::argv_of(words);
        // A socket rather than a pipe, so that a program that has ended is an error and no signal.
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
            refuse(path_, std::strerror(errno));
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        const int failed = posix_spawnp(&child_, pointers[0], &actions, sim::StartAttributes().get(),
                                        pointers.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[0]);
        to_child_ = ends[1];
        if (failed == 0) return;
        close(to_child_);
        refuse(path_, failed == ENOENT ? "needs the program ffmpeg, of the Debian package ffmpeg, which is "
                                         "not in PATH; a folder of pictures (--film FOLDER/) needs nothing"
                                       : fmt::format("ffmpeg: {}", std::strerror(failed)));
    }
    Ffmpeg(const Ffmpeg&) = delete;
    Ffmpeg& operator=(const Ffmpeg&) = delete;
    ~Ffmpeg() {
        if (child_ < 0) return;
        kill(child_, SIGTERM);
        wait_for_child();
    }

    // What it reads. Throws std::runtime_error when it no longer does.
    void send(const std::vector<std::uint8_t>& bytes) {
        for (std::size_t at = 0; at < bytes.size();) {
            const ssize_t sent = ::send(to_child_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent < 0) {
                const std::string error = std::strerror(errno), why = wait_for_child();
                refuse(path_, why.empty() ? "ffmpeg: " + error : why);
            }
            at += static_cast<std::size_t>(sent);
        }
    }

    // There is no more to read; waits until it is done. Throws std::runtime_error when something went wrong.
    void finish() {
        if (const std::string why = wait_for_child(); !why.empty()) refuse(path_, why);
    }

  private:
    // Returns what went wrong; empty if nothing did.
    std::string wait_for_child() {
        close(to_child_);
        int status = 0;
        while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
        if (WIFSIGNALED(status)) return fmt::format("ffmpeg was ended by signal {}", WTERMSIG(status));
        if (WEXITSTATUS(status) != 0)
            return fmt::format("ffmpeg failed, with exit code {}", WEXITSTATUS(status));
        return {};
    }

    std::string path_;
    pid_t child_ = -1;  // -1: it has ended
    int to_child_ = -1;
};

// What makes the same bytes of the same frames on every machine: no dates and versions in the file, and as
// many threads wherever it runs.
Arguments output(const std::string& format, const std::string& to) {
    return {"-threads", "2", "-bitexact", "-f", format, "-y", "file:" + to};
}

Arguments operator+(Arguments words, const Arguments& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// A film in H.264. ffmpeg gets the pixels of each frame as they are.
class Mp4Film final : public FilmFile {
  public:
    Mp4Film(const std::string& path, Size size, int fps)
        : FilmFile(path, size),
          file_(path),
          ffmpeg_(path, Arguments{"-f", "rawvideo", "-pixel_format", "rgba", "-video_size",
                                  fmt::format("{}x{}", size.width, size.height), "-framerate",
                                  std::to_string(fps), "-i", "pipe:0", "-an", "-sws_flags",
                                  "bicubic+accurate_rnd+full_chroma_int+bitexact",
                                  // Players want a colour for each block of two by two, and so an even size.
                                  "-vf",
                                  "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,"
                                  "format=yuv420p",
                                  "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
                                  "-color_range", "tv", "-c:v", "libx264", "-preset", "veryfast", "-crf",
                                  "18", "-movflags", "+faststart"} +
                            output("mp4", file_.written_at())) {}

    void finish() override {
        ffmpeg_.finish();
        file_.finish();
    }

  private:
    void write(const Image& frame, int times) override {
        for (; times > 0; --times) ffmpeg_.send(frame.rgba);
    }

    sim::WholeFile file_;
    Ffmpeg ffmpeg_;
};

// ffmpeg takes a percent sign in the path of a picture for the place of a number.
std::string without_percent(std::string path) {
    std::replace(path.begin(), path.end(), '%', '_');
    return path;
}

// Its colours are chosen from all frames, which ffmpeg therefore reads twice: from pictures beside the film,
// one for as long as nothing changes.
class GifFilm final : public FilmFile {
  public:
    GifFilm(const std::string& path, Size size, int fps)
        : FilmFile(path, size),
          fps_(fps),
          file_(path),
          pictures_(without_percent(file_.written_at() + ".frames"), path) {
        Ffmpeg(path_, {"-version"}).finish();  // or it would be missed at the end
    }

    void finish() override {
        writer_.finish();
        const std::string list = (pictures_.path() / "all.ffconcat").string();
        std::string text = "ffconcat version 1.0\n";
        for (std::size_t i = 0; i < shown_.size(); ++i)
            text += fmt::format("file {}\nduration {:.6f}\n", name_of(i), seconds(shown_[i]));
        sim::write_whole_file(list, text);
        const Arguments frames{"-safe", "0", "-f", "concat", "-i", "file:" + list};
        const std::string palette = (pictures_.path() / "palette.png").string();
        Ffmpeg(path_, frames + Arguments{"-vf", "palettegen", "-frames:v", "1", "-update", "1"} +
                          output("image2", palette))
            .finish();
        Ffmpeg(path_,
               frames +
                   Arguments{"-f", "image2", "-pattern_type", "none", "-i", "file:" + palette, "-lavfi",
                             "paletteuse=dither=none:diff_mode=rectangle", "-fps_mode", "vfr", "-final_delay",
                             fmt::format("{:.0f}", 100 * seconds(shown_.back()))} +
                   output("gif", file_.written_at()))
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
    sim::WholeFile file_;
    NewFolder pictures_;
    std::vector<int> shown_;  // each of the pictures, for so many frames
    Image last_;
    PictureWriter writer_{path_};
};

}  // namespace

std::unique_ptr<FilmFile> FilmFile::make(const std::string& path, Size size, int fps) {
    std::error_code error;
    if (path.ends_with('/') || fs::is_directory(path, error)) return std::make_unique<FolderFilm>(path, size);
    if (path.ends_with(".mp4")) return std::make_unique<Mp4Film>(path, size, fps);
    if (path.ends_with(".gif")) return std::make_unique<GifFilm>(path, size, fps);
    refuse(path, "what kind of film? NAME.mp4, NAME.gif, or a folder: NAME/");
}

void FilmFile::add(const Image& frame, int times) {
    if (Size{frame.width, frame.height} != size_)
        refuse(path_, fmt::format("a film has one size, and the window went from {}x{} to {}x{}", size_.width,
                                  size_.height, frame.width, frame.height));
    write(frame, times);
}

}  // namespace ui
