// What SDL's headers want to know of a platform; of its library there is only what ui/web/sdl.cpp has.
#pragma once

#include "SDL_platform.h"

#define STDC_HEADERS 1
#define HAVE_STDARG_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define SIZEOF_VOIDP 4
