// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/plots/qcp.h"

namespace farstate::desktop {

// A picture over the axes. It is in no legend, can't be selected, and the ranges are its plot's to
// choose.
class Raster : public QCPAbstractPlottable {
 public:
  Raster(QCPAxis* x, QCPAxis* y) : QCPAbstractPlottable(x, y) { removeFromLegend(); }

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
  QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
    found = false;
    return {};
  }
  QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
    found = false;
    return {};
  }

 protected:
  void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

  // The image over all of `area`, on ground that is hatched where the image is transparent. Row i of
  // the image is row i from the top.
  static void draw_image(QCPPainter* painter, const QRect& area, const QColor& hatch,
                         const QImage& image) {
    painter->setAntialiasing(false);
    painter->setPen(Qt::NoPen);
    painter->setBrush(QBrush(hatch, Qt::BDiagPattern));
    painter->drawRect(area);
    painter->drawImage(QRectF(area), image, QRectF(image.rect()));
  }
};

}  // namespace farstate::desktop
