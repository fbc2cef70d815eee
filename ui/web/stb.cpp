// The implementation that Debian's libstb contains in compiled form.
#define STB_RECT_PACK_IMPLEMENTATION
#include <stb_rect_pack.h>
