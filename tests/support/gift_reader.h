// Multiple-choice questions in GIFT, read as Moodle does (question/format/gift/format.php): paragraphs
// between empty lines, in which a backslash takes its meaning from ~ = # { } : and itself, and \n is a new
// line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

struct GiftAnswer {
    bool right = false;
    std::string text, feedback;
};

struct GiftQuestion {
    std::string title, format, text;  // the format is what stands in [ ] before the text
    std::vector<GiftAnswer> answers;
    std::string general_feedback;
};

// Throws std::runtime_error for what is no such file.
std::vector<GiftQuestion> read_gift(std::string_view file);
