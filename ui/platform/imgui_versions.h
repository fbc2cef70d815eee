// The differences between versions 1.86 to 1.92 of Dear ImGui. Only this header and its source file use
// IMGUI_VERSION_NUM.
//
// 1.87 replaced io.KeyMap and io.KeysDown by events, and renamed ImGuiKey_KeyPadEnter. 1.92 can draw a glyph
// into its texture on first use, if the program can update textures. This one does not: all glyphs are drawn
// when the fonts are built.
//
// The library must be built with its obsolete functions, as in distributions.
#pragma once

#include <imgui.h>

#include <cstdint>

namespace ui {

// True for the version that draws the pictures in docs/; other versions differ in a few pixels.
inline constexpr bool kIsReferenceImGui = IMGUI_VERSION_NUM >= 18600 && IMGUI_VERSION_NUM < 18700;

// --- input ---

#if IMGUI_VERSION_NUM < 18700
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeyPadEnter;
#else
inline constexpr ImGuiKey kKeypadEnter = ImGuiKey_KeypadEnter;
#endif

struct Modifiers {
    bool ctrl = false;
    bool shift = false;
    bool alt = false;
    bool super = false;

    bool operator==(const Modifiers&) const = default;
};

// Input of a frame takes effect in that frame: Backend decides which input waits for the next one.
void set_up_input(ImGuiIO& io);

void feed_mouse_position(ImGuiIO& io, float x, float y);
void feed_mouse_button(ImGuiIO& io, int button, bool down);
void feed_mouse_wheel(ImGuiIO& io, float x, float y);
void feed_key(ImGuiIO& io, int key, bool down);
void feed_modifiers(ImGuiIO& io, const Modifiers& modifiers);

bool is_key_pressed(ImGuiKey key, bool repeat = true);

// Like ImGui::SetKeyboardFocusHere(): gives the next item the keyboard focus.
void focus_next_item();
// Gives the focus to a multi-line box that accepts tabs, in the frame after focus_next_item(). Since 1.90.1
// ImGui would treat the request like the Tab key, which skips the box.
void let_box_of_tabs_take_focus();

// --- layout ---

// Like ImGui::SetCursorPos() etc. in 1.86, which also extend the window. Later versions do so only if an item
// follows; the latest abort if none does.
void set_cursor_pos(const ImVec2& at);
void set_cursor_pos_x(float x);
void set_cursor_pos_y(float y);
void set_cursor_screen_pos(const ImVec2& at);

// --- fonts and their texture ---

// The size in pixels with which the font was built; for ImDrawList::AddText() and measuring.
float pixel_size(const ImFont& font);
// Like ImGui::PushFont(), with pixel_size(). ImGui::PopFont() ends it.
void push_font(ImFont* font);

const ImVector<ImFontGlyph>& glyphs_of(ImFont& font);
// The glyph of a character; nullptr: the font has none.
const ImFontGlyph* find_glyph(ImFont& font, ImWchar character);
float advance_of(ImFont& font, ImWchar character);
// The distance from the top of a line to the baseline, in pixel_size().
float ascent_of(ImFont& font);

// The font of all text that pushes none, from the next frame on.
void set_default_font(ImFont* font);

// The font atlas: the opacity of each texel; all texels are white.
struct AlphaTexture {
    std::uint8_t* alpha;
    int width;
    int height;
};

struct AtlasRect {
    int x;
    int y;
    int width;
    int height;
};

// Empties the atlas and sets the width of its texture. REQUIRES: not during a frame.
void clear_atlas(ImFontAtlas& atlas, int width);
// Reserve a rectangle of the texture, the second function as a glyph of the font. Return the id for
// place_in_atlas().
int reserve_rect(ImFontAtlas& atlas, int width, int height);
int reserve_glyph(ImFontAtlas& atlas, ImFont* font, ImWchar character, int side, float advance,
                  const ImVec2& offset);
// Draws all glyphs. Nothing may be reserved afterwards.
void build_atlas(ImFontAtlas& atlas);
// REQUIRES for both functions: build_atlas() has been called.
AtlasRect place_in_atlas(ImFontAtlas& atlas, int id);
AlphaTexture texture_of(ImFontAtlas& atlas);

// --- what is drawn ---

// Makes a frame of these lists. REQUIRES: `lists` outlives `data`.
void set_lists(ImDrawData& data, ImDrawList** lists, int count);

}  // namespace ui
