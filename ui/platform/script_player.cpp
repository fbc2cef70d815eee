// The player of input scripts: converts each statement to SDL events, and distributes the events over frames.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <ostream>

#include "ui/platform/script.h"
#include "ui/platform/sdl_versions.h"

namespace ui {
namespace {

using Verb = Statement::Verb;

// Frames without input after an action. With the frame of an input, these are the 3 frames that ImGui needs
// to show all effects (kFramesAfterInput in backend.cpp).
constexpr int kQuietFrames = 2;
constexpr int kDragFrames = 8;
constexpr int kFirstRepeat = 15;  // frames until a held key repeats, as in window systems
constexpr int kRepeatFrames = 2;
constexpr std::uint64_t kSettleMillis = 120'000;

Uint16 modifier_bits(const Chord& chord) {
    return static_cast<Uint16>((chord.ctrl ? KMOD_LCTRL : 0) | (chord.shift ? KMOD_LSHIFT : 0) |
                               (chord.alt ? KMOD_LALT : 0));
}

SDL_Event key_event(SDL_Scancode key, Uint16 modifiers, bool down) {
    SDL_Event event{};
    event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
    event.key.state = down ? SDL_PRESSED : SDL_RELEASED;
    event.key.keysym.scancode = key;
    event.key.keysym.sym = SDL_GetKeyFromScancode(key);
    event.key.keysym.mod = modifiers;
    return event;
}

// Divides the text into SDL_TEXTINPUT events, which hold 31 bytes each, without splitting characters.
void add_text(std::string_view text, std::vector<SDL_Event>& events) {
    constexpr std::size_t kMost = SDL_TEXTINPUTEVENT_TEXT_SIZE - 1;
    while (!text.empty()) {
        std::size_t size = std::min(text.size(), kMost);
        while (size < text.size() && size > 1 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80)
            --size;
        SDL_Event event{};
        event.type = SDL_TEXTINPUT;
        std::copy_n(text.data(), size, event.text.text);
        events.push_back(event);
        text.remove_prefix(size);
    }
}

SDL_Event motion_event(int x, int y, int previous_x, int previous_y, Uint32 buttons) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.state = buttons;
    event.motion.x = x;
    event.motion.y = y;
    event.motion.xrel = x - previous_x;
    event.motion.yrel = y - previous_y;
    return event;
}

SDL_Event button_event(const Statement& statement, int x, int y, bool down, int clicks) {
    SDL_Event event{};
    event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    event.button.button = statement.button;
    event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    event.button.clicks = static_cast<Uint8>(clicks);
    event.button.x = x;
    event.button.y = y;
    return event;
}
}  // namespace

InputScriptPlayer::InputScriptPlayer(ParsedInputScript script, InputScriptHost& host, std::ostream& out)
    : script_(std::move(script)), host_(host), out_(out) {
    add_frames_without_input(kQuietFrames);  // draws the window before the first statement
}

bool InputScriptPlayer::push_next_frame() {
    for (;;) {
        if (!frames_.empty()) {
            for (const SDL_Event& event : frames_.front()) push_event(event);
            frames_.pop_front();
            return true;
        }
        if (settling_) {
            const Statement& statement = script_.statements[next_ - 1];
            if (host_.is_busy()) {
                settled_frames_ = 0;
                if (SDL_GetTicks64() - settle_started_ < kSettleMillis) {
                    SDL_Delay(1);  // yields the CPU to busy threads
                    return true;
                }
                fail(statement,
                     fmt::format("background work is not finished after {} s", kSettleMillis / 1000));
            } else if (settled_frames_++ < kQuietFrames) {
                return true;
            }
            settling_ = false;
        }
        if (next_ == script_.statements.size()) return false;
        const Statement& statement = script_.statements[next_++];
        try {
            begin_statement(statement);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            fail(statement, error.what());
        }
    }
}

void InputScriptPlayer::begin_statement(const Statement& s) {
    switch (s.verb) {
        case Verb::key:
        case Verb::hold:
            begin_key_statement(s);
            break;
        case Verb::text:
            frames_.emplace_back();
            add_text(s.text, frames_.back());
            add_frames_without_input(kQuietFrames);
            break;
        case Verb::move:
        case Verb::click:
        case Verb::down:
        case Verb::up:
        case Verb::drag:
        case Verb::wheel:
            begin_mouse_statement(s);
            break;
        case Verb::wait:
            add_frames_without_input(s.numbers[0]);
            break;
        case Verb::settle:
            settling_ = true;
            settled_frames_ = 0;
            settle_started_ = SDL_GetTicks64();
            break;
        case Verb::resize:
            host_.resize({s.numbers[0], s.numbers[1]});
            add_frames_without_input(kQuietFrames);
            break;
        case Verb::drop:
            begin_drop_statement(s);
            break;
        case Verb::shot:
            host_.save_screenshot(s.text);
            break;
        case Verb::expect:
            if (host_.window_text().find(s.text) == std::string::npos)
                fail(s, fmt::format("the window does not contain \"{}\"", s.text));
            break;
        case Verb::reject:
            if (host_.window_text().find(s.text) != std::string::npos)
                fail(s, fmt::format("the window contains \"{}\"", s.text));
            break;
        case Verb::print:
            out_ << host_.window_text() << std::flush;
            break;
        case Verb::command:
            if (!host_.run_command(s.text)) fail(s, fmt::format("unknown command \"{}\"", s.text));
            add_frames_without_input(kQuietFrames);
            break;
    }
}

