// Reader of the worked examples of textbooks, which are one JSON file (docs/reference/textbooks.md).
#pragma once

#include <string>

#include "sim/check/book_case.h"
#include "sim/check/exercise.h"

namespace sim {

class BookTables final : public BookCase {
  public:
    BookTables(const JsonTree& text, VerifyResult& result, const VerifyOptions& options)
        : BookCase(text, 0, result, options) {}

    void replay();

  private:
    static constexpr Nanos kBookUnit = 1ms;
    // Tolerances: for values with four decimals, and for values with two decimals, rounded or truncated.
    static constexpr double kFourDigits = 0.00006, kPrinted = 0.0101;

    static double in_units(Nanos time) {
        return static_cast<double>(time.count()) / static_cast<double>(Nanos{kBookUnit}.count());
    }

    void for_each(const char* list, void (BookTables::*one)(const Json&, const std::string&));

    // --- tables of processes ---

    void table(const Json& t, const std::string& at);
    void read_processes(const Json& t, const std::string& at);
    // Returns the name of the policy script for a policy of the book, and sets its options; empty if there
    // is none.
    std::string script_for(const std::string& policy, const Json& params, const std::string& at,
                           Options& options);
    std::size_t process(const Json& name, const std::string& at) const;
    // Reads a schedule with job names, as books print it. For a real-time set, the list may contain only
    // the start of the schedule.
    ValueIntervals read_printed_schedule(const Json& list, const std::string& at) const;
    void compare_table(const Solution& s, const Json& values, const std::string& at, double unit,
                       double within);
    double real(const Json& value, const std::string& at) const;
    // Solves the exercise with other tie rules and compares each result with the recorded one. This is
    // "same" (as the exercise's own result) or a table, usually with finish times only.
    void other_conventions(const Json& t, const std::string& at, const std::string& policy,
                           const std::string& name, const Options& options);

    // --- real-time sets (book_real_time.cpp) ---

    void real_time(const Json& t, const std::string& at);
    void read_tasks(const Json& t, const std::string& at);
    // Sets the priorities from a rule such as "[1, 0]": task indices, highest priority first.
    void set_priorities(const std::string& rule, const std::string& at);
    void compare_set(const Solution& s, const Json& t, const Json& wanted, const std::string& of,
                     const std::string& rule, const std::string& at);

    // --- shares (book_shares.cpp) ---

    // Replays processor sharing, the limit of round robin for short quanta. With a quantum of 1/1000 of a
    // unit, results agree with this limit to the printed digits.
    void processor_sharing(const Json& t, const std::string& at);
    void proportional_share(const Json& t, const std::string& at);
    // Creates endless jobs with these tickets, and a run of `quanta` quanta.
    void create_endless_jobs(const Json& tickets, const std::string& at, std::size_t quanta);
    ValueIntervals order_of(const Json& list, const std::string& at) const;
    void check_stride(const Json& params, const Json& published, const std::string& at);
    void check_lottery(const Json& t, const Json& params, const Json& published, const std::string& at);

    // --- other exercises ---

    // Replays the turns of a CTSS job whose quantum doubles. Predictions of the next burst cannot be
    // replayed, because policies here receive the burst length.
    void prediction(const Json& t, const std::string& at);
    void turns(const Json& t, const std::string& at);
    void utilisation(const Json& t, const std::string& at);
    void starting_deadline(const Json&, const std::string&);

    Json root_;
    Exercise exercise_;
    std::string id_;
    double utilisation_ = 0;
};

}  // namespace sim
