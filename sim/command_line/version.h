// Version of the programs.
#pragma once

namespace sim::cli {

// "0.1 (abc1234)": release and commit; "abc1234-dirty" if files differed from it. Only the release if the
// sources were in neither a repository nor an archive of one.
const char* version();

// Date of that commit, "2026-11-22"; empty: unknown.
const char* commit_date();

}  // namespace sim::cli
