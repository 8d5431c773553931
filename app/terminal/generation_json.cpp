// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/generation_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace farstate {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(InitialState::Kind kind) {
  switch (kind) {
    case InitialState::Kind::kZero: return "zero";
    case InitialState::Kind::kRandomNoise: return "random-noise";
    case InitialState::Kind::kKept: return "kept";
    case InitialState::Kind::kFile: return "file";
  }
  return "";
}

const char* name_of(StateEdit::Kind kind) {
  switch (kind) {
    case StateEdit::Kind::kScale: return "scale";
    case StateEdit::Kind::kZero: return "zero";
    case StateEdit::Kind::kNoise: return "noise";
  }
  return "";
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json of(const StateEdit& edit) {
  Json json;
  json["kind"] = name_of(edit.kind);
  if (edit.kind != StateEdit::Kind::kZero) json["amount"] = number(edit.amount);
  json["heads"] = Json::array();
  for (const HeadIndex& head : edit.heads) {
    json["heads"].push_back(fmt::format("{}.{}", head.layer, head.head));
  }
  if (edit.kind == StateEdit::Kind::kNoise) json["seed"] = edit.seed;
  return json;
}

Json of(const InitialState& initial) {
  Json json;
  json["kind"] = name_of(initial.kind);
  if (initial.kind == InitialState::Kind::kRandomNoise) json["sigma"] = number(initial.sigma);
  if (!initial.name.empty()) json["name"] = initial.name;
  json["edits"] = Json::array();
  for (const StateEdit& edit : initial.edits) json["edits"].push_back(of(edit));
  return json;
}

Json of(const SamplingConfig& sampling) {
  return {{"tokens", sampling.tokens},
          {"temperature", sampling.temperature},
          {"top_p", sampling.top_p},
          {"seed", sampling.seed}};
}

Json of(const std::vector<NextToken>& tokens) {
  Json json = Json::array();
  for (const NextToken& token : tokens) {
    json.push_back({{"id", token.id}, {"text", token.text}, {"probability", token.probability}});
  }
  return json;
}

}  // namespace

std::string to_json(const GenerateJob& job, const GenerateOutcome& outcome,
                    const std::vector<GeneratedToken>& tokens) {
  const Generation& g = outcome.generation;
  Json json;
  json["schema"] = "farstate.generation/1";
  json["model"] = {{"model", job.model.model},
                   {"tokenizer", job.model.tokenizer},
                   {"precision", outcome.model.precision}};
  json["prompt"] = job.request.prompt;
  json["prompt_file"] = job.request.prompt_file;
  json["initial"] = of(job.request.initial);
  json["sampling"] = of(job.request.sampling);
  json["layers"] = outcome.model.layers;
  json["heads"] = outcome.model.heads;
  json["prompt_tokens"] = g.prompt_tokens;
  json["tokens"] = Json::array();
  json["norms"] = Json::array();
  for (const GeneratedToken& token : tokens) {
    json["tokens"].push_back({{"id", token.id},
                              {"text", token.text},
                              {"loss", number(token.loss)},
                              {"prompt", token.prompt}});
    if (!token.norms.empty()) {
      json["norms"].push_back({{"index", token.index}, {"norms", token.norms}});
    }
  }
  json["next"] = of(g.next);
  json["entropy"] = g.next.empty() ? Json(nullptr) : number(g.entropy);
  json["complete"] = g.stage == Generation::Stage::kDone;
  json["problem"] = g.problem;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace farstate
