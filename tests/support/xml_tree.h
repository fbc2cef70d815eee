// XML as a tree, for tests that read what the program has written for others: elements, attributes, text,
// references, CDATA sections, comments and a declaration at the beginning.
//
// It knows nothing of the code under test, nor of xml_check.h, which asks of pictures that they have none of
// the last three.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  // what stands between its own tags, without that of elements inside
    std::vector<XmlElement> children;

    // The children of that name.
    std::vector<const XmlElement*> all(std::string_view child) const;
    // The only one; throws std::runtime_error if there is none or another.
    const XmlElement& one(std::string_view child) const;
};

// The root of a document. Throws std::runtime_error with what is wrong with it.
XmlElement read_xml(std::string_view document);
