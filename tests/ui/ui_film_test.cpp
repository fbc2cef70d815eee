// Tests of films of the window: their contents, and that they are written atomically. A shell script replaces
// ffmpeg in PATH, so that the tests do not need it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/scenario/scenario_json.h"
#include "tests/support/program.h"
#include "ui/app/film.h"

namespace ui_film_test {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// A temporary directory in which the program runs.
class FilmFixture {
  public:
    FilmFixture() {
        std::string name = testing::TempDir() + "/switchyard-film-XXXXXX";
        EXPECT_NE(mkdtemp(name.data()), nullptr) << name;
        folder_ = name;
    }
    FilmFixture(const FilmFixture&) = delete;
    FilmFixture& operator=(const FilmFixture&) = delete;
    ~FilmFixture() { fs::remove_all(folder_); }

    Finished film(Words words, const Words& environment = {}) const {
        words.insert(words.begin(), {SWITCHYARD_UI_BINARY, "--headless", "--size", "320x200"});
        return run_program(words, {folder_, "", environment});
    }
    // Creates a fake ffmpeg with this script. Returns a PATH in which it comes first.
    std::string with_ffmpeg(const std::string& does) const {
        fs::create_directory(folder_ / "bin");
        std::ofstream(folder_ / "bin/ffmpeg") << "#!/bin/sh\n" << does;
        chmod((folder_ / "bin/ffmpeg").c_str(), 0700);
        return "PATH=" + (folder_ / "bin").string() + ":/usr/bin:/bin";
    }
    fs::path operator/(const std::string& name) const { return folder_ / name; }
    // The contents of the files in a directory, by name.
    std::map<std::string, std::string> files(const std::string& name) const {
        std::map<std::string, std::string> all;
        for (const auto& entry : fs::directory_iterator(folder_ / name))
            all[entry.path().filename()] = content_of(entry.path());
        return all;
    }
    std::set<std::string> names() const {
        std::set<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder_)) all.insert(entry.path().filename());
        return all;
    }

  private:
    fs::path folder_;
};

TEST(Film, CaptionTimeFollowsTextLength) {
    EXPECT_DOUBLE_EQ(ui::seconds_to_read(std::string(150, 'x')), 10);
    EXPECT_DOUBLE_EQ(ui::seconds_to_read("Half is kept"), 4);
    EXPECT_DOUBLE_EQ(ui::seconds_to_read(std::string(10'000, 'x')), 25);
    std::string letters;
    for (int i = 0; i < 150; ++i) letters += "µ";
    EXPECT_DOUBLE_EQ(ui::seconds_to_read(letters), 10);
}

TEST(Film, TourShowsStopsLongEnoughAndRepeatably) {
    const FilmFixture studio;
    for (const std::string name : {"once", "again"}) {
        const Finished f = studio.film({"recalc-storm", "--film", name + "/", "--tour", "--fps", "2"});
        ASSERT_EQ(f.exit_code, 0) << f;
    }
    const std::map<std::string, std::string> frames = studio.files("once");
    EXPECT_EQ(frames, studio.files("again"));
    double seconds = 0;
    const sim::Scenario scenario = sim::load_scenario("recalc-storm");
    for (const sim::TourStop& stop : scenario.tour) seconds += ui::seconds_to_read(stop.title + stop.caption);
    EXPECT_GE(static_cast<double>(frames.size()), 2 * seconds - 6);
    EXPECT_LE(static_cast<double>(frames.size()), 2 * (seconds + 10 * 6));
    EXPECT_TRUE(frames.contains("frame-00001.png"));
    std::set<std::string> pictures;
    for (const auto& [name, bytes] : frames) pictures.insert(bytes);
    EXPECT_GE(pictures.size(), scenario.tour.size());
    EXPECT_LT(pictures.size(), frames.size() / 2);  // nothing moves while users read the text
}

TEST(Film, RangeFollowsRequestedSpeed) {
    const FilmFixture studio;
    const Finished f = studio.film({"two-hogs", "--film", "out/", "--from", "190ms", "--to", "230ms",
                                    "--speed", "10ms", "--fps", "5", "--quiet"});
    ASSERT_EQ(f.exit_code, 0) << f;
    EXPECT_EQ(f.err, "");
    const std::map<std::string, std::string> frames = studio.files("out");
    EXPECT_EQ(frames.size(), 4u * 5 + 1);  // both ends
    EXPECT_NE(frames.begin()->second, frames.rbegin()->second);
    EXPECT_EQ(frames.rbegin()->first, "frame-00021.png");

    const Finished short_one =
        studio.film({"two-hogs", "--film", "usual/", "--from", "190ms", "--to", "230ms", "--fps", "1"});
    EXPECT_NE(short_one.err.find("usual/: 21 frames, 21.0 s"), std::string::npos) << short_one;
}

TEST(Film, ContainsEveryFrameOfInputScript) {
    const FilmFixture studio;
    std::ofstream(studio / "a.script") << "settle\nshot before.png\nkey Right\nsettle\nshot after.png\n";
    const Finished f = studio.film({"two-hogs", "--film", "out/", "--script", "a.script"});
    ASSERT_EQ(f.exit_code, 0) << f;
    std::set<std::string> pictures;
    for (const auto& [name, bytes] : studio.files("out")) pictures.insert(bytes);
    EXPECT_TRUE(pictures.contains(content_of(studio / "before.png")));
    EXPECT_TRUE(pictures.contains(content_of(studio / "after.png")));
}

// A fake ffmpeg that records its arguments and the lists of pictures, and copies its input to its output.
constexpr const char* kCopies = R"(echo "$@" >> words
for to; do
    case "$to" in *.ffconcat) cat "${to#file:}" > list ;; esac
done
case "$to" in file:*) cat > "${to#file:}" ;; esac
)";

