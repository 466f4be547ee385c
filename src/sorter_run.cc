// Reading, writing and merging of sorted runs.
#include "sorter_run.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "error.h"
#include "writer_spool.h"

namespace ulhff {

Sorter::Record RecordAt(const std::byte* head) {
  RecordHead sizes;
  std::memcpy(&sizes, head, sizeof(sizes));
  const std::byte* key = head + sizeof(sizes);
  return {ByteSpan(key, sizes.key_size), ByteSpan(key + sizes.key_size, sizes.payload_size)};
}

int CompareKeys(ByteSpan a, ByteSpan b) {
  const size_t n = std::min(a.size(), b.size());
  const int order = n == 0 ? 0 : std::memcmp(a.data(), b.data(), n);
  if (order != 0) return order;
  return a.size() < b.size() ? -1 : static_cast<int>(a.size() > b.size());
}

void RunFile::Append(const Sorter::Record& record) {
  const RecordHead head{static_cast<uint32_t>(record.key.size()),
                        static_cast<uint32_t>(record.payload.size())};
  Put(std::as_bytes(std::span(&head, 1)));
  Put(record.key);
  Put(record.payload);
}

void RunFile::Put(ByteSpan bytes) {
  if (buffer_.size() + bytes.size() > RunReader::kBufferSize) Flush();
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void RunFile::Flush() {
  if (!file_.valid()) file_ = OpenSpillFile(dir_);
  PwriteFull(file_.get(), buffer_, flushed_, "temporary file in " + dir_);
  flushed_ += buffer_.size();
  buffer_.clear();
}

void RunFile::EndRun() {
  Flush();
  runs_.push_back({run_start_, flushed_});
  run_start_ = flushed_;
}

void RunReader::Need(size_t size) {
  const size_t have = buffer_.size() - used_;
  if (have >= size) return;
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(used_));
  used_ = 0;
  const uint64_t more =
      std::min<uint64_t>(std::max(size, kBufferSize) - have, range_.end - range_.offset);
  buffer_.resize(have + more);
  const std::string what = "temporary file in " + file_->dir();
  const auto out = std::span(buffer_).subspan(have);
  if (PreadFull(file_->fd(), out, range_.offset, what) < more || buffer_.size() < size) {
    ThrowErrno(EIO, what + ": ends early");
  }
  range_.offset += more;
}

bool RunReader::Advance() {
  if (used_ == buffer_.size() && range_.offset == range_.end) return false;
  Need(sizeof(RecordHead));
  RecordHead head;
  std::memcpy(&head, buffer_.data() + used_, sizeof(head));
  const size_t size = sizeof(head) + size_t{head.key_size} + head.payload_size;
  Need(size);
  record_ = RecordAt(buffer_.data() + used_);
  used_ += size;
  return true;
}

bool RunMerger::Later::operator()(size_t a, size_t b) const {
  const int order = CompareKeys((*readers)[a].record().key, (*readers)[b].record().key);
  return order != 0 ? order > 0 : a > b;
}

RunMerger::RunMerger(const RunFile& file, size_t first, size_t count) : queue_(Later{&readers_}) {
  for (size_t i = 0; i < count; ++i) readers_.emplace_back(file, file.runs()[first + i]);
  for (size_t i = 0; i < count; ++i) {
    if (readers_[i].Advance()) queue_.push(i);
  }
}

std::optional<Sorter::Record> RunMerger::Next() {
  if (current_ && readers_[*current_].Advance()) queue_.push(*current_);
  current_.reset();
  if (queue_.empty()) return std::nullopt;
  current_ = queue_.top();
  queue_.pop();
  return readers_[*current_].record();
}

}  // namespace ulhff
