// The window in a browser: a canvas that fills the page (ui/web/page.js).
//
// The functions page_...() call methods of Module.page. The page reports events by calling the functions in
// ui/web/main.cpp.
#include "ui/platform/screen.h"

#include <emscripten.h>

#include <cstdlib>

// clang-format off
EM_JS(int, page_width, (), { return Module.page.width(); });
EM_JS(int, page_height, (), { return Module.page.height(); });
EM_JS(double, page_density, (), { return Module.page.density(); });
EM_JS(void, page_show, (const void* pixels, int width, int height), {
    Module.page.show(new Uint8ClampedArray(HEAPU8.buffer, pixels, width * height * 4), width, height);
});
EM_JS(void, page_show_cursor, (const char* name), { Module.page.showCursor(UTF8ToString(name)); });
EM_JS(void, page_set_title, (const char* title), { Module.page.setTitle(UTF8ToString(title)); });
EM_JS(void, page_set_fullscreen, (int full), { Module.page.setFullscreen(full != 0); });
EM_JS(int, page_is_fullscreen, (), { return Module.page.isFullscreen() ? 1 : 0; });
EM_JS(void, page_choose_file, (), { Module.page.chooseFile(); });
EM_JS(void, page_set_clipboard, (const char* text), { Module.page.setClipboard(UTF8ToString(text)); });
EM_JS(char*, page_clipboard, (), { return allocateUTF8(Module.page.clipboard()); });
// clang-format on

namespace ui {
namespace {

// The cursor's name in CSS.
const char* css_cursor(ImGuiMouseCursor cursor) {
    switch (cursor) {
        case ImGuiMouseCursor_None:
            return "none";
        case ImGuiMouseCursor_TextInput:
            return "text";
        case ImGuiMouseCursor_ResizeAll:
            return "move";
        case ImGuiMouseCursor_ResizeNS:
            return "ns-resize";
        case ImGuiMouseCursor_ResizeEW:
            return "ew-resize";
        case ImGuiMouseCursor_ResizeNESW:
            return "nesw-resize";
        case ImGuiMouseCursor_ResizeNWSE:
            return "nwse-resize";
        case ImGuiMouseCursor_Hand:
            return "pointer";
        case ImGuiMouseCursor_NotAllowed:
            return "not-allowed";
        default:
            return "default";
    }
}

class PageScreen final : public Screen {
  public:
    Size size() const override { return {page_width(), page_height()}; }
    float density() const override { return static_cast<float>(page_density()); }
    void show(const std::uint32_t* pixels, Size size) override { page_show(pixels, size.width, size.height); }
    void show_cursor(ImGuiMouseCursor cursor) override { page_show_cursor(css_cursor(cursor)); }
    void resize(Size) override {}  // only the user can change the page's size
    void set_title(const std::string& title) override { page_set_title(title.c_str()); }
    void set_fullscreen(bool full) override { page_set_fullscreen(full ? 1 : 0); }
    bool is_fullscreen() const override { return page_is_fullscreen() != 0; }
    bool can_choose_file() const override { return true; }
    void choose_file() override { page_choose_file(); }
    std::string clipboard() const override {
        char* text = page_clipboard();
        std::string copy = text;
        std::free(text);
        return copy;
    }
    void set_clipboard(const std::string& text) override { page_set_clipboard(text.c_str()); }
    // Does not wait, because a page cannot wait: the browser calls the page when there is an event.
    bool wait(SDL_Event& event, int) override { return SDL_PollEvent(&event) != 0; }
};

}  // namespace

SdlEventSubsystem::SdlEventSubsystem(bool) {}
SdlEventSubsystem::~SdlEventSubsystem() = default;

std::unique_ptr<Screen> Screen::open(const std::string& title, Size) {
    page_set_title(title.c_str());
    return std::make_unique<PageScreen>();
}

}  // namespace ui
