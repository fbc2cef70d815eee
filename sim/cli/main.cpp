#include "sim/base/main_wrapper.h"
#include "sim/cli/program.h"

int main(int argc, char** argv) { return sim::run_main("switchyard", argc, argv, sim::cli::switchyard); }
