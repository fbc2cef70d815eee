# The program `switchyard` for the pages of the site: ui/web/commands/worker.js runs its commands in a worker, and ./run site with node.
# Each command is one call of main() in a new instance of the program.
add_executable(switchyard-commands EXCLUDE_FROM_ALL main.cpp ${PROJECT_SOURCE_DIR}/ui/web/programs.cpp)
set_target_properties(switchyard-commands PROPERTIES UNITY_BUILD OFF)
target_link_libraries(switchyard-commands PRIVATE switchyard_options switchyard_cli)
switchyard_engine_first(switchyard-commands)
# No code is created from text at run time, because the content security policy of the pages forbids it.
target_link_options(switchyard-commands PRIVATE -sENVIRONMENT=worker,node -sMODULARIZE=1 -sEXPORT_NAME=SwitchyardCommands
    -sDYNAMIC_EXECUTION=0 -sINVOKE_RUN=0 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=1GB
    -sFORCE_FILESYSTEM=1 -sEXPORTED_RUNTIME_METHODS=callMain,FS
    $<$<CONFIG:Release>:-O1>)  # -Os would take 46 CPU seconds more, for a file that is a fifth smaller
