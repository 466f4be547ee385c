// bench_sample_file: writes a ULHFF file of many pairs with tiny media, to mount and list.
//
// Usage: bench_sample_file OUT PAIRS one|fixed|hybrid
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "sample_file.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_sample_file OUT PAIRS one|fixed|hybrid\n");
    return 2;
  }
  const std::string_view kind = argv[3];
  const auto pairing = kind == "one"     ? bench::Pairing::kOneToOne
                       : kind == "fixed" ? bench::Pairing::kFixed
                                         : bench::Pairing::kHybrid;
  try {
    bench::WriteSampleFile(argv[1], pairing, std::strtoull(argv[2], nullptr, 10));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_sample_file: %s\n", error.what());
    return 1;
  }
}
