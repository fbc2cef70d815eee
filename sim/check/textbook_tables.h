// Reader of the worked examples of textbooks, which are one JSON file (docs/reference/textbooks.md).
#pragma once

#include <string>

#include "sim/check/exercise.h"
#include "sim/check/textbook_case.h"

namespace sim {

class TextbookTables final : public TextbookCase {
  public:
    TextbookTables(const JsonTree& text, VerifyResult& result, const VerifyOptions& options)
        : TextbookCase(text, 0, result, options) {}

    void replay();

  private:
    static constexpr Nanos kBookUnit = 1ms;
    // Tolerances. kFourDigits: for computed values, which are rounded to four decimals. kPrinted: for values
    // printed in a book, which are rounded or truncated to two decimals.
    static constexpr double kFourDigits = 0.00006, kPrinted = 0.0101;

    static double in_book_units(Nanos time) {
        return static_cast<double>(time.count()) / static_cast<double>(Nanos{kBookUnit}.count());
    }

    void replay_each(const char* list_key,
                     void (TextbookTables::*replay_entry)(const Json&, const std::string&));

    // --- tables of processes ---

    void replay_process_table(const Json& entry, const std::string& at);
    void read_processes(const Json& entry, const std::string& at);
    // Returns the name of the policy script for a policy of the book, and sets the options of the script.
    // Returns an empty string if there is no such script.
    std::string policy_script_for(const std::string& policy, const Json& params, const std::string& at,
                                  Options& options);
    std::size_t find_process(const Json& name, const std::string& at) const;
    // Reads a schedule with job names, as books print it. For a real-time set, the list may contain only
    // the start of the schedule.
    ValueIntervals read_printed_schedule(const Json& list, const std::string& at) const;
    void compare_table(const ExerciseSolution& s, const Json& values, const std::string& at, double unit,
                       double tolerance);
    double read_real(const Json& value, const std::string& at) const;
    // Solves the exercise again under each listed convention, such as "equals: the newest arrival first", and
    // compares the result with the one recorded for this convention. A recorded result is a table, or "same"
    // if the convention does not change the exercise's "computed" table.
    void replay_other_conventions(const Json& entry, const std::string& at, const std::string& policy,
                                  const std::string& name, const Options& options);

    // --- real-time sets (book_real_time.cpp) ---

    void replay_real_time_set(const Json& entry, const std::string& at);
    void read_tasks(const Json& entry, const std::string& at);
    // Sets the priorities from a rule such as "[1, 0]": task indices, highest priority first.
    void set_priorities(const std::string& rule, const std::string& at);
    void compare_real_time_set(const ExerciseSolution& s, const Json& entry, const Json& expected,
                               const std::string& expected_at, const std::string& rule,
                               const std::string& at);

    // --- shares (book_shares.cpp) ---

    // Replays processor sharing, the limit of round robin for short quanta. With a quantum of 1/1000 of a
    // unit, results agree with this limit to the printed digits.
    void replay_processor_sharing(const Json& entry, const std::string& at);
    void replay_proportional_share(const Json& entry, const std::string& at);
    // Creates endless jobs with these tickets, and a run of `quanta` quanta.
    void create_endless_jobs(const Json& tickets, const std::string& at, std::size_t quanta);
    ValueIntervals read_running_order(const Json& list, const std::string& at) const;
    void check_stride(const Json& params, const Json& published, const std::string& at);
    void check_lottery(const Json& entry, const Json& params, const Json& published, const std::string& at);

    // --- other exercises ---

    // Replays an exercise about the length of bursts. With a policy (CTSS: the quantum doubles), calls
    // replay_feedback_turns(). Otherwise, reports that the exercise is left out: it predicts bursts, but the
    // policies of this simulator receive the lengths of bursts.
    void replay_burst_prediction(const Json& entry, const std::string& at);
    void replay_feedback_turns(const Json& entry, const std::string& at);
    void replay_utilisation(const Json& entry, const std::string& at);
    void replay_starting_deadline(const Json&, const std::string&);

    Json root_;
    Exercise exercise_;
    std::string id_;
    double utilisation_ = 0;
};

}  // namespace sim
