// Converts parameters to test names, which allow only letters, digits and underscores.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>

inline std::string test_name(std::string text) {
    for (char& c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    return text;
}

// Name generator for INSTANTIATE_TEST_SUITE_P.
inline std::string name_of_parameter(const testing::TestParamInfo<std::string>& parameter) {
    return test_name(parameter.param);
}
