#include "ui/platform/imgui_versions.h"

#include <imgui_internal.h>

namespace ui {

// --- input ---

#if IMGUI_VERSION_NUM < 18700

void set_up_input(ImGuiIO& io) {
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
}

void feed_mouse_position(ImGuiIO& io, float x, float y) { io.MousePos = ImVec2(x, y); }
void feed_mouse_button(ImGuiIO& io, int button, bool down) { io.MouseDown[button] = down; }

void feed_mouse_wheel(ImGuiIO& io, float x, float y) {
    io.MouseWheelH += x;
    io.MouseWheel += y;
}

void feed_key(ImGuiIO& io, int key, bool down) { io.KeysDown[key] = down; }

void feed_modifiers(ImGuiIO& io, const Modifiers& modifiers) {
    io.KeyCtrl = modifiers.ctrl;
    io.KeyShift = modifiers.shift;
    io.KeyAlt = modifiers.alt;
    io.KeySuper = modifiers.super;
}

bool is_key_pressed(ImGuiKey key, bool repeat) {
    return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeat);
}

#else

void set_up_input(ImGuiIO& io) { io.ConfigInputTrickleEventQueue = false; }

void feed_mouse_position(ImGuiIO& io, float x, float y) { io.AddMousePosEvent(x, y); }
void feed_mouse_button(ImGuiIO& io, int button, bool down) { io.AddMouseButtonEvent(button, down); }
void feed_mouse_wheel(ImGuiIO& io, float x, float y) { io.AddMouseWheelEvent(x, y); }
void feed_key(ImGuiIO& io, int key, bool down) { io.AddKeyEvent(static_cast<ImGuiKey>(key), down); }

void feed_modifiers(ImGuiIO& io, const Modifiers& modifiers) {
#if IMGUI_VERSION_NUM < 18900
    constexpr ImGuiKey kCtrl = ImGuiKey_ModCtrl, kShift = ImGuiKey_ModShift, kAlt = ImGuiKey_ModAlt,
                       kSuper = ImGuiKey_ModSuper;
#else
    constexpr ImGuiKey kCtrl = ImGuiMod_Ctrl, kShift = ImGuiMod_Shift, kAlt = ImGuiMod_Alt,
                       kSuper = ImGuiMod_Super;
#endif
    io.AddKeyEvent(kCtrl, modifiers.ctrl);
    io.AddKeyEvent(kShift, modifiers.shift);
    io.AddKeyEvent(kAlt, modifiers.alt);
    io.AddKeyEvent(kSuper, modifiers.super);
}

bool is_key_pressed(ImGuiKey key, bool repeat) { return ImGui::IsKeyPressed(key, repeat); }

#endif

void focus_next_item() {
#if IMGUI_VERSION_NUM == 19010
    // ImGui 1.90.1 ignores a request for the focus if another window had the keyboard focus before.
    ImGuiContext& context = *ImGui::GetCurrentContext();
    context.NavFocusScopeId = context.CurrentFocusScopeId;
#endif
    ImGui::SetKeyboardFocusHere();
}

void focus_box_that_accepts_tabs() {
#if IMGUI_VERSION_NUM >= 19010
    ImGui::GetCurrentContext()->NavActivateFlags &= ~ImGuiActivateFlags_FromTabbing;
#endif
}

std::string typed_characters() {
    std::string text;
    for (const ImWchar c : ImGui::GetIO().InputQueueCharacters) {
        const auto code = static_cast<unsigned>(c);
        if (code < ' ' || code == 0x7f) continue;
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xc0 | code >> 6);
            text += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            text += static_cast<char>(0xe0 | code >> 12);
            text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            text += static_cast<char>(0x80 | (code & 0x3f));
        }
    }
    return text;
}

void leave_text_box() { ImGui::ClearActiveID(); }

// --- keyboard navigation ---

void set_keyboard_navigation(bool on) {
    ImGuiIO& io = ImGui::GetIO();
    ImGuiContext& context = *ImGui::GetCurrentContext();
    io.ConfigFlags = on ? io.ConfigFlags | ImGuiConfigFlags_NavEnableKeyboard
                        : io.ConfigFlags & ~ImGuiConfigFlags_NavEnableKeyboard;
    if (on) return;
#if IMGUI_VERSION_NUM < 19140
    context.NavDisableHighlight = true;
    context.NavDisableMouseHover = false;
#else
    context.NavCursorVisible = false;
    context.NavHighlightItemUnderNav = false;
#endif
}

