// Input scripts, which simulate a user: `switchyard-ui --headless --script FILE`.
//
// One statement per line; `#` starts a comment; words with spaces are quoted, with the escapes \" \\ \n \t.
//
//     key CHORD                    presses and releases: key Shift+Right, key Ctrl+P, key F11, key ?
//     hold CHORD FRAMES            holds a key, which repeats after 15 frames, then every 2
//     text "words"                 types text, without key events
//     move X Y
//     click X Y [left|right|middle] [double] [CHORD-MODIFIERS]
//     down X Y [BUTTON]
//     up X Y [BUTTON]
//     drag X1 Y1 X2 Y2 [BUTTON] [MODIFIERS]      in 8 frames; modifiers as in Ctrl+Shift
//     wheel X Y DX DY [MODIFIERS]
//     wait FRAMES
//     settle                       waits until background work is finished
//     resize W H
//     drop PATH
//     shot PATH                    writes the window as a PNG file
//     expect "text"                fails unless the window contains the text
//     reject "text"                fails if the window contains the text
//     print                        writes the window's text to standard output
//     command ID                   runs a command of the palette
//
// The player pushes events into SDL's queue, spread over frames like the input of a user. Two frames without
// input follow each statement that acts on the window, so that the next statement finds the effect on the
// screen.
#pragma once

#include <SDL.h>

#include <array>
#include <cstdint>
#include <deque>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/problem.h"
#include "ui/platform/image.h"
#include "ui/platform/keys.h"

namespace ui {

struct Statement {
    enum class Verb : std::uint8_t {
        key,
        hold,
        text,
        move,
        click,
        down,
        up,
        drag,
        wheel,
        wait,
        settle,
        resize,
        drop,
        shot,
        expect,
        reject,
        print,
        command,
    };
    Verb verb{};
    int line = 0;
    int column = 0;
    Chord chord;                   // chord of a key statement, or modifiers of a mouse statement
    std::string text;              // text, path or command id
    std::array<int, 4> numbers{};  // the numbers of the statement, in the order in which they are written
    std::uint8_t button = SDL_BUTTON_LEFT;
    bool twice = false;  // double click
};

struct ParsedInputScript {
    std::string file;
    std::vector<Statement> statements;
};

// Parses an input script. Throws sim::ScenarioError, the exception for invalid input of all kinds. The
// exception lists all invalid lines.
ParsedInputScript parse_input_script(std::string_view text, const std::string& file);

// The functions of the program that the player calls. A statement fails if a function that it calls throws
// std::exception.
class InputScriptHost {
  public:
    virtual ~InputScriptHost() = default;
    virtual bool is_busy() = 0;                                 // true while background work is not finished
    virtual std::string window_text() = 0;                      // all text in the window
    virtual void save_screenshot(const std::string& path) = 0;  // write_png(path, backend.screenshot())
    virtual bool run_command(const std::string& id) = 0;        // false if the command is unknown
    virtual void resize(Size size) = 0;                         // backend.resize(size)
};

class InputScriptPlayer {
  public:
    // `out`: the output of `print`. REQUIRES: `host` and `out` outlive the player.
    InputScriptPlayer(ParsedInputScript script, InputScriptHost& host, std::ostream& out);

    // Pushes the events of the next frame; call it between frames, before polling events. Returns false if no
    // further frame is needed.
    bool push_next_frame();

    const std::vector<sim::Problem>& failures() const { return failures_; }

  private:
    // The events of one frame; may be empty.
    using FrameOfEvents = std::vector<SDL_Event>;

    void begin_statement(const Statement& statement);
    void begin_key_statement(const Statement& statement);
    void begin_drop_statement(const Statement& statement);
    void begin_mouse_statement(const Statement& statement);
    void add_mouse_events(const Statement& statement);
    void add_mouse_move(int x, int y, Uint32 buttons);
    void fail(const Statement& statement, std::string why);
    void add_key_press(const Chord& chord, FrameOfEvents& events);
    void add_key_release(const Chord& chord, FrameOfEvents& events);
    void add_frames_without_input(int frames);

    ParsedInputScript script_;
    InputScriptHost& host_;
    std::ostream& out_;
    std::size_t next_ = 0;
    std::deque<FrameOfEvents> frames_;  // remaining frames of the current statement
    bool settling_ = false;
    int settled_frames_ = 0;
    std::uint64_t settle_started_ = 0;  // SDL_GetTicks64()
    int mouse_x_ = 0;
    int mouse_y_ = 0;
    std::vector<sim::Problem> failures_;
};

}  // namespace ui
