#include "ui/platform/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <new>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>

#include "ui/platform/sdl_versions.h"

namespace ui {
namespace {

using Verb = Statement::Verb;

constexpr int kQuietFrames = 2;  // after an action; ImGui shows some effects one frame late
constexpr int kDragFrames = 8;
constexpr int kFirstRepeat = 15;  // frames until a held key repeats, as in window systems
constexpr int kRepeatFrames = 2;
constexpr int kLargestNumber = 100'000;  // in pixels or frames
constexpr std::uint64_t kSettleMillis = 120'000;

struct VerbName {
    std::string_view name;
    Verb verb;
    std::string_view usage;
};
constexpr VerbName kVerbs[] = {
    {"key", Verb::key, "key CHORD"},
    {"hold", Verb::hold, "hold CHORD FRAMES"},
    {"text", Verb::text, "text \"words\""},
    {"move", Verb::move, "move X Y"},
    {"click", Verb::click, "click X Y [left|right|middle] [double] [MODIFIERS]"},
    {"down", Verb::down, "down X Y [left|right|middle]"},
    {"up", Verb::up, "up X Y [left|right|middle]"},
    {"drag", Verb::drag, "drag X1 Y1 X2 Y2 [left|right|middle] [MODIFIERS]"},
    {"wheel", Verb::wheel, "wheel X Y DX DY [MODIFIERS]"},
    {"wait", Verb::wait, "wait FRAMES"},
    {"settle", Verb::settle, "settle"},
    {"resize", Verb::resize, "resize W H"},
    {"drop", Verb::drop, "drop PATH"},
    {"shot", Verb::shot, "shot PATH"},
    {"expect", Verb::expect, "expect \"text\""},
    {"reject", Verb::reject, "reject \"text\""},
    {"print", Verb::print, "print"},
    {"command", Verb::command, "command ID"},
};

// An invalid statement; the message becomes the line's Problem.
struct BadLine : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Column of the line's statement, from 1.
int column_of(std::string_view line) {
    const std::size_t at = line.find_first_not_of(" \t");
    return at == std::string_view::npos ? 1 : static_cast<int>(at) + 1;
}

std::vector<std::string> split(std::string_view line) {
    std::vector<std::string> words;
    std::size_t i = 0;
    while (i < line.size()) {
        if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
            ++i;
            continue;
        }
        if (line[i] == '#') break;
        std::string word;
        if (line[i] == '"') {
            for (++i;; ++i) {
                if (i == line.size()) throw BadLine("missing closing quotation mark");
                if (line[i] == '"') break;
                if (line[i] != '\\') {
                    word += line[i];
                    continue;
                }
                if (++i == line.size()) throw BadLine("missing closing quotation mark");
                switch (line[i]) {
                    case 'n':
                        word += '\n';
                        break;
                    case 't':
                        word += '\t';
                        break;
                    case '"':
                        word += '"';
                        break;
                    case '\\':
                        word += '\\';
                        break;
                    default:
                        throw BadLine(fmt::format("unknown escape \\{}", line[i]));
                }
            }
            ++i;
        } else {
            while (i < line.size() && line[i] != ' ' && line[i] != '\t' && line[i] != '\r') word += line[i++];
        }
        words.push_back(std::move(word));
    }
    return words;
}

// The words of a statement after its verb, read in order.
class Words {
  public:
    Words(std::span<const std::string> words, std::string_view usage) : words_(words), usage_(usage) {}

    const std::string& word() {
        if (next_ == words_.size()) throw BadLine(fmt::format("missing argument; usage: {}", usage_));
        return words_[next_++];
    }
    int number(int least) {
        const std::string& text = word();
        int value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size())
            throw BadLine(
                fmt::format("expected a whole number, got \"{}\"; usage: {}", sim::shorten(text), usage_));
        if (value < least || value > kLargestNumber)
            throw BadLine(fmt::format("expected a number from {} to {}, got {}; usage: {}", least,
                                      kLargestNumber, text, usage_));
        return value;
    }
    Chord chord() {
        const std::string& text = word();
        const std::optional<Chord> chord = parse_chord(text);
        if (!chord) throw BadLine(fmt::format("\"{}\" is not a key", sim::shorten(text)));
        return *chord;
    }
    bool take(std::string_view expected) {
        if (next_ == words_.size() || words_[next_] != expected) return false;
        ++next_;
        return true;
    }
    std::uint8_t button() {
        if (take("right")) return SDL_BUTTON_RIGHT;
        if (take("middle")) return SDL_BUTTON_MIDDLE;
        take("left");
        return SDL_BUTTON_LEFT;
    }
    // "Ctrl+Shift", or nothing.
    Chord modifiers() {
        if (next_ == words_.size()) return {};
        const std::string& text = word();
        std::optional<Chord> chord = parse_chord(text + "+A");
        if (!chord) throw BadLine(fmt::format("unexpected \"{}\"; usage: {}", sim::shorten(text), usage_));
        chord->key = SDL_SCANCODE_UNKNOWN;
        return *chord;
    }
    void end() const {
        if (next_ != words_.size())
            throw BadLine(fmt::format("unexpected \"{}\"; usage: {}", sim::shorten(words_[next_]), usage_));
    }

