// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QIcon>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QSvgRenderer>
#include <QWidget>

namespace farstate::desktop {

using namespace Qt::StringLiterals;

namespace {

double current_text_scale = 1;

QColor rgb(const char* hex) { return QColor(QLatin1StringView(hex)); }

Theme make_light() {
  Theme t;
  t.dark = false;
  t.window = rgb("#f5f6f8");
  t.surface = rgb("#ffffff");
  t.field = rgb("#ffffff");
  t.border = rgb("#dfe3e8");
  t.hover = rgb("#f0f2f5");
  t.text = rgb("#1c2026");
  t.muted = rgb("#666d78");
  t.faint = rgb("#a7adb7");
  t.accent = rgb("#2458c9");
  t.accent_hover = rgb("#1d4bb0");
  t.on_accent = rgb("#ffffff");
  t.accent_soft = rgb("#eaf0fd");
  t.good = rgb("#0f9d5c");
  t.warning = rgb("#a86a00");
  t.danger = rgb("#c62f2f");
  t.warning_soft = rgb("#fff5df");
  t.danger_soft = rgb("#fdecec");
  t.grid = rgb("#e8ebef");
  t.axis = rgb("#c3c9d1");
  t.beyond = rgb("#f1f3f6");
  t.trained_limit = rgb("#3c434d");
  t.cursor = rgb("#2458c9");
  t.hatch = rgb("#dfe3e8");
  t.training = rgb("#666d78");
  t.pin_a = rgb("#0072b2");
  t.pin_b = rgb("#d55e00");
  t.positive = rgb("#00805e");
  t.negative = rgb("#a4467f");
  t.tip = rgb("#ffffff");
  t.tip_text = rgb("#1c2026");
  t.tip_muted = rgb("#666d78");
  t.token = rgb("#f3efe4");
  t.veil = QColor(28, 32, 38, 90);
  t.loss_some = rgb("#ffe4b8");
  t.loss_high = rgb("#f0985c");
  return t;
}

Theme make_dark() {
  Theme t;
  t.dark = true;
  t.window = rgb("#16181c");
  t.surface = rgb("#1e2126");
  t.field = rgb("#1a1d21");
  t.border = rgb("#32363d");
  t.hover = rgb("#272b31");
  t.text = rgb("#e3e6ea");
  t.muted = rgb("#9aa1ac");
  t.faint = rgb("#5f6670");
  t.accent = rgb("#7aa2ff");
  t.accent_hover = rgb("#92b3ff");
  t.on_accent = rgb("#10131a");
  t.accent_soft = rgb("#26304a");
  t.good = rgb("#2fbf7f");
  t.warning = rgb("#e0a63a");
  t.danger = rgb("#f07070");
  t.warning_soft = rgb("#3a3120");
  t.danger_soft = rgb("#3f2628");
  t.grid = rgb("#292d33");
  t.axis = rgb("#474d56");
  t.beyond = rgb("#24272d");
  t.trained_limit = rgb("#d5d9df");
  t.cursor = rgb("#7aa2ff");
  t.hatch = rgb("#3a3f47");
  t.training = rgb("#9aa1ac");
  t.pin_a = rgb("#56b4e9");
  t.pin_b = rgb("#e8762c");
  t.positive = rgb("#2fbf92");
  t.negative = rgb("#d67fb4");
  t.tip = rgb("#2a2e35");
  t.tip_text = rgb("#e9ebee");
  t.tip_muted = rgb("#a3aab4");
  t.token = rgb("#35322a");
  t.veil = QColor(0, 0, 0, 140);
  t.loss_some = rgb("#4b3a24");
  t.loss_high = rgb("#8f4c20");
  return t;
}

QPalette palette_of(const Theme& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::WindowText, t.text);
  p.setColor(QPalette::Base, t.field);
  p.setColor(QPalette::AlternateBase, t.hover);
  p.setColor(QPalette::Text, t.text);
  p.setColor(QPalette::PlaceholderText, t.muted);
  p.setColor(QPalette::Button, t.surface);
  p.setColor(QPalette::ButtonText, t.text);
  p.setColor(QPalette::BrightText, t.danger);
  p.setColor(QPalette::Highlight, t.accent);
  p.setColor(QPalette::HighlightedText, t.on_accent);
  p.setColor(QPalette::Link, t.accent);
  p.setColor(QPalette::ToolTipBase, t.tip);
  p.setColor(QPalette::ToolTipText, t.tip_text);
  p.setColor(QPalette::Mid, t.border);
  p.setColor(QPalette::Dark, t.border);
  p.setColor(QPalette::Light, t.surface);
  p.setColor(QPalette::Shadow, t.border);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, t.faint);
  }
  p.setColor(QPalette::Disabled, QPalette::Highlight, t.border);
  return p;
}

