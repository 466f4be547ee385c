// Writers of small containers of records, from their public descriptions, independent of the
// readers.
#ifndef ULHFF_TESTS_RECORD_FILES_H_
#define ULHFF_TESTS_RECORD_FILES_H_

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ulhff {

// `bytes` of a number, little-endian.
inline std::string Little(uint64_t number, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i));
  return text;
}

// --- FFRecord

inline uint32_t Crc32Of(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

inline std::string Ffrecord(const std::vector<std::string>& records) {
  std::string sums, offsets, data;
  for (const std::string& record : records) {
    offsets += Little(12 + 12 * records.size() + data.size(), 8);
    sums += Little(Crc32Of(record), 4);
    data += record;
  }
  const std::string index = Little(records.size(), 8) + sums + offsets;
  return Little(Crc32Of(index), 4) + index + data;
}

// --- pickles

inline std::string PickledText(std::string_view text) {
  return "X" + Little(text.size(), 4) + std::string(text);
}
inline std::string PickledBytes(std::string_view bytes) {
  return "B" + Little(bytes.size(), 4) + std::string(bytes);
}
inline std::string PickledList(const std::vector<std::string>& values) {
  std::string items;
  for (const std::string& value : values) items += value;
  return "](" + items + "e";
}
// Values are pickled already.
inline std::string PickledDict(const std::vector<std::pair<std::string, std::string>>& items) {
  std::string text = "\x80\x03}(";
  for (const auto& [key, value] : items) text += PickledText(key) + value;
  return text + "u.";
}
inline const std::string kPickledNan{"G\x7f\xf8\0\0\0\0\0\0", 9};

// --- compression

// window_bits as deflateInit2 takes them: 15 for zlib, 31 for gzip.
inline std::string Deflated(const std::string& bytes, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// --- TFRecord

// Bit by bit, as the polynomial is defined.
inline uint32_t Crc32cOf(std::string_view bytes) {
  uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78U : 0);
  }
  return ~crc;
}

inline std::string Framed(const std::string& data) {
  const auto masked = [](const std::string& bytes) {
    const uint32_t crc = Crc32cOf(bytes);
    return Little(((crc >> 15) | (crc << 17)) + 0xa282ead8U, 4);
  };
  const std::string length = Little(data.size(), 8);
  return length + masked(length) + data + masked(data);
}

// A protobuf field of wire type 2, or a varint.
inline std::string Varint(uint64_t number) {
  std::string text;
  for (; number >= 0x80; number >>= 7) text += static_cast<char>(number | 0x80);
  return text + static_cast<char>(number);
}
inline std::string Field(unsigned number, std::string_view bytes) {
  return Varint(number << 3 | 2) + Varint(bytes.size()) + std::string(bytes);
}
inline std::string BytesFeature(const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& value : values) list += Field(1, value);
  return Field(1, list);
}
inline std::string IntFeature(const std::vector<uint64_t>& values, bool packed = true) {
  std::string list;
  for (const uint64_t value : values) list += (packed ? "" : Varint(1 << 3)) + Varint(value);
  return Field(3, packed ? Field(1, list) : list);
}
using Features = std::vector<std::pair<std::string, std::string>>;
inline std::string Map(const Features& features) {
  std::string text;
  for (const auto& [key, value] : features) text += Field(1, Field(1, key) + Field(2, value));
  return text;
}
inline std::string Example(const Features& features) { return Field(1, Map(features)); }

// --- MDS

struct MdsFileColumn {
  std::string name, encoding;
  size_t size = 0;  // 0: varies
};

// Values of a sample as they are encoded, in the order of the columns.
inline std::string MdsFile(const std::vector<MdsFileColumn>& columns,
                           const std::vector<std::vector<std::string>>& samples) {
  const std::string header = "{\"any\": \"JSON\"}";
  std::string offsets, data;
  const size_t begin = 4 + 4 * (samples.size() + 1) + header.size();
  for (const auto& sample : samples) {
    offsets += Little(begin + data.size(), 4);
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].size == 0) data += Little(sample[i].size(), 4);
    }
    for (const std::string& value : sample) data += value;
  }
  return Little(samples.size(), 4) + offsets + Little(begin + data.size(), 4) + header + data;
}

// The shard's entry in index.json.
inline std::string MdsEntry(const std::vector<MdsFileColumn>& columns, const std::string& basename,
                            size_t bytes, size_t samples, const std::string& zip = "",
                            const std::string& compression = "") {
  std::string names, encodings, sizes;
  for (const MdsFileColumn& column : columns) {
    const std::string comma = names.empty() ? "" : ", ";
    names += comma + "\"" + column.name + "\"";
    encodings += comma + "\"" + column.encoding + "\"";
    sizes += comma + (column.size == 0 ? "null" : std::to_string(column.size));
  }
  const auto file = [](const std::string& name, size_t size) {
    return "{\"basename\": \"" + name + "\", \"bytes\": " + std::to_string(size) +
           ", \"hashes\": {}}";
  };
  return "{\"column_encodings\": [" + encodings + "], \"column_names\": [" + names +
         "], \"column_sizes\": [" + sizes +
         "], \"compression\": " + (compression.empty() ? "null" : "\"" + compression + "\"") +
         ", \"format\": \"mds\", \"hashes\": [], \"raw_data\": " + file(basename, bytes) +
         ", \"samples\": " + std::to_string(samples) +
         ", \"size_limit\": 67108864, \"version\": 2, \"zip_data\": " +
         (zip.empty() ? "null" : file(zip, 1)) + "}";
}
inline std::string MdsIndex(const std::vector<std::string>& entries) {
  std::string list;
  for (const std::string& entry : entries) list += (list.empty() ? "" : ", ") + entry;
  return "{\"shards\": [" + list + "], \"version\": 2}";
}

}  // namespace ulhff

#endif  // ULHFF_TESTS_RECORD_FILES_H_