  private:
    std::span<const std::string> words_;
    std::string_view usage_;
    std::size_t next_ = 0;
};

Statement parse_statement(std::span<const std::string> words) {
    const auto* entry = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                     [&](const VerbName& it) { return it.name == words[0]; });
    if (entry == std::end(kVerbs))
        throw BadLine(fmt::format("unknown statement \"{}\"", sim::shorten(words[0])));
    Words rest(words.subspan(1), entry->usage);
    Statement s;
    s.verb = entry->verb;
    const auto numbers = [&](std::size_t count, int least) {
        for (std::size_t i = 0; i < count; ++i) s.at[i] = rest.number(least);
    };
    switch (s.verb) {
        case Verb::key:
            s.chord = rest.chord();
            break;
        case Verb::hold:
            s.chord = rest.chord();
            numbers(1, 1);
            break;
        case Verb::text:
        case Verb::drop:
        case Verb::shot:
        case Verb::expect:
        case Verb::reject:
        case Verb::command:
            s.text = rest.word();
            if (s.text.empty()) throw BadLine(fmt::format("empty: {}", entry->usage));
            break;
        case Verb::move:
            numbers(2, -kLargestNumber);
            break;
        case Verb::click:
            numbers(2, -kLargestNumber);
            s.button = rest.button();
            s.twice = rest.take("double");
            s.chord = rest.modifiers();
            break;
        case Verb::down:
        case Verb::up:
            numbers(2, -kLargestNumber);
            s.button = rest.button();
            break;
        case Verb::drag:
            numbers(4, -kLargestNumber);
            s.button = rest.button();
            s.chord = rest.modifiers();
            break;
        case Verb::wheel:
            numbers(4, -kLargestNumber);
            s.chord = rest.modifiers();
            break;
        case Verb::wait:
            numbers(1, 1);
            break;
        case Verb::resize:
            numbers(2, 1);
            break;
        case Verb::settle:
        case Verb::print:
            break;
    }
    rest.end();
    return s;
}

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

// An SDL_TEXTINPUT holds 31 bytes; characters are not split.
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

SDL_Event motion_event(int x, int y, int from_x, int from_y, Uint32 buttons) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.state = buttons;
    event.motion.x = x;
    event.motion.y = y;
    event.motion.xrel = x - from_x;
    event.motion.yrel = y - from_y;
    return event;
}

SDL_Event button_event(const Statement& s, int x, int y, bool down, int clicks) {
    SDL_Event event{};
    event.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    event.button.button = s.button;
    event.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    event.button.clicks = static_cast<Uint8>(clicks);
    event.button.x = x;
    event.button.y = y;
    return event;
}

}  // namespace

Script parse_script(std::string_view text, const std::string& file) {
    Script script{file, {}};
    std::vector<sim::Problem> problems;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        try {
            const std::vector<std::string> words = split(line);
            if (words.empty()) continue;
            script.statements.push_back(parse_statement(words));
            script.statements.back().line = number;
            script.statements.back().column = column_of(line);
        } catch (const BadLine& bad) {
            problems.push_back({file, number, column_of(line), "", bad.what()});
        }
    }
    if (!problems.empty()) throw sim::ScenarioError(std::move(problems));
    return script;
}

ScriptPlayer::ScriptPlayer(Script script, ScriptHost& host, std::ostream& out)
    : script_(std::move(script)), host_(host), out_(out) {
    quiet(kQuietFrames);  // draws the window before the first statement
}

bool ScriptPlayer::step() {
    for (;;) {
        if (!frames_.empty()) {
            for (const SDL_Event& event : frames_.front()) push_event(event);
            frames_.pop_front();
            return true;
        }
        if (settling_) {
            const Statement& statement = script_.statements[next_ - 1];
            if (host_.busy()) {
                settled_frames_ = 0;
                if (SDL_GetTicks64() - settle_started_ < kSettleMillis) {
                    SDL_Delay(1);  // yields the CPU to busy threads
                    return true;
                }
                fail(statement, fmt::format("still busy after {} s", kSettleMillis / 1000));
            } else if (settled_frames_++ < kQuietFrames) {
                return true;
            }
            settling_ = false;
        }
        if (next_ == script_.statements.size()) return false;
        const Statement& statement = script_.statements[next_++];
        try {
            begin(statement);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            fail(statement, error.what());
        }
    }
}

