// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/intervention_style.h"

#include <QCoreApplication>
#include <QPolygonF>
#include <QTransform>

namespace farstate::desktop {
namespace {

struct Row {
  const char* name;
  const char* detail;
  const char* light;
  const char* dark;
  QVector<qreal> dash;
  Marker marker;
};

const Row& row(Intervention kind) {
  static const Row rows[kInterventionCount] = {
      {QT_TRANSLATE_NOOP("farstate::desktop", "Zero state"),
       QT_TRANSLATE_NOOP("farstate::desktop", "h₋₁ = 0, as trained"),
       "#5d636d",
       "#bec3cb",
       {7, 4},
       Marker::kCircle},
      {QT_TRANSLATE_NOOP("farstate::desktop", "Random noise"),
       QT_TRANSLATE_NOOP("farstate::desktop", "N(0, σ²), one σ"),
       "#c98500",
       "#e69f00",
       {1.5, 3},
       Marker::kSquare},
      {QT_TRANSLATE_NOOP("farstate::desktop", "Fitted noise"),
       QT_TRANSLATE_NOOP("farstate::desktop", "per layer and head"),
       "#c0649a",
       "#cc79a7",
       {6, 3, 1.5, 3},
       Marker::kDiamond},
      {QT_TRANSLATE_NOOP("farstate::desktop", "State passing"),
       QT_TRANSLATE_NOOP("farstate::desktop", "state of another row"),
       "#009e73",
       "#17b389",
       {},
       Marker::kUp},
      {QT_TRANSLATE_NOOP("farstate::desktop", "Truncated BPTT"),
       QT_TRANSLATE_NOOP("farstate::desktop", "same document, carried on"),
       "#0072b2",
       "#56b4e9",
       {14, 3},
       Marker::kDown},
      {QT_TRANSLATE_NOOP("farstate::desktop", "Correlated noise"),
       QT_TRANSLATE_NOOP("farstate::desktop", "low rank and diagonal"),
       "#a33c00",
       "#d9622a",
       {3, 2},
       Marker::kCross},
      {QT_TRANSLATE_NOOP("farstate::desktop", "Mixture"),
       QT_TRANSLATE_NOOP("farstate::desktop", "each row draws its law"),
       "#4b2fa0",
       "#8b6cf0",
       {10, 3, 1.5, 3, 1.5, 3},
       Marker::kStar}};
  return rows[static_cast<int>(kind)];
}

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

}  // namespace

QString intervention_name(Intervention kind) { return tr(row(kind).name); }
QString intervention_detail(Intervention kind) { return tr(row(kind).detail); }
int intervention_key(Intervention kind) { return static_cast<int>(kind) + 1; }

LineStyle intervention_line(Intervention kind, bool dark) {
  const Row& r = row(kind);
  return {QColor(QLatin1StringView(dark ? r.dark : r.light)), r.dash, r.marker};
}

LineStyle base_line(bool dark) { return {QColor(dark ? 0x8f959f : 0x858b95), {4, 3}}; }

LineStyle variant_line(LineStyle line, int variant, bool dark) {
  constexpr int kLooks = 5;
  if (variant <= 0) return line;
  const int look = (variant - 1) % kLooks + 1;
  line.hollow = look % 2 == 1;
  // Away from the ground, so that no contrast is lost.
  const int deeper = 100 + 32 * (look / 2);
  line.color = dark ? line.color.lighter(deeper) : line.color.darker(deeper);
  return line;
}

QPainterPath marker_path(Marker marker, qreal size) {
  const qreal r = size / 2;
  QPainterPath path;
  const auto corners = [&path](std::initializer_list<QPointF> points) {
    path.addPolygon(QPolygonF(QVector<QPointF>(points)));
    path.closeSubpath();
  };
  // Long shapes on the axes and on the diagonals; a star is both.
  const auto bars = [&](qreal turn) {
    const qreal w = 0.22 * size;
    for (const qreal angle : {turn, turn + 90}) {
      QPainterPath bar;
      bar.addRect(-r * 1.15, -w / 2, 2.3 * r, w);
      path = path.united(QTransform().rotate(angle).map(bar));
    }
  };
  switch (marker) {
    case Marker::kNone:
      break;
    case Marker::kCircle:
      path.addEllipse(QPointF(), r, r);
      break;
    case Marker::kSquare:
      path.addRect(-0.9 * r, -0.9 * r, 1.8 * r, 1.8 * r);
      break;
    case Marker::kDiamond:
      corners({{0, -1.2 * r}, {1.2 * r, 0}, {0, 1.2 * r}, {-1.2 * r, 0}});
      break;
    case Marker::kUp:
      corners({{0, -1.1 * r}, {1.15 * r, 0.9 * r}, {-1.15 * r, 0.9 * r}});
      break;
    case Marker::kDown:
      corners({{0, 1.1 * r}, {1.15 * r, -0.9 * r}, {-1.15 * r, -0.9 * r}});
      break;
    case Marker::kStar:
      bars(0);
      [[fallthrough]];
    case Marker::kCross:
      bars(45);
      break;
  }
  return path;
}

QPen pen_of(const LineStyle& line, qreal width) {
  QPen pen(line.color, width);
  pen.setCosmetic(true);
  pen.setCapStyle(Qt::FlatCap);
  if (!line.dash.isEmpty()) pen.setDashPattern(line.dash);
  return pen;
}

}  // namespace farstate::desktop
