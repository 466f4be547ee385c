// Writes ULHFF files of any number of pairs with tiny media, for what depends on counts and not on
// bytes.
#ifndef ULHFF_BENCH_NATIVE_SAMPLE_FILE_H_
#define ULHFF_BENCH_NATIVE_SAMPLE_FILE_H_

#include <cstdint>
#include <string>

namespace bench {

enum class Pairing { kOneToOne, kFixed, kHybrid };  // 1, 5, and 1 to 9 (mean 5) texts a media

// Media 0, 1, 2, ... named "media/000000000.jpg" ..., all in one directory; texts have no names.
// Replaces `path`. Throws what ulhff::Writer throws.
void WriteSampleFile(const std::string& path, Pairing pairing, uint64_t pairs);

}  // namespace bench

#endif  // ULHFF_BENCH_NATIVE_SAMPLE_FILE_H_