void show_focus_border([[maybe_unused]] bool was_focus_drawn) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
#if IMGUI_VERSION_NUM < 18960
    // Before ImGui 1.89.6, the Tab key sets NavTabbingDir to 0 unless the user types in the focused control.
    // With 0, Tab does not leave this control; with 1, it leads to the next control. If the focused control
    // no longer exists, 0 is correct: Tab leads to the first control.
    const bool is_tab = context.NavMoveSubmitted && (context.NavMoveFlags & ImGuiNavMoveFlags_Tabbing) != 0;
    if (is_tab && context.NavTabbingDir == 0 && !context.NavDisableHighlight && was_focus_drawn)
        context.NavTabbingDir = 1;
#endif
#if IMGUI_VERSION_NUM < 19140
    context.NavDisableHighlight = false;
    context.NavDisableMouseHover = true;
#else
    context.NavCursorVisible = true;
    context.NavHighlightItemUnderNav = true;
#endif
}

#if IMGUI_VERSION_NUM < 18960
// Before ImGui 1.89.6, Tab stops only at controls that accept text, and at controls that have this flag.
void begin_tab_stops() { ImGui::PushItemFlag(ImGuiItemFlags_Inputable, true); }
bool end_tab_stops() {
    ImGui::PopItemFlag();
    return ImGui::GetCurrentContext()->NavIdIsAlive;
}
#else
// Since ImGui 1.89.6, Tab stops at all controls if keyboard navigation is on.
void begin_tab_stops() {}
bool end_tab_stops() { return ImGui::GetCurrentContext()->NavIdIsAlive; }
#endif

unsigned focused_control_id() { return ImGui::GetCurrentContext()->NavId; }

unsigned hovered_control_id() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    ImGuiWindow* const window = context.HoveredWindow;
    const bool is_scroll_bar =
        window != nullptr && (context.HoveredId == ImGui::GetWindowScrollbarID(window, ImGuiAxis_X) ||
                              context.HoveredId == ImGui::GetWindowScrollbarID(window, ImGuiAxis_Y));
    const bool is_border = context.MouseCursor == ImGuiMouseCursor_ResizeEW;
    return is_scroll_bar || is_border || context.HoveredIdDisabled ? 0 : context.HoveredId;
}

bool is_keyboard_navigation_on() {
    return (ImGui::GetIO().ConfigFlags & ImGuiConfigFlags_NavEnableKeyboard) != 0;
}

void table_header(const char* label) {
    // ImGui puts frozen rows on a layer of their own, which Tab does not reach.
    ImGui::GetCurrentContext()->CurrentWindow->DC.NavLayerCurrent = ImGuiNavLayer_Main;
    ImGui::TableHeader(label);
}

bool begin_child(const char* id, const ImVec2& size, bool has_border, int window_flags) {
#if IMGUI_VERSION_NUM < 19090
    return ImGui::BeginChild(id, size, has_border, window_flags | ImGuiWindowFlags_NavFlattened);
#else
    // 1 is the value of ImGuiChildFlags_Border, which later versions name ImGuiChildFlags_Borders.
    const ImGuiChildFlags border = has_border ? 1 : 0;
    return ImGui::BeginChild(id, size, border | ImGuiChildFlags_NavFlattened, window_flags);
#endif
}

bool begin_table(const char* id, int columns, int flags, const ImVec2& size) {
    const int scope_count = ImGui::GetCurrentContext()->FocusScopeStack.Size;
    if (!ImGui::BeginTable(id, columns, flags, size)) return false;
    // A table that scrolls is a child window.
    if ((flags & (ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY)) != 0) {
        ImGuiWindow* const inner = ImGui::GetCurrentContext()->CurrentTable->InnerWindow;
#if IMGUI_VERSION_NUM < 19090
        inner->Flags |= ImGuiWindowFlags_NavFlattened;
#else
        inner->ChildFlags |= ImGuiChildFlags_NavFlattened;
#endif
        ImGui::UpdateWindowParentAndRootLinks(inner, inner->Flags, inner->ParentWindow);
        // In newer versions of ImGui, BeginTable() has pushed a focus scope for the child window. EndTable()
        // does not pop the scope of a window with the flag NavFlattened, so it is popped here.
        if (ImGui::GetCurrentContext()->FocusScopeStack.Size > scope_count) ImGui::PopFocusScope();
    }
    return true;
}

// --- layout ---

namespace {

void extend_content_to_cursor([[maybe_unused]] bool horizontally, [[maybe_unused]] bool vertically) {
#if IMGUI_VERSION_NUM >= 18900
    ImGuiWindowTempData& place = ImGui::GetCurrentContext()->CurrentWindow->DC;
    if (horizontally) place.CursorMaxPos.x = ImMax(place.CursorMaxPos.x, place.CursorPos.x);
    if (vertically) place.CursorMaxPos.y = ImMax(place.CursorMaxPos.y, place.CursorPos.y);
    place.IsSetPos = false;
#endif
}

}  // namespace

