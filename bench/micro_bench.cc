// Micro-benchmarks of libulhff: pair -> object by each index, path lookup, readdir, opening a file
// of 10 M pairs.
//
// Usage: micro_bench [--benchmark_filter=REGEX ...]    The files (up to 0.6 GB) are made in $TMPDIR
// and removed.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <random>
#include <unordered_map>

#include "native/sample_file.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace {

using bench::Pairing;

constexpr int64_t kSmall = 100'000;
constexpr int64_t kLarge = 10'000'000;

// The files of a run, made when first asked for, removed at its end.
class SampleFiles {
 public:
  ~SampleFiles() {
    for (const auto& [key, path] : paths_) std::filesystem::remove(path);
  }
  const std::string& Path(Pairing pairing, int64_t pairs) {
    auto& path = paths_[{pairing, pairs}];
    if (path.empty()) {
      const auto name = fmt::format("ulhff-micro-{}-{}", static_cast<int>(pairing), pairs);
      path = std::filesystem::temp_directory_path() / name;
      bench::WriteSampleFile(path, pairing, static_cast<uint64_t>(pairs));
    }
    return path;
  }

 private:
  std::map<std::pair<Pairing, int64_t>, std::string> paths_;
};

SampleFiles& Files() {
  static SampleFiles files;
  return files;
}

ulhff::Reader OpenSample(Pairing pairing, int64_t pairs) {
  return ulhff::Reader::Open(Files().Path(pairing, pairs));
}

// Random pair numbers, drawn outside the timed loop.
std::vector<uint64_t> RandomPairs(uint64_t pairs) {
  std::mt19937_64 random(1);
  std::vector<uint64_t> numbers(1 << 16);
  for (auto& number : numbers) number = random() % pairs;
  return numbers;
}

void Locate(benchmark::State& state, Pairing pairing) {
  const auto reader = OpenSample(pairing, state.range(0));
  const auto pairs = RandomPairs(reader.info().pairs);
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(reader.Locate(pairs[i++ % pairs.size()]));
  }
  state.counters["index_bytes"] = static_cast<double>(reader.info().index_bytes);
}
BENCHMARK_CAPTURE(Locate, Identity, Pairing::kOneToOne)->Arg(kSmall)->Arg(kLarge);
BENCHMARK_CAPTURE(Locate, FixedRatio, Pairing::kFixed)->Arg(kSmall)->Arg(kLarge);
BENCHMARK_CAPTURE(Locate, AvlPlus, Pairing::kHybrid)->Arg(kSmall)->Arg(kLarge);

// What the FFSlim paper's Table III compares with: a hash table of every pair.
void LocateByHash(benchmark::State& state) {
  const auto reader = OpenSample(Pairing::kHybrid, state.range(0));
  std::unordered_map<uint64_t, ulhff::PairLocation> table;
  for (uint64_t pair = 0; pair < reader.info().pairs; ++pair) table[pair] = reader.Locate(pair);
  const auto pairs = RandomPairs(reader.info().pairs);
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(table.find(pairs[i++ % pairs.size()]));
  }
  // A node holds key, value and a link; a bucket is one pointer.
  const size_t node = sizeof(std::pair<const uint64_t, ulhff::PairLocation>) + sizeof(void*);
  state.counters["index_bytes"] =
      static_cast<double>(table.size() * node + table.bucket_count() * sizeof(void*));
}
BENCHMARK(LocateByHash)->Arg(kSmall)->Arg(kLarge);

// The object's place in the file, which any read needs after Locate.
void ObjectLayout(benchmark::State& state) {
  const auto reader = OpenSample(Pairing::kHybrid, state.range(0));
  const auto objects = RandomPairs(reader.info().objects);
  size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(reader.Object(objects[i++ % objects.size()]));
  }
}
BENCHMARK(ObjectLayout)->Arg(kSmall)->Arg(kLarge);

void LookupPath(benchmark::State& state, ulhff::ViewKind view, const char* pattern) {
  const auto reader = OpenSample(Pairing::kFixed, state.range(0));
  ulhff::TreeOptions options;
  options.view = view;
  const ulhff::Tree tree(reader, options);
  std::vector<std::string> paths;
  for (const uint64_t object : RandomPairs(reader.info().objects)) {
    paths.push_back(fmt::format(fmt::runtime(pattern), object / 10'000, object));
  }
  size_t i = 0;
  for (auto _ : state) {
    const auto node = tree.Resolve(paths[i++ % paths.size()]);
    if (!node) state.SkipWithError("no such path");
    benchmark::DoNotOptimize(node);
  }
}
BENCHMARK_CAPTURE(LookupPath, Source, ulhff::ViewKind::kSource, "media/{1:09}.jpg")
    ->Arg(kSmall)
    ->Arg(kLarge);
BENCHMARK_CAPTURE(LookupPath, Pairs, ulhff::ViewKind::kPairs, "{0:05}/{1:09}.jpg")
    ->Arg(kSmall)
    ->Arg(kLarge);

// Time per entry of one directory of all media.
void ReadDirectory(benchmark::State& state) {
  const auto reader = OpenSample(Pairing::kFixed, state.range(0));
  ulhff::TreeOptions options;
  options.view = ulhff::ViewKind::kSource;
  const ulhff::Tree tree(reader, options);
  const auto directory = tree.Resolve("media").value();
  uint64_t entries = 0;
  const auto visit = [](void* context, std::string_view, ulhff::Node, uint64_t) {
    ++*static_cast<uint64_t*>(context);
    return true;
  };
  for (auto _ : state) tree.List(directory, 0, visit, &entries);
  state.SetItemsProcessed(static_cast<int64_t>(entries));
}
BENCHMARK(ReadDirectory)->Arg(kSmall)->Arg(kLarge)->Unit(benchmark::kMillisecond);

void Open(benchmark::State& state, Pairing pairing) {
  const std::string& path = Files().Path(pairing, state.range(0));
  for (auto _ : state) {
    const auto reader = ulhff::Reader::Open(path);
    benchmark::DoNotOptimize(reader.Locate(0));
  }
}
BENCHMARK_CAPTURE(Open, FixedRatio, Pairing::kFixed)
    ->Arg(kSmall)
    ->Arg(kLarge)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(Open, AvlPlus, Pairing::kHybrid)
    ->Arg(kSmall)
    ->Arg(kLarge)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
