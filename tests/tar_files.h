// Tar archives made by hand from the description of the format, independent of the reader, and
// their compression.
#ifndef ULHFF_TESTS_TAR_FILES_H_
#define ULHFF_TESTS_TAR_FILES_H_

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ulhff {

inline const std::string kTarEnd(1024, '\0');

// A member with its header and padding. `type` as POSIX has it: 0 file, 1 hard link, 2 symbolic
// link, 5 directory, 6 fifo, x pax header ...
inline std::string TarPart(std::string_view name, std::string_view bytes, char type = '0',
                           std::string_view link = "", uint64_t mtime = 1'600'000'000) {
  std::string header(512, '\0');
  const auto put = [&header](size_t at, std::string_view text) {
    header.replace(at, text.size(), text);
  };
  put(0, name.substr(0, 100));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", bytes.size()));
  put(136, fmt::format("{:011o}", mtime));
  header[156] = type;
  put(157, link.substr(0, 100));
  put(257, std::string_view("ustar\0"
                            "00",
                            8));
  put(148, "        ");
  uint64_t sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  return header + std::string(bytes) + std::string((512 - bytes.size() % 512) % 512, '\0');
}

// "11 path=abc\n": the length counts itself.
inline std::string PaxRecord(std::string_view key, std::string_view value) {
  const size_t rest = key.size() + value.size() + 3;
  size_t size = rest + 1;
  while (std::to_string(size).size() + rest != size) ++size;
  return fmt::format("{} {}={}\n", size, key, value);
}
using PaxRecords = std::vector<std::pair<std::string, std::string>>;
// The member that follows has these attributes.
inline std::string PaxHeader(const PaxRecords& records, char type = 'x') {
  std::string text;
  for (const auto& [key, value] : records) text += PaxRecord(key, value);
  return TarPart("PaxHeaders/x", text, type);
}
// GNU's way of long names: the member that follows is called so.
inline std::string GnuLongName(const std::string& name) {
  return TarPart("././@LongLink", name + '\0', 'L');
}

using TarFiles = std::vector<std::pair<std::string, std::string>>;
inline std::string TarOf(const TarFiles& files) {
  std::string tar;
  for (const auto& [name, bytes] : files) tar += TarPart(name, bytes);
  return tar + kTarEnd;
}

// `filter` is a libarchive code, such as ARCHIVE_FILTER_XZ.
inline std::string Compressed(const std::string& bytes, int filter) {
  archive* writer = archive_write_new();
  archive_write_set_format_raw(writer);
  archive_write_add_filter(writer, filter);
  archive_write_set_bytes_in_last_block(writer, 1);
  std::string out(bytes.size() + 65536, '\0');
  size_t used = 0;
  archive_write_open_memory(writer, out.data(), out.size(), &used);
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, bytes.data(), bytes.size());
  archive_entry_free(entry);
  archive_write_close(writer);
  archive_write_free(writer);
  out.resize(used);
  return out;
}

}  // namespace ulhff

#endif  // ULHFF_TESTS_TAR_FILES_H_
