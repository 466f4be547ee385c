// Shows names that a malformed file holds and no directory can have.
#ifndef ULHFF_SRC_READER_NAME_ESCAPE_H_
#define ULHFF_SRC_READER_NAME_ESCAPE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ulhff {

// A valid name: '/', NUL and '%' of `stored` as %2F, %00 and %25, "." and ".." as %2E and %2E%2E.
// "" where that is empty or too long. Precondition: `stored` is no valid name.
std::string EscapedName(std::string_view stored);
// The name that is shown so; nullopt: there is none.
std::optional<std::string> UnescapedName(std::string_view shown);

// What an entry without an escaped name is called: "%" and its place in the directory.
std::string NameOfPlace(uint64_t place);
std::optional<uint64_t> PlaceOfName(std::string_view shown);

}  // namespace ulhff

#endif  // ULHFF_SRC_READER_NAME_ESCAPE_H_
