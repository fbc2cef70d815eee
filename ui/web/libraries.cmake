# Libraries that only the page needs: smaller fonts, without the characters that the window never draws.
include(source_libraries.cmake)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
foreach(font DejaVuSans DejaVuSansMono DejaVuSans-Bold)
    set(SWITCHYARD_FONT_${font} ${CMAKE_BINARY_DIR}/${font}.ttf)
    set(parts ${CMAKE_CURRENT_LIST_DIR}/fonts.py /usr/share/fonts/truetype/dejavu/${font}.ttf)
    add_custom_command(OUTPUT ${SWITCHYARD_FONT_${font}}
        COMMAND ${Python3_EXECUTABLE} ${parts} ${SWITCHYARD_FONT_${font}}
        DEPENDS ${parts} ${PROJECT_SOURCE_DIR}/ui/platform/fonts.cpp VERBATIM)
    list(APPEND fonts ${SWITCHYARD_FONT_${font}})
endforeach()
add_custom_target(switchyard_fonts DEPENDS ${fonts})
