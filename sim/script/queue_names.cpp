#include "sim/script/queue_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string_view>

#include "sim/script/library.h"

namespace sim::script {
namespace {

constexpr std::size_t kLongestShown = 24;  // maximum length of a name, which is used as a label
// Maximum depth of the search for queues: in tables within tables (level[2][3] has depth 2), and in functions
// that other functions use as upvalues.
constexpr int kDeepestShown = 2;
// Maximum number of values examined, because a script can create tables of any size.
constexpr int kMostLooks = 20'000;

bool can_be_shown(std::string_view name) {
    return !name.empty() && name.size() <= kLongestShown && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
}

class QueueNamer {
  public:
    QueueNamer(lua_State* L, std::uint32_t queues) : L_(L), names_(queues) {}

    std::vector<std::string> names() {
        const int globals = lua_gettop(L_);
        luaL_checkstack(L_, 16, nullptr);
        const auto globals_by = [&](const auto& look) {
            for (const auto& [name, number] : keys_of(globals)) {
                if (name.front() == '[') continue;
                lua_getfield(L_, globals, name.c_str());
                look(name);
                lua_pop(L_, 1);
            }
        };
        globals_by([&](const std::string& name) { value(name, 0); });
        globals_by([&](const std::string&) { name_queues_in_upvalues(0); });
        for (std::size_t q = 0; q < names_.size(); ++q)
            if (names_[q].empty()) names_[q] = fmt::format("queue {}", q + 1);
        return std::move(names_);
    }

  private:
    // Returns the keys of the table that are integers or printable names, sorted, in the form in which they
    // are appended to the name of the table. The result is incomplete if the table is very large.
    std::map<std::string, lua_Integer> keys_of(int table) {
        std::map<std::string, lua_Integer> keys;
        lua_pushnil(L_);
        while (lua_next(L_, table) != 0) {
            lua_pop(L_, 1);
            if (looks_++ >= kMostLooks) {
                lua_pop(L_, 1);
                break;
            }
            if (lua_isinteger(L_, -1))
                keys.emplace(fmt::format("[{}]", lua_tointeger(L_, -1)), lua_tointeger(L_, -1));
            else if (lua_type(L_, -1) == LUA_TSTRING && can_be_shown(lua_tostring(L_, -1)))
                keys.emplace(lua_tostring(L_, -1), 0);
        }
        return keys;
    }

    // Examines the value on the top of the stack. If the value is a queue without a name, `name` becomes the
    // name of the queue. If the value is a table, its elements are examined.
    void value(const std::string& name, int depth) {
        const int at = lua_gettop(L_);
        if (const Handle* queue = handle_at(L_, at, Handle::Kind::queue); queue != nullptr) {
            std::string& known = names_[queue->number];
            if (known.empty() && taken_.insert(name).second) known = name;
            return;
        }
        if (!lua_istable(L_, at) || depth == kDeepestShown) return;
        const std::map<std::string, lua_Integer> keys = keys_of(at);
        for (const bool is_table : {false, true}) {  // elements that are not tables are examined first
            for (const auto& [key, number] : keys) {
                const bool is_listed = key.front() == '[';
                if (is_listed)
                    lua_rawgeti(L_, at, number);
                else
                    lua_getfield(L_, at, key.c_str());
                if (lua_istable(L_, -1) == is_table)
                    value(is_listed ? name + key : name + "." + key, depth + 1);
                lua_pop(L_, 1);
            }
        }
    }

    // Examines the upvalues of the function on the top of the stack, if it belongs to the script.
    void name_queues_in_upvalues(int depth) {
        const int function = lua_gettop(L_);
        if (!lua_isfunction(L_, function) || lua_iscfunction(L_, function)) return;
        for (int i = 1; const char* name = lua_getupvalue(L_, function, i); ++i) {
            if (looks_++ < kMostLooks && std::string_view(name) != "_ENV" && can_be_shown(name)) {
                value(name, 0);
                if (depth < kDeepestShown) name_queues_in_upvalues(depth + 1);
            }
            lua_pop(L_, 1);
        }
    }

    lua_State* L_;
    std::vector<std::string> names_;
    std::set<std::string> taken_;  // names in use, because upvalues of two functions can have the same name
    int looks_ = 0;
};

}  // namespace

std::vector<std::string> queue_names(lua_State* L, std::uint32_t queue_count) {
    return QueueNamer(L, queue_count).names();
}

}  // namespace sim::script
