#include "ui/web/keyboard.h"

#include <algorithm>

namespace ui {
namespace {

constexpr KeyboardKey kKeyboard[] = {
    {SDL_SCANCODE_A, "A", "KeyA"},
    {SDL_SCANCODE_B, "B", "KeyB"},
    {SDL_SCANCODE_C, "C", "KeyC"},
    {SDL_SCANCODE_D, "D", "KeyD"},
    {SDL_SCANCODE_E, "E", "KeyE"},
    {SDL_SCANCODE_F, "F", "KeyF"},
    {SDL_SCANCODE_G, "G", "KeyG"},
    {SDL_SCANCODE_H, "H", "KeyH"},
    {SDL_SCANCODE_I, "I", "KeyI"},
    {SDL_SCANCODE_J, "J", "KeyJ"},
    {SDL_SCANCODE_K, "K", "KeyK"},
    {SDL_SCANCODE_L, "L", "KeyL"},
    {SDL_SCANCODE_M, "M", "KeyM"},
    {SDL_SCANCODE_N, "N", "KeyN"},
    {SDL_SCANCODE_O, "O", "KeyO"},
    {SDL_SCANCODE_P, "P", "KeyP"},
    {SDL_SCANCODE_Q, "Q", "KeyQ"},
    {SDL_SCANCODE_R, "R", "KeyR"},
    {SDL_SCANCODE_S, "S", "KeyS"},
    {SDL_SCANCODE_T, "T", "KeyT"},
    {SDL_SCANCODE_U, "U", "KeyU"},
    {SDL_SCANCODE_V, "V", "KeyV"},
    {SDL_SCANCODE_W, "W", "KeyW"},
    {SDL_SCANCODE_X, "X", "KeyX"},
    {SDL_SCANCODE_Y, "Y", "KeyY"},
    {SDL_SCANCODE_Z, "Z", "KeyZ"},
    {SDL_SCANCODE_1, "1", "Digit1"},
    {SDL_SCANCODE_2, "2", "Digit2"},
    {SDL_SCANCODE_3, "3", "Digit3"},
    {SDL_SCANCODE_4, "4", "Digit4"},
    {SDL_SCANCODE_5, "5", "Digit5"},
    {SDL_SCANCODE_6, "6", "Digit6"},
    {SDL_SCANCODE_7, "7", "Digit7"},
    {SDL_SCANCODE_8, "8", "Digit8"},
    {SDL_SCANCODE_9, "9", "Digit9"},
    {SDL_SCANCODE_0, "0", "Digit0"},
    {SDL_SCANCODE_RETURN, "Return", "Enter"},
    {SDL_SCANCODE_ESCAPE, "Escape", "Escape"},
    {SDL_SCANCODE_BACKSPACE, "Backspace", "Backspace"},
    {SDL_SCANCODE_TAB, "Tab", "Tab"},
    {SDL_SCANCODE_SPACE, "Space", "Space"},
    {SDL_SCANCODE_MINUS, "-", "Minus"},
    {SDL_SCANCODE_EQUALS, "=", "Equal"},
    {SDL_SCANCODE_LEFTBRACKET, "[", "BracketLeft"},
    {SDL_SCANCODE_RIGHTBRACKET, "]", "BracketRight"},
    {SDL_SCANCODE_BACKSLASH, "\\", "Backslash"},
    {SDL_SCANCODE_SEMICOLON, ";", "Semicolon"},
    {SDL_SCANCODE_APOSTROPHE, "'", "Quote"},
    {SDL_SCANCODE_GRAVE, "`", "Backquote"},
    {SDL_SCANCODE_COMMA, ",", "Comma"},
    {SDL_SCANCODE_PERIOD, ".", "Period"},
    {SDL_SCANCODE_SLASH, "/", "Slash"},
    {SDL_SCANCODE_CAPSLOCK, "CapsLock", "CapsLock"},
    {SDL_SCANCODE_F1, "F1", "F1"},
    {SDL_SCANCODE_F2, "F2", "F2"},
    {SDL_SCANCODE_F3, "F3", "F3"},
    {SDL_SCANCODE_F4, "F4", "F4"},
    {SDL_SCANCODE_F5, "F5", "F5"},
    {SDL_SCANCODE_F6, "F6", "F6"},
    {SDL_SCANCODE_F7, "F7", "F7"},
    {SDL_SCANCODE_F8, "F8", "F8"},
    {SDL_SCANCODE_F9, "F9", "F9"},
    {SDL_SCANCODE_F10, "F10", "F10"},
    {SDL_SCANCODE_F11, "F11", "F11"},
    {SDL_SCANCODE_F12, "F12", "F12"},
    {SDL_SCANCODE_PRINTSCREEN, "PrintScreen", "PrintScreen"},
    {SDL_SCANCODE_SCROLLLOCK, "ScrollLock", "ScrollLock"},
    {SDL_SCANCODE_PAUSE, "Pause", "Pause"},
    {SDL_SCANCODE_INSERT, "Insert", "Insert"},
    {SDL_SCANCODE_HOME, "Home", "Home"},
    {SDL_SCANCODE_PAGEUP, "PageUp", "PageUp"},
    {SDL_SCANCODE_DELETE, "Delete", "Delete"},
    {SDL_SCANCODE_END, "End", "End"},
    {SDL_SCANCODE_PAGEDOWN, "PageDown", "PageDown"},
    {SDL_SCANCODE_RIGHT, "Right", "ArrowRight"},
    {SDL_SCANCODE_LEFT, "Left", "ArrowLeft"},
    {SDL_SCANCODE_DOWN, "Down", "ArrowDown"},
    {SDL_SCANCODE_UP, "Up", "ArrowUp"},
    {SDL_SCANCODE_NUMLOCKCLEAR, "Numlock", "NumLock"},
    {SDL_SCANCODE_KP_DIVIDE, "Keypad /", "NumpadDivide"},
    {SDL_SCANCODE_KP_MULTIPLY, "Keypad *", "NumpadMultiply"},
    {SDL_SCANCODE_KP_MINUS, "Keypad -", "NumpadSubtract"},
    {SDL_SCANCODE_KP_PLUS, "Keypad +", "NumpadAdd"},
    {SDL_SCANCODE_KP_ENTER, "Keypad Enter", "NumpadEnter"},
    {SDL_SCANCODE_KP_1, "Keypad 1", "Numpad1"},
    {SDL_SCANCODE_KP_2, "Keypad 2", "Numpad2"},
    {SDL_SCANCODE_KP_3, "Keypad 3", "Numpad3"},
    {SDL_SCANCODE_KP_4, "Keypad 4", "Numpad4"},
    {SDL_SCANCODE_KP_5, "Keypad 5", "Numpad5"},
    {SDL_SCANCODE_KP_6, "Keypad 6", "Numpad6"},
    {SDL_SCANCODE_KP_7, "Keypad 7", "Numpad7"},
    {SDL_SCANCODE_KP_8, "Keypad 8", "Numpad8"},
    {SDL_SCANCODE_KP_9, "Keypad 9", "Numpad9"},
    {SDL_SCANCODE_KP_0, "Keypad 0", "Numpad0"},
    {SDL_SCANCODE_KP_PERIOD, "Keypad .", "NumpadDecimal"},
    {SDL_SCANCODE_APPLICATION, "Application", "ContextMenu"},
    {SDL_SCANCODE_LCTRL, "Left Ctrl", "ControlLeft"},
    {SDL_SCANCODE_LSHIFT, "Left Shift", "ShiftLeft"},
    {SDL_SCANCODE_LALT, "Left Alt", "AltLeft"},
    {SDL_SCANCODE_LGUI, "Left GUI", "MetaLeft"},
    {SDL_SCANCODE_RCTRL, "Right Ctrl", "ControlRight"},
    {SDL_SCANCODE_RSHIFT, "Right Shift", "ShiftRight"},
    {SDL_SCANCODE_RALT, "Right Alt", "AltRight"},
    {SDL_SCANCODE_RGUI, "Right GUI", "MetaRight"},
};

template <class Condition>
const KeyboardKey* first(Condition condition) {
    const auto found = std::find_if(std::begin(kKeyboard), std::end(kKeyboard), condition);
    return found == std::end(kKeyboard) ? nullptr : found;
}

}  // namespace

std::span<const KeyboardKey> keyboard_keys() { return kKeyboard; }

const KeyboardKey* keyboard_key(SDL_Scancode scancode) {
    return first([scancode](const KeyboardKey& key) { return key.place == scancode; });
}

const KeyboardKey* keyboard_key(std::string_view browser_name) {
    return first([browser_name](const KeyboardKey& key) { return key.code == browser_name; });
}

}  // namespace ui
