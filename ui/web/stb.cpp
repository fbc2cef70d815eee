// Compiles the implementation of stb_rect_pack.h. On Debian, the library libstb contains it in compiled
// form.
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb_rect_pack.h>
