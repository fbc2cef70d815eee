// Checks that an image is well-formed XML of the subset that the program writes. It allows one root, elements
// with quoted attributes, and text with only &amp; &lt; &gt; &quot; and no control character except newline.
//
// xmllint would need another package and one process per text, and accepts comments, entities and
// declarations, which the program does not write.
#pragma once

#include <string>
#include <string_view>

// Describes a violation; empty if there is none.
std::string xml_fault(std::string_view text);
