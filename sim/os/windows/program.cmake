# switchyard_windows_program(TARGET DESCRIPTION [WINDOW]): gives the program its icon, manifest and version. WINDOW: it has no console
# of its own. The icon: rsvg-convert makes a PNG of 16, 32, 48 and 256 pixels from ui/desktop/switchyard.svg each, and
# `convert 16.png 32.png 48.png 256.png switchyard.ico` joins them.
function(switchyard_windows_program target description)
    set(directory ${PROJECT_SOURCE_DIR}/sim/os/windows)
    set(manifest ${CMAKE_CURRENT_BINARY_DIR}/${target}.manifest)
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.rc)
    set(resources ${CMAKE_CURRENT_BINARY_DIR}/${target}.res)
    string(REPLACE "." "," version "${PROJECT_VERSION}.0")
    configure_file(${directory}/program.manifest ${manifest} @ONLY)
    configure_file(${directory}/program.rc ${script} @ONLY)
    # CMake would call the compiler with options of other compilers if resources were one of its languages.
    get_filename_component(tools ${CMAKE_CXX_COMPILER} DIRECTORY)
    add_custom_command(OUTPUT ${resources}
        COMMAND ${tools}/rc /:no-preprocess -- ${script} ${resources}
        DEPENDS ${script} ${manifest} ${directory}/switchyard.ico
        VERBATIM)
    set_source_files_properties(${resources} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE ${resources})
    # -s: no debug information, which would be a second file.
    target_link_options(${target} PRIVATE -s $<$<STREQUAL:${ARGN},WINDOW>:-Wl,--subsystem,windows>)
endfunction()
