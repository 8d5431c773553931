// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <functional>

class QLabel;
class QPushButton;
class QToolButton;

namespace farstate::desktop {

struct Theme;

// Something that can be done and need not be: a sentence, one button, and a way to let it be.
class OfferBanner : public QFrame {
  Q_OBJECT
 public:
  explicit OfferBanner(QWidget* parent = nullptr);

  void set_theme(const Theme& theme);
  // Takes the place of an offer that is still open.
  void show_offer(const QString& text, const QString& action, std::function<void()> accept);
  void dismiss();

  QString text() const;
  QPushButton* accept_button() const { return accept_; }
  QToolButton* close_button() const { return close_; }

 private:
  QLabel* text_;
  QPushButton* accept_;
  QToolButton* close_;
  std::function<void()> act_;
};

}  // namespace farstate::desktop
