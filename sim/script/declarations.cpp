// The declarations that a policy script can make while it is loaded.
#include <fmt/format.h>

#include <algorithm>

#include "sim/base/suggest.h"
#include "sim/script/library.h"
#include "sim/script/script.h"

namespace sim::script {
namespace {

constexpr std::size_t kLongestName = 32;
constexpr std::int64_t kGreatestOption = 1'000'000;
constexpr std::size_t kMostOptions = 64;  // maximum number of options, and of words per option

Script::Declarations& require_declarations(lua_State* L, const char* function) {
    Script::Declarations* declares = Script::of(L).declarations();
    if (declares == nullptr)
        LuaSandbox::fail(L, fmt::format("{} is a declaration; move it out of the functions", function));
    return *declares;
}

void check_name(lua_State* L, const char* function, std::string_view name) {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    const bool fine =
        !name.empty() && name.size() <= kLongestName && is_letter(name.front()) &&
        std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
    if (!fine)
        LuaSandbox::fail(
            L, fmt::format("{}: expected a name of letters, digits and '_', not starting with a digit, of at "
                           "most {} characters",
                           function, kLongestName));
}

// --- options { quantum = 20, aging = false, tie = "first|last", slices = { 1, 2, 4 } } ---

std::string number_list_text(lua_State* L, int table) {
    const auto n = static_cast<lua_Integer>(lua_rawlen(L, table));
    if (n < 1 || n > 64) LuaSandbox::fail(L, "options: expected a list of 1 to 64 numbers");
    std::string text;
    for (lua_Integer i = 1; i <= n; ++i) {
        lua_rawgeti(L, table, i);
        text += fmt::format("{}{}", i > 1 ? "/" : "", integer_at(L, -1, "the list of an option"));
        lua_pop(L, 1);
    }
    return text;
}

OptionInfo option_of(lua_State* L, std::string name, int value) {
    OptionInfo option{std::move(name), {}, {}};
    switch (lua_type(L, value)) {
        case LUA_TNUMBER: {
            const std::int64_t number = integer_at(L, value, "the value of an option");
            if (number < 0 || number > kGreatestOption)
                LuaSandbox::fail(L, fmt::format("option '{}': expected 0 to {}, got {}", option.name,
                                                kGreatestOption, number));
            option.values = {fmt::format("{}", number), number == 0 ? "N0" : "N"};
            break;
        }
        case LUA_TBOOLEAN:
            option.values = {"no", "yes"};
            if (lua_toboolean(L, value) != 0) std::swap(option.values[0], option.values[1]);
            break;
        case LUA_TSTRING: {
            std::string_view words = lua_tostring(L, value);
            while (true) {
                const std::string word(words.substr(0, words.find('|')));
                check_name(L, "the words of an option", word);
                option.values.push_back(word);
                if (option.values.size() > kMostOptions)
                    LuaSandbox::fail(L, fmt::format("option '{}': expected at most {} choices", option.name,
                                                    kMostOptions));
                if (word.size() == words.size()) break;
                words.remove_prefix(word.size() + 1);
            }
            if (option.values.size() < 2)
                LuaSandbox::fail(L,
                                 fmt::format("option '{}': write the choices as \"one|other\"", option.name));
            break;
        }
        case LUA_TTABLE:
            option.values = {number_list_text(L, value), "N/N/.."};
            break;
        default:
            LuaSandbox::fail(
                L, fmt::format("option '{}': expected a number, a list of numbers, true or false, or "
                               "\"one|other\", got {}",
                               option.name, describe_value(L, value)));
    }
    return option;
}

// Pushes the value of an option as the Lua value that the script reads: a number, a table of numbers, a
// boolean or a string.
void push_option_value(lua_State* L, const OptionInfo& option, const std::string& value) {
    const std::string& kind = option.values.back();
    if (kind == "N" || kind == "N0") {
        lua_pushinteger(L, std::stoll(value));
    } else if (kind == "N/N/..") {
        lua_newtable(L);
        lua_Integer i = 0;
        for (std::size_t from = 0; from <= value.size();) {
            const std::size_t to = std::min(value.find('/', from), value.size());
            lua_pushinteger(L, std::stoll(value.substr(from, to - from)));
            lua_seti(L, -2, ++i);
            from = to + 1;
        }
    } else if (option.values.size() == 2 && (kind == "yes" || kind == "no")) {
        lua_pushboolean(L, value == "yes");
    } else {
        lua_pushstring(L, value.c_str());
    }
}

// The names in a declaration `function { name = value }`. They are sorted, because the order of keys in a Lua
// table varies between runs.
std::vector<std::string> names_in(lua_State* L, const char* function) {
    luaL_checktype(L, 1, LUA_TTABLE);
    std::vector<std::string> names;
    bool all_are_texts = true;
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TSTRING)
            names.emplace_back(lua_tostring(L, -1));
        else
            all_are_texts = false;
    }
    if (!all_are_texts)
        LuaSandbox::fail(L, fmt::format("{0}: expected names with values: {0} {{ name = value }}", function));
    std::sort(names.begin(), names.end());
    return names;
}

