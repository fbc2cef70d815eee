// Predictions of cells with costs from other tables, one function per table.
#pragma once

#include "sim/tables/tables.h"

namespace sim::tables {

Prediction yields_from_before();           // yield-table, Linux's rows after the patch
Prediction yields_from_gooch();            // yield-table, Linux's rows
Prediction lat_ctx_from_pipe_and_ring();   // lat-ctx
Prediction ring_from_token_and_lat_ctx();  // thread-ring

}  // namespace sim::tables
