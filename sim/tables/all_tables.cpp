// The list of all published tables.
#include "sim/tables/tables.h"

namespace sim::tables {

std::span<const Table> all_tables() {
    static const std::vector<Table> list{
        ajax_polling_table(), creation_table(),    gooch_table(),           goroutines_table(),
        lat_ctx_table(),      lazy_tlb_table(),    own_kernels_table(),     park_unpark_table(),
        php_fpm_table(),      reclamation_table(), context_switch_table(),  thread_ring_table(),
        token_pipe_table(),   web_server_table(),  yield_one_cache_table(), yield_table(),
        yield_years_table()};
    return list;
}

}  // namespace sim::tables
