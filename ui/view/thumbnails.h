// Small pictures of the built-in scenarios: the first segments of their runs on up to three CPUs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ui/view/model.h"

namespace ui {

struct Thumbnail {
    struct Box {
        float begin, end;  // shares of the width of the picture
        std::uint32_t cpu;
        sim::TaskId task;  // index of the task, from 0; idle tasks are not counted
    };
    std::vector<Box> boxes;
    std::uint32_t cpus = 1;  // rows
};

class Thumbnails {
  public:
    // The picture of a built-in scenario; null until work() has made it.
    const Thumbnail* find(const std::string& name);
    // Until the deadline, makes the pictures for which find() has returned null. Returns true if work
    // remains.
    bool work(Deadline deadline);

  private:
    std::map<std::string, Thumbnail> made_;
    std::vector<std::string> wanted_;
    std::unique_ptr<sim::RunHistory> history_;  // run of the first element of wanted_
};

}  // namespace ui
