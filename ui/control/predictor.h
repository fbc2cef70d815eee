// Predicting: the outcome of each decision stays hidden until somebody has said what it will be.
#pragma once

#include <cstddef>

#include "ui/control/desk.h"
#include "ui/view/prediction.h"

namespace ui {

class Predictor {
  public:
    explicit Predictor(Desk& desk) : desk_(desk) {}

    void toggle();
    // The question about the decision that is shown now; what was said about the last one is forgotten.
    void ask_next();
    // Whether somebody is asked, and there is a decision to be asked about.
    bool is_asking() const;
    // What somebody says; nothing unless is_asking().
    void predict(const Prediction& choice);
    // The same by the number of an answer as it is shown; says so when there is none of it.
    void predict(std::size_t number);

  private:
    std::optional<Cursor> cursor() const;

    Desk& desk_;
};

}  // namespace ui