void set_cursor_pos(const ImVec2& at) {
    ImGui::SetCursorPos(at);
    extend_content_to_cursor(true, true);
}

void set_cursor_pos_x(float x) {
    ImGui::SetCursorPosX(x);
    extend_content_to_cursor(true, false);
}

void set_cursor_pos_y(float y) {
    ImGui::SetCursorPosY(y);
    extend_content_to_cursor(false, true);
}

void set_cursor_screen_pos(const ImVec2& at) {
    ImGui::SetCursorScreenPos(at);
    extend_content_to_cursor(true, true);
}

// --- fonts and their texture ---

#if IMGUI_VERSION_NUM < 19200

float pixel_size(const ImFont& font) { return font.FontSize; }
void push_font(ImFont* font) { ImGui::PushFont(font); }
const ImVector<ImFontGlyph>& glyphs_of(ImFont& font) { return font.Glyphs; }
const ImFontGlyph* find_glyph(ImFont& font, ImWchar character) { return font.FindGlyphNoFallback(character); }
float advance_of(ImFont& font, ImWchar character) { return font.GetCharAdvance(character); }
float ascent_of(ImFont& font) { return font.Ascent; }
void set_default_font(ImFont* font) { ImGui::GetIO().FontDefault = font; }

void clear_atlas(ImFontAtlas& atlas, int width) {
    atlas.Clear();
    atlas.TexDesiredWidth = width;
}

int reserve_rect(ImFontAtlas& atlas, int width, int height) {
    return atlas.AddCustomRectRegular(width, height);
}

AtlasRect rect_in_atlas(ImFontAtlas& atlas, int id) {
    const ImFontAtlasCustomRect* rect = atlas.GetCustomRectByIndex(id);
    return {rect->X, rect->Y, rect->Width, rect->Height};
}

#else

namespace {

ImFontBaked& baked_font(ImFont& font) { return *font.GetFontBaked(font.LegacySize); }

}  // namespace

float pixel_size(const ImFont& font) { return font.LegacySize; }
void push_font(ImFont* font) { ImGui::PushFont(font, font->LegacySize); }
const ImVector<ImFontGlyph>& glyphs_of(ImFont& font) { return baked_font(font).Glyphs; }
const ImFontGlyph* find_glyph(ImFont& font, ImWchar character) {
    return baked_font(font).FindGlyphNoFallback(character);
}
float advance_of(ImFont& font, ImWchar character) { return baked_font(font).GetCharAdvance(character); }

float ascent_of(ImFont& font) { return baked_font(font).Ascent; }

void set_default_font(ImFont* font) {
    ImGui::GetIO().FontDefault = font;
    ImGui::GetStyle().FontSizeBase = font->LegacySize;
}

void clear_atlas(ImFontAtlas& atlas, int width) {
    atlas.Clear();
    atlas.TexDesiredFormat = ImTextureFormat_Alpha8;
    atlas.TexMinWidth = width;
}

int reserve_rect(ImFontAtlas& atlas, int width, int height) { return atlas.AddCustomRect(width, height); }

AtlasRect rect_in_atlas(ImFontAtlas& atlas, int id) {
    ImFontAtlasRect rect;
    atlas.GetCustomRect(id, &rect);
    return {rect.x, rect.y, rect.w, rect.h};
}

#endif

int reserve_glyph(ImFontAtlas& atlas, ImFont* font, ImWchar character, int side, float advance,
                  const ImVec2& offset) {
    const int id = atlas.AddCustomRectFontGlyph(font, character, side, side, advance, offset);
#if IMGUI_VERSION_NUM >= 19200
    baked_font(*font).FindGlyphNoFallback(character)->Colored = 0;  // the glyph is drawn in the text colour
#endif
    return id;
}

void build_atlas(ImFontAtlas& atlas) {
    texture_of(atlas);                                            // builds it
    atlas.SetTexID((ImTextureID) static_cast<std::intptr_t>(1));  // arbitrary; there is one texture
}

void set_draw_lists(ImDrawData& data, ImDrawList** lists, int count) {
#if IMGUI_VERSION_NUM < 18980
    data.CmdLists = lists;
#else
    data.CmdLists.resize(0);
    for (int i = 0; i < count; ++i) data.CmdLists.push_back(lists[i]);
#endif
    data.CmdListsCount = count;
}

AlphaTexture texture_of(ImFontAtlas& atlas) {
    unsigned char* pixels = nullptr;
    AlphaTexture texture{};
    atlas.GetTexDataAsAlpha8(&pixels, &texture.width, &texture.height);
    texture.alpha = pixels;
    return texture;
}

}  // namespace ui
