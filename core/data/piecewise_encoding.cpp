// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/piecewise_encoding.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/base/stop.h"
#include "core/base/utf8.h"

namespace farstate {
namespace {

constexpr size_t kPiece = size_t{256} << 10;

struct Task {
  std::string_view text;
  EncodedPiece piece;
  bool done = false;
  std::exception_ptr error;
};

class EncodingThreads {
 public:
  EncodingThreads(const Tokenizer& tokenizer, size_t count) : tokenizer_(tokenizer) {
    for (size_t i = 0; i < count; ++i) {
      threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
    }
  }
  ~EncodingThreads() {
    for (std::jthread& thread : threads_) thread.request_stop();
  }
  EncodingThreads(const EncodingThreads&) = delete;
  EncodingThreads& operator=(const EncodingThreads&) = delete;

  void add(const std::shared_ptr<Task>& task) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(task);
    }
    added_.notify_one();
  }

  void wait_for(const Task& task) {
    constexpr std::chrono::milliseconds kStopCheck(10);
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, kStopCheck, [&] { return task.done; })) throw_if_stopped();
    if (task.error != nullptr) std::rethrow_exception(task.error);
  }

 private:
  void work(const std::stop_token& stop) {
    const StopScope scope(stop);
    std::unique_lock lock(mutex_);
    while (added_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
      const std::shared_ptr<Task> task = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      try {
        task->piece.replaced = count_invalid_utf8(task->text);
        tokenizer_.encode(task->text, task->piece.ids);
      } catch (...) {
        task->error = std::current_exception();
      }
      lock.lock();
      task->done = true;
      finished_.notify_all();
    }
  }

  const Tokenizer& tokenizer_;
  std::mutex mutex_;
  std::condition_variable_any added_;
  std::condition_variable finished_;
  std::deque<std::shared_ptr<Task>> waiting_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

// Where the piece that begins at `begin` ends: the last cut in its first window, else in the next.
size_t end_of_piece(std::string_view text, size_t begin, const Tokenizer& tokenizer) {
  // What is asked of a place depends on the character before it. A later window begins within the
  // piece, perhaps within a character, so places too near its beginning are left out.
  constexpr size_t kCharacter = 4;
  for (size_t window = begin; text.size() - window > kPiece; window += kPiece) {
    throw_if_stopped();
    const size_t back = window == begin ? 0 : kCharacter;
    const size_t cut = tokenizer.last_cut(text.substr(window - back, back + kPiece));
    if (cut > 0 && cut >= back) return window - back + cut;
  }
  return text.size();
}

}  // namespace

void encode_pieces(std::string_view text, size_t begin, const Tokenizer& tokenizer,
                   const std::function<void(const EncodedPiece&)>& take) {
  const size_t pieces = (text.size() - begin + kPiece - 1) / kPiece;
  const size_t count =
      std::clamp<size_t>(pieces, 1, std::max(1U, std::thread::hardware_concurrency()));
  EncodingThreads threads(tokenizer, count);
  std::deque<std::shared_ptr<Task>> ordered;
  while (begin < text.size() || !ordered.empty()) {
    while (begin < text.size() && ordered.size() < 4 * count) {
      const size_t end = end_of_piece(text, begin, tokenizer);
      auto task = std::make_shared<Task>();
      task->text = text.substr(begin, end - begin);
      task->piece.end = end;
      ordered.push_back(task);
      threads.add(task);
      begin = end;
    }
    throw_if_stopped();
    threads.wait_for(*ordered.front());
    take(ordered.front()->piece);
    ordered.pop_front();
  }
}

}  // namespace farstate
