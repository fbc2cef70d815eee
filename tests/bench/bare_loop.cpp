#include "tests/bench/bare_loop.h"

#include <queue>
#include <vector>

namespace bench {
namespace {

struct Task {
    int counter = 20;
    int priority = 20;
    Task* next = nullptr;
    Task* prev = nullptr;
};

struct Event {
    std::uint64_t time;
    int kind;
    bool operator>(const Event& other) const { return time > other.time; }
};

}  // namespace

std::uint64_t bare_yield_loop(int spinners, int sleepers, std::uint64_t yields) {
    std::vector<Task> tasks(static_cast<std::size_t>(spinners + sleepers));
    Task head;
    head.next = head.prev = &head;
    const auto add_last = [&head](Task* t) {
        t->prev = head.prev;
        t->next = &head;
        head.prev->next = t;
        head.prev = t;
    };
    for (int i = 0; i < spinners; ++i) add_last(&tasks[static_cast<std::size_t>(i)]);

    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    events.push({10'000'000, 0});  // the tick
    std::uint64_t now = 0, switches = 0;
    Task* current = head.next;
    for (std::uint64_t n = 0; n < yields;) {
        events.push({now + 1'500, 1});  // the yield
        const Event event = events.top();
        events.pop();
        now = event.time;
        bool resched = true;
        if (event.kind == 0) {
            events.push({now + 10'000'000, 0});
            resched = --current->counter < 0;
            if (resched) current->counter = 0;
        } else {
            ++n;
            current->prev->next = current->next;
            current->next->prev = current->prev;
            add_last(current);
            current->counter = 0;
        }
        if (!resched) continue;
        int best = -1000;
        Task* next = &head;
        int considered = 0;
        for (Task* t = head.next; t != &head; t = t->next) {
            int weight = t->counter;
            if (weight != 0 && t == current) ++weight;
            ++considered;
            if (weight > best) {
                best = weight;
                next = t;
            }
        }
        if (best == 0)
            for (Task& t : tasks) t.counter = (t.counter >> 1) + t.priority;
        now += static_cast<std::uint64_t>(1'400 + 530 * considered);
        if (next != current) {
            ++switches;
            now += 3'800;
        }
        current = next;
    }
    return switches;
}

}  // namespace bench
