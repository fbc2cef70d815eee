// Reads multiple-choice questions in GIFT format as Moodle does (question/format/gift/format.php). Empty
// lines separate questions; a backslash escapes ~ = # { } : and itself, and \n is a line break.
#pragma once

#include <string>
#include <string_view>
#include <vector>

struct GiftAnswer {
    bool right = false;
    std::string text, feedback;
};

struct GiftQuestion {
    std::string title, format, text;  // format: the word in [ ] before the text
    std::vector<GiftAnswer> answers;
    std::string general_feedback;
};

// Throws std::runtime_error if `file` is not valid GIFT.
std::vector<GiftQuestion> read_gift(std::string_view file);
