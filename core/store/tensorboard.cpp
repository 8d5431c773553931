// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/tensorboard.h"

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <filesystem>
#include <optional>
#include <protozero/pbf_writer.hpp>

#include "core/base/file.h"
#include "core/base/json_text.h"
#include "core/results/experiment.h"

namespace farstate {
namespace {

// Field numbers of the messages.
namespace event {
constexpr protozero::pbf_tag_type kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5;
}
namespace summary {
constexpr protozero::pbf_tag_type kValue = 1;
}
namespace value {
constexpr protozero::pbf_tag_type kTag = 1, kSimpleValue = 2;
}

constexpr std::array<uint32_t, 256> make_table() {
  constexpr uint32_t kReflectedPolynomial = 0x82F63B78;
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) {
      rest = (rest & 1) != 0 ? rest >> 1 ^ kReflectedPolynomial : rest >> 1;
    }
    table[byte] = rest;
  }
  return table;
}

// TFRecord keeps checksums rotated and shifted, so that data that holds checksums of its own is safe
// to check.
uint32_t masked_crc(std::string_view bytes) {
  const uint32_t crc = crc32c(bytes);
  return (crc >> 15 | crc << 17) + 0xA282EAD8;
}

template <typename Number>
void append_little_endian(std::string& out, Number number) {
  for (size_t byte = 0; byte < sizeof(Number); ++byte) {
    out += static_cast<char>(number >> (8 * byte) & 0xff);
  }
}

void append_record(std::string& out, const std::string& message) {
  std::string length;
  append_little_endian(length, static_cast<uint64_t>(message.size()));
  out += length;
  append_little_endian(out, masked_crc(length));
  out += message;
  append_little_endian(out, masked_crc(message));
}

class EventFile {
 public:
  // `time` in seconds since 1970, of every event.
  explicit EventFile(double time) : time_(time) {
    std::string message;
    protozero::pbf_writer writer(message);
    writer.add_double(event::kWallTime, time_);
    writer.add_string(event::kFileVersion, "brain.Event:2");
    append_record(content_, message);
  }

  void add(const std::string& tag, int64_t step, double number) {
    std::string message;
    {
      protozero::pbf_writer writer(message);
      writer.add_double(event::kWallTime, time_);
      writer.add_int64(event::kStep, step);
      protozero::pbf_writer of_summary(writer, event::kSummary);
      protozero::pbf_writer of_value(of_summary, summary::kValue);
      of_value.add_string(value::kTag, tag);
      of_value.add_float(value::kSimpleValue, static_cast<float>(number));
    }
    append_record(content_, message);
  }

  const std::string& content() const { return content_; }

 private:
  double time_;
  std::string content_;
};

// Of "2026-11-30T08:12:45Z"; 0 where it is no such text.
int64_t seconds_of(const std::string& utc) {
  tm time{};
  return strptime(utc.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) != nullptr ? timegm(&time) : 0;
}

// T of the run's recipe; 0: the recipe does not say.
int64_t context_of(const std::string& recipe) {
  const nlohmann::ordered_json json = parse_json(recipe);
  const auto key = "/train/context"_json_pointer;
  if (!json.is_object() || !json.contains(key)) return 0;
  return json.at(key).is_number_integer() ? json.at(key).get<int64_t>() : 0;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static constexpr std::array<uint32_t, 256> kTable = make_table();
  uint32_t rest = ~uint32_t{0};
  for (const char byte : bytes) {
    rest = kTable[(rest ^ static_cast<unsigned char>(byte)) & 0xff] ^ rest >> 8;
  }
  return ~rest;
}

std::string tensorboard_events(const StoredRun& run, const RunCurves& curves) {
  EventFile file(static_cast<double>(seconds_of(run.started)));
  for (const TrainPoint& point : curves.points) {
    file.add("train/loss", point.step, point.loss);
    file.add("train/grad_norm", point.step, point.grad_norm);
    file.add("train/learning_rate", point.step, point.learning_rate);
    file.add("train/tokens_per_second", point.step, point.tokens_per_second);
  }
  const int64_t context = context_of(run.recipe);
  for (const Snapshot& snapshot : curves.snapshots) {
    const Series* perplexity = find_series(snapshot.series, "perplexity");
    if (perplexity == nullptr || context == 0) continue;
    for (const TablePosition& column : table_positions(context)) {
      const std::optional<size_t> sample =
          sample_at(*perplexity, static_cast<double>(column.position));
      if (sample) file.add("perplexity/" + column.name, snapshot.step, perplexity->y[*sample]);
    }
  }
  return file.content();
}

std::string write_tensorboard(const std::string& folder, const StoredRun& run,
                              const RunCurves& curves) {
  make_folder(folder);
  const std::string name =
      fmt::format("events.out.tfevents.{}.farstate.run{}", seconds_of(run.started), run.id);
  const std::string path = (std::filesystem::path(folder) / name).string();
  write_file_atomic(path, tensorboard_events(run, curves));
  return path;
}

}  // namespace farstate
