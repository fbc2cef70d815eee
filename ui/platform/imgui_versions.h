// Hides the differences between the versions 1.86 to 1.92 of Dear ImGui. Only this header and its source file
// use IMGUI_VERSION_NUM.
//
// 1.87 replaced io.KeyMap and io.KeysDown by events, and renamed ImGuiKey_KeyPadEnter. 1.92 can draw a glyph
// into its texture on first use, if the program can update textures. This program does not, so all glyphs
// are drawn when the fonts are built.
//
// ImGui must be built with its obsolete functions, as Linux distributions build it.
#pragma once

#include <imgui.h>

#include <string>

#include <cstdint>

namespace ui {

// True for the version with which the pictures in docs/ are drawn; other versions differ in a few pixels.
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

// Configures ImGui so that all input that ImGui receives takes effect in the next frame. The class Backend
// queues input that must take effect later.
void set_up_input(ImGuiIO& io);

void feed_mouse_position(ImGuiIO& io, float x, float y);
void feed_mouse_button(ImGuiIO& io, int button, bool down);
void feed_mouse_wheel(ImGuiIO& io, float x, float y);
void feed_key(ImGuiIO& io, int key, bool down);
void feed_modifiers(ImGuiIO& io, const Modifiers& modifiers);

bool is_key_pressed(ImGuiKey key, bool repeat = true);

// Like ImGui::SetKeyboardFocusHere(): gives the next item the keyboard focus.
void focus_next_item();
// Gives the focus to a multi-line box that accepts tabs. Call it in the frame after focus_next_item().
// Since 1.90.1, ImGui would treat the request like the Tab key, which skips such a box.
void focus_box_that_accepts_tabs();

// The characters that were typed in this frame, as UTF-8.
std::string typed_characters();

// Removes the keyboard focus from the text box that has it, and discards the text typed into the box.
void leave_text_box();

// --- keyboard navigation ---

// Turns keyboard navigation on or off. With it, the Tab key visits all controls, arrow keys move to
// neighbouring controls, and Space operates a control. The control with the focus has a visible border.
void set_keyboard_navigation(bool on);
bool is_keyboard_navigation_on();
// Shows the border of the control with the focus, which ImGui hides after some keys. Call it at the start of
// each frame if keyboard navigation is on. `was_focus_drawn`: whether the last frame has drawn the control
// with the focus.
void show_focus_border(bool was_focus_drawn);
// Call begin_tab_stops() before and end_tab_stops() after drawing the windows whose controls the Tab key
// visits. end_tab_stops() returns whether the control with the focus was drawn.
void begin_tab_stops();
bool end_tab_stops();
// The ImGui id of the control with the keyboard focus, and of the control under the mouse; 0: none. Disabled
// controls, scroll bars and borders that the mouse can drag do not count.
unsigned focused_control_id();
unsigned hovered_control_id();

// Like ImGui::BeginChild(). For the Tab and arrow keys, the child is a part of its parent window.
bool begin_child(const char* id, const ImVec2& size = {}, bool has_border = false, int window_flags = 0);
// Like ImGui::TableHeader(), but the Tab key stops at the header.
void table_header(const char* label);
// Like ImGui::BeginTable(). For the Tab and arrow keys, the table is a part of its window.
bool begin_table(const char* id, int columns, int flags = 0, const ImVec2& size = {});

// --- layout ---

// Like ImGui::SetCursorPos() etc. Also enlarges the window's content so that it contains the position, as
// version 1.86 of ImGui does. In later versions, the ImGui functions enlarge the content only when an item
// follows; in the latest versions, they abort if no item follows.
void set_cursor_pos(const ImVec2& at);
void set_cursor_pos_x(float x);
void set_cursor_pos_y(float y);
void set_cursor_screen_pos(const ImVec2& at);

// --- fonts and their texture ---

// The size in pixels for which the font was built; used to draw text with ImDrawList::AddText() and to
// measure text.
float pixel_size(const ImFont& font);
// Like ImGui::PushFont(), with the size pixel_size(). ImGui::PopFont() restores the previous font.
void push_font(ImFont* font);

const ImVector<ImFontGlyph>& glyphs_of(ImFont& font);
// The glyph of a character; nullptr if the font does not contain it.
const ImFontGlyph* find_glyph(ImFont& font, ImWchar character);
float advance_of(ImFont& font, ImWchar character);
// The distance from the top of a line to the baseline in pixels, at the font's size pixel_size().
float ascent_of(ImFont& font);

// Sets the font for text that is drawn without push_font(), from the next frame on.
void set_default_font(ImFont* font);

// The texture of the font atlas, as the opacity of each texel; all texels are white.
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

// Empties the atlas and sets the width of its texture. REQUIRES: called outside a frame.
void clear_atlas(ImFontAtlas& atlas, int texture_width);
// Both functions reserve a rectangle of the texture and return its id for rect_in_atlas(). reserve_glyph()
// also makes it a glyph of the font.
int reserve_rect(ImFontAtlas& atlas, int width, int height);
int reserve_glyph(ImFontAtlas& atlas, ImFont* font, ImWchar character, int side, float advance,
                  const ImVec2& offset);
// Draws all glyphs. No rectangle may be reserved afterwards.
void build_atlas(ImFontAtlas& atlas);
// REQUIRES for both functions: build_atlas() has been called.
AtlasRect rect_in_atlas(ImFontAtlas& atlas, int id);
AlphaTexture texture_of(ImFontAtlas& atlas);

// --- draw lists ---

// Makes `data` a frame that consists of these draw lists. REQUIRES: `lists` outlives `data`.
void set_draw_lists(ImDrawData& data, ImDrawList** lists, int count);

}  // namespace ui
