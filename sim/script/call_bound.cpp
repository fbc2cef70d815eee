#include "sim/script/call_bound.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/script/tokens.h"

namespace sim::script {
namespace {

constexpr int kMost = 4000;

// Library functions that scripts can use as iterators in a `for` loop.
constexpr std::string_view kIterators[] = {"tasks", "cpus", "pairs", "ipairs"};

bool is_iterator(const Token& token) {
    return token.kind == Token::Kind::name &&
           std::find(std::begin(kIterators), std::end(kIterators), token.words) != std::end(kIterators);
}

struct NamedFunction {
    int tokens = 0;  // number of tokens, without the tokens of called functions
    std::vector<std::string_view> calls;
    enum class CountState { not_yet, now, done } counted = CountState::not_yet;
    int all = 0;
};

class CallReader {
  public:
    explicit CallReader(std::string_view text) : tokens_(tokens_of(text)) {}

    std::optional<int> read() {
        for (std::size_t i = 0; i + 1 < tokens_.size(); ++i)
            if (at(i).is("function")) functions_[at(i + 1).words];
        for (std::size_t i = 0; i < tokens_.size(); ++i)
            if (!process_token(i)) return std::nullopt;
        int most = 1;
        for (auto& [name, function] : functions_) {
            if (!count(function)) return std::nullopt;
            most = std::max(most, function.all);
        }
        return most;
    }

  private:
    const Token& at(std::size_t i) const {
        static constexpr Token kEnd{Token::Kind::sign, {}};
        return i < tokens_.size() ? tokens_[i] : kEnd;
    }
    bool tokens_are(std::size_t i, std::initializer_list<std::string_view> words) const {
        for (const std::string_view word : words)
            if (!at(i++).is(word)) return false;
        return true;
    }

    // Processes token i and updates the state for the following tokens. Returns false if the tokens do not
    // prove that every call of the script ends.
    bool process_token(std::size_t i) {
        const Token& token = at(i);
        if (token.is("function") && !begin_function(i)) return false;
        if (function_ != nullptr) ++function_->tokens;
        if (token.is("function") || token.is("if") || token.is("do") || token.is("repeat")) ++depth_;
        if ((token.is("end") || token.is("until")) && --depth_ == 0) function_ = nullptr;
        if (token.is("%") || (token.is("/") && at(i + 1).is("/")))
            return is_nonzero_number(at(token.is("%") ? i + 1 : i + 2));
        if (token.kind != Token::Kind::name) return true;
        if (token.is("_ENV")) return false;  // _ENV gives access to all names
        if (function_ != nullptr && (token.is("while") || token.is("repeat") || token.is("goto")))
            return false;
        if (function_ != nullptr && token.is("for")) return is_bounded_loop(i);
        return is_allowed_name_use(i);
    }

    static bool is_nonzero_number(const Token& divisor) {
        return divisor.kind == Token::Kind::number && divisor.words.find_first_of("123456789") == 0;
    }

    // Begins the analysis of the function that is defined at token i. Returns false if the function is inside
    // a block or has the name of an iterator.
    bool begin_function(std::size_t i) {
        const Token& name = at(i + 1);
        if (depth_ != 0 || name.kind != Token::Kind::name || !at(i + 2).is("(") || is_iterator(name))
            return false;
        function_ = &functions_[name.words];
        return true;
    }

    // Whether the loop that starts at token i has one of the allowed forms (call_bound.h). The library counts
    // the iterations of such loops.
    bool is_bounded_loop(std::size_t i) const {
        while (i < tokens_.size() && !at(i).is("in") && !at(i).is("do")) ++i;
        if (!at(i++).is("in") || at(i).kind != Token::Kind::name) return false;
        const Token& first = at(i++);
        if (first.is("tasks") || first.is("cpus")) return tokens_are(i, {"(", ")", "do"});
        if (is_iterator(first))
            return at(i).is("(") && at(i + 1).kind == Token::Kind::name && tokens_are(i + 2, {")", "do"});
        if (at(i).is("[") && at(i + 1).kind != Token::Kind::sign && at(i + 2).is("]")) i += 3;
        return tokens_are(i, {":", "each", "(", ")", "do"});
    }

    // Returns false if token i uses a function of the script or an iterator as a value. Returns true if token
    // i is part of a call or of a definition, or is any other token.
    bool is_allowed_name_use(std::size_t i) {
        const bool is_field = i > 0 && (at(i - 1).is(".") || at(i - 1).is(":"));
        const Token& token = at(i);
        if (is_field || (!functions_.contains(token.words) && !is_iterator(token))) return true;
        // The name of a function is also allowed before `=`, where it names a variable that is assigned, or a
        // table key. The value after `=` cannot be a function of the script: such a value is rejected at its
        // own token.
        if (at(i + 1).is("=") && !at(i + 2).is("=") && !is_iterator(token)) return true;
        if (!at(i + 1).is("(")) return false;
        const bool is_its_name = i > 0 && at(i - 1).is("function");
        if (!is_its_name && function_ != nullptr && !is_iterator(token))
            function_->calls.push_back(token.words);
        return true;
    }

    // Computes the number of tokens of a function, including the tokens of called functions. Returns false if
    // the function is recursive or if the number is above kMost.
    bool count(NamedFunction& function) {
        using CountState = NamedFunction::CountState;
        if (function.counted == CountState::done) return true;
        if (function.counted == CountState::now) return false;
        function.counted = CountState::now;
        function.all = function.tokens;
        for (const std::string_view name : function.calls) {
            NamedFunction& called = functions_[name];
            if (!count(called)) return false;
            function.all += called.all;
            if (function.all > kMost) return false;
        }
        function.counted = CountState::done;
        return function.all <= kMost;
    }

    std::vector<Token> tokens_;
    std::map<std::string_view, NamedFunction> functions_;
    NamedFunction* function_ = nullptr;  // function that contains the current token; null: none
    int depth_ = 0;                      // nesting depth of blocks
};

}  // namespace

std::optional<int> max_instructions_between_iterations(std::string_view text) {
    return CallReader(text).read();
}

}  // namespace sim::script
