// Key combinations (chords), with one spelling for files, scripts and tests, and another one for display. A
// chord identifies a key by its position (a scancode, named as on a US keyboard), so that shortcuts do not
// move with the layout. The display name is the label on the user's keyboard.
#pragma once

#include <SDL.h>

#include <optional>
#include <string>
#include <string_view>

namespace ui {

struct Chord {
    SDL_Scancode key = SDL_SCANCODE_UNKNOWN;
    bool ctrl = false;
    bool shift = false;
    bool alt = false;

    bool operator==(const Chord&) const = default;
};

// Parses modifiers in any order and case, followed by SDL's name of the scancode: "Ctrl+Shift+Right",
// "F11", "/", "Keypad +". A character that is typed with Shift on a US keyboard implies the modifier Shift:
// "?" is Shift+/. Also accepts "Enter", "Esc", "Plus" and "Minus". Returns nullopt if the text is not a
// chord.
std::optional<Chord> parse_chord(std::string_view text);

// The spelling that parse_chord() reads, the same for every keyboard: "Ctrl+Shift+Right", "Shift+/".
std::string to_string(const Chord& chord);

// The chord with the label of its key on this user's keyboard, for menus and help. Chord "Ctrl+Z" is shown as
// "Ctrl+Y" on a German keyboard, where the label Y is at the position of the US key Z. REQUIRES: a Backend
// exists.
std::string display_name(const Chord& chord);

// True if the event is for the chord's key, with exactly the chord's modifiers. Left and right modifiers
// are equivalent. Gui and lock keys are ignored.
bool matches(const Chord& chord, const SDL_KeyboardEvent& event);

// The text that a US keyboard types with this chord, such as "a", "A", "?"; empty if it types no text.
std::string typed_text(const Chord& chord);

}  // namespace ui
