// Positions become pairs, pairs objects; texts come through a small pool.
#include "converter/pair_walk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "converter/input_error.h"
#include "converter/printable.h"

namespace ulhff {

namespace {

constexpr uint64_t kPoolBytes = uint64_t{4} << 20;

}  // namespace

PairWalk::PairWalk(const Reader& reader, std::optional<uint64_t> split)
    : reader_(reader),
      pool_(reader, {.bytes = kPoolBytes}),
      wanted_split_(split),
      counts_(std::max<size_t>(1, reader.info().splits.size())),
      texts_(reader.info().fields.size()) {}

bool PairWalk::Next() {
  while (next_ < reader_.info().pairs) {
    position_ = next_++;
    pair_ = reader_.PairAtSourcePosition(position_);
    if (!reader_.info().splits.empty()) split_ = reader_.SplitOf(pair_).split;
    if (wanted_split_ && split_ != wanted_split_) continue;
    ++counts_[split_.value_or(0)];
    MoveTo(pair_);
    return true;
  }
  return false;
}

void PairWalk::MoveTo(uint64_t pair) {
  if (pair - layout_.first_pair < layout_.pairs) return;
  object_ = reader_.Locate(pair).object;
  layout_ = reader_.Object(object_);
}

bool PairWalk::HasText(uint64_t field) const {
  return !reader_.Text(layout_, pair_ * texts_.size() + field).absent;
}

std::span<const std::optional<std::string_view>> PairWalk::ReadTexts() {
  const uint64_t first = pair_ * texts_.size();
  uint64_t size = 0;
  for (uint64_t field = 0; field < texts_.size(); ++field)
    size += reader_.Text(layout_, first + field).size;
  bytes_.resize(size);
  const std::span<char> room(bytes_);
  uint64_t used = 0;
  for (uint64_t field = 0; field < texts_.size(); ++field) {
    texts_[field].reset();
    const TextLayout text = reader_.Text(layout_, first + field);
    if (text.absent) continue;
    const std::span<char> part = room.subspan(used, text.size);
    pool_.ReadText(first + field, 0, std::as_writable_bytes(part));
    texts_[field] = std::string_view(part.data(), part.size());
    used += text.size;
  }
  return texts_;
}

uint64_t SplitCalled(const Info& info, const std::string& name) {
  const auto found = std::find(info.splits.begin(), info.splits.end(), name);
  if (found != info.splits.end()) return static_cast<uint64_t>(found - info.splits.begin());
  if (info.splits.empty())
    throw UsageError(fmt::format("--split {}: the file has no splits", Printable(name)));
  throw UsageError(
      fmt::format("--split {}: not one of {}", Printable(name), fmt::join(info.splits, ", ")));
}

}  // namespace ulhff
