// Key combinations: one spelling for files, scripts and tests, another for the person at the keyboard.
//
// A chord names a key by its place (a scancode, called what that place bears on a US keyboard), so that the
// shortcuts of the window stay under the same fingers on every layout. What is shown is what the user's own
// keyboard has printed there.
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

// "Ctrl+Shift+Right", "F11", "/", "Keypad +": modifiers in any order and case, then SDL's name of the
// scancode. A character that takes Shift on a US keyboard stands for that: "?" is Shift+/. "Enter", "Esc",
// "Plus" and "Minus" are accepted too. No value when it is not a chord.
std::optional<Chord> parse_chord(std::string_view text);

// The chord in the spelling that parse_chord() reads back: "Ctrl+Shift+Right", "Shift+/". The same
// everywhere.
std::string to_string(const Chord& chord);

// The chord as this user's keyboard labels it, for menus and help: "Ctrl+Z" reads "Ctrl+Y" on a German one.
// REQUIRES: a Backend exists.
std::string display_name(const Chord& chord);

// Whether this event is of the chord's key with exactly its modifiers; left and right alike, the Gui and
// lock keys ignored.
bool matches(const Chord& chord, const SDL_KeyboardEvent& event);

// The text that a US keyboard types with this chord: "a", "A", "?"; empty when it types none.
std::string typed_text(const Chord& chord);

}  // namespace ui
