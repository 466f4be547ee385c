// The loaders that call libulhff: one whole-object read per pair, or batches of them.
#include <unordered_map>

#include "loader.h"
#include "ulhff/reader.h"
#include "ulhff/reader_batch.h"

namespace bench {
namespace {

Bytes Part(Bytes bytes, const ulhff::TextLayout& text) {
  return bytes.subspan(text.position, text.size);
}

class UlhffLoader : public Loader {
 public:
  explicit UlhffLoader(const Options& options)
      : reader_(ulhff::Reader::Open(Option(options, "path"), ReaderOptionsOf(options))) {}

  Pair Read(uint32_t pair) override {
    const ulhff::ObjectLayout object = reader_.Object(Locate(pair).object);
    const Bytes bytes = reader_.ReadObject(object, buffer_);
    // Benchmark files have one field, so text numbers are pair numbers.
    return {bytes.first(object.media_size), Part(bytes, reader_.Text(object, pair))};
  }

 protected:
  virtual ulhff::PairLocation Locate(uint64_t pair) { return reader_.Locate(pair); }
  const ulhff::Reader& reader() const { return reader_; }

 private:
  static ulhff::ReaderOptions ReaderOptionsOf(const Options& options) {
    ulhff::ReaderOptions result;
    if (options.contains("direct") && options.at("direct") == "1") {
      result.mode = ulhff::ReadMode::kDirect;
    }
    return result;
  }

  ulhff::Reader reader_;
  ulhff::AlignedBuffer buffer_;
};

// The same with a hash table from pair to (object, slot), as the paper's Table III compares.
class HashedLoader final : public UlhffLoader {
 public:
  explicit HashedLoader(const Options& options) : UlhffLoader(options) {
    const uint64_t pairs = reader().info().pairs;
    table_.reserve(pairs);
    for (uint64_t pair = 0; pair < pairs; ++pair) table_.emplace(pair, reader().Locate(pair));
  }

 protected:
  ulhff::PairLocation Locate(uint64_t pair) override { return table_.at(pair); }

 private:
  std::unordered_map<uint64_t, ulhff::PairLocation> table_;
};

// What a training loop that knows its next batch would do.
class BatchLoader final : public Loader {
 public:
  explicit BatchLoader(const Options& options)
      : reader_(ulhff::Reader::Open(Option(options, "path"))), batches_(reader_) {}

  void Prepare(std::span<const uint32_t> pairs) override {
    wanted_.assign(pairs.begin(), pairs.end());
    batch_ = batches_.Read(wanted_);
    next_ = 0;
  }

  Pair Read(uint32_t) override {
    const ulhff::PairBytes& pair = batch_[next_++];
    return {pair.media, pair.texts[0].value()};
  }

 private:
  ulhff::Reader reader_;
  ulhff::BatchReader batches_;
  std::vector<uint64_t> wanted_;
  std::span<const ulhff::PairBytes> batch_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<Loader> OpenUlhff(const Options& options) {
  if (options.contains("batch")) return std::make_unique<BatchLoader>(options);
  if (options.contains("lookup") && options.at("lookup") == "hash") {
    return std::make_unique<HashedLoader>(options);
  }
  return std::make_unique<UlhffLoader>(options);
}

}  // namespace bench
