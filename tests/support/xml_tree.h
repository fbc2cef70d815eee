// Parses XML into a tree, for tests that read program output. Supports elements, attributes, text,
// references, CDATA sections, comments and a leading declaration.
//
// Independent of the code under test and of xml_check.h, which rejects the last three.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  // text directly inside the element, without that of its children
    std::vector<XmlElement> children;

    // Returns the children with that name.
    std::vector<const XmlElement*> all(std::string_view child) const;
    // Returns the only child with that name. If there is not exactly one, throws std::runtime_error.
    const XmlElement& one(std::string_view child) const;
};

// Parses a document and returns its root. Throws std::runtime_error with a description if it is malformed.
XmlElement read_xml(std::string_view document);
