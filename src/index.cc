// Loads index blocks, checks them against their parents, and replaces them when the cache is full.
#include "index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <system_error>

#include "error.h"

namespace ulhff {

namespace {

constexpr uint64_t DivideUp(uint64_t a, uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

uint64_t IndexBlocks::SumBlocks(uint64_t index_blocks) {
  uint64_t sum = 0;
  uint64_t level = index_blocks;
  do {
    level = DivideUp(level, kSumsPerBlock);
    sum += level;
  } while (level > 1);
  return sum;
}

IndexBlocks::IndexBlocks(const InputFile& file, const Place& place, uint64_t cache_bytes)
    : file_(file), place_(place), level_starts_{0}, root_block_(kBlockSize) {
  uint64_t level = place.blocks;
  do {
    level_starts_.push_back(level_starts_.back() + level);
    level = DivideUp(level, kSumsPerBlock);
  } while (level > 1);
  root_ = level_starts_.back();
  ReadBlocks({root_, 1}, root_block_.data());
  if (Checksum128(ByteSpan(root_block_.data(), kBlockSize)) != place.root_sum) {
    throw FormatError(file.path(), OffsetOf(root_), "root checksum: the index is damaged");
  }

  const uint64_t slots = std::max(cache_bytes / kBlockSize, kWays);
  all_fit_ = root_ <= slots;  // the root has a place of its own
  set_count_ = all_fit_ ? 0 : slots / kWays;
  const uint64_t used_slots = all_fit_ ? root_ : set_count_ * kWays;
  memory_.Reserve(used_slots * kBlockSize);
  held_ = std::make_unique<std::atomic<uint64_t>[]>(used_slots);
  for (uint64_t i = 0; i < used_slots; ++i) held_[i].store(kEmpty, std::memory_order_relaxed);
  if (!all_fit_) sets_ = std::make_unique<Set[]>(set_count_);
}

IndexBlocks::Ref IndexBlocks::Get(uint64_t block) const {
  if (block == root_) return Ref(ByteSpan(root_block_.data(), kBlockSize));
  for (;;) {
    if (auto ref = Find(block)) return std::move(*ref);
    Load(block);  // by now another thread may have replaced it, hence the loop
  }
}

std::optional<IndexBlocks::Ref> IndexBlocks::Find(uint64_t block) const {
  if (all_fit_) {
    if (held_[block].load(std::memory_order_acquire) != block) return std::nullopt;
    return Ref(ByteSpan(Slot(block), kBlockSize));
  }
  const uint64_t index = block % set_count_;
  Set& set = sets_[index];
  std::shared_lock lock(set.mutex);
  for (uint64_t way = 0; way < kWays; ++way) {
    const uint64_t slot = index * kWays + way;
    if (held_[slot].load(std::memory_order_relaxed) != block) continue;
    const uint32_t bit = uint32_t{1} << way;
    if ((set.used.load(std::memory_order_relaxed) & bit) == 0) {
      set.used.fetch_or(bit, std::memory_order_relaxed);
    }
    return Ref(ByteSpan(Slot(slot), kBlockSize), std::move(lock));
  }
  return std::nullopt;
}

// No lock is held while the parent is fetched, which may load it in the same way.
void IndexBlocks::Load(uint64_t block) const {
  std::array<uint64_t, kCluster> sums{};
  const Run run = ClusterOf(block);
  ExpectedSums(run, std::span(sums).first(run.count));
  const uint64_t lock = all_fit_ ? run.first / kCluster : run.first;
  const std::lock_guard loading(loaders_[lock % kLoaders]);
  if (Find(block)) return;  // while this thread waited for the lock
  if (all_fit_) {
    LoadInPlace(block, run, std::span(sums).first(run.count));
  } else {
    LoadIntoSet(block, sums[0]);
  }
}

// On slow storage reads are dear and an index that fits is small: its blocks come in clusters.
IndexBlocks::Run IndexBlocks::ClusterOf(uint64_t block) const {
  if (!all_fit_ || block >= place_.blocks) return {block, 1};
  const uint64_t first = block / kCluster * kCluster;
  return {first, std::min(kCluster, place_.blocks - first)};
}

// The sums of `run`, which lies within one level and below one parent.
void IndexBlocks::ExpectedSums(Run run, std::span<uint64_t> sums) const {
  const auto above = std::upper_bound(level_starts_.begin(), level_starts_.end(), run.first);
  const uint64_t place = run.first - *(above - 1);
  const Ref parent = Get(*above + place / kSumsPerBlock);
  for (uint64_t i = 0; i < run.count; ++i) {
    const uint64_t position = (place + i) % kSumsPerBlock * kSumSize;
    sums[i] = LoadAt<Le<uint64_t>>(parent.bytes(), position);
  }
}

void IndexBlocks::LoadInPlace(uint64_t block, Run run, std::span<const uint64_t> sums) const {
  auto is_held = [&](uint64_t b) { return held_[b].load(std::memory_order_relaxed) != kEmpty; };
  // After the first time a block that is still missing is a damaged one: its neighbours are in use.
  for (uint64_t b = run.first; run.count > 1 && b < run.first + run.count; ++b) {
    if (is_held(b)) {
      sums = sums.subspan(block - run.first, 1);
      run = {block, 1};
    }
  }
  try {
    ReadBlocks(run, Slot(run.first));
  } catch (const std::system_error&) {
    if (run.count == 1) throw;
    sums = sums.subspan(block - run.first, 1);  // perhaps only a neighbour cannot be read
    run = {block, 1};
    ReadBlocks(run, Slot(block));
  }
  for (uint64_t i = 0; i < run.count; ++i) {
    const uint64_t b = run.first + i;
    if (Checksum64(ByteSpan(Slot(b), kBlockSize)) == sums[i]) {
      held_[b].store(b, std::memory_order_release);
    }
  }
  if (!is_held(block)) ThrowDamaged(block);
}

void IndexBlocks::LoadIntoSet(uint64_t block, uint64_t sum) const {
  alignas(AlignedBuffer::kAlignment) std::array<std::byte, kBlockSize> bytes;
  ReadBlocks({block, 1}, bytes.data());
  if (Checksum64(bytes) != sum) ThrowDamaged(block);
  Replace(block, bytes);
}

void IndexBlocks::Replace(uint64_t block, ByteSpan bytes) const {
  const uint64_t index = block % set_count_;
  Set& set = sets_[index];
  const std::unique_lock lock(set.mutex);
  constexpr uint32_t kAll = (uint32_t{1} << kWays) - 1;
  uint32_t used = set.used.load(std::memory_order_relaxed);
  if (used == kAll) used = 0;
  uint64_t way = 0;
  while ((used >> way & 1) != 0) ++way;
  set.used.store(used | uint32_t{1} << way, std::memory_order_relaxed);
  const uint64_t slot = index * kWays + way;
  std::memcpy(Slot(slot), bytes.data(), kBlockSize);
  held_[slot].store(block, std::memory_order_relaxed);
}

void IndexBlocks::ReadBlocks(Run run, std::byte* to) const {
  iovec part{to, static_cast<size_t>(run.count * kBlockSize)};
  file_.ReadInto(OffsetOf(run.first), part.iov_len, std::span(&part, 1));
}

void IndexBlocks::ThrowDamaged(uint64_t block) const {
  throw FormatError(
      file_.path(), OffsetOf(block),
      fmt::format("{} block {}: checksum", block < place_.blocks ? "index" : "sum", block));
}

}  // namespace ulhff
