#include "ui/app/notes_window.h"

#include <fmt/format.h>

#include <ctime>

#include "ui/app/app.h"
#include "ui/app/top_bar.h"
#include "ui/app/tour.h"
#include "ui/panels/drawing.h"
#include "ui/platform/imgui_versions.h"

namespace ui {
namespace {

constexpr Size kUsualSize{760, 560};
constexpr float kLarger = 1.4F;  // factor for letters, which the lecturer reads from a distance

// Stores the current ImGui context when constructed, and makes it current again when destroyed. In between,
// code can use another window's context.
class ImGuiContextRestorer {
  public:
    ImGuiContextRestorer() : before_(ImGui::GetCurrentContext()) {}
    ImGuiContextRestorer(const ImGuiContextRestorer&) = delete;
    ImGuiContextRestorer& operator=(const ImGuiContextRestorer&) = delete;
    ~ImGuiContextRestorer() { ImGui::SetCurrentContext(before_); }

  private:
    ImGuiContext* before_;
};

Backend open_notes_backend(const Backend& main_backend) {
    const ImGuiContextRestorer restored;
    if (main_backend.is_headless()) return Backend::headless(kUsualSize);
    const float density = main_backend.density();
    return Backend::window("Switchyard: notes",
                           {static_cast<int>(static_cast<float>(kUsualSize.width) * density),
                            static_cast<int>(static_cast<float>(kUsualSize.height) * density)});
}

}  // namespace

std::string local_time_of_day() {
    const std::time_t now = std::time(nullptr);
    const std::tm* const local = std::localtime(&now);
    return local == nullptr ? std::string() : fmt::format("{:02}:{:02}", local->tm_hour, local->tm_min);
}

std::string NotesPage::text() const {
    std::string all;
    for (const std::string& part : {clock, heading, caption, notes, next, position})
        if (!part.empty()) all += part + "\n";
    return all;
}

NotesPage notes_page(const App& app, const std::string& time_of_day, std::chrono::seconds time_since_opened) {
    NotesPage page;
    page.clock = fmt::format("{}   {}:{:02} since the notes were opened", time_of_day,
                             time_since_opened.count() / 60, time_since_opened.count() % 60);
    if (app.model().a == nullptr) return page;
    const sim::Scenario& scenario = app.model().a->scenario();
    const std::vector<sim::TourStop>& tour = scenario.tour;
    const std::optional<std::size_t> stop = app.view().stop;
    if (tour.empty() || !stop || *stop >= tour.size()) {
        page.heading = scenario.title;
        page.caption = scenario.question;
        page.notes = scenario.hint;
    } else {
        page.heading = stop_heading(tour, *stop);
        page.caption = tour[*stop].caption;  // the lecturer may read what is hidden from the audience
        page.notes = tour[*stop].notes;
    }
    const std::size_t next = stop ? *stop + 1 : 0;
    if (next < tour.size())
        page.next = fmt::format("Next: {}\n{}", stop_heading(tour, next), tour[next].caption);
    else if (!tour.empty())
        page.next = "This is the last stop of the tour.";
    page.position = position_text(*app.model().a, app.view());
    return page;
}

NotesWindow::NotesWindow(const Backend& main) : backend_(open_notes_backend(main)) {}

bool NotesWindow::handle_event(const SDL_Event& event) {
    const std::uint32_t id = backend_.window_id();
    if (id == 0) return false;  // the notes window is headless
    switch (event.type) {
        case SDL_WINDOWEVENT: {
            if (event.window.windowID != id) return false;
            if (event.window.event == SDL_WINDOWEVENT_CLOSE) wants_close_ = true;
            return pass_event_to_imgui(event);
        }
        case SDL_MOUSEMOTION:
            return event.motion.windowID == id && pass_event_to_imgui(event);
        case SDL_MOUSEBUTTONDOWN:
        case SDL_MOUSEBUTTONUP:
            return event.button.windowID == id && pass_event_to_imgui(event);
        case SDL_MOUSEWHEEL:
            return event.wheel.windowID == id && pass_event_to_imgui(event);
        default:
            return false;
    }
}

bool NotesWindow::pass_event_to_imgui(const SDL_Event& event) {
    const ImGuiContextRestorer restored;
    backend_.make_current();
    backend_.process_event(event);
    theme_ = nullptr;
    return true;
}

std::chrono::seconds NotesWindow::time_since_opened() const {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - opened_);
}

void NotesWindow::draw(const NotesPage& page, const Theme& theme) {
    // Scrolling needs several frames after the input, so the window is also drawn while
    // Backend::wants_frame() is true.
    if (page == drawn_ && theme_ == &theme && size_ == backend_.size() && !backend_.wants_frame()) return;
    drawn_ = page;
    theme_ = &theme;
    size_ = backend_.size();
    const ImGuiContextRestorer restored;
    backend_.set_scale(kLarger * backend_.density());
    backend_.begin_frame(1.0 / 60);
    apply_theme(theme, backend_.fonts().scale);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("notes", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
    const auto part = [](ImFont* font, ImU32 colour, const std::string& text) {
        if (text.empty()) return;
        push_font(font);
        ImGui::PushStyleColor(ImGuiCol_Text, colour);
        ImGui::TextWrapped("%s", text.c_str());
        ImGui::PopStyleColor();
        ImGui::PopFont();
        ImGui::Spacing();
    };
    const Fonts& fonts = backend_.fonts();
    part(fonts.mono, theme.text_dim, page.clock);
    part(fonts.title, theme.accent, page.heading);
    part(fonts.sans, theme.text, page.caption);
    part(fonts.sans, theme.warning, page.notes);
    ImGui::Separator();
    part(fonts.sans, theme.text_dim, page.next);
    part(fonts.mono, theme.text_dim, page.position);
    ImGui::End();
    backend_.end_frame(theme.background);
}

}  // namespace ui
