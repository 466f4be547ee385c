// What the C++ loaders share: a way to open data and read a pair of it.
#ifndef ULHFF_BENCH_NATIVE_LOADER_H_
#define ULHFF_BENCH_NATIVE_LOADER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bench {

using Bytes = std::span<const std::byte>;
using Options = std::map<std::string, std::string>;

// Valid until the loader reads the next pair.
struct Pair {
  Bytes media;
  Bytes text;
};

class Loader {
 public:
  virtual ~Loader() = default;
  // The pairs that Read will be asked for next, in their order; as many as a batch has.
  virtual void Prepare(std::span<const uint32_t>) {}
  virtual Pair Read(uint32_t pair) = 0;
};

// Each opens its data; throws std::exception.
std::unique_ptr<Loader> OpenFiles(const Options& options);    // root, extension
std::unique_ptr<Loader> OpenObjects(const Options& options);  // path, index, first_pair, direct
std::unique_ptr<Loader> OpenUlhff(const Options& options);    // path, lookup=index|hash, batch

// The whole of a file of little-endian numbers.
template <typename T>
std::vector<T> LoadNumbers(const std::string& path);

const std::string& Option(const Options& options, const std::string& name);

}  // namespace bench

#endif  // ULHFF_BENCH_NATIVE_LOADER_H_
