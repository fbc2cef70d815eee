// Which build of the programs this is.
#pragma once

namespace sim::cli {

// "0.1 (abc1234)": the release, and the commit that was built, "abc1234-dirty" when files differed from it;
// only the release when the sources are in no repository and in no archive of one.
const char* version();

// When that commit was made, "2026-11-22"; empty when there is none.
const char* commit_date();

}  // namespace sim::cli
