// What Debian's libstb has compiled.
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb_rect_pack.h>
