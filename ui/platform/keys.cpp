#include "ui/platform/keys.h"

#include <array>
#include <cctype>

namespace ui {
namespace {

// A key of a US keyboard that types characters: one without and one with Shift.
struct CharacterKey {
    SDL_Scancode key;
    char plain;
    char shifted;
};
constexpr std::array kCharacterKeys = {
    CharacterKey{SDL_SCANCODE_1, '1', '!'},           CharacterKey{SDL_SCANCODE_2, '2', '@'},
    CharacterKey{SDL_SCANCODE_3, '3', '#'},           CharacterKey{SDL_SCANCODE_4, '4', '$'},
    CharacterKey{SDL_SCANCODE_5, '5', '%'},           CharacterKey{SDL_SCANCODE_6, '6', '^'},
    CharacterKey{SDL_SCANCODE_7, '7', '&'},           CharacterKey{SDL_SCANCODE_8, '8', '*'},
    CharacterKey{SDL_SCANCODE_9, '9', '('},           CharacterKey{SDL_SCANCODE_0, '0', ')'},
    CharacterKey{SDL_SCANCODE_MINUS, '-', '_'},       CharacterKey{SDL_SCANCODE_EQUALS, '=', '+'},
    CharacterKey{SDL_SCANCODE_LEFTBRACKET, '[', '{'}, CharacterKey{SDL_SCANCODE_RIGHTBRACKET, ']', '}'},
    CharacterKey{SDL_SCANCODE_BACKSLASH, '\\', '|'},  CharacterKey{SDL_SCANCODE_SEMICOLON, ';', ':'},
    CharacterKey{SDL_SCANCODE_APOSTROPHE, '\'', '"'}, CharacterKey{SDL_SCANCODE_GRAVE, '`', '~'},
    CharacterKey{SDL_SCANCODE_COMMA, ',', '<'},       CharacterKey{SDL_SCANCODE_PERIOD, '.', '>'},
    CharacterKey{SDL_SCANCODE_SLASH, '/', '?'},       CharacterKey{SDL_SCANCODE_SPACE, ' ', ' '},
};

bool same_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[i])))
            return false;
    return true;
}

bool remove_prefix_ignoring_case(std::string_view& text, std::string_view prefix) {
    if (text.size() <= prefix.size() || !same_ignoring_case(text.substr(0, prefix.size()), prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::string with_modifiers(const Chord& chord, std::string_view key) {
    std::string text;
    if (chord.ctrl) text += "Ctrl+";
    if (chord.shift) text += "Shift+";
    if (chord.alt) text += "Alt+";
    return text += key;
}

}  // namespace

std::optional<Chord> parse_chord(std::string_view text) {
    Chord chord;
    for (;;) {
        if (remove_prefix_ignoring_case(text, "ctrl+")) {
            chord.ctrl = true;
        } else if (remove_prefix_ignoring_case(text, "shift+")) {
            chord.shift = true;
        } else if (remove_prefix_ignoring_case(text, "alt+")) {
            chord.alt = true;
        } else {
            break;
        }
    }
    if (same_ignoring_case(text, "enter")) text = "Return";
    if (same_ignoring_case(text, "esc")) text = "Escape";
    if (same_ignoring_case(text, "minus")) text = "-";
    if (same_ignoring_case(text, "plus")) text = "+";
    if (text.size() == 1) {
        for (const CharacterKey& it : kCharacterKeys) {
            if (text[0] != it.plain && text[0] != it.shifted) continue;
            chord.key = it.key;
            chord.shift = chord.shift || text[0] != it.plain;
            return chord;
        }
    }
    chord.key = SDL_GetScancodeFromName(std::string(text).c_str());
    if (chord.key == SDL_SCANCODE_UNKNOWN) return std::nullopt;
    return chord;
}

std::string to_string(const Chord& chord) { return with_modifiers(chord, SDL_GetScancodeName(chord.key)); }

std::string display_name(const Chord& chord) {
    const SDL_Keycode code = SDL_GetKeyFromScancode(chord.key);
    if (code == SDLK_SLASH && chord.shift) {
        Chord question = chord;
        question.shift = false;
        return with_modifiers(question, "?");
    }
    const char* name = SDL_GetKeyName(code);
    return with_modifiers(chord, *name != 0 ? name : SDL_GetScancodeName(chord.key));
}

bool matches(const Chord& chord, const SDL_KeyboardEvent& event) {
    const auto held = [&](int either) { return (event.keysym.mod & either) != 0; };
    return event.keysym.scancode == chord.key && held(KMOD_CTRL) == chord.ctrl &&
           held(KMOD_SHIFT) == chord.shift && held(KMOD_ALT) == chord.alt;
}

std::string typed_text(const Chord& chord) {
    if (chord.ctrl || chord.alt) return "";
    if (chord.key >= SDL_SCANCODE_A && chord.key <= SDL_SCANCODE_Z)
        return std::string(1, static_cast<char>((chord.shift ? 'A' : 'a') + (chord.key - SDL_SCANCODE_A)));
    for (const CharacterKey& it : kCharacterKeys)
        if (it.key == chord.key) return std::string(1, chord.shift ? it.shifted : it.plain);
    return "";
}

}  // namespace ui
