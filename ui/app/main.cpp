#include "sim/base/main_wrapper.h"
#include "ui/app/program.h"

int main(int argc, char** argv) { return sim::run_main("switchyard-ui", argc, argv, ui::switchyard_ui); }