// Pushes the value that the table at stack index 1 has for this name. Unlike lua_getfield(), this function
// does not allocate memory, so it cannot fail. REQUIRES: the name is from names_in().
void push_named_value(lua_State* L, std::string_view name) {
    lua_pushnil(L);
    while (lua_next(L, 1) != 0) {
        if (lua_type(L, -2) == LUA_TSTRING && name == lua_tostring(L, -2)) {
            lua_remove(L, -2);
            return;
        }
        lua_pop(L, 1);
    }
    lua_pushnil(L);
}

void add_options(lua_State* L, std::vector<OptionInfo>& list) {
    for (const std::string& name : names_in(L, "options")) {
        push_named_value(L, name);
        check_name(L, "options", name);
        const auto place =
            std::lower_bound(list.begin(), list.end(), name,
                             [](const OptionInfo& o, const std::string& n) { return o.name < n; });
        if (place != list.end() && place->name == name)
            LuaSandbox::fail(L, fmt::format("option '{}' is declared twice", name));
        if (list.size() == kMostOptions)
            LuaSandbox::fail(L, fmt::format("options: expected at most {} options", kMostOptions));
        list.insert(place, option_of(L, name, lua_gettop(L)));
        lua_pop(L, 1);
    }
}

int declare_options(lua_State* L) {
    std::vector<OptionInfo>& list = require_declarations(L, "options").options;
    add_options(L, list);
    lua_rawgeti(L, LUA_REGISTRYINDEX, kOptionValues);
    const int values = lua_gettop(L);
    const PolicyOptions& given = Script::of(L).given_options();
    for (const OptionInfo& option : list) {
        lua_pushstring(L, option.name.c_str());
        if (lua_rawget(L, 1) != LUA_TNIL) {
            const auto its = given.find(option.name);
            push_option_value(L, option, its != given.end() ? its->second : option.values.front());
            lua_setfield(L, values, option.name.c_str());
        }
        lua_pop(L, 1);
    }
    return 0;
}

// --- fields { left = 0 }, cpu_fields {...}, machine_fields {...} ---

int declare_fields(lua_State* L, const char* function, std::vector<Field>& fields) {
    for (const std::string& name : names_in(L, function)) {
        push_named_value(L, name);
        check_name(L, function, name);
        if (is_attribute_of_tasks(name))
            LuaSandbox::fail(L,
                             fmt::format("{}: '{}' is a built-in attribute of every task", function, name));
        const Field field{name, integer_at(L, -1, fmt::format("field '{}'", name).c_str())};
        const auto place = std::lower_bound(fields.begin(), fields.end(), name,
                                            [](const Field& f, const std::string& n) { return f.name < n; });
        if (place != fields.end() && place->name == name)
            LuaSandbox::fail(L, fmt::format("field '{}' is declared twice", name));
        if (fields.size() == ScriptStateLayout::kMostFields)
            LuaSandbox::fail(
                L, fmt::format("{}: expected at most {} fields", function, ScriptStateLayout::kMostFields));
        fields.insert(place, field);
        lua_pop(L, 1);
    }
    return 0;
}

