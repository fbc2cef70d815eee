// Version of the programs.
#pragma once

namespace sim::cli {

// "0.1 (abc1234)": release and commit; "abc1234-dirty" if files differed from that commit. If the sources
// were neither in a repository nor in an archive of a repository, the text contains only the release.
const char* version();

// Date of the commit in version(), such as "2026-11-22"; empty: unknown.
const char* commit_date();

}  // namespace sim::cli