TEST(Film, FfmpegReceivesRawPixels) {
    const FilmFixture studio;
    const Finished f = studio.film({"two-hogs", "--from", "190ms", "--to", "230ms", "--speed", "10ms",
                                    "--fps", "5", "--film", "out.mp4"},
                                   {studio.with_ffmpeg(kCopies)});
    ASSERT_EQ(f.exit_code, 0) << f;
    EXPECT_EQ(fs::file_size(studio / "out.mp4"), 21u * 320 * 200 * 4);
    const std::string said = content_of(studio / "words");
    EXPECT_NE(said.find("-video_size 320x200 -framerate 5 "), std::string::npos) << said;
    EXPECT_NE(said.find("-bitexact -f mp4"), std::string::npos) << said;
    EXPECT_EQ(studio.names(), (std::set<std::string>{"bin", "out.mp4", "words"}));
}

TEST(Film, GifFrameDurationsCoverUnchangedTime) {
    const FilmFixture studio;
    std::ofstream(studio / "still.script") << "settle\nkey Right\nwait 30\n";
    const Finished f =
        studio.film({"two-hogs", "--film", "out.gif", "--script", "still.script", "--fps", "10"},
                    {studio.with_ffmpeg(kCopies)});
    ASSERT_EQ(f.exit_code, 0) << f;
    const std::string said = content_of(studio / "words"), list = content_of(studio / "list");
    EXPECT_NE(said.find(" -vf palettegen "), std::string::npos) << said;
    EXPECT_NE(said.find("paletteuse=dither=none"), std::string::npos) << said;
    double seconds = 0, longest = 0;
    for (std::size_t at = list.find("duration "); at != std::string::npos;
         at = list.find("duration ", at + 1)) {
        const double one = std::stod(list.substr(at + 9));
        seconds += one;
        longest = std::max(longest, one);
    }
    EXPECT_NE(f.err.find(fmt::format("{:.1f} s", seconds)), std::string::npos) << f << list;
    EXPECT_GE(longest, 2.9) << list;
    EXPECT_EQ(studio.names(), (std::set<std::string>{"bin", "list", "out.gif", "still.script", "words"}));
}

TEST(Film, MissingFfmpegIsReported) {
    const FilmFixture studio;
    for (const std::string name : {"out.mp4", "out.gif"}) {
        const Finished f = studio.film({"recalc-storm", "--film", name, "--tour"}, {"PATH=/nowhere"});
        EXPECT_EQ(f.exit_code, 2) << f;
        EXPECT_EQ(
            f.err.find("switchyard-ui: " + name + ": requires the program ffmpeg (Debian package ffmpeg)"),
            0u)
            << f;
        EXPECT_TRUE(studio.names().empty());
    }
}