int declare_task_fields(lua_State* L) {
    return declare_fields(L, "fields", require_declarations(L, "fields").layout.of_task);
}
int declare_cpu_fields(lua_State* L) {
    return declare_fields(L, "cpu_fields", require_declarations(L, "cpu_fields").layout.of_cpu);
}
int declare_machine_fields(lua_State* L) {
    return declare_fields(L, "machine_fields", require_declarations(L, "machine_fields").layout.of_machine);
}

// --- ready = queue(), level = queues(8) ---

void push_new_queue(lua_State* L, ScriptStateLayout& layout) {
    if (layout.queues == ScriptStateLayout::kMostQueues)
        LuaSandbox::fail(L, fmt::format("expected at most {} queues", ScriptStateLayout::kMostQueues));
    push_handle(L, {Handle::Kind::queue, layout.queues++}, kQueueMeta);
}

int declare_queue(lua_State* L) {
    push_new_queue(L, require_declarations(L, "queue()").layout);
    return 1;
}

int declare_queues(lua_State* L) {
    ScriptStateLayout& layout = require_declarations(L, "queues()").layout;
    const std::int64_t n = integer_at(L, 1, "queues()");
    if (n < 1 || n > ScriptStateLayout::kMostQueues)
        LuaSandbox::fail(
            L, fmt::format("queues(): expected 1 to {}, got {}", ScriptStateLayout::kMostQueues, n));
    lua_newtable(L);
    for (lua_Integer i = 1; i <= n; ++i) {
        push_new_queue(L, layout);
        lua_seti(L, -2, i);
    }
    return 1;
}

int keep_running_task_queued(lua_State* L) {
    require_declarations(L, "keep_running_task_queued()").layout.keeps_running_task_queued = true;
    return 0;
}

// --- highest "goodness", lowest "deadline": the value by which the script ranks tasks ---

int declare_criterion(lua_State* L, const char* function, RankingCriterion::Order by) {
    RankingCriterion& criterion = require_declarations(L, function).criterion;
    if (criterion.by != RankingCriterion::Order::turn)
        LuaSandbox::fail(L, "declare highest or lowest only once");
    if (lua_type(L, 1) != LUA_TSTRING)
        LuaSandbox::fail(L, fmt::format("{}: expected the name of the compared value in quotes", function));
    const std::string_view what = lua_tostring(L, 1);
    const bool fine = !what.empty() && what.size() <= kLongestName &&
                      std::all_of(what.begin(), what.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!fine)
        LuaSandbox::fail(L, fmt::format("{}: expected a name of 1 to {} printable ASCII characters", function,
                                        kLongestName));
    criterion = {by, std::string(what)};
    return 0;
}
int highest(lua_State* L) { return declare_criterion(L, "highest", RankingCriterion::Order::highest); }
int lowest(lua_State* L) { return declare_criterion(L, "lowest", RankingCriterion::Order::lowest); }

}  // namespace

void add_declaration_functions(lua_State* L) {
    constexpr luaL_Reg kFunctions[] = {{"options", call_guarded<declare_options>},
                                       {"fields", call_guarded<declare_task_fields>},
                                       {"cpu_fields", call_guarded<declare_cpu_fields>},
                                       {"machine_fields", call_guarded<declare_machine_fields>},
                                       {"queue", call_guarded<declare_queue>},
                                       {"queues", call_guarded<declare_queues>},
                                       {"keep_running_task_queued", call_guarded<keep_running_task_queued>},
                                       {"highest", call_guarded<highest>},
                                       {"lowest", call_guarded<lowest>},
                                       {nullptr, nullptr}};
    luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace sim::script
