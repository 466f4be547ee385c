// Messages about damaged records.
#include "converter/record.h"

#include <fmt/format.h>

#include "converter/input_error.h"

namespace ulhff {

void Damage::Tell(uint64_t offset, const std::string& what) const {
  if (note_) {
    note_(what, offset);
    return;
  }
  throw TruncatedError(fmt::format("{}: byte {}: {} (--lenient keeps what is whole)",
                                   shard_->label(), offset, what));
}

void Damage::Refuse(uint64_t offset, const std::string& what) const {
  throw InputError(fmt::format("{}: byte {}: {}", shard_->label(), offset, what));
}

}  // namespace ulhff
