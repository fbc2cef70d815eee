# The page: the window as a WebAssembly program, and the files that a browser needs with it. `./run web` makes build/web.
file(GLOB web_sources CONFIGURE_DEPENDS web/*.cpp)
add_executable(switchyard-page ${web_sources})
set_target_properties(switchyard-page PROPERTIES OUTPUT_NAME switchyard UNITY_BUILD OFF)
target_link_libraries(switchyard-page PRIVATE switchyard_options switchyard_ui_app)
target_compile_options(switchyard-page PRIVATE $<$<CONFIG:Release>:-O1>)
# No code is created from text at run time, because the content security policy of the page forbids it.
target_link_options(switchyard-page PRIVATE -sENVIRONMENT=web -sMODULARIZE=1 -sEXPORT_NAME=Switchyard -sDYNAMIC_EXECUTION=0
    -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=1GB
    -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=ccall,FS --no-entry
    $<$<CONFIG:Release>:-O2>)  # -Os would take 20 CPU seconds more, and the compressed file would not be smaller
set(page ${PROJECT_SOURCE_DIR}/build/web)
set(parts ${CMAKE_CURRENT_SOURCE_DIR}/web)
add_custom_command(OUTPUT ${page}/index.html ${page}/switchyard.html
    COMMAND ${Python3_EXECUTABLE} ${parts}/pack.py $<TARGET_FILE:switchyard-page>
            $<TARGET_FILE_DIR:switchyard-page>/switchyard.wasm ${page}
    DEPENDS switchyard-page ${parts}/pack.py ${parts}/index.html ${parts}/page.css ${parts}/view.js ${parts}/keep.js
            ${parts}/aloud.js ${parts}/page.js VERBATIM)
add_custom_target(switchyard_page ALL DEPENDS ${page}/index.html)