// The rules name roles (a card, a chip, a quiet button), which widgets carry as the dynamic
// property "role". $name stands for a colour of the theme.
constexpr auto kStyleSheet = R"(
QMainWindow, QScrollArea, #columns { background: $window; border: 0; }
QScrollArea[role="inner"] { background: $surface; }
#sheet { background: $surface; }
#problem { background: $danger_soft; border: 0; border-radius: 6px; }
#warning { background: $warning_soft; border-radius: 6px; padding: 8px 12px; }
[role="verdict"] { background: $accent_soft; border-radius: 6px; padding: 8px 10px; }
QToolTip { background: $tip; color: $tip_text; border: 1px solid $border; padding: 4px 6px; }
QMenuBar { background: $surface; border-bottom: 1px solid $border; padding: 2px 8px; }
QMenuBar::item { padding: 4px 9px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $surface; border: 1px solid $border; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: $accent_soft; color: $text; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $border; margin: 4px 6px; }
[role="card"] { background: $surface; border: 1px solid $border; border-radius: 6px; }
[role="bar"] { background: $surface; border: 0 solid $border; }
#topbar { border-bottom-width: 1px; }
#statusbar { border-top-width: 1px; }
[role="muted"] { color: $muted; }
[role="danger"] { color: $danger; }
QPushButton, QToolButton[role="button"] { background: $surface; color: $text;
  border: 1px solid $border; border-radius: 6px; padding: 0 13px; min-height: 30px; }
QPushButton:hover, QToolButton[role="button"]:hover { background: $hover; }
QPushButton:pressed, QToolButton[role="button"]:pressed { background: $border; }
QPushButton:focus, QToolButton[role="button"]:focus { border-color: $accent; }
QPushButton:disabled, QToolButton[role="button"]:disabled { color: $faint; }
QToolButton[role="button"]::menu-indicator { image: none; width: 0; }
QToolButton[role="button"][square="true"] { padding: 0; min-width: 30px; max-width: 30px; }
QPushButton[role="small"] { padding: 0 9px; min-height: 22px; }
QPushButton[tight="true"] { padding: 0 5px; }
QPushButton[role="primary"] { background: $accent; color: $on_accent;
  border-color: $accent; min-width: 82px; }
