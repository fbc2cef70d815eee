// Pictures are the same on every machine. Lines and curves are drawn by ui/platform/shapes.h with exact
// arithmetic, and the program does not depend on differences between processors or C libraries
// (docs/explanation/determinism.md).
#if __has_include(<imgui.h>) && __has_include(<SDL.h>)

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/test_sizes.h"
#include "ui/app/app.h"
#include "ui/panels/panel.h"
#include "ui/platform/backend.h"
#include "ui/platform/shapes.h"
#include "ui/platform/theme.h"

namespace ui {
namespace {

namespace fs = std::filesystem;

// --- forbidden calls ---

struct ForbiddenCalls {
    // Forbidden names, with a space before and after each name. A name that ends in * is a prefix.
    std::string words;
    const char* why;
    bool ui_only;
};
const ForbiddenCalls kForbiddenCalls[] = {
    {" AddLine AddRect AddQuad AddQuadFilled AddTriangle AddTriangleFilled AddCircle AddCircleFilled AddNgon "
     "AddNgonFilled AddEllipse AddEllipseFilled AddPolyline AddConvexPolyFilled AddConcavePolyFilled "
     "AddBezierCubic AddBezierQuadratic PathStroke PathFillConvex PathFillConcave PathArcTo PathArcToFast "
     "PathBezier* PathRect ",
     "Dear ImGui draws it by RSQRTSS or the C library's sines, which differ between machines; "
     "ui/platform/shapes.h "
     "has "
     "stroke(), polyline(), polygon(), ring() and disc(), and ui/platform/fonts.h fill_rect()",
     true},
    {" Checkbox CheckboxFlags RadioButton ColorEdit* ColorPicker* ColorButton PlotLines ",
     "this widget of Dear ImGui's has slanted or round lines, whose pixels differ between processors; "
     "ui/platform/shapes.h has a checkbox()",
     true},
    {" ImDrawListFlags_AntiAliased* ", "Dear ImGui smooths by RSQRTSS, which differs between processors",
     true},
    {" _mm_rsqrt* _mm_rcp* ", "an approximation that each maker of processors has its own of", false},
    {" sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 std::log log2 log10 log1p pow cbrt "
     "hypot "
     "fma "
     "sinf cosf tanf asinf acosf atanf atan2f expf logf log2f log10f powf cbrtf hypotf fmaf tgamma lgamma ",
     "its last bits differ between C libraries; +, -, *, / and std::sqrt() are exact everywhere", false},
    {" setlocale imbue strtod strtof strtold atof stod stof stold ",
     "it reads or writes numbers as the locale has them; std::from_chars() and fmt do not", false},
};

bool is_one_of(const std::string& word, const std::string& words) {
    if (words.find(" " + word + " ") != std::string::npos) return true;
    for (std::size_t n = 3; n < word.size(); ++n)
        if (words.find(" " + word.substr(0, n) + "* ") != std::string::npos) return true;
    return false;
}

// Identifiers before a parenthesis, and flags of draw lists. Ignores comments and strings.
std::vector<std::string> calls_in(const std::string& line) {
    std::vector<std::string> calls;
    const auto in_word = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
        if (quoted) continue;
        if (line.compare(i, 2, "//") == 0) break;
        if (!in_word(line[i])) continue;
        std::size_t end = i;
        while (end < line.size() && in_word(line[end])) ++end;
        const std::string word = line.substr(i, end - i);
        if ((end < line.size() && line[end] == '(') || word.starts_with("ImDrawListFlags_")) {
            calls.push_back(word);
            if (i >= 5 && line.compare(i - 5, 5, "std::") == 0) calls.push_back("std::" + word);
        }
        i = end - 1;
    }
    return calls;
}

TEST(Determinism, ForbiddenCallsAreAbsent) {
    const fs::path source = SWITCHYARD_SOURCE_DIR;
    int files = 0;
    for (const char* folder : {"sim", "ui"}) {
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / folder)) {
            const fs::path& file = entry.path();
            if (file.extension() != ".h" && file.extension() != ".cpp") continue;
            ++files;
            if (file.filename() == "shapes.cpp") continue;  // hides ImGui's check mark with such a call
            std::ifstream in(file);
            int number = 0;
            for (std::string line; std::getline(in, line);) {
                ++number;
                for (const std::string& call : calls_in(line))
                    for (const ForbiddenCalls& forbidden : kForbiddenCalls)
                        if ((!forbidden.ui_only || folder == std::string("ui")) &&
                            is_one_of(call, forbidden.words))
                            ADD_FAILURE() << fs::relative(file, source).string() << ":" << number << ": "
                                          << call << ": " << forbidden.why;
            }
        }
    }
    EXPECT_GT(files, 100);
}

// --- shapes drawn by the window ---

