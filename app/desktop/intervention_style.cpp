// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/intervention_style.h"

#include <QCoreApplication>

namespace farstate::desktop {
namespace {

struct Row {
  const char* name;
  const char* detail;
  const char* light;
  const char* dark;
  QVector<qreal> dash;
};

const Row& row(Intervention kind) {
  static const Row rows[kInterventionCount] = {
      {QT_TRANSLATE_NOOP("Intervention", "Zero state"),
       QT_TRANSLATE_NOOP("Intervention", "h₋₁ = 0, as trained"),
       "#7d838d",
       "#9ba1ab",
       {7, 4}},
      {QT_TRANSLATE_NOOP("Intervention", "Random noise"),
       QT_TRANSLATE_NOOP("Intervention", "N(0, σ²), one σ"),
       "#c98500",
       "#e69f00",
       {1.5, 3}},
      {QT_TRANSLATE_NOOP("Intervention", "Fitted noise"),
       QT_TRANSLATE_NOOP("Intervention", "per layer and head"),
       "#c0649a",
       "#cc79a7",
       {6, 3, 1.5, 3}},
      {QT_TRANSLATE_NOOP("Intervention", "State passing"),
       QT_TRANSLATE_NOOP("Intervention", "state of another row"),
       "#009e73",
       "#17b389",
       {}},
      {QT_TRANSLATE_NOOP("Intervention", "Truncated BPTT"),
       QT_TRANSLATE_NOOP("Intervention", "same document, carried on"),
       "#0072b2",
       "#56b4e9",
       {14, 3}},
      {QT_TRANSLATE_NOOP("Intervention", "Correlated noise"),
       QT_TRANSLATE_NOOP("Intervention", "low rank and diagonal"),
       "#a33c00",
       "#d9622a",
       {3, 2}},
      {QT_TRANSLATE_NOOP("Intervention", "Mixture"),
       QT_TRANSLATE_NOOP("Intervention", "each row draws its law"),
       "#4b2fa0",
       "#8b6cf0",
       {10, 3, 1.5, 3, 1.5, 3}}};
  return rows[static_cast<int>(kind)];
}

QString tr(const char* text) { return QCoreApplication::translate("Intervention", text); }

}  // namespace

QString intervention_name(Intervention kind) { return tr(row(kind).name); }
QString intervention_detail(Intervention kind) { return tr(row(kind).detail); }
int intervention_key(Intervention kind) { return static_cast<int>(kind) + 1; }

LineStyle intervention_line(Intervention kind, bool dark) {
  const Row& r = row(kind);
  return {QColor(QLatin1StringView(dark ? r.dark : r.light)), r.dash};
}

LineStyle base_line(bool dark) { return {QColor(dark ? 0x8f959f : 0x858b95), {4, 3}}; }

QPen pen_of(const LineStyle& line, qreal width) {
  QPen pen(line.color, width);
  pen.setCosmetic(true);
  pen.setCapStyle(Qt::FlatCap);
  if (!line.dash.isEmpty()) pen.setDashPattern(line.dash);
  return pen;
}

}  // namespace farstate::desktop
