// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/session/generation.h"

namespace farstate::desktop {

struct Theme;

// The most likely next tokens as bars. After a change of the state, hollow bars show what was
// predicted before it.
class NextTokenView : public QWidget {
  Q_OBJECT
 public:
  static constexpr size_t kMostRows = 12;

  struct Row {
    int64_t id = 0;
    QString text;
    // Empty: not among the named ones, so no more likely than the last of these.
    std::optional<double> now, before;
  };

  explicit NextTokenView(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  void show_prediction(const std::vector<NextToken>& now, const std::vector<NextToken>& before);
  const std::vector<Row>& rows() const { return rows_; }
  bool compares() const { return compares_; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString probability_text(const std::optional<double>& probability, double bound) const;

  const Theme* theme_;
  std::vector<Row> rows_;
  double now_bound_ = 1, before_bound_ = 1;  // the least probability that was named
  bool compares_ = false;
};

// The most likely ones of now, and of before those that would be missing.
std::vector<NextTokenView::Row> prediction_rows(const std::vector<NextToken>& now,
                                                const std::vector<NextToken>& before);

}  // namespace farstate::desktop
