// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/tokenizer_json.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "core/base/json_text.h"
#include "core/tokenizer/byte_level.h"
#include "core/tokenizer/json_fields.h"
#include "core/tokenizer/split_pattern.h"

namespace farstate {
namespace {

class Reader : JsonFields {
 public:
  explicit Reader(const std::string& source) : JsonFields(source) {}

  TokenizerJson read(const std::string& text) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) fail("it is not JSON; the file may be cut off");
    if (!json.is_object()) fail(fmt::format("it is {}, but must be an object", short_text(json)));
    const Json* model = find(json, "model");
    if (model == nullptr) fail("it has no \"model\"; give a tokenizer.json of the tokenizers package");
    object(*model, "model");
    const bool word_level = is_word_level(*model);
    read_normalizer(find(json, "normalizer"));
    read_pre_tokenizer(find(json, "pre_tokenizer"), word_level);
    check_post_processor(find(json, "post_processor"));
    if (word_level) {
      out_.model = read_words(*model);
    } else {
      out_.model = read_byte_pairs(*model);
    }
    read_added(find(json, "added_tokens"));
    if (out_.bytes.empty()) fail("its vocabulary is empty");
    return std::move(out_);
  }

 private:
  bool is_word_level(const Json& model) const {
    const Json* type = find(model, "type");  // files before 2020 have none
    if (type == nullptr && find(model, "merges") != nullptr) return false;
    const std::string name = text(model, "type", "model");
    if (name != "BPE" && name != "WordLevel") {
      unsupported("model.type", fmt::format("\"{}\"", name), "byte-level \"BPE\" and \"WordLevel\"");
    }
    return name == "WordLevel";
  }

  void read_normalizer(const Json* json) {
    if (json == nullptr) return;
    const std::string type = type_of(*json, "normalizer");
    if (type == "NFC") {
      out_.compose = true;
    } else if (type == "Sequence") {
      for (const Json& part : array(*json, "normalizers", "normalizer")) read_normalizer(&part);
    } else {
      unsupported("normalizer", fmt::format("\"{}\"", type), "\"NFC\" or none");
    }
  }

  void read_pre_tokenizer(const Json* json, bool word_level) {
    if (json == nullptr) {
      unsupported("pre_tokenizer", "missing", word_level ? "\"Split\"" : "\"ByteLevel\"");
    }
    const std::string type = type_of(*json, "pre_tokenizer");
    const Json single = Json::array({*json});
    const Json& parts =
        type == "Sequence" ? array(*json, "pretokenizers", "pre_tokenizer") : single;
    word_level ? read_splits(parts) : read_byte_level(parts, type);
  }

  void read_splits(const Json& parts) {
    for (const Json& part : parts) {
      const std::string kind = type_of(part, "pre_tokenizer");
      if (kind != "Split") {
        unsupported("pre_tokenizer", fmt::format("\"{}\"", kind), "\"Split\" with \"WordLevel\"");
      }
      read_split(part);
    }
  }

  void read_byte_level(const Json& parts, const std::string& type) {
    bool byte_level = false;
    for (const Json& part : parts) {
      const std::string kind = type_of(part, "pre_tokenizer");
      if (byte_level) unsupported("pre_tokenizer", "a sequence that goes on after \"ByteLevel\"", "one that ends with it");
      if (kind == "ByteLevel") {
        byte_level = true;
        out_.prefix_space = flag(part, "add_prefix_space", true);
        if (out_.prefix_space && !out_.patterns.empty()) {
          unsupported("add_prefix_space", "true after another pre-tokenizer", "false there");
        }
        if (flag(part, "use_regex", true)) out_.patterns.emplace_back(kGpt2Pattern);
      } else if (kind == "Split") {
        read_split(part);
      } else {
        unsupported("pre_tokenizer", fmt::format("\"{}\"", kind), "\"Split\" and \"ByteLevel\"");
      }
    }
    if (!byte_level) unsupported("pre_tokenizer", fmt::format("\"{}\"", type), "\"ByteLevel\"");
  }

