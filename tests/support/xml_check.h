// Whether a picture is well-formed XML of the simple kind that the program writes: elements with attributes,
// and text without references.
//
// xmllint would be one more package and one more process for each of the fourteen texts that are checked; and
// it accepts comments, entities and declarations, which the program does not write.
#pragma once

#include <string>

// Why this is no XML of that kind; empty when it is.
std::string xml_fault(const std::string& text);
