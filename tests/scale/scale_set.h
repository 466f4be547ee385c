// The generated dataset of the scale check: what object and pair N hold and are called.
#ifndef ULHFF_TESTS_SCALE_SCALE_SET_H_
#define ULHFF_TESTS_SCALE_SCALE_SET_H_

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace ulhff {

// Objects have 3, 4, 5, 6, 7, 3, 4 ... pairs: 5 on average, and no index but AvlPlus will do.
inline uint64_t PairsOf(uint64_t object) { return 3 + object % 5; }

inline std::string MediaBytes(uint64_t object) { return fmt::format("media {}", object); }
inline std::string TextBytes(uint64_t pair) { return fmt::format("text of pair {}", pair); }
// All media lie in one directory of the source; texts have no names there, as in a table.
inline std::string MediaPath(uint64_t object) { return fmt::format("media/{:08}.jpg", object); }

}  // namespace ulhff

#endif  // ULHFF_TESTS_SCALE_SCALE_SET_H_
