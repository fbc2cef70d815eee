// Platform definitions that SDL's headers require. Of the SDL library, only the functions in ui/web/sdl.cpp
// exist.
#pragma once

#include "SDL_platform.h"

#define STDC_HEADERS 1
#define HAVE_STDARG_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define SIZEOF_VOIDP 4
