#include "sim/cli/tables.h"
namespace sim::cli { Table php_fpm_table() { return {"php-fpm","x","y",false,[](bool){return TableResult{};}}; } }
