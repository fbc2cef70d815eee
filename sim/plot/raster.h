// Polygons and lines to pixels, in integers: how much of each pixel is covered, to 1/256.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/plot/drawing.h"

namespace sim::plot {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // rows without gaps
};

class Raster {
  public:
    // REQUIRES: both are above 0.
    Raster(int width, int height, Colour background);

    void fill(const std::vector<Point>& polygon, Colour colour);
    void stroke(const Strokes& strokes);
    // A letter: how opaque each of its pixels is, rows without gaps, with its upper left corner at a pixel.
    void blend(std::span<const std::uint8_t> alpha, int width, int height, int left, int top, Colour colour);

    const Image& image() const { return image_; }

  private:
    // In 1/256 pixel.
    struct Fine {
        std::int64_t x, y;
    };
    struct Edge {
        Fine from, to;  // downwards
        int winding;
    };
    void add(const std::vector<Fine>& polygon);  // its winding is made positive
    void paint(Colour colour);                   // what was added, as one
    void put(int x, int y, int covered, Colour colour);

    Image image_;
    std::vector<Edge> edges_;
};

}  // namespace sim::plot