// Slanted lines drawn by ImGui itself in the last frame. Such a line consists of two triangles of one
// colour. Its four corners are numbered from the first; the corners of a line of ui/platform/shapes.h are
// numbered from the last. Horizontal and vertical lines are harmless: the painter rounds their edges to the
// intended positions.
std::string slanted_lines_of_imgui() {
    std::string found;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int n = 0; n < data.CmdListsCount; ++n) {
        const ImDrawList& list = *data.CmdLists[n];
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const ImDrawIdx* at = list.IdxBuffer.Data + command.IdxOffset;
            const ImDrawVert* corners = list.VtxBuffer.Data + command.VtxOffset;
            for (unsigned i = 0; i + 6 <= command.ElemCount; ++i) {
                const int first = at[i];
                bool quad = true;
                const int counted[] = {0, 1, 2, 0, 2, 3};
                for (unsigned k = 0; k < 6; ++k) quad = quad && at[i + k] == first + counted[k];
                if (!quad) continue;
                const ImDrawVert* c = corners + first;
                if ((c[0].col & IM_COL32_A_MASK) == 0 || c[0].col != c[2].col) continue;
                if (c[0].uv.x != c[2].uv.x || c[0].uv.y != c[2].uv.y) continue;
                const bool level = c[0].pos.y == c[1].pos.y && c[0].pos.x == c[3].pos.x;
                const bool upright = c[0].pos.x == c[1].pos.x && c[0].pos.y == c[3].pos.y;
                if (!level && !upright)
                    found += fmt::format("  from {}, {} to {}, {}\n", c[0].pos.x, c[0].pos.y, c[2].pos.x,
                                         c[2].pos.y);
            }
        }
    }
    return found;
}

void draw_and_look(App& app, const std::string& where) {
    for (int i = 0; i < 4 || (app.is_busy() && i < 200); ++i) {
        app.run_frame(1.0 / 60);
        const std::string lines = slanted_lines_of_imgui();
        ASSERT_EQ(lines, "")
            << "ImGui itself draws these lines in " << where
            << ", with arithmetic that differs between processors; ui/platform/shapes.h has others";
    }
}

TEST(Determinism, PanesDrawNoSlantedImGuiLines) {
    for (const char* scenario : {"yield-processes", "web-server", "create-process", "ajax-polling"}) {
        if (!kThorough && scenario != std::string("yield-processes")) continue;  // takes too long
        Backend backend = Backend::headless({1600, 900});
        App app(backend);
        app.control().set_wait_without_limit(true);
        ASSERT_TRUE(app.control().open(scenario)) << app.model().error;
        ASSERT_NO_FATAL_FAILURE(draw_and_look(app, scenario));
        app.control().bookmarks().toggle();
        if (scenario == std::string("yield-processes"))
            app.control().comparison().compare_with("linux-2.0:yield=one_tick");
        for (const Panel& panel : panels()) {
            app.show_pane_alone(panel.id);
            ASSERT_NO_FATAL_FAILURE(draw_and_look(app, fmt::format("{}, {}", scenario, panel.id)));
        }
        app.show_pane_alone("");
        for (const App::Overlay overlay :
             {App::Overlay::help, App::Overlay::palette, App::Overlay::picker, App::Overlay::go_to}) {
            app.show_overlay(overlay);
            ASSERT_NO_FATAL_FAILURE(
                draw_and_look(app, fmt::format("{}, overlay {}", scenario, static_cast<int>(overlay))));
        }
    }
}

TEST(Determinism, SlantedImGuiLinesAreDetected) {
    Backend backend = Backend::headless({100, 100});
    apply_theme(themes()[0], 1);
    backend.begin_frame(0);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    stroke(list, {10, 10}, {60, 30}, IM_COL32_WHITE, 2);
    ring(list, {50, 50}, 20, IM_COL32_WHITE, 24, 1);
    list.AddLine({10, 10}, {10, 90}, IM_COL32_WHITE, 2);
    list.AddRect({10, 10}, {90, 90}, IM_COL32_WHITE, 0, 0, 2);
    backend.end_frame(IM_COL32_BLACK);
    EXPECT_EQ(slanted_lines_of_imgui(), "");
    backend.begin_frame(0);
    ImGui::GetBackgroundDrawList()->AddLine({10, 10}, {60, 30}, IM_COL32_WHITE, 2);
    backend.end_frame(IM_COL32_BLACK);
    EXPECT_NE(slanted_lines_of_imgui(), "");
}

// --- the shapes ---

class Canvas {
  public:
    Canvas() : backend_(Backend::headless({200, 200})) {
        apply_theme(themes()[0], 1);
        backend_.begin_frame(0);
    }
    ImDrawList& list() { return *ImGui::GetBackgroundDrawList(); }
    const Image& end() {
        backend_.end_frame(IM_COL32_BLACK);
        image_ = backend_.screenshot();
        return image_;
    }

  private:
    Backend backend_;
    Image image_;
};

