// SPDX-License-Identifier: GPL-3.0-or-later
// story.json and the cards, read strictly: whatever is unknown or of the wrong kind is refused with
// a sentence for the teacher who wrote it.
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "app/desktop/story/card_reader.h"
#include "app/desktop/story/story.h"
#include "app/desktop/story/vocabulary.h"
#include "core/base/error.h"
#include "core/base/json_text.h"

namespace farstate::desktop {

using namespace Qt::StringLiterals;
namespace {

using Json = nlohmann::ordered_json;

constexpr qint64 kMostBytes = 1 << 20;
constexpr size_t kMostSteps = 100;
constexpr double kFormat = 1;  // of story.json

QString tr(const char* text) { return QCoreApplication::translate("farstate::desktop", text); }

[[noreturn]] void refuse(const QString& sentence) {
  throw Error(ErrorKind::kBadInput, sentence.toStdString());
}

QString found(const Json& json) { return QString::fromStdString(short_text(json)); }

QByteArray read(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    refuse(tr("%1 can't be read: %2.").arg(path, file.errorString()));
  }
  if (file.size() > kMostBytes) {
    refuse(tr("%1 has %2 bytes; a story's files have at most %3 each.")
               .arg(path)
               .arg(file.size())
               .arg(kMostBytes));
  }
  return file.readAll();
}

QString read_text(const QString& path) {
  const QByteArray bytes = read(path);
  const QString text = QString::fromUtf8(bytes);
  if (text.contains(QChar::ReplacementCharacter)) {
    refuse(tr("%1 is no UTF-8 text. Save it as UTF-8.").arg(path));
  }
  return text;
}

class StoryReader {
  Q_DECLARE_TR_FUNCTIONS(farstate::desktop::StoryReader)

 public:
  explicit StoryReader(const QString& folder) : folder_(folder) {
    story_.folder = folder;
    where_ = QDir(folder).filePath(u"story.json"_s);
  }

  Story read_all() {
    const QByteArray bytes = read(where_);
    const Json json = parse_json({bytes.constData(), static_cast<size_t>(bytes.size())});
    if (json.is_discarded()) refuse(tr("%1 is no JSON. A comma or a bracket may be missing.").arg(where_));
    expect_object(json, {"farstate_story", "id", "title", "steps"});
    if (number(json, "farstate_story") != kFormat) {
      refuse(tr("%1, \"farstate_story\": found %2; this program reads version 1.")
                 .arg(where_, found(json["farstate_story"])));
    }
    story_.id = text(json, "id");
    read_titles(json);
    read_steps(json);
    read_languages();
    return std::move(story_);
  }

 private:
  // What a sentence begins with: the file and, inside a step, the step.
  QString at(const char* key) const { return tr("%1, \"%2\"").arg(where_, QLatin1StringView(key)); }

  void expect_object(const Json& json, std::initializer_list<const char*> keys) const {
    if (!json.is_object()) refuse(tr("%1: found %2, wanted an object { … }.").arg(where_, found(json)));
    for (const auto& [key, value] : json.items()) {
      const bool known = std::any_of(keys.begin(), keys.end(),
                                     [&key = key](const char* name) { return key == name; });
      if (known) continue;
      QStringList names;
      for (const char* name : keys) names.push_back(QString::fromLatin1(name));
      refuse(tr("%1: the key \"%2\" is unknown. There are: %3.")
                 .arg(where_, QString::fromStdString(key), names.join(u", "_s)));
    }
  }

  const Json& member(const Json& json, const char* key) const {
    const auto member = json.find(key);
    if (member == json.end()) refuse(tr("%1: the key \"%2\" is missing.").arg(where_, QLatin1StringView(key)));
    return *member;
  }

  QString text(const Json& json, const char* key) const {
    const Json& value = member(json, key);
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      refuse(tr("%1: found %2, wanted a text in quotes.").arg(at(key), found(value)));
    }
    return QString::fromStdString(value.get<std::string>());
  }