  void read_split(const Json& json) {
    const std::string behavior = text(json, "behavior", "Split");
    if (behavior != "Isolated") {
      unsupported("behavior", fmt::format("\"{}\"", behavior), "\"Isolated\"");
    }
    if (flag(json, "invert", false)) unsupported("invert", "true", "false");
    const Json* pattern = find(json, "pattern");
    if (pattern == nullptr) fail("\"Split\" has no \"pattern\"");
    object(*pattern, "pattern");
    if (find(*pattern, "Regex") == nullptr) {
      unsupported("pattern", short_text(*pattern), "{\"Regex\": …}");
    }
    out_.patterns.push_back(text(*pattern, "Regex", "pattern"));
  }

  // What puts tokens of its own around a text, such as a mark of its beginning, belongs to texts
  // that are read one by one. Here a text is one stream, and where such a mark would go is not known.
  void check_post_processor(const Json* json) const {
    if (json == nullptr) return;
    const std::string type = type_of(*json, "post_processor");
    if (type == "ByteLevel") return;
    if (type == "Sequence") {
      for (const Json& part : array(*json, "processors", "post_processor")) check_post_processor(&part);
      return;
    }
    if (type == "TemplateProcessing") {
      for (const Json& part : array(*json, "single", "post_processor")) {
        object(part, "single");
        if (find(part, "Sequence") == nullptr) {
          unsupported("post_processor", "a template that adds tokens to a text",
                      "none that does; set it to null to read texts without them");
        }
      }
      return;
    }
    unsupported("post_processor", fmt::format("\"{}\"", type),
                "none that adds tokens; set it to null to read texts without them");
  }

