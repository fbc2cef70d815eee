// Whether a picture is well-formed XML of the simple kind that the program writes: one root, elements with
// quoted attributes, text with no references but &amp; &lt; &gt; and &quot;, and no control character but the
// end of a line.
//
// xmllint would be one more package and one more process for each text that is checked; and it accepts
// comments, other entities and declarations, which the program does not write.
#pragma once

#include <string>
#include <string_view>

// Why this is no XML of that kind; empty when it is.
std::string xml_fault(std::string_view text);