void InputScriptPlayer::begin_key_statement(const Statement& s) {
    frames_.emplace_back();
    add_key_press(s.chord, frames_.back());
    for (int frame = 1; s.verb == Verb::hold && frame <= s.numbers[0]; ++frame) {
        frames_.emplace_back();
        if (frame < kFirstRepeat || (frame - kFirstRepeat) % kRepeatFrames != 0) continue;
        SDL_Event again = key_event(s.chord.key, modifier_bits(s.chord), true);
        again.key.repeat = 1;
        frames_.back().push_back(again);
        add_text(typed_text(s.chord), frames_.back());
    }
    frames_.emplace_back();
    add_key_release(s.chord, frames_.back());
    add_frames_without_input(kQuietFrames);
}

void InputScriptPlayer::add_mouse_move(int x, int y, Uint32 buttons) {
    frames_.push_back({motion_event(x, y, mouse_x_, mouse_y_, buttons)});
    mouse_x_ = x;
    mouse_y_ = y;
}

void InputScriptPlayer::begin_drop_statement(const Statement& s) {
    SDL_Event event{};
    event.type = SDL_DROPFILE;
    event.drop.file = SDL_strdup(s.text.c_str());
    frames_.push_back({event});
    add_frames_without_input(kQuietFrames);
}

// Queues a mouse statement: presses the modifiers, executes the mouse action, and releases the modifiers.
void InputScriptPlayer::begin_mouse_statement(const Statement& s) {
    frames_.emplace_back();
    add_key_press(s.chord, frames_.back());
    add_mouse_events(s);
    frames_.emplace_back();
    add_key_release(s.chord, frames_.back());
    add_frames_without_input(kQuietFrames);
}

// Moves the mouse to the position of the statement, and then adds the other events of the statement.
void InputScriptPlayer::add_mouse_events(const Statement& s) {
    const auto button = [&](bool down, int clicks) {
        frames_.push_back({button_event(s, mouse_x_, mouse_y_, down, clicks)});
    };
    add_mouse_move(s.numbers[0], s.numbers[1], s.verb == Verb::up ? SDL_BUTTON(s.button) : 0);
    if (s.verb == Verb::click) {
        for (int clicks = 1; clicks <= (s.twice ? 2 : 1); ++clicks) {
            button(true, clicks);
            button(false, clicks);
        }
    } else if (s.verb == Verb::down || s.verb == Verb::up) {
        button(s.verb == Verb::down, 1);
    } else if (s.verb == Verb::drag) {
        button(true, 1);
        for (int i = 1; i <= kDragFrames; ++i)
            add_mouse_move(s.numbers[0] + (s.numbers[2] - s.numbers[0]) * i / kDragFrames,
                           s.numbers[1] + (s.numbers[3] - s.numbers[1]) * i / kDragFrames,
                           SDL_BUTTON(s.button));
        button(false, 1);
    } else if (s.verb == Verb::wheel) {
        SDL_Event event{};
        event.type = SDL_MOUSEWHEEL;
        event.wheel.x = s.numbers[2];
        event.wheel.y = s.numbers[3];
        event.wheel.preciseX = static_cast<float>(s.numbers[2]);
        event.wheel.preciseY = static_cast<float>(s.numbers[3]);
        set_wheel_position(event.wheel, mouse_x_, mouse_y_);
        frames_.push_back({event});
    }
}

void InputScriptPlayer::fail(const Statement& statement, std::string why) {
    failures_.push_back({script_.file, statement.line, statement.column, "", std::move(why)});
}

void InputScriptPlayer::add_key_press(const Chord& chord, FrameOfEvents& events) {
    Chord so_far;
    const auto modifier = [&](bool wanted, SDL_Scancode key, bool& held) {
        if (!wanted) return;
        held = true;
        events.push_back(key_event(key, modifier_bits(so_far), true));
    };
    modifier(chord.ctrl, SDL_SCANCODE_LCTRL, so_far.ctrl);
    modifier(chord.shift, SDL_SCANCODE_LSHIFT, so_far.shift);
    modifier(chord.alt, SDL_SCANCODE_LALT, so_far.alt);
    if (chord.key == SDL_SCANCODE_UNKNOWN) return;
    events.push_back(key_event(chord.key, modifier_bits(chord), true));
    add_text(typed_text(chord), events);
}

void InputScriptPlayer::add_key_release(const Chord& chord, FrameOfEvents& events) {
    Chord left = chord;
    if (chord.key != SDL_SCANCODE_UNKNOWN) events.push_back(key_event(chord.key, modifier_bits(left), false));
    const auto modifier = [&](bool wanted, SDL_Scancode key, bool& held) {
        if (!wanted) return;
        held = false;
        events.push_back(key_event(key, modifier_bits(left), false));
    };
    modifier(chord.alt, SDL_SCANCODE_LALT, left.alt);
    modifier(chord.shift, SDL_SCANCODE_LSHIFT, left.shift);
    modifier(chord.ctrl, SDL_SCANCODE_LCTRL, left.ctrl);
}

void InputScriptPlayer::add_frames_without_input(int frames) {
    frames_.resize(frames_.size() + static_cast<std::size_t>(frames));
}

}  // namespace ui
