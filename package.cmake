# Where `cmake --install` and CPack put the files, except the programs: see their CMakeLists.txt. docs/how-to/install.md describes it.
#
# Two packages: `switchyard` for a server that grades answers or simulates at night and does not need SDL and its
# dependencies, and `switchyard-ui` with the window, which needs the first. So there are two components.

# switchyard_installs(TARGET COMPONENT): the program, and the manual pages that it writes itself.
function(switchyard_installs target component)
    install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
    install(FILES ${PROJECT_SOURCE_DIR}/sim/command_line/completion/switchyard.bash RENAME ${target}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT ${component})
    if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
        return()
    endif()
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/manual-${target})
    add_custom_command(OUTPUT ${folder}.stamp
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
        COMMAND ${target} manual ${folder}
        COMMAND gzip -9nr ${folder}
        COMMAND ${CMAKE_COMMAND} -E touch ${folder}.stamp
        DEPENDS ${target} VERBATIM)
    add_custom_target(manual-${target} ALL DEPENDS ${folder}.stamp)
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
endfunction()

install(FILES sim/command_line/completion/_switchyard
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT commands)
install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/switchyard/scenarios COMPONENT commands)

# The documents link to each other, to the README and to the scenarios as in the sources.
install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT commands)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT commands
    PATTERN copyright EXCLUDE PATTERN changelog.Debian EXCLUDE)

# Debian's files. Each Debian release has its own package versions, 1.0.0-1+deb12 and 1.0.0-1+deb13: the packages can be in one
# directory, and an upgrade of Debian can upgrade them. The revision (1) is that of the newest entry of docs/changelog.Debian.
file(STRINGS docs/changelog.Debian revision LIMIT_COUNT 1)
string(REGEX REPLACE "^[^)]*-([0-9.]+)\\).*" "\\1" revision "${revision}")
cmake_host_system_information(RESULT distribution QUERY DISTRIB_INFO)
set(release_suffix)
if(distribution_ID STREQUAL debian AND distribution_VERSION_ID)
    set(release_suffix +deb${distribution_VERSION_ID})
endif()
if(NOT SWITCHYARD_PORTABLE)
    set(changelogs ${CMAKE_CURRENT_BINARY_DIR}/changelog.gz ${CMAKE_CURRENT_BINARY_DIR}/changelog.Debian.gz)
    add_custom_command(OUTPUT ${changelogs}
        COMMAND gzip -9nc ${CMAKE_CURRENT_SOURCE_DIR}/docs/changelog.md > changelog.gz
        COMMAND sed "1s/)/${release_suffix})/" ${CMAKE_CURRENT_SOURCE_DIR}/docs/changelog.Debian | gzip -9nc > changelog.Debian.gz
        DEPENDS docs/changelog.md docs/changelog.Debian VERBATIM)
    add_custom_target(changelog ALL DEPENDS ${changelogs})
    install(FILES docs/copyright ${changelogs} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT commands)
endif()

# switchyard_links(COMPONENT TARGET LINK): a symbolic link below share/.
function(switchyard_links component target link)
    set(share "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}")
    get_filename_component(directory ${link} DIRECTORY)
    install(CODE "file(MAKE_DIRECTORY \"${share}/${directory}\")
        file(CREATE_LINK \"${target}\" \"${share}/${link}\" SYMBOLIC)" COMPONENT ${component})
endfunction()
switchyard_links(commands ../../switchyard/scenarios doc/switchyard/scenarios)
switchyard_links(commands ../doc/switchyard/docs switchyard/docs)

# switchyard_install_libraries(TARGET...): the libraries, the headers, and the file that find_package(switchyard) reads. They are in
# no package: cmake --install DIRECTORY --component development.
function(switchyard_install_libraries)
    if(EMSCRIPTEN OR SWITCHYARD_PORTABLE)
        return()
    endif()
    set(directory ${CMAKE_INSTALL_LIBDIR}/cmake/switchyard)
    install(TARGETS ${ARGN} switchyard_lua EXPORT switchyard
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/switchyard COMPONENT development EXCLUDE_FROM_ALL)
    install(EXPORT switchyard NAMESPACE switchyard:: FILE switchyard-targets.cmake DESTINATION ${directory}
        COMPONENT development EXCLUDE_FROM_ALL)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/switchyard
        COMPONENT development EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.h" PATTERN cli EXCLUDE PATTERN command_line EXCLUDE)
    include(CMakePackageConfigHelpers)
    configure_package_config_file(${PROJECT_SOURCE_DIR}/sim/switchyard-config.cmake.in
        ${PROJECT_BINARY_DIR}/switchyard-config.cmake INSTALL_DESTINATION ${directory})
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/switchyard-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_BINARY_DIR}/switchyard-config.cmake ${PROJECT_BINARY_DIR}/switchyard-config-version.cmake
        DESTINATION ${directory} COMPONENT development EXCLUDE_FROM_ALL)
endfunction()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME switchyard)
set(CPACK_PACKAGE_CONTACT "The Switchyard authors <switchyard@packages.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL commands)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${revision}${release_suffix})
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_NAME switchyard)
set(CPACK_DEBIAN_COMMANDS_PACKAGE_SUGGESTS "switchyard-ui, bash-completion, pandoc, weasyprint")
set(CPACK_COMPONENT_COMMANDS_DESCRIPTION "simulator of the CPU schedulers of real kernels
Simulates the schedulers of Linux 1.2 to 6.6 and of Windows NT 4, shows what
each decision cost and why it was made, and compares published measurements
with simulated ones. For teaching: with scenarios, lessons, and questions that
the engine grades. These are the commands, for a terminal or a server.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME switchyard-ui)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SOURCE switchyard)
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "ffmpeg")
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "switchyard (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "window of the Switchyard scheduler simulator
Watch a CPU scheduler decide, step into schedule() line by line, go back in
time, and change any number of the scenario while it runs. Draws pictures
without a display, too.")
