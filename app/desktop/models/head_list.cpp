// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/models/head_list.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <optional>
#include <set>

namespace farstate::desktop {
namespace {

struct Span {
  int64_t first = 0, end = 0;
};

// One side of "layer.head": a number below `count`, or * for all of them.
std::optional<Span> span_of(const QString& text, int64_t count) {
  if (text == QLatin1String("*")) return Span{0, count};
  bool read = false;
  const qint64 index = text.toLongLong(&read);
  if (!read || index < 0 || index >= count) return std::nullopt;
  return Span{index, index + 1};
}

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

}  // namespace

HeadList read_heads(const QString& text, int64_t layers, int64_t heads) {
  HeadList list;
  std::set<HeadIndex> chosen;
  for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    const QString word = part.trimmed();
    if (word.isEmpty()) continue;
    const QStringList sides = word.split(QLatin1Char('.'));
    const auto layer = sides.size() == 2 ? span_of(sides[0].trimmed(), layers) : std::nullopt;
    const auto head = sides.size() == 2 ? span_of(sides[1].trimmed(), heads) : std::nullopt;
    if (!layer || !head) {
      return {{},
              tr("“%1” is no head of this model: write layer.head, layers 0 to %2, heads 0 to %3, "
                 "or * for all.")
                  .arg(word)
                  .arg(layers - 1)
                  .arg(heads - 1)};
    }
    for (int64_t l = layer->first; l < layer->end; ++l) {
      for (int64_t h = head->first; h < head->end; ++h) chosen.insert({l, h});
    }
  }
  if (static_cast<int64_t>(chosen.size()) < layers * heads) {
    list.heads.assign(chosen.begin(), chosen.end());
  }
  return list;
}

QString heads_text(std::vector<HeadIndex> heads, int64_t heads_per_layer) {
  std::sort(heads.begin(), heads.end());
  QStringList words;
  for (size_t i = 0; i < heads.size();) {
    size_t end = i;
    while (end < heads.size() && heads[end].layer == heads[i].layer) ++end;
    if (static_cast<int64_t>(end - i) == heads_per_layer) {
      words << QStringLiteral("%1.*").arg(heads[i].layer);
      i = end;
    }
    for (; i < end; ++i) words << QStringLiteral("%1.%2").arg(heads[i].layer).arg(heads[i].head);
  }
  return words.join(QStringLiteral(", "));
}

}  // namespace farstate::desktop