  double number(const Json& json, const char* key) const { return number(member(json, key), at(key)); }
  double number(const Json& value, const QString& place) const {
    if (!value.is_number()) refuse(tr("%1: found %2, wanted a number.").arg(place, found(value)));
    return value.get<double>();
  }

  bool truth(const Json& json, const char* key) const {
    const auto value = json.find(key);
    if (value == json.end()) return false;
    if (!value->is_boolean()) refuse(tr("%1: found %2, wanted true or false.").arg(at(key), found(*value)));
    return value->get<bool>();
  }

  const Json& array(const Json& json, const char* key) const {
    const Json& value = member(json, key);
    if (!value.is_array()) refuse(tr("%1: found %2, wanted a list [ … ].").arg(at(key), found(value)));
    return value;
  }

  void read_titles(const Json& json) {
    const Json& title = member(json, "title");
    if (title.is_string()) {
      story_.titles[u"en"_s] = text(json, "title");
      return;
    }
    if (!title.is_object() || title.empty()) {
      refuse(tr("%1: found %2, wanted a text, or one for each language: {\"en\": \"…\"}.")
                 .arg(at("title"), found(title)));
    }
    for (const auto& [language, words] : title.items()) {
      story_.titles[QString::fromStdString(language)] = text(title, language.c_str());
    }
  }

  void read_steps(const Json& json) {
    const Json& steps = array(json, "steps");
    if (steps.empty() || steps.size() > kMostSteps) {
      refuse(tr("%1: found %2 steps, wanted 1 to %3.").arg(at("steps")).arg(steps.size()).arg(kMostSteps));
    }
    const QString file = where_;
    for (const Json& step : steps) {
      where_ = tr("%1, step %2").arg(file).arg(story_.steps.size() + 1);
      read_step(step, file);
    }
    where_ = file;
  }

  void read_step(const Json& json, const QString& file) {
    expect_object(json, {"id", "card", "highlight", "done", "show_me", "cover", "guess",
                         "distributions", "report"});
    StoryStep step;
    step.id = text(json, "id");
    where_ = tr("%1, step \"%2\"").arg(file, step.id);
    for (const StoryStep& other : story_.steps) {
      if (other.id == step.id) refuse(tr("%1: there are two steps of this id.").arg(where_));
    }
    step.card = json.contains("card") ? text(json, "card") : step.id + u".md"_s;
    if (step.card.contains(u'/') || step.card.contains(u'\\')) {
      refuse(tr("%1: found \"%2\", wanted the name of a file in each language's folder.")
                 .arg(at("card"), step.card));
    }
    if (json.contains("highlight")) step.highlight = control(text(json, "highlight"));
    step.done = condition(member(json, "done"), at("done"));
    if (json.contains("show_me")) step.show_me = commands(array(json, "show_me"));
    step.cover = truth(json, "cover");
    step.distributions = truth(json, "distributions");
    step.report = truth(json, "report");
    if (json.contains("guess")) step.guess = guess(array(json, "guess"));
    story_.steps.push_back(std::move(step));
  }

  QString control(const QString& name) const {
    if (is_control(name)) return name;
    QStringList names;
    for (const ControlInfo& info : known_controls()) names.push_back(info.name);
    refuse(tr("%1: the control \"%2\" is unknown. There are: %3.")
               .arg(at("highlight"), name, names.join(u", "_s)));
  }

  std::vector<double> guess(const Json& json) const {
    std::vector<double> places;
    for (const Json& value : json) {
      const double place = number(value, at("guess"));
      if (!(place > 1 && place < 1e6) || (!places.empty() && place <= places.back())) {
        refuse(tr("%1: found %2, wanted rising multiples of T above 1, such as [2, 4, 16].")
                   .arg(at("guess"), found(json)));
      }
      places.push_back(place);
    }
    if (places.empty() || places.size() > 8) {
      refuse(tr("%1: found %2 places, wanted 1 to 8.").arg(at("guess")).arg(places.size()));
    }
    return places;
  }

