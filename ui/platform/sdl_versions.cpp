#include "ui/platform/sdl_versions.h"

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace ui {
namespace {

constexpr Uint32 kText = SDL_USEREVENT + 1;  // type of an event with text; `code` is the number of bytes
// Number of bytes of text that fit into data1 and data2.
constexpr std::size_t kMostBytes = 2 * sizeof(void*);
// Type of an event for a dropped file; `data1` points to the file name.
constexpr Uint32 kDroppedFile = SDL_USEREVENT + 2;

void push(SDL_Event& event) {
    if (SDL_PushEvent(&event) < 0) throw std::runtime_error(SDL_GetError());
}

}  // namespace

void push_event(SDL_Event event) {
    if (event.type == SDL_DROPFILE) {
        SDL_Event drop{};
        drop.type = kDroppedFile;
        drop.user.data1 = event.drop.file;
        return push(drop);
    }
    if (event.type != SDL_TEXTINPUT) return push(event);
    for (std::string_view text = event.text.text; !text.empty();) {
        std::size_t size = text.size();
        if (size > kMostBytes) {
            size = kMostBytes;
            while (size > 1 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
        }
        void* data[2] = {};
        std::memcpy(data, text.data(), size);
        SDL_Event part{};
        part.type = kText;
        part.user.code = static_cast<Sint32>(size);
        part.user.data1 = data[0];
        part.user.data2 = data[1];
        push(part);
        text.remove_prefix(size);
    }
}

void restore_pushed_event(SDL_Event& event) {
    if (event.type == kDroppedFile) {
        SDL_Event drop{};
        drop.type = SDL_DROPFILE;
        drop.drop.file = static_cast<char*>(event.user.data1);
        event = drop;
    }
    if (event.type != kText) return;
    void* const data[2] = {event.user.data1, event.user.data2};
    const auto size = static_cast<std::size_t>(event.user.code);
    SDL_Event text{};
    text.type = SDL_TEXTINPUT;
    std::memcpy(text.text.text, data, size < kMostBytes ? size : kMostBytes);
    event = text;
}

void set_wheel_position([[maybe_unused]] SDL_MouseWheelEvent& wheel, [[maybe_unused]] int x,
                        [[maybe_unused]] int y) {
#if SDL_VERSION_ATLEAST(2, 26, 0)
    wheel.mouseX = x;
    wheel.mouseY = y;
#endif
}

}  // namespace ui