TEST(Film, FailureLeavesNoFiles) {
    const FilmFixture studio;
    const auto fails = [&](Words words, const std::string& why, const std::string& path) {
        const std::set<std::string> before = studio.names();
        const Finished f = studio.film(std::move(words), {path});
        EXPECT_EQ(f.exit_code, 2) << f;
        EXPECT_NE(f.err.find(why), std::string::npos) << f;
        EXPECT_EQ(studio.names(), before);
    };
    const Words stretch{"two-hogs", "--from", "190ms", "--to", "230ms", "--fps", "5", "--film"};
    const auto stretch_to = [&](const std::string& name) {
        Words words = stretch;
        words.push_back(name);
        return words;
    };
    // ffmpeg fails at once, after a part of the film, and at its end.
    fails(stretch_to("out.mp4"), "ffmpeg failed, with exit code 3", studio.with_ffmpeg("exit 3\n"));
    fails(stretch_to("out.mp4"), "ffmpeg failed, with exit code 4",
          studio.with_ffmpeg("for to; do :; done\nhead -c 1000000 > \"${to#file:}\"\nexit 4\n"));
    fails(stretch_to("out.mp4"), "ffmpeg failed, with exit code 5",
          studio.with_ffmpeg("cat > /dev/null\nexit 5\n"));
    fails(stretch_to("out.mp4"), "ffmpeg was killed by signal 9", studio.with_ffmpeg("kill -9 $$\n"));
    fails(stretch_to("out.gif"), "ffmpeg failed, with exit code 6",
          studio.with_ffmpeg("for to; do :; done\n[ \"$to\" = -version ] || exit 6\n"));
    const std::string path = studio.with_ffmpeg("cat > /dev/null\n");
    fails(stretch_to("out.webm"), "out.webm: unknown kind of film", path);
    fails(stretch_to("no/such/out.mp4"), "no/such/out.mp4", path);
    fails(stretch_to("no/such/"), "no/such/: cannot be created", path);
    fs::create_directory(studio / "full");
    std::ofstream(studio / "full/notes.txt") << "mine";
    fails(stretch_to("full"), "full: the directory is not empty", path);
    EXPECT_EQ(content_of(studio / "full/notes.txt"), "mine");

    std::ofstream(studio / "resize.script") << "wait 2\nresize 400 300\nwait 2\n";
    for (const char* name : {"out.mp4", "out/"})
        fails({"two-hogs", "--film", name, "--script", "resize.script"}, "from 320x200 to 400x300", path);
}

TEST(Film, BadOptionsAreReported) {
    const FilmFixture studio;
    const auto says = [&](Words words, const std::string& why) {
        const Finished f = studio.film(std::move(words));
        EXPECT_EQ(f.exit_code, 2) << f;
        EXPECT_NE((f.out + f.err).find(why), std::string::npos) << f;
        EXPECT_TRUE(studio.names().empty());
    };
    says({"two-hogs", "--film", "out/"}, "--tour");
    says({"two-hogs", "--tour"}, "--film");
    says({"two-hogs", "--film", "out/", "--from", "1ms"}, "--to");
    says({"two-hogs", "--film", "out/", "--from", "2ms", "--to", "1ms"}, "1ms is not after --from 2ms");
    says({"two-hogs", "--film", "out/", "--from", "2", "--to", "3ms"}, "--from");
    says({"two-hogs", "--film", "out/", "--from", "1ms", "--to", "3ms", "--speed", "0ns"}, "--speed");
    says({"two-hogs", "--film", "out/", "--from", "1ms", "--to", "300ms", "--speed", "1ns"},
         "the limit is one hour");
    says({"two-hogs", "--film", "out/", "--from", "30h", "--to", "31h"}, "the run ends at");
    says({"two-hogs", "--film", "out/", "--tour", "--fps", "0"}, "--fps");
    says({"idle-machine", "--film", "out/", "--tour"}, "idle-machine has no tour");
}

}  // namespace ui_film_test
