#include "sim/scenario/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "sim/scenario/json_edit.h"
#include "sim/scenario/json_parser.h"

namespace sim {
namespace {

using Pieces = std::vector<std::string>;

constexpr std::size_t kDeepestMachine = 8;  // more levels than any machine description has

[[noreturn]] void refuse_option(const std::string& option, std::string message) {
    throw ScenarioError(Problem{option, 0, 0, {}, std::move(message)});
}

// The segments of a pointer from an option.
Pieces parse_option_pointer(const std::string& option, const std::string& pointer) {
    std::optional<Pieces> pieces = json_pointer_segments(pointer);
    if (!pieces) refuse_option(option, "not a JSON pointer; write it like /tasks/0/count");
    return std::move(*pieces);
}

// The JSON pointer made of the first `count` segments.
std::string joined(const Pieces& pieces, std::size_t count) {
    std::string pointer;
    for (std::size_t i = 0; i < count; ++i) pointer.append(1, '/').append(escaped_pointer_segment(pieces[i]));
    return pointer;
}

}  // namespace

std::optional<std::size_t> element_index(std::string_view segment) {
    const bool digits = segment.find_first_not_of("0123456789") == std::string_view::npos;
    if (!digits || (segment.size() > 1 && segment.front() == '0')) return std::nullopt;
    std::size_t index = 0;
    if (std::from_chars(segment.data(), segment.data() + segment.size(), index).ec != std::errc{})
        return std::nullopt;
    return index;
}

std::string escaped_pointer_segment(std::string_view name) {
    std::string piece;
    for (char c : name) {
        if (c == '~')
            piece += "~0";
        else if (c == '/')
            piece += "~1";
        else
            piece += c;
    }
    return piece;
}

std::optional<std::vector<std::string>> json_pointer_segments(const std::string& pointer) {
    try {
        nlohmann::json::json_pointer rest(pointer);
        Pieces pieces;
        for (; !rest.empty(); rest.pop_back()) pieces.push_back(rest.back());
        std::reverse(pieces.begin(), pieces.end());
        return pieces;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

std::string text_of_set_option(const std::string& assignment) { return "--set " + shorten(assignment, 100); }

Assignment read_assignment(const std::string& assignment) {
    const std::string option = text_of_set_option(assignment);
    check_size_and_characters(option, assignment);
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) refuse_option(option, "expected POINTER=VALUE, like /tasks/0/count=10");
    std::string pointer = assignment.substr(0, equals), json = assignment.substr(equals + 1);
    if (!pointer.empty() && pointer.front() != '/') pointer.insert(0, 1, '/');
    Pieces pieces = parse_option_pointer(option, pointer);
    if (pieces.empty()) refuse_option(option, "cannot set the whole scenario, only a value in it");
    if (!nlohmann::json::accept(json)) json = json_string(json);
    if (json.starts_with(kByteOrderMark)) json.erase(0, kByteOrderMark.size());
    return {std::move(pieces), std::move(json)};
}

std::string kind_of(const JsonValue& value) {
    switch (value.kind()) {
        case JsonValue::Kind::null:
            return "null";
        case JsonValue::Kind::boolean:
            return "a boolean";
        case JsonValue::Kind::number:
            return "a number";
        case JsonValue::Kind::string:
            return "a string";
        case JsonValue::Kind::array:
            return "an array";
        case JsonValue::Kind::object:
            return "an object";
    }
    return "?";
}

// --- JsonValue ---

std::vector<JsonValue*>::const_iterator JsonValue::member_position(std::string_view key) const {
    return std::lower_bound(children_.begin(), children_.end(), key,
                            [](const JsonValue* member, std::string_view k) { return member->key_ < k; });
}

const JsonValue* JsonValue::find(std::string_view key) const {
    if (!is_object()) return nullptr;
    const auto place = member_position(key);
    return place != children_.end() && (*place)->key_ == key ? *place : nullptr;
}

JsonValue* JsonValue::child(std::string_view segment) const {
    if (is_array()) {
        const std::optional<std::size_t> index = element_index(segment);
        return index && *index < size() ? children_[*index] : nullptr;
    }
    const auto place = member_position(segment);
    return place != children_.end() && (*place)->key_ == segment ? *place : nullptr;
}

const std::string* JsonValue::option_that_set() const {
    const JsonValue* around = this;
    while (around != nullptr && around->set_by_ == nullptr) around = around->parent_;
    return around == nullptr ? nullptr : around->set_by_;
}

std::string JsonValue::pointer(std::size_t most) const {
    std::vector<const JsonValue*> way;
    for (const JsonValue* value = this; value->parent_ != nullptr; value = value->parent_)
        way.push_back(value);
    std::string pointer;
    for (auto step = way.rbegin(); step != way.rend() && pointer.size() <= most; ++step) {
        const JsonValue& value = **step;
        pointer += '/';
        if (value.parent_->is_object())
            pointer += escaped_pointer_segment(value.written_key().substr(0, most));
        else
            pointer += std::to_string(value.index_);
    }
    return pointer;
}

nlohmann::json JsonValue::to_nlohmann_json() const {
    if (is_string()) return std::string(text_);
    if (is_array()) {
        nlohmann::json::array_t elements;
        elements.reserve(children_.size());
        for (const JsonValue* element : children_) elements.push_back(element->to_nlohmann_json());
        return elements;
    }
    if (is_object()) {
        nlohmann::json::object_t members;
        for (const JsonValue* member : children_)
            members.emplace_hint(members.end(), std::string(member->key_), member->to_nlohmann_json());
        return members;
    }
    return std::visit([](auto scalar) { return nlohmann::json(scalar); }, scalar_);
}

// --- JsonTree ---

JsonTree::JsonTree(std::string file, std::string text, std::vector<Problem>* noted, std::size_t most,
                   JsonMemberOrder members)
    : file_(std::move(file)), text_(std::move(text)) {
    if (text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
    check_size_and_characters(file_, text_, most);
    std::vector<Problem> problems;
    root_ = &parse_json(file_, text_, storage_, problems, members);
    if (noted != nullptr)
        *noted = std::move(problems);
    else if (!problems.empty())
        throw ScenarioError(std::move(problems));
}

Problem JsonTree::problem_at(const JsonValue& value, std::string message, bool at_key) const {
    Problem problem{file_, 0, 0, value.pointer(), std::move(message)};
    if (const std::string* const option = value.option_that_set(); option != nullptr)
        problem.file = *option;
    else
        set_line_and_column(problem, text_, at_key ? value.key_begin_ : value.begin_);
    return problem;
}

Problem JsonTree::problem_at(const std::string& pointer, std::string message) const {
    const JsonValue* value = root_;
    for (const std::string& piece : parse_option_pointer(file_, pointer)) {
        const JsonValue* const below = value->at(piece);
        if (below == nullptr) break;
        value = below;
    }
    Problem problem = problem_at(*value, std::move(message));
    problem.pointer = pointer;
    return problem;
}

// Returns the member with that key. If there is none, adds a member with the value null.
JsonValue& JsonTree::add_member(JsonValue& object, std::string_view key) {
    const auto place = object.member_position(key);
    if (place != object.children_.end() && (*place)->key_ == key) return **place;
    JsonValue& member = storage_.values.emplace_back();
    member.parent_ = &object;
    member.key_ = storage_.strings.emplace_back(key);
    member.begin_ = member.key_begin_ = object.begin_;
    object.children_.insert(place, &member);
    return member;
}

bool JsonTree::rename(const JsonValue& member, std::string_view new_key) {
    auto& object = const_cast<JsonValue&>(*member.parent_);  // the tree owns this value and may change it
    const auto old = object.member_position(member.key_);
    JsonValue* const renamed = *old;
    object.children_.erase(old);
    const auto place = object.member_position(new_key);
    if (place != object.children_.end() && (*place)->key_ == new_key) return false;
    renamed->written_key_ = renamed->key_;
    renamed->key_ = new_key;
    object.children_.insert(place, renamed);
    return true;
}

// Expands "machine": "name" to "machine": {"base": "name"}, so that parts of the machine can be set. Adds the
// default machine if there is none.
void JsonTree::expand_machine_name() {
    if (!root_->is_object()) return;
    JsonValue* machine = root_->child("machine");
    std::string_view name = kDefaultMachine;
    if (machine == nullptr)
        machine = &add_member(*root_, "machine");
    else if (machine->is_string())
        name = std::exchange(machine->text_, {});
    else
        return;
    machine->kind_ = JsonValue::Kind::object;
    JsonValue& base = add_member(*machine, "base");
    base.kind_ = JsonValue::Kind::string;
    base.text_ = name;
}

void JsonTree::set(const std::string& assignment, const Assignment& change) {
    const std::string& option = storage_.strings.emplace_back(text_of_set_option(assignment));
    const auto& [pieces, json] = change;
    std::vector<Problem> problems;
    JsonValue& value = parse_json(option, storage_.strings.emplace_back(json), storage_, problems);
    if (!problems.empty()) throw ScenarioError(std::move(problems));
    const bool in_machine = pieces.size() > 1 && pieces.front() == "machine";
    if (in_machine) expand_machine_name();
    JsonValue* parent = root_;
    std::size_t depth = 0;  // of `parent`
    const std::size_t above = pieces.size() - 1;
    while (depth < above) {
        JsonValue* const next = parent->child(pieces[depth]);
        if (next == nullptr) break;
        parent = next;
        ++depth;
    }
    // The text of the scenario contains only the name of the base machine, not the base machine's costs, TLB
    // and cache. So missing objects that enclose the changed value are added. Their members override those of
    // the base machine.
    if (in_machine && above - depth <= kDeepestMachine)
        for (; depth < above && parent->is_object(); ++depth) {
            parent = &add_member(*parent, pieces[depth]);
            parent->kind_ = JsonValue::Kind::object;
            parent->set_by_ = &option;
        }
    const std::string shown =
        above == 0 ? "the scenario" : fmt::format("'{}'", shorten(joined(pieces, above)));
    if (depth < above)
        refuse_option(option, fmt::format("cannot set a value in {}: it does not exist", shown));
    JsonValue* const target =
        parent->is_object() ? &add_member(*parent, pieces.back()) : parent->child(pieces.back());
    if (target == nullptr)
        refuse_option(option, parent->is_array()
                                  ? fmt::format("no such element: {} has {} elements, numbered from 0", shown,
                                                parent->size())
                                  : fmt::format("{} is {}, which has no members", shown, kind_of(*parent)));
    target->written_key_ = {};
    target->kind_ = value.kind_;
    target->text_ = value.text_;
    target->scalar_ = value.scalar_;
    target->set_by_ = &option;
    target->children_ = std::move(value.children_);
    for (JsonValue* below : target->children_) below->parent_ = target;
}

}  // namespace sim
