// On-disk structures and constants of docs/format.md, shared by reader and writer. No logic.
#ifndef ULHFF_SRC_FORMAT_H_
#define ULHFF_SRC_FORMAT_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "bytes.h"

namespace ulhff {

inline constexpr uint64_t kBlockSize = 4096;
inline constexpr uint64_t kSlotSize = 4096;
inline constexpr uint64_t kSuperblockSize = 2 * kSlotSize;
inline constexpr uint64_t kChunkSize = uint64_t{256} * 1024;  // bytes of media under one sum
inline constexpr uint64_t kSumSize = 8;
inline constexpr uint64_t kSumsPerBlock = kBlockSize / kSumSize;
inline constexpr uint64_t kMaxFileSize = (uint64_t{1} << 63) - 1;
inline constexpr uint64_t kMaxCount =
    (uint64_t{1} << 44) - 1;  // pairs, objects, texts, blobs, directories
inline constexpr uint64_t kMaxFields = 16;
inline constexpr uint64_t kMaxExtensions = 256;
inline constexpr uint64_t kMaxSplits = 256;
inline constexpr uint64_t kMaxNameSize = 255;
inline constexpr uint64_t kMaxDepth = 255;
inline constexpr uint16_t kMajorVersion = 1;
inline constexpr uint16_t kMinorVersion = 0;
inline constexpr unsigned kMinAlignmentLog2 = 6;
inline constexpr unsigned kMaxAlignmentLog2 = 12;
inline constexpr uint64_t kMaxSections = 40;
inline constexpr uint64_t kStringAreaSize = 2232;

inline constexpr std::array<uint8_t, 10> kMagic = {0x89, 'U',  'L',  'H',  'F',
                                                   'F',  '\r', '\n', 0x1A, '\n'};

enum class PairingType : uint8_t {
  kOneToOne = 0,
  kFixedOneToMany = 1,
  kHybridOneToMany = 2,
  kUniModal = 3
};
enum class IndexKind : uint8_t { kIdentity = 0, kFixedRatio = 1, kAvlPlus = 2 };
enum class ViewKind : uint8_t { kSource = 0, kPairs = 1, kObjects = 2, kAll = 3 };
enum class TargetKind : uint8_t {
  kDirectory = 0,
  kMedia = 1,
  kText = 2,
  kBlob = 3
};  // what a name stands for

enum class SectionType : uint16_t {
  kObjects = 1,
  kBlobs = 2,
  kPairStarts = 3,
  kPairTree = 4,
  kTexts = 5,
  kObjectExtensions = 6,
  kOrderStarts = 7,
  kOrderPairs = 8,
  kOrder = 9,
  kSplitPairs = 10,
  kSplitCounts = 11,
  kNames = 12,
  kNameStarts = 13,
  kDirectoryStarts = 14,
  kDirectoryParents = 15,
  kDirectoryChildren = 16,
  kObjectLinks = 17,
  kTextLinks = 18,
  kBlobLinks = 19,
  kObjectTimes = 20,
  kTextTimes = 21,
  kBlobTimes = 22,
  kDirectoryTimes = 23,
  kShard = 24,
  kShardPositions = 25,
};
inline constexpr uint16_t kLastSectionType = 25;
inline constexpr uint16_t kSectionMustKnow = 1;  // SectionEntry::flags bit 0

// §6
struct SectionEntry {
  Le<uint16_t> type;
  Le<uint16_t> flags;
  uint8_t extra_bits = 0;
  std::array<uint8_t, 3> reserved0{};
  Le<uint64_t> first_block;
  Le<uint64_t> blocks;
  Le<uint64_t> count;
  Le<uint32_t> per_block;
  Le<uint32_t> reserved1;
};
static_assert(sizeof(SectionEntry) == 40 && alignof(SectionEntry) == 1);

// §3
struct Superblock {
  std::array<uint8_t, 10> magic{};                   //   0
  Le<uint16_t> major;                                //  10
  Le<uint16_t> minor;                                //  12
  Le<uint16_t> slot_size;                            //  14
  Le<uint64_t> generation;                           //  16
  Le<uint64_t> compat;                               //  24  the uuid covers [24, 4088)
  Le<uint64_t> incompat;                             //  32
  Le<uint64_t> pairs;                                //  40
  Le<uint64_t> objects;                              //  48
  Le<uint64_t> ratio;                                //  56
  Le<uint64_t> blobs;                                //  64
  Le<uint64_t> directories;                          //  72
  Le<uint64_t> entries;                              //  80
  uint8_t type = 0;                                  //  88  PairingType
  uint8_t index = 0;                                 //  89  IndexKind
  uint8_t default_view = 0;                          //  90  ViewKind
  uint8_t alignment = 0;                             //  91  log2
  Le<uint16_t> fields;                               //  92
  Le<uint16_t> extensions;                           //  94
  Le<uint16_t> splits;                               //  96
  Le<uint16_t> sections;                             //  98
  Le<uint32_t> strings_size;                         // 100
  Le<uint64_t> body_offset;                          // 104
  Le<uint64_t> blobs_offset;                         // 112
  Le<uint64_t> index_offset;                         // 120
  Le<uint64_t> index_blocks;                         // 128
  Le<uint64_t> file_length;                          // 136
  Le<uint64_t> media_bytes;                          // 144
  Le<uint64_t> text_bytes;                           // 152
  Le<uint64_t> duplicates_merged;                    // 160
  Le<uint64_t> source_files;                         // 168
  Le<uint64_t> source_bytes;                         // 176
  Le<uint64_t> default_mtime;                        // 184  i64, two's complement
  Le<uint64_t> object_links;                         // 192
  Le<uint64_t> text_links;                           // 200
  Le<uint64_t> blob_links;                           // 208
  std::array<uint8_t, 16> body_digest{};             // 216
  std::array<uint8_t, 16> root_sum{};                // 232
  Le<uint64_t> reserved;                             // 248
  std::array<SectionEntry, kMaxSections> table{};    //  256
  std::array<std::byte, kStringAreaSize> strings{};  // 1856
  Le<uint64_t> checksum;                             // 4088  XXH3-64 of [0, 4088)
};
static_assert(sizeof(Superblock) == kSlotSize && alignof(Superblock) == 1);
static_assert(offsetof(Superblock, type) == 88 && offsetof(Superblock, body_offset) == 104);
static_assert(offsetof(Superblock, body_digest) == 216 && offsetof(Superblock, table) == 256);
static_assert(offsetof(Superblock, strings) == 1856 && offsetof(Superblock, checksum) == 4088);
static_assert(std::is_trivially_copyable_v<Superblock>);

inline constexpr size_t kUuidStart = 24;
inline constexpr size_t kChecksumStart = offsetof(Superblock, checksum);

// §6.2: head of a packed block; the entries follow.
struct PackedHead {
  Le<uint64_t> base;
  Le<uint64_t> slope;  // 16 fraction bits
  uint8_t width = 0;
  std::array<uint8_t, 7> reserved{};
};
static_assert(sizeof(PackedHead) == 24 && alignof(PackedHead) == 1);
inline constexpr uint64_t kPackedBits = 8 * (kBlockSize - sizeof(PackedHead));
inline constexpr uint64_t kMaxPerBlock = 65536;

// §8: head of a NAMES block.
struct NamesHead {
  Le<uint16_t> entries;
  Le<uint16_t> restarts;
};
static_assert(sizeof(NamesHead) == 4);
inline constexpr uint64_t kRestartInterval = 16;
inline constexpr uint64_t kMaxNamesPerBlock = 2048;

}  // namespace ulhff

#endif  // ULHFF_SRC_FORMAT_H_
