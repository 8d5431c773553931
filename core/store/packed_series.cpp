// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/packed_series.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/results/series_json.h"

namespace farstate {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are kept little-endian");

// Positions, which most series share.
struct Axis {
  std::vector<double> x;
  std::vector<int64_t> bin_begin, bin_end;
  bool operator==(const Axis&) const = default;
};

struct Curve {
  std::string name, x_name, unit;
  std::optional<int64_t> layer, head;
  int64_t sequences = 0;
  int64_t axis = 0;                    // index into the layout's
  int64_t y = 0, lower = 0, upper = 0;  // how many numbers
};

struct Layout {
  std::vector<Axis> axes;
  std::vector<Curve> series;
};

template <FieldsOf<Axis> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("x", s.x);
  field.maybe("bin_begin", s.bin_begin);
  field.maybe("bin_end", s.bin_end);
}

template <FieldsOf<Curve> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("x_name", s.x_name);
  field("unit", s.unit);
  field.maybe("layer", s.layer);
  field.maybe("head", s.head);
  field("sequences", s.sequences);
  field("axis", s.axis);
  field("y", s.y);
  field("lower", s.lower);
  field("upper", s.upper);
}

template <FieldsOf<Layout> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("axes", s.axes);
  field("series", s.series);
}

int64_t index_of(std::vector<Axis>& axes, const Series& s) {
  Axis axis{s.x, s.bin_begin, s.bin_end};
  // From the end: curves over the same positions follow one another.
  const auto found = std::find(axes.rbegin(), axes.rend(), axis);
  if (found != axes.rend()) return axes.rend() - found - 1;
  axes.push_back(std::move(axis));
  return std::ssize(axes) - 1;
}

void append(std::string& bytes, const std::vector<double>& numbers) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}

class NumberReader {
 public:
  NumberReader(std::string_view bytes, const std::string& source)
      : bytes_(bytes), source_(source) {}

  std::vector<double> take(int64_t count) {
    const size_t left = bytes_.size() / sizeof(double);
    if (count < 0 || static_cast<size_t>(count) > left) wrong();
    std::vector<double> numbers(static_cast<size_t>(count));
    if (count > 0) std::memcpy(numbers.data(), bytes_.data(), numbers.size() * sizeof(double));
    bytes_.remove_prefix(numbers.size() * sizeof(double));
    return numbers;
  }
  void end() const {
    if (!bytes_.empty()) wrong();
  }
  [[noreturn]] void wrong() const {
    throw Error(ErrorKind::kBadInput,
                fmt::format("{}: the numbers of curves don't go with their layout; the store was "
                            "changed by another program.",
                            source_));
  }

 private:
  std::string_view bytes_;
  const std::string& source_;
};

}  // namespace

PackedSeries pack(const std::vector<Series>& all) {
  Layout layout;
  PackedSeries packed;
  for (const Series& s : all) {
    layout.series.push_back({s.name, s.x_name, s.unit, s.layer, s.head, s.sequences,
                             index_of(layout.axes, s), std::ssize(s.y), std::ssize(s.lower),
                             std::ssize(s.upper)});
    append(packed.numbers, s.y);
    append(packed.numbers, s.lower);
    append(packed.numbers, s.upper);
  }
  int64_t non_finite = 0;
  packed.layout = FieldWriter(non_finite).write(layout).dump(
      -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return packed;
}

std::vector<Series> unpack(std::string_view layout_json, std::string_view numbers,
                           const std::string& source) {
  Layout layout;
  FieldReader(parse_json(layout_json), source).read(layout);
  NumberReader reader(numbers, source);
  std::vector<Series> all;
  for (const Curve& curve : layout.series) {
    if (curve.axis < 0 || curve.axis >= std::ssize(layout.axes)) reader.wrong();
    const Axis& axis = layout.axes[static_cast<size_t>(curve.axis)];
    Series s;
    s.name = curve.name;
    s.x_name = curve.x_name;
    s.unit = curve.unit;
    s.x = axis.x;
    s.y = reader.take(curve.y);
    s.lower = reader.take(curve.lower);
    s.upper = reader.take(curve.upper);
    s.bin_begin = axis.bin_begin;
    s.bin_end = axis.bin_end;
    s.layer = curve.layer;
    s.head = curve.head;
    s.sequences = curve.sequences;
    if (!contradiction(s).empty()) reader.wrong();
    all.push_back(std::move(s));
  }
  reader.end();
  return all;
}

}  // namespace farstate