void ScriptPlayer::begin(const Statement& s) {
    switch (s.verb) {
        case Verb::key:
        case Verb::hold:
            begin_key(s);
            break;
        case Verb::text:
            frames_.emplace_back();
            add_text(s.text, frames_.back());
            quiet(kQuietFrames);
            break;
        case Verb::move:
        case Verb::click:
        case Verb::down:
        case Verb::up:
        case Verb::drag:
        case Verb::wheel:
            // Modifiers are pressed before the mouse action and released after it.
            frames_.emplace_back();
            press(s.chord, frames_.back());
            begin_mouse(s);
            frames_.emplace_back();
            release(s.chord, frames_.back());
            quiet(kQuietFrames);
            break;
        case Verb::wait:
            quiet(s.at[0]);
            break;
        case Verb::settle:
            settling_ = true;
            settled_frames_ = 0;
            settle_started_ = SDL_GetTicks64();
            break;
        case Verb::resize:
            host_.resize({s.at[0], s.at[1]});
            quiet(kQuietFrames);
            break;
        case Verb::drop: {
            SDL_Event event{};
            event.type = SDL_DROPFILE;
            event.drop.file = SDL_strdup(s.text.c_str());
            frames_.push_back({event});
            quiet(kQuietFrames);
            break;
        }
        case Verb::shot:
            host_.shot(s.text);
            break;
        case Verb::expect:
            if (host_.text().find(s.text) == std::string::npos)
                fail(s, fmt::format("the window does not contain \"{}\"", s.text));
            break;
        case Verb::reject:
            if (host_.text().find(s.text) != std::string::npos)
                fail(s, fmt::format("the window contains \"{}\"", s.text));
            break;
        case Verb::print:
            out_ << host_.text() << std::flush;
            break;
        case Verb::command:
            if (!host_.run_command(s.text)) fail(s, fmt::format("unknown command \"{}\"", s.text));
            quiet(kQuietFrames);
            break;
    }
}

void ScriptPlayer::begin_key(const Statement& s) {
    frames_.emplace_back();
    press(s.chord, frames_.back());
    for (int frame = 1; s.verb == Verb::hold && frame <= s.at[0]; ++frame) {
        frames_.emplace_back();
        if (frame < kFirstRepeat || (frame - kFirstRepeat) % kRepeatFrames != 0) continue;
        SDL_Event again = key_event(s.chord.key, modifier_bits(s.chord), true);
        again.key.repeat = 1;
        frames_.back().push_back(again);
        add_text(typed_text(s.chord), frames_.back());
    }
    frames_.emplace_back();
    release(s.chord, frames_.back());
    quiet(kQuietFrames);
}

void ScriptPlayer::move_to(int x, int y, Uint32 buttons) {
    frames_.push_back({motion_event(x, y, mouse_x_, mouse_y_, buttons)});
    mouse_x_ = x;
    mouse_y_ = y;
}

// All mouse statements first move to their position.
void ScriptPlayer::begin_mouse(const Statement& s) {
    const auto button = [&](bool down, int clicks) {
        frames_.push_back({button_event(s, mouse_x_, mouse_y_, down, clicks)});
    };
    move_to(s.at[0], s.at[1], s.verb == Verb::up ? SDL_BUTTON(s.button) : 0);
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
            move_to(s.at[0] + (s.at[2] - s.at[0]) * i / kDragFrames,
                    s.at[1] + (s.at[3] - s.at[1]) * i / kDragFrames, SDL_BUTTON(s.button));
        button(false, 1);
    } else if (s.verb == Verb::wheel) {
        SDL_Event event{};
        event.type = SDL_MOUSEWHEEL;
        event.wheel.x = s.at[2];
        event.wheel.y = s.at[3];
        event.wheel.preciseX = static_cast<float>(s.at[2]);
        event.wheel.preciseY = static_cast<float>(s.at[3]);
        set_place_of_wheel(event.wheel, mouse_x_, mouse_y_);
        frames_.push_back({event});
    }
}

void ScriptPlayer::fail(const Statement& statement, std::string why) {
    failures_.push_back({script_.file, statement.line, statement.column, "", std::move(why)});
}

void ScriptPlayer::press(const Chord& chord, FrameOfEvents& events) {
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

void ScriptPlayer::release(const Chord& chord, FrameOfEvents& events) {
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

void ScriptPlayer::quiet(int frames) { frames_.resize(frames_.size() + static_cast<std::size_t>(frames)); }

}  // namespace ui
