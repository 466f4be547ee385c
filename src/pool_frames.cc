// The free list of the pool's memory.
#include "pool_frames.h"

namespace ulhff {

Frames::Frames(size_t count) : count_(count), memory_(count * kSize) {
  free_.reserve(count);
  for (size_t frame = count; frame-- > 0;) free_.push_back(static_cast<uint32_t>(frame));
}

size_t Frames::taken() const {
  const std::lock_guard lock(mutex_);
  return count_ - free_.size();
}

bool Frames::Take(size_t wanted, std::vector<uint32_t>& frames) {
  const std::lock_guard lock(mutex_);
  if (wanted > free_.size()) return false;
  frames.assign(free_.rbegin(), free_.rbegin() + static_cast<ptrdiff_t>(wanted));
  free_.resize(free_.size() - wanted);
  return true;
}

void Frames::Give(std::vector<uint32_t>& frames) {
  const std::lock_guard lock(mutex_);
  free_.insert(free_.end(), frames.rbegin(), frames.rend());
  frames.clear();
}

}  // namespace ulhff
