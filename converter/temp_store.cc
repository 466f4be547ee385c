// The tail of a store stays in memory until it is large enough to be worth a write.
#include "converter/temp_store.h"

#include <algorithm>
#include <cerrno>

#include "ulhff/error.h"
#include "ulhff/writer_spool.h"

namespace ulhff {

uint64_t TempStore::Append(ByteSpan bytes) {
  const uint64_t position = size();
  if (tail_.size() + bytes.size() > kBufferSize) Flush();
  if (bytes.size() > kBufferSize) {
    if (!file_.valid()) file_ = OpenSpillFile(dir_);
    PwriteFull(file_.get(), bytes, flushed_, What());
    flushed_ += bytes.size();
  } else {
    tail_.insert(tail_.end(), bytes.begin(), bytes.end());
  }
  return position;
}

void TempStore::Flush() {
  if (tail_.empty()) return;
  if (!file_.valid()) file_ = OpenSpillFile(dir_);
  PwriteFull(file_.get(), tail_, flushed_, What());
  flushed_ += tail_.size();
  tail_.clear();
}

void TempStore::Read(uint64_t position, std::span<std::byte> out) const {
  if (position < flushed_) {
    const size_t n = std::min<uint64_t>(out.size(), flushed_ - position);
    if (PreadFull(file_.get(), out.first(n), position, What()) < n) {
      ThrowErrno(EIO, What() + ": ends early");
    }
    position += n;
    out = out.subspan(n);
  }
  if (!out.empty()) std::copy_n(tail_.data() + (position - flushed_), out.size(), out.data());
}

void TempStore::Overwrite(uint64_t position, ByteSpan bytes) {
  if (position < flushed_) {
    const size_t n = std::min<uint64_t>(bytes.size(), flushed_ - position);
    PwriteFull(file_.get(), bytes.first(n), position, What());
    position += n;
    bytes = bytes.subspan(n);
  }
  std::copy(bytes.begin(), bytes.end(),
            tail_.begin() + static_cast<ptrdiff_t>(bytes.empty() ? 0 : position - flushed_));
}

void TempStoreCursor::Read(std::span<std::byte> out) {
  while (!out.empty()) {
    if (used_ == buffer_.size()) {
      buffer_.resize(std::min<uint64_t>(TempStore::kBufferSize, store_->size() - position_));
      store_->Read(position_, buffer_);
      used_ = 0;
    }
    const size_t n = std::min(out.size(), buffer_.size() - used_);
    std::copy_n(buffer_.data() + used_, n, out.data());
    used_ += n;
    position_ += n;
    out = out.subspan(n);
  }
}

}  // namespace ulhff