  FactType type_of_fact(const QString& name, const QString& place) const {
    if (const auto type = fact_type(name)) return *type;
    refuse(tr("%1: the fact \"%2\" is unknown. docs/STORIES.md lists them.").arg(place, name));
  }

  Operand operand(const Json& json, FactType wanted, const QString& place) const {
    Operand out;
    FactType type = FactType::kNumber;
    if (json.is_object()) {
      expect_object(json, {"fact", "times"});
      out.fact = text(json, "fact");
      type = type_of_fact(out.fact, place);
      if (json.contains("times")) out.times = number(json, "times");
    } else if (json.is_number()) {
      out.value = json.get<double>();
    } else if (json.is_string()) {
      out.value = QString::fromStdString(json.get<std::string>());
      type = FactType::kText;
    } else if (json.is_boolean()) {
      out.value = json.get<bool>();
      type = FactType::kTruth;
    } else {
      refuse(tr("%1: found %2, wanted %3 or {\"fact\": \"…\"}.").arg(place, found(json), type_name(wanted)));
    }
    if (type != wanted) {
      refuse(tr("%1: found %2, wanted %3.").arg(place, found(json), type_name(wanted)));
    }
    return out;
  }

  Condition condition(const Json& json, const QString& place) const {
    using Kind = Condition::Kind;
    expect_object(json, {"all", "any", "not", "fact", "is", "above", "at_least", "below", "at_most"});
    for (const auto& [key, kind] : {std::pair("all", Kind::kAll), std::pair("any", Kind::kAny)}) {
      if (!json.contains(key)) continue;
      only(json, 1, place);
      Condition out;
      out.kind = kind;
      for (const Json& part : array(json, key)) out.parts.push_back(condition(part, place));
      if (out.parts.empty()) refuse(tr("%1: \"%2\" is empty.").arg(place, QLatin1StringView(key)));
      return out;
    }
    if (json.contains("not")) {
      only(json, 1, place);
      Condition out;
      out.kind = Kind::kNot;
      out.parts = {condition(json["not"], place)};
      return out;
    }
    return comparison(json, place);
  }

  // As many keys as belong together: a condition with two meanings has none.
  void only(const Json& json, size_t keys, const QString& place) const {
    if (json.size() == keys) return;
    refuse(tr("%1: found %2 keys in one condition, wanted %3. Join conditions by \"all\" or \"any\".")
               .arg(place)
               .arg(json.size())
               .arg(keys));
  }

  Condition comparison(const Json& json, const QString& place) const {
    using Kind = Condition::Kind;
    Condition out;
    out.fact = text(json, "fact");
    const FactType type = type_of_fact(out.fact, place);
    for (const auto& [key, kind] :
         {std::pair("is", Kind::kIs), std::pair("above", Kind::kAbove),
          std::pair("at_least", Kind::kAtLeast), std::pair("below", Kind::kBelow),
          std::pair("at_most", Kind::kAtMost)}) {
      if (!json.contains(key)) continue;
      only(json, 2, place);
      if (kind != Kind::kIs && type != FactType::kNumber) {
        refuse(tr("%1: \"%2\" needs a number, and the fact \"%3\" is %4.")
                   .arg(place, QLatin1StringView(key), out.fact, type_name(type)));
      }
      out.kind = kind;
      out.operand = operand(json[key], type, place);
      return out;
    }
    if (type != FactType::kTruth) {
      refuse(tr("%1: the fact \"%2\" is %3; compare it by \"is\", \"above\", \"at_least\", \"below\" "
                "or \"at_most\".")
                 .arg(place, out.fact, type_name(type)));
    }
    out.kind = Kind::kTrue;
    return out;
  }

  std::vector<StoryCommand> commands(const Json& json) const {
    std::vector<StoryCommand> out;
    for (const Json& one : json) out.push_back(command(one));
    return out;
  }

