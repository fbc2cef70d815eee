#include "ui/platform/memory.h"

#include <cstdlib>  // for __GLIBC__
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace ui {

void return_freed_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace ui
