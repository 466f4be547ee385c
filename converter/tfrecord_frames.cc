// Lengths are believed only if their sum is right and the file has that many bytes left.
#include "converter/tfrecord_frames.h"

#include <cryptopp/crc.h>
#include <fmt/format.h>

#include <array>

namespace ulhff {
namespace {

constexpr uint64_t kFooter = sizeof(uint32_t);

class MaskedCrc32c {
 public:
  void Add(ByteSpan bytes) {
    sum_.Update(reinterpret_cast<const CryptoPP::byte*>(bytes.data()), bytes.size());
  }
  uint32_t value() {
    std::array<std::byte, CryptoPP::CRC32C::DIGESTSIZE> digest;
    sum_.Final(reinterpret_cast<CryptoPP::byte*>(digest.data()));
    const uint32_t crc = LoadAt<Le<uint32_t>>(digest, 0);
    // So that a sum of data that hold sums is still a good one.
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
  }

 private:
  CryptoPP::CRC32C sum_;
};

}  // namespace

std::optional<TfrecordFrames::Frame> TfrecordFrames::Next() {
  while (const std::optional<Frame> frame = NextHeader()) {
    const uint64_t behind = frame->offset + frame->size;
    pos_ = behind + kFooter;
    const uint32_t stored = file_.Load<Le<uint32_t>>(behind);
    MaskedCrc32c data;
    file_.ForEach(frame->offset, frame->size, [&](ByteSpan piece) { data.Add(piece); });
    const uint32_t sum = data.value();
    if (sum == stored) return frame;
    damage_.Tell(frame->offset - begin_,
                 fmt::format("record {}: the CRC-32C of its data is {:08x}, but {:08x} is stored",
                             frame->number, sum, stored));
  }
  return std::nullopt;
}

std::optional<TfrecordFrames::Frame> TfrecordFrames::NextHeader() {
  const uint64_t left = end_ - pos_;
  if (left == 0) return std::nullopt;
  const uint64_t number = next_++;
  const auto tell = [&](const std::string& what) {
    damage_.Tell(position(), fmt::format("record {}: {}", number, what));
    pos_ = end_;
    return std::nullopt;
  };
  if (left < kFrameHeader) {
    return tell(fmt::format("cut short, {} bytes of a header of {}", left, kFrameHeader));
  }
  const std::optional<uint64_t> length = FirstLength(file_.Read(pos_, kFrameHeader));
  if (!length) {
    return tell("its length has not the CRC-32C that is stored: damaged, or no TFRecord file");
  }
  if (left - kFrameHeader < kFooter || *length > left - kFrameHeader - kFooter) {
    return tell(fmt::format("cut short, {} bytes of data and {} of their sum where {} are left",
                            *length, kFooter, left - kFrameHeader));
  }
  return Frame{.number = number, .offset = pos_ + kFrameHeader, .size = *length};
}

std::optional<uint64_t> FirstLength(ByteSpan head) {
  if (head.size() < kFrameHeader) return std::nullopt;
  MaskedCrc32c sum;
  sum.Add(head.first(sizeof(uint64_t)));
  if (sum.value() != LoadAt<Le<uint32_t>>(head, sizeof(uint64_t))) return std::nullopt;
  return LoadAt<Le<uint64_t>>(head, 0);
}

}  // namespace ulhff
