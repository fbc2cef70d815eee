// Key combinations: one spelling for files, scripts and tests, another for display.
//
// A chord identifies a key by its position (a scancode, named as on a US keyboard), so that shortcuts do not
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

// Modifiers in any order and case, then SDL's name of the scancode: "Ctrl+Shift+Right", "F11", "/", "Keypad
// +". A character that needs Shift on a US keyboard includes it: "?" is Shift+/. "Enter", "Esc", "Plus" and
// "Minus" are also accepted. nullopt if it is not a chord.
std::optional<Chord> parse_chord(std::string_view text);

// The spelling for parse_chord(), independent of the keyboard: "Ctrl+Shift+Right", "Shift+/".
std::string to_string(const Chord& chord);

// The label on this user's keyboard, for menus and help: "Ctrl+Z" is "Ctrl+Y" on a German one. REQUIRES: a
// Backend exists.
std::string display_name(const Chord& chord);

// True if the event is for the chord's key with exactly its modifiers. Left and right modifiers are equal;
// Gui and lock keys are ignored.
bool matches(const Chord& chord, const SDL_KeyboardEvent& event);

// The text that a US keyboard types with this chord, such as "a", "A", "?"; empty if none.
std::string typed_text(const Chord& chord);

}  // namespace ui
