// Compares what the inputs say of themselves.
#include "converter/shard_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "converter/catalogue.h"
#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "converter/output.h"
#include "converter/printable.h"
#include "converter/sort_key.h"
#include "converter/ulhff_file.h"
#include "ulhff/sorter.h"

namespace ulhff {

namespace {

// Small: inputs are looked at one after the other.
constexpr uint64_t kIndexCache = uint64_t{256} << 10;
constexpr uint64_t kMissingShown = 5;

struct Input {
  std::string path;
  unsigned alignment = 0;
  std::optional<ShardInfo> shard;
};

// Source positions next to each other.
struct Run {
  uint64_t first = 0;
  uint64_t length = 0;
  uint64_t input = 0;
};

Input Look(const std::string& path) {
  const UlhffFile file(path, kIndexCache);
  try {
    return {path, static_cast<unsigned>(file.reader().info().alignment), file.reader().Shard()};
  } catch (const FormatError& e) {
    ThrowDamaged(path, "", e);
  }
}

std::string NameOf(const Input& input) {
  return input.shard ? fmt::format("{} (shard {} of {})", Printable(input.path),
                                   input.shard->number, input.shard->count)
                     : Printable(input.path);
}

// Precondition: `inputs` are sorted shards of one conversion.
void CheckComplete(const std::vector<Input>& inputs) {
  std::string missing;
  uint64_t count = 0;
  uint64_t expected = 1;
  const auto miss = [&](uint64_t end) {
    for (; expected < end; ++expected) {
      if (++count <= kMissingShown) {
        missing += fmt::format("{}{}", missing.empty() ? "" : ", ", expected);
      }
    }
  };
  for (const Input& input : inputs) {
    miss(input.shard->number);
    ++expected;
  }
  miss(inputs[0].shard->count + 1);
  if (count == 0) return;
  const std::string more =
      count > kMissingShown ? fmt::format(" and {} more", count - kMissingShown) : "";
  throw InputError(fmt::format("{} {}{} of {} {} missing (ulhff convert joins shards as they are)",
                               NounFor(count, "shard", "shards"), missing, more,
                               inputs[0].shard->count, NounFor(count, "is", "are")));
}

void CheckSameConversion(const std::vector<Input>& inputs) {
  for (size_t i = 1; i < inputs.size(); ++i) {
    const Input& a = inputs[i - 1];
    const Input& b = inputs[i];
    if (a.shard.has_value() != b.shard.has_value()) {
      throw InputError(
          fmt::format("{} and {}: merge the shards alone first", NameOf(a), NameOf(b)));
    }
    if (!a.shard) continue;
    ShardInfo like_a = *b.shard;
    like_a.number = a.shard->number;
    if (like_a != *a.shard) {
      throw InputError(fmt::format(
          "{} and {} are of different conversions: source, options or number of shards differ",
          NameOf(a), NameOf(b)));
    }
    if (a.shard->number == b.shard->number) {
      throw InputError(fmt::format("{} and {} are the same shard", NameOf(a), NameOf(b)));
    }
  }
}

void AddRuns(const Input& input, uint64_t number, Sorter& runs) {
  const UlhffFile file(input.path, kIndexCache);
  const Reader& reader = file.reader();
  Run run{.input = number};
  const auto add = [&] {
    if (run.length > 0) runs.Add(SortKey(run.first), Raw(run));
  };
  for (uint64_t i = 0; i < reader.info().pairs; ++i) {
    const uint64_t position = reader.ShardPosition(i);
    if (position >= input.shard->positions) {
      throw InputError(fmt::format("{}: a pair of it stands at position {} of {}", NameOf(input),
                                   position, input.shard->positions));
    }
    if (run.length == 0 || position != run.first + run.length) {
      add();
      run = {position, 0, number};
    }
    ++run.length;
  }
  add();
}

// What one conversion made never overlaps; what somebody made up may.
void CheckPositions(const std::vector<Input>& inputs, const std::string& tmp_dir) {
  Sorter runs(tmp_dir, kSortMemory);
  for (size_t i = 0; i < inputs.size(); ++i) {
    CheckInterrupt();
    try {
      AddRuns(inputs[i], i, runs);
    } catch (const FormatError& e) {
      ThrowDamaged(inputs[i].path, "", e);
    }
  }
  Run before;
  while (const auto record = runs.Next()) {
    const auto run = LoadAt<Run>(record->payload, 0);
    if (run.first < before.first + before.length) {
      throw InputError(fmt::format("{} and {} both have a pair at position {}",
                                   NameOf(inputs[before.input]), NameOf(inputs[run.input]),
                                   run.first));
    }
    before = run;
  }
}

}  // namespace

MergeInputs LookAtInputs(const std::vector<std::string>& paths, const std::string& tmp_dir) {
  std::vector<Input> inputs;
  inputs.reserve(paths.size());
  for (const std::string& path : paths) inputs.push_back(Look(path));
  CheckSameConversion(inputs);
  MergeInputs result;
  result.are_shards = inputs[0].shard.has_value();
  if (result.are_shards) {
    std::sort(inputs.begin(), inputs.end(),
              [](const Input& a, const Input& b) { return a.shard->number < b.shard->number; });
    CheckSameConversion(inputs);
    CheckComplete(inputs);
    CheckPositions(inputs, tmp_dir);
  }
  const unsigned alignment = inputs[0].alignment;
  const bool common = std::all_of(inputs.begin(), inputs.end(), [alignment](const Input& input) {
    return input.alignment == alignment;
  });
  if (common) result.alignment = alignment;
  for (Input& input : inputs) result.paths.push_back(std::move(input.path));
  return result;
}

}  // namespace ulhff
