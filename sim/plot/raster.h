// Rasterizes polygons and lines with anti-aliasing, in integers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/plot/drawing.h"

namespace sim::plot {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // red, green, blue; rows without padding
};

class Raster {
  public:
    // REQUIRES: width and height are above 0.
    Raster(int width, int height, Colour background);

    void fill(const std::vector<Point>& polygon, Colour colour);
    void stroke(const Strokes& strokes);
    // Draws a letter of width * height pixels. `alpha`: opacity of each pixel, rows without padding. `left`
    // and `top`: the letter's upper left pixel.
    void blend(std::span<const std::uint8_t> alpha, int width, int height, int left, int top, Colour colour);

    const Image& image() const { return image_; }

  private:
    // A position in 1/256 of a pixel.
    struct SubPixel {
        std::int64_t x, y;
    };
    struct Edge {
        SubPixel from, to;  // the point `from` is above `to`
        int winding;
    };
    void add_polygon(
        const std::vector<SubPixel>& polygon);  // adds it with positive winding, reversed if necessary
    void fill_polygons(Colour colour);          // fills the union of the added polygons and removes them
    void blend_pixel(int x, int y, int coverage, Colour colour);

    Image image_;
    std::vector<Edge> edges_;
};

}  // namespace sim::plot