bool lit(const Image& image, int x, int y) {
    return image.rgba[static_cast<std::size_t>(y * image.width + x) * 4] != 0;
}

int lit_pixels(const Image& image) {
    int n = 0;
    for (int i = 0; i < image.width * image.height; ++i) n += lit(image, i % image.width, i / image.width);
    return n;
}

TEST(Shapes, AxisParallelLinesHaveExactWidth) {
    for (const float length : {1.0f, 3.0f, 7.0f, 41.0f, 150.0f, 173.0f}) {
        for (const int width : {1, 2, 3, 4}) {
            const int area = static_cast<int>(length) * width;
            for (const ImVec2 end : {ImVec2(10 + length, 10), ImVec2(10, 10 + length)}) {
                Canvas canvas;
                stroke(canvas.list(), {10, 10}, end, IM_COL32_WHITE, static_cast<float>(width));
                EXPECT_EQ(lit_pixels(canvas.end()), area) << length << " by " << width;
            }
        }
    }
}

TEST(Shapes, RingsAndDiscsAreSymmetric) {
    for (const int corners : {8, 10, 12, 16, 20, 24, 0}) {
        Canvas canvas;
        disc(canvas.list(), {50, 50}, 37.3f, IM_COL32_WHITE, corners);
        ring(canvas.list(), {150, 50}, 37.3f, IM_COL32_WHITE, corners, 2);
        const Image& image = canvas.end();
        const double side = corners == 0 ? 24 : corners;
        EXPECT_NEAR(lit_pixels(image), side / 2 * std::sin(6.283185307 / side) * 37.3 * 37.3 + 462, 40)
            << corners;
        for (int y = 0; y < 50; ++y)
            for (int x = 0; x < 200; ++x)
                ASSERT_EQ(lit(image, x, y), lit(image, x, 99 - y)) << corners << ": " << x << ", " << y;
    }
}

TEST(Shapes, EmptyAndInvalidShapesDrawNoPixels) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Canvas canvas;
    ImDrawList& list = canvas.list();
    stroke(list, {50, 50}, {50, 50}, IM_COL32_WHITE, 3);
    stroke(list, {nan, 50}, {80, 50}, IM_COL32_WHITE, 3);
    stroke(list, {10, 50}, {80, 50}, IM_COL32(255, 255, 255, 0), 3);
    polyline(list, {}, IM_COL32_WHITE, 3, true);
    polygon(list, {{10, 10}, {90, 90}}, IM_COL32_WHITE);
    disc(list, {50, 50}, 0, IM_COL32_WHITE);
    disc(list, {50, 50}, nan, IM_COL32_WHITE);
    ring(list, {50, 50}, -1, IM_COL32_WHITE, 24, 2);
    EXPECT_EQ(lit_pixels(canvas.end()), 0);
}

// The painter snaps edges that nearly pass through pixel centres. Frames of even width drawn by ImGui have
// such edges, with an offset that depends on the processor.
TEST(Shapes, FramesIgnoreTinyOffsets) {
    std::vector<std::vector<std::uint8_t>> pictures;
    for (const float off : {0.0f, 0.0007f, -0.0007f, 0.0018f, -0.0018f}) {
        Canvas canvas;
        canvas.list().PrimReserve(6, 4);
        canvas.list().PrimRect({10.5f + off, 20.5f - off}, {90.5f - off, 60.5f + off}, IM_COL32_WHITE);
        pictures.push_back(canvas.end().rgba);
        EXPECT_EQ(pictures.back() == pictures.front(), true) << off;
    }
}

// Exactly these pixels with every processor and compiler.
TEST(Shapes, PixelsMatchRecordedHash) {
    Canvas canvas;
    ImDrawList& list = canvas.list();
    for (int i = 0; i < 24; ++i) {
        const float x = static_cast<float>(i * 8), slope = static_cast<float>(i * 7 % 24);
        stroke(list, {x, 3}, {x + slope / 3, 40 + slope}, IM_COL32(255, 10 * i, 0, 255), 1 + slope / 7);
        ring(list, {x + 4.3f, 90.7f}, 2 + slope / 2, IM_COL32(0, 255, 10 * i, 180), i % 2 == 0 ? 12 : 24,
             1.4f);
        disc(list, {x + 4.1f, 130.3f}, 1 + slope / 5, IM_COL32(10 * i, 0, 255, 90), i % 3 == 0 ? 10 : 0);
        polygon(list, {{x, 160}, {x + 11.3f, 163.9f + slope}, {x - 3.7f, 171.1f}},
                IM_COL32(200, 255, 10 * i, 120));
    }
    const Image& image = canvas.end();
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const std::uint8_t byte : image.rgba) hash = (hash ^ byte) * 0x100000001b3;
    EXPECT_EQ(fmt::format("{:016x}", hash), "3082e125a0aea870");
}

}  // namespace
}  // namespace ui

#endif