  StoryCommand command(const Json& json) const {
    expect_object(json, {"do", "to", "wait"});
    StoryCommand out;
    if (json.contains("wait")) {
      only(json, 1, at("show_me"));
      out.until = condition(json["wait"], at("show_me"));
      return out;
    }
    out.action = text(json, "do");
    const ActionInfo* info = find_action(out.action);
    if (info == nullptr) {
      QStringList names;
      for (const ActionInfo& known : known_actions()) names.push_back(known.name);
      refuse(tr("%1: the action \"%2\" is unknown. There are: %3.")
                 .arg(at("show_me"), out.action, names.join(u", "_s)));
    }
    const bool given = json.contains("to");
    if (given && !info->argument) {
      refuse(tr("%1: the action \"%2\" takes no \"to\".").arg(at("show_me"), out.action));
    }
    if (!given && info->argument) {
      refuse(tr("%1: the action \"%2\" needs \"to\" with %3.")
                 .arg(at("show_me"), out.action, type_name(*info->argument)));
    }
    if (given) {
      out.argument = operand(json["to"], *info->argument, tr("%1, \"%2\"").arg(at("show_me"), out.action));
      check_choice(*info, *out.argument);
    }
    return out;
  }

  void check_choice(const ActionInfo& action, const Operand& argument) const {
    const QString* name = std::get_if<QString>(&argument.value);
    if (name == nullptr || !argument.fact.isEmpty() || action.choices.isEmpty()) return;
    if (action.choices.contains(*name)) return;
    refuse(tr("%1: \"%2\" knows no \"%3\". There are: %4.")
               .arg(at("show_me"), action.name, *name, action.choices.join(u", "_s)));
  }

  void read_languages() {
    QStringList languages = QDir(folder_).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    if (languages.isEmpty()) {
      refuse(tr("%1 has no folder with cards. Put them into a folder \"en\" beside story.json.").arg(folder_));
    }
    // What is missing in another language is taken from this one.
    const QString first = languages.contains(u"en"_s) ? u"en"_s : languages.front();
    languages.removeAll(first);
    languages.prepend(first);
    for (const QString& language : languages) {
      std::vector<StoryCard> cards;
      for (size_t i = 0; i < story_.steps.size(); ++i) cards.push_back(card(language, first, i));
      story_.cards[language] = std::move(cards);
    }
  }

  StoryCard card(const QString& language, const QString& first, size_t step) const {
    const QString path =
        QDir(folder_).filePath(u"%1/%2"_s.arg(language, story_.steps[step].card));
    if (language != first && !QFile::exists(path)) return story_.cards[first][step];
    if (!QFile::exists(path)) {
      refuse(tr("The card %1 of step \"%2\" is missing.").arg(path, story_.steps[step].id));
    }
    StoryCard card = read_card(read_text(path), path);
    check_placeholders(card, path);
    if (language != first) check_questions(card, story_.cards[first][step], path);
    return card;
  }

  void check_placeholders(const StoryCard& card, const QString& path) const {
    for (const QString& text : {card.title, card.text, card.task, card.done}) {
      for (const QString& name : placeholders(text)) {
        if (!fact_type(name)) {
          refuse(tr("%1: the fact \"%2\" in {braces} is unknown. docs/STORIES.md lists them.").arg(path, name));
        }
      }
    }
  }

  // Answers are kept while the language changes, so they must mean the same in each.
  void check_questions(const StoryCard& card, const StoryCard& other, const QString& path) const {
    const auto same = [](const Question& a, const Question& b) {
      return a.right == b.right && a.choices.size() == b.choices.size();
    };
    if (!std::equal(card.questions.begin(), card.questions.end(), other.questions.begin(),
                    other.questions.end(), same)) {
      refuse(tr("%1: the questions differ from those of the first language in number, in the number "
                "of answers or in which is right.")
                 .arg(path));
    }
  }

  QString folder_, where_;
  Story story_;
};

}  // namespace

Story read_story(const QString& folder) { return StoryReader(folder).read_all(); }

}  // namespace farstate::desktop
