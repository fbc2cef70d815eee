// Predictions of cells of a table, with costs that come from other measurements.
#pragma once

#include "sim/tables/tables.h"

namespace sim::tables {

// Linux's rows of yield-table after the patch, from its rows before the patch.
Prediction predict_yields_after_patch();
Prediction predict_yields_from_gooch();            // Linux's rows of yield-table, from Gooch's values
Prediction predict_lat_ctx_from_pipe_and_ring();   // lat-ctx
Prediction predict_ring_from_token_and_lat_ctx();  // thread-ring

}  // namespace sim::tables
