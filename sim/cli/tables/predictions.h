// Predictions of cells with costs from other tables, one function per table.
#pragma once

#include "sim/cli/tables.h"

namespace sim::cli {

Prediction yields_from_gooch();            // yield-table, Linux's rows
Prediction lat_ctx_from_pipe_and_ring();   // lat-ctx
Prediction ring_from_token_and_lat_ctx();  // thread-ring

}  // namespace sim::cli
