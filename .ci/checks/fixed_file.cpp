// The unit of compile time: ./run build-times measures libraries in multiples of this file. It uses only the
// standard library. Do not change it: all budgets in .ci/build_budgets.txt refer to it.
#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

template <int N>
std::map<std::string, std::vector<int>> count(const std::string& text) {
    std::map<std::string, std::vector<int>> found;
    const std::regex word("([a-z]+)-" + std::to_string(N));
    for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i)
        found[(*i)[1]].push_back(N);
    std::set<std::string> names;
    for (auto& [name, numbers] : found) {
        std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % N < b % N; });
        names.insert(name);
    }
    return found;
}

}  // namespace

std::string fixed_file(const std::string& text) {
    const std::vector<std::function<std::map<std::string, std::vector<int>>(const std::string&)>> all{
        count<2>, count<3>, count<5>, count<7>};
    std::ostringstream out;
    for (const auto& f : all)
        for (const auto& [name, numbers] : f(text)) out << name << ' ' << numbers.size() << '\n';
    return out.str();
}