  void refuse_model_options(const Json& model) const {
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
      const Json* value = find(model, key);
      if (value != nullptr && *value != "") unsupported(key, short_text(*value), "none");
    }
    const Json* dropout = find(model, "dropout");
    if (dropout != nullptr && *dropout != 0) unsupported("dropout", short_text(*dropout), "none");
    if (flag(model, "byte_fallback", false)) unsupported("byte_fallback", "true", "false");
  }

  void set_bytes(int32_t id, const std::string& bytes) {
    if (static_cast<size_t>(id) >= out_.bytes.size()) out_.bytes.resize(static_cast<size_t>(id) + 1);
    out_.bytes[static_cast<size_t>(id)] = bytes;
  }

  // The vocabulary's tokens and ids; take(token, id) is called for each.
  template <typename Take>
  void read_vocabulary(const Json& model, const Take& take) {
    const Json* vocabulary = find(model, "vocab");
    if (vocabulary == nullptr) fail("its \"model\" has no \"vocab\"");
    object(*vocabulary, "vocab");
    for (const auto& [token, value] : vocabulary->items()) {
      const int32_t number = id(value, token);
      const auto [other, is_new] = token_of_.emplace(number, token);
      if (!is_new) {
        fail(fmt::format("tokens {} and {} have the same id {}", short_text(Json(other->second)),
                         short_text(Json(token)), number));
      }
      id_of_[token] = number;
      take(token, number);
    }
  }

  WordJson read_words(const Json& model) {
    WordJson words;
    read_vocabulary(model, [&](const std::string& token, int32_t number) {
      if (token.empty()) fail("its vocabulary has a token without characters");
      set_bytes(number, token);
      words.words.emplace(token, number);
    });
    // The package writes a name here even where the vocabulary has no such token.
    if (find(model, "unk_token") == nullptr) return words;
    const auto unknown = words.words.find(text(model, "unk_token", "model"));
    if (unknown != words.words.end()) words.unknown = unknown->second;
    return words;
  }

  BytePairJson read_byte_pairs(const Json& model) {
    refuse_model_options(model);
    BytePairJson pairs;
    pairs.ignore_merges = flag(model, "ignore_merges", false);
    read_vocabulary(model, [&](const std::string& token, int32_t number) {
      const std::optional<std::string> bytes = bytes_of_characters(token);
      set_bytes(number, bytes.value_or(token));
      if (bytes.has_value() && pairs.ignore_merges) pairs.words.emplace(*bytes, number);
    });
    for (int byte = 0; byte < 256; ++byte) {
      const auto found = id_of_.find(byte_character(static_cast<unsigned char>(byte)));
      pairs.byte_ids[static_cast<size_t>(byte)] = found == id_of_.end() ? -1 : found->second;
      const bool in_utf8 = byte != 0xC0 && byte != 0xC1 && byte < 0xF5;
      if (found == id_of_.end() && in_utf8) {
        fail(fmt::format("its vocabulary has no token for the byte {:#04x}, so it can't read every "
                         "text",
                         byte));
      }
    }
    read_merges(model, pairs.merges);
    return pairs;
  }

  void read_merges(const Json& model, std::vector<Merge>& merges) const {
    for (const Json& json : array(model, "merges", "model")) {
      const auto id_of = [&](const std::string& token) { return merge_id(token, json, merges.size()); };
      const auto [left, right] = halves(json, merges.size());
      merges.push_back({id_of(left), id_of(right), id_of(left + right)});
    }
  }

  std::pair<std::string, std::string> halves(const Json& json, size_t number) const {
    if (json.is_string()) {
      const auto line = json.get<std::string>();
      const size_t space = line.find(' ');
      if (space != std::string::npos && line.find(' ', space + 1) == std::string::npos) {
        return {line.substr(0, space), line.substr(space + 1)};
      }
    }
    if (json.is_array() && json.size() == 2 && json[0].is_string() && json[1].is_string()) {
      return {json[0].get<std::string>(), json[1].get<std::string>()};
    }
    fail(fmt::format("merge {} is {}, but must be \"a b\" or [\"a\", \"b\"]", number,
                     short_text(json)));
  }

  int32_t merge_id(const std::string& token, const Json& json, size_t number) const {
    const auto found = id_of_.find(token);
    if (found != id_of_.end()) return found->second;
    fail(fmt::format("merge {}, {}, needs the token {}, which its vocabulary has not",
                     number, json.is_string() ? short_text(json) : "a pair",
                     short_text(Json(token))));
  }

  void read_added(const Json* json) {
    if (json == nullptr) return;
    if (!json->is_array()) {
      fail(fmt::format("\"added_tokens\" is {}, but must be an array", short_text(*json)));
    }
    for (const Json& entry : *json) {
      object(entry, "added_tokens");
      AddedToken token;
      token.content = text(entry, "content", "added_tokens");
      const Json* number = find(entry, "id");
      token.id = id(number == nullptr ? Json() : *number, token.content);
      if (token.content.empty()) continue;
      token.single_word = flag(entry, "single_word", false);
      token.lstrip = flag(entry, "lstrip", false);
      token.rstrip = flag(entry, "rstrip", false);
      token.normalized = flag(entry, "normalized", !flag(entry, "special", false));
      const auto [by_text, new_text] = id_of_.emplace(token.content, token.id);
      const auto [by_id, new_id] = token_of_.emplace(token.id, token.content);
      if (by_text->second != token.id || by_id->second != token.content) {
        fail(fmt::format("the added token {} has the id {}, but {}", short_text(Json(token.content)),
                         token.id,
                         by_text->second != token.id
                             ? fmt::format("the token has the id {} elsewhere", by_text->second)
                             : fmt::format("that is the id of {}", short_text(Json(by_id->second)))));
      }
      set_bytes(token.id, token.content);
      out_.added.push_back(std::move(token));
    }
  }

  TokenizerJson out_;
  std::unordered_map<std::string, int32_t> id_of_;
  std::unordered_map<int32_t, std::string> token_of_;
};

}  // namespace

TokenizerJson parse_tokenizer_json(const std::string& text, const std::string& source) {
  return Reader(source).read(text);
}

}  // namespace farstate
