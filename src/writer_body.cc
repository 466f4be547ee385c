// Sums media per chunk as it passes, and texts whole.
#include "writer_body.h"

#include <algorithm>
#include <span>

#include "format.h"

namespace ulhff {

void BodyWriter::Begin() {
  start_ = out_.offset();
  chunk_used_ = 0;
  media_sums_.clear();
  text_sums_.clear();
}

void BodyWriter::AppendMedia(ByteSpan bytes) {
  out_.Append(bytes);
  while (!bytes.empty()) {
    if (chunk_used_ == 0) chunk_.Reset();
    const auto part = bytes.first(std::min<uint64_t>(bytes.size(), kChunkSize - chunk_used_));
    chunk_.Update(part);
    chunk_used_ += part.size();
    if (chunk_used_ == kChunkSize) EndChunk();
    bytes = bytes.subspan(part.size());
  }
}

void BodyWriter::EndChunk() {
  media_sums_.emplace_back(chunk_.Digest64());
  chunk_used_ = 0;
}

void BodyWriter::AppendText(ByteSpan bytes) {
  out_.Append(bytes);
  text_sums_.emplace_back(Checksum64(bytes));
}

uint64_t BodyWriter::End() {
  if (chunk_used_ > 0) EndChunk();
  for (const auto& sums :
       {std::as_bytes(std::span(media_sums_)), std::as_bytes(std::span(text_sums_))}) {
    out_.Append(sums);
    digest_.Update(sums);
  }
  const uint64_t size = out_.offset() - start_;
  out_.PadTo(alignment_);
  return size;
}

}  // namespace ulhff
