// zlib and libzstd behind one loop.
#include "converter/decompress.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "converter/interrupt.h"

namespace ulhff {
namespace {

constexpr uint64_t kInput = uint64_t{1} << 18;
constexpr size_t kOutput = size_t{1} << 18;

class Decoder {
 public:
  virtual ~Decoder() = default;
  struct Step {
    size_t taken = 0;
    size_t given = 0;
    bool at_end = false;  // of a member or frame; more may follow
    std::string error = {};
  };
  virtual Step Run(ByteSpan in, std::span<std::byte> out) = 0;
};

class ZlibDecoder : public Decoder {
 public:
  ZlibDecoder() {
    // 32: gzip or zlib, as the header says.
    if (inflateInit2(&stream_, 15 + 32) != Z_OK) throw std::bad_alloc();
  }
  ~ZlibDecoder() override { inflateEnd(&stream_); }
  ZlibDecoder(const ZlibDecoder&) = delete;
  ZlibDecoder& operator=(const ZlibDecoder&) = delete;

  Step Run(ByteSpan in, std::span<std::byte> out) override {
    // zlib takes no const, and changes nothing.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    Step step{in.size() - stream_.avail_in, out.size() - stream_.avail_out, code == Z_STREAM_END};
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      step.error = stream_.msg != nullptr ? stream_.msg : "no zlib data";
    }
    if (step.at_end) inflateReset(&stream_);
    return step;
  }

 private:
  z_stream stream_{};
};

class ZstdDecoder : public Decoder {
 public:
  ZstdDecoder() : stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  Step Run(ByteSpan in, std::span<std::byte> out) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const size_t code = ZSTD_decompressStream(stream_.get(), &to, &from);
    Step step{from.pos, to.pos, code == 0};
    if (ZSTD_isError(code)) step.error = ZSTD_getErrorName(code);
    return step;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_;
};

std::unique_ptr<Decoder> MakeDecoder(Compression compression) {
  if (compression == Compression::kZstd) return std::make_unique<ZstdDecoder>();
  return std::make_unique<ZlibDecoder>();
}

using Take = std::function<void(ByteSpan)>;

// Passes the bytes on as they come, until `limit` of them or somewhat more.
Decompressed Run(FileWindow& file, Compression compression, uint64_t limit, const Take& take) {
  const std::unique_ptr<Decoder> decoder = MakeDecoder(compression);
  std::vector<std::byte> out(kOutput);
  Decompressed result;
  uint64_t offset = 0;
  bool at_end = false;
  while (result.size < limit && result.damage.empty()) {
    CheckInterrupt();
    const uint64_t left = file.size() - offset;
    if (left == 0 && at_end) break;
    const ByteSpan in = file.Read(offset, std::min(left, kInput));
    const Decoder::Step step = decoder->Run(in, out);
    offset += step.taken;
    at_end = step.at_end;
    take(std::span(out).first(step.given));
    result.size += step.given;
    if (!step.error.empty()) {
      result.damage = fmt::format("byte {}: {}", offset, step.error);
    } else if (!at_end && step.taken == 0 && step.given == 0) {
      result.damage = fmt::format("byte {}: the compressed data end early", offset);
    }
  }
  return result;
}

}  // namespace

Compression CompressionOf(ByteSpan head) {
  if (head.size() < 4) return Compression::kNone;
  const auto at = [&](size_t i) { return static_cast<unsigned>(head[i]); };
  if (at(0) == 0x1f && at(1) == 0x8b && at(2) == 8) return Compression::kGzip;
  if (at(0) == 0x28 && at(1) == 0xb5 && at(2) == 0x2f && at(3) == 0xfd) return Compression::kZstd;
  // RFC 1950: method 8, a window of up to 32 KiB, a check of both bytes, no dictionary.
  const bool is_zlib = (at(0) & 15) == 8 && at(0) >> 4 <= 7 && (at(0) * 256 + at(1)) % 31 == 0 &&
                       (at(1) & 0x20) == 0;
  return is_zlib ? Compression::kZlib : Compression::kNone;
}

Decompressed Decompress(FileWindow& file, Compression compression, SpooledFile& spool,
                        uint64_t limit) {
  const uint64_t offset = spool.size();
  Decompressed result = Run(file, compression, limit, [&](ByteSpan bytes) { spool.Append(bytes); });
  result.offset = offset;
  return result;
}

std::string DecompressHead(FileWindow& file, Compression compression, size_t size) {
  std::string head;
  Run(file, compression, size, [&](ByteSpan bytes) { head += AsText(bytes); });
  return head.substr(0, size);
}

}  // namespace ulhff
