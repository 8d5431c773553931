// SPDX-License-Identifier: GPL-3.0-or-later
// A Series as a JSON object, for every document that holds some.
#pragma once

#include <string>

#include "core/results/json_fields.h"
#include "core/results/series.h"

namespace farstate {

template <FieldsOf<Series> S, typename Field>
void visit_fields(S& s, Field& field) {
  field("name", s.name);
  field("x_name", s.x_name);
  field("x", s.x);
  field("y", s.y);
  field("lower", s.lower);
  field("upper", s.upper);
  field.maybe("bin_begin", s.bin_begin);
  field.maybe("bin_end", s.bin_end);
  field("layer", s.layer);
  field("head", s.head);
  field("unit", s.unit);
  field("sequences", s.sequences);
}

std::string contradiction(const Series& s);

}  // namespace farstate