QPushButton[tight="true"][role="primary"] { min-width: 0; }
QPushButton[role="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[role="primary"]:focus { border-color: $text; }
QPushButton[role="primary"]:disabled { background: $hover; color: $faint; border-color: $border; }
QToolButton[role="chip"] { background: $accent_soft; color: $text; border: 1px solid $accent_soft;
  border-radius: 11px; padding: 0 11px; min-height: 22px; }
QToolButton[role="chip"][opens="menu"] { padding-right: 24px; }
QToolButton[role="chip"]::menu-indicator { image: none; width: 0; }
QToolButton[role="chip"]:hover, QToolButton[role="chip"]:focus { border-color: $accent; }
QToolButton[role="quiet"] { background: transparent; color: $muted; border: 0; padding: 2px 0; }
QToolButton[role="quiet"]::menu-indicator { image: none; width: 0; }
QToolButton[role="quiet"][switch="true"]:checked { color: $accent; }
QToolButton[role="quiet"]:hover, QToolButton[role="quiet"]:focus { color: $text; }
QToolButton[role="segment"] { background: $surface; color: $muted; border: 1px solid $border;
  border-right-width: 0; padding: 0 9px; min-height: 19px; }
QToolButton[role="segment"][place="first"] { border-top-left-radius: 5px;
  border-bottom-left-radius: 5px; }
QToolButton[role="segment"][place="last"] { border-top-right-radius: 5px;
  border-bottom-right-radius: 5px; border-right-width: 1px; }
QToolButton[role="segment"][place="only"] { border-radius: 5px; border-right-width: 1px; }
QToolButton[role="segment"]::menu-indicator { image: none; width: 0; }
QToolButton[role="segment"]:hover { color: $text; }
QToolButton[role="segment"]:checked { background: $accent_soft; color: $text; }
QToolButton[role="segment"]:focus { color: $accent; }
QAbstractSpinBox { background: $field; color: $text; border: 1px solid $border;
  border-radius: 5px; padding: 0 7px; min-height: 22px; selection-background-color: $accent;
  selection-color: $on_accent; }
QAbstractSpinBox:hover { border-color: $axis; }
QAbstractSpinBox:focus { border-color: $accent; }
QAbstractSpinBox[readOnly="true"] { background: transparent; border-color: transparent; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid $faint; border-radius: 7px;
  background: $field; }
QRadioButton::indicator:hover, QRadioButton::indicator:focus { border-color: $accent; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 4px solid $accent;
  background: $on_accent; }
QComboBox { background: $field; color: $text; border: 1px solid $border; border-radius: 5px;
  padding: 0 22px 0 8px; min-height: 22px; }
QComboBox:hover { border-color: $axis; }
QComboBox:focus, QComboBox:on { border-color: $accent; }
QComboBox:disabled { color: $faint; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { image: none; }
QLineEdit[role="field"] { background: $field; color: $text; border: 1px solid $border;
  border-radius: 5px; padding: 0 6px; min-height: 20px; selection-background-color: $accent;
  selection-color: $on_accent; }
QLineEdit[role="field"]:focus { border-color: $accent; }
QProgressBar { background: $hover; border: 0; border-radius: 3px; min-height: 6px;
  max-height: 6px; }
QProgressBar::chunk { background: $progress; border-radius: 3px; }
QTabBar { background: transparent; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; border: 0;
  border-bottom: 2px solid transparent; padding: 7px 0 6px 0; margin-right: 18px; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:hover { color: $text; }
QTableView, QTreeView, QListView[role="legend"] { background: transparent; border: 0; gridline-color: transparent; color: $text;
  selection-background-color: $accent_soft; selection-color: $text; outline: 0; }
QHeaderView, QHeaderView::section { background: transparent; color: $muted; border: 0;
  padding: 2px 3px 2px 0; }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QTableCornerButton::section { background: transparent; border: 0; }
QPlainTextEdit { background: transparent; border: 0; color: $text; }
QPlainTextEdit[role="field"], QLineEdit[role="field"] { background: $field; color: $text;
  border: 1px solid $border; border-radius: 5px; }
QPlainTextEdit[role="field"] { padding: 3px 4px; }
QLineEdit[role="field"] { padding: 0 7px; min-height: 22px; }
QPlainTextEdit[role="field"]:focus, QLineEdit[role="field"]:focus { border-color: $accent; }
QLineEdit[role="field"][wrong="true"] { border-color: $danger; }
QLineEdit[role="field"]:disabled { color: $faint; }
QSplitter::handle { background: transparent; }
QSlider::groove:horizontal { height: 4px; background: $border; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $progress; border-radius: 2px; }
QSlider::sub-page:horizontal:disabled { background: $border; }
QSlider::handle:horizontal { background: $surface; border: 2px solid $progress; width: 10px;
  margin: -5px 0; border-radius: 7px; }
QSlider::handle:horizontal:focus { background: $progress; }
QSlider::handle:horizontal:disabled { border-color: $border; }
QScrollBar:vertical { background: transparent; width: 8px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 8px; margin: 0; }
QScrollBar::handle { background: $axis; border-radius: 4px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:vertical { margin: 0 2px; border-radius: 2px; }
QScrollBar::handle:horizontal { margin: 2px 0; border-radius: 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
#offer { background: $accent_soft; border: 0 solid $border; border-bottom-width: 1px; }
#notice { background: $warning_soft; border: 0 solid $border; border-bottom-width: 1px; }
#notice[severity="error"] { background: $danger_soft; }
)";

double points(TextSize size) {
  static constexpr double kPoints[] = {8.5, 9.5, 10.25, 12.25};
  return kPoints[static_cast<int>(size)] * current_text_scale;
}

QString text_rules() {
  QString rules;
  for (const auto size :
       {TextSize::kSmall, TextSize::kBody, TextSize::kTitle, TextSize::kHeading}) {
    rules += u"[textSize=\"%1\"] { font-size: %2pt; }\n"_s.arg(static_cast<int>(size)).arg(points(size));
  }
  for (const auto weight : {QFont::Normal, QFont::Medium, QFont::DemiBold}) {
    rules += u"[textWeight=\"%1\"] { font-weight: %1; }\n"_s.arg(static_cast<int>(weight));
  }
  return rules;
}

QString style_sheet(const Theme& t) {
  QString sheet = QString::fromUtf8(kStyleSheet);
  // Longest names first: "$accent_hover" must not be read as "$accent" and "_hover".
  const std::initializer_list<std::pair<const char*, QColor>> names = {
      {"$accent_hover", t.accent_hover},
      {"$accent_soft", t.accent_soft},
      {"$accent", t.accent},
      {"$warning_soft", t.warning_soft},
      {"$danger_soft", t.danger_soft},
      {"$danger", t.danger},
      {"$on_accent", t.on_accent},
      {"$progress", t.accent},
      {"$tip_text", t.tip_text},
      {"$tip", t.tip},
      {"$window", t.window},
      {"$surface", t.surface},
      {"$field", t.field},
      {"$border", t.border},
      {"$hover", t.hover},
      {"$muted", t.muted},
      {"$faint", t.faint},
      {"$text", t.text},
      {"$axis", t.axis}};
  for (const auto& [name, color] : names) sheet.replace(QLatin1StringView(name), color.name());
  return sheet + text_rules();
}

// Fusion, whose underlined letters in menus only show on systems that ask for them.
class CalmStyle : public QProxyStyle {
 public:
  CalmStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    if (hint == SH_UnderlineShortcut) return 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
  }
};

QPixmap render_icon(const QByteArray& svg, const QColor& color, qreal scale) {
  QByteArray colored = svg;
  colored.replace("#000", color.name().toLatin1());
  QSvgRenderer renderer(colored);
  QPixmap pixmap(QSize(16, 16) * scale);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  renderer.render(&painter);
  painter.end();
  pixmap.setDevicePixelRatio(scale);
  return pixmap;
}

}  // namespace

const Theme& theme_for(ThemeMode mode) {
  static const Theme light = make_light();
  static const Theme dark = make_dark();
  // Qt 6.4 cannot say which scheme the desktop prefers; the lightness of the style's own palette,
  // untouched by ours, does.
  static const bool system_is_dark =
      QApplication::style() != nullptr &&
      QApplication::style()->standardPalette().color(QPalette::Window).lightness() < 128;
  if (mode == ThemeMode::kSystem) return system_is_dark ? dark : light;
  return mode == ThemeMode::kDark ? dark : light;
}

double text_scale() { return current_text_scale; }

void set_text_scale(double factor) { current_text_scale = factor; }

QFont text_font(TextSize size, QFont::Weight weight) {
  // Ours has no Chinese; where none of these is there either, the system chooses.
  QFont font(QStringList{u"Farstate Sans"_s, u"Noto Sans CJK SC"_s, u"Source Han Sans SC"_s,
                         u"WenQuanYi Micro Hei"_s});
  font.setPointSizeF(points(size));
  font.setWeight(weight);
  font.setHintingPreference(QFont::PreferNoHinting);  // even spacing at every scale
  return font;
}

void prepare_application(QApplication& app) {
  theme_for(ThemeMode::kSystem);  // reads the desktop's palette before Fusion replaces it
  app.setStyle(new CalmStyle);
  for (const char* weight : {"Regular", "Medium", "SemiBold", "Bold"}) {
    QFontDatabase::addApplicationFont(
        u":/fonts/FarstateSans-%1.otf"_s.arg(QLatin1StringView(weight)));
  }
  app.setFont(text_font(TextSize::kBody));
  app.setWindowIcon(QIcon(u":/icons/farstate.svg"_s));
}

void set_text(QWidget* widget, TextSize size, QFont::Weight weight) {
  widget->setFont(text_font(size, weight));  // until the style sheet's comes
  widget->setProperty("textSize", static_cast<int>(size));
  widget->setProperty("textWeight", static_cast<int>(weight));
}

void apply_theme(QApplication& app, const Theme& theme) {
  app.setFont(text_font(TextSize::kBody));
  app.setPalette(palette_of(theme));
  app.setStyleSheet(style_sheet(theme));
}

void apply_theme(QWidget& part, const Theme& theme) {
  part.setPalette(palette_of(theme));
  part.setStyleSheet(style_sheet(theme));
}

QIcon themed_icon(const QString& name, const QColor& color, const QColor& disabled) {
  QFile file(u":/icons/%1.svg"_s.arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray svg = file.readAll();
  QIcon icon;
  for (const qreal scale : {1.0, 1.25, 1.5, 2.0, 3.0}) {
    icon.addPixmap(render_icon(svg, color, scale), QIcon::Normal);
    icon.addPixmap(render_icon(svg, disabled, scale), QIcon::Disabled);
  }
  return icon;
}

QIcon themed_icon(const QString& name, const QColor& color) {
  return themed_icon(name, color, color);
}

}  // namespace farstate::desktop
