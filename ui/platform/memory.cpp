#include "ui/platform/memory.h"

#include <imgui.h>

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ui {

void give_back_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void refuse_without_memory() {
    ImGui::SetAllocatorFunctions(
        [](std::size_t size, void*) {
            void* const memory = std::malloc(size);
            if (memory == nullptr && size > 0) throw std::bad_alloc();
            return memory;
        },
        [](void* memory, void*) { std::free(memory); });
}

}  // namespace ui
