// Verifies the bytes of all objects and blobs, and the totals of the superblock.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "checksum.h"
#include "reader_sections.h"
#include "verify_report.h"

namespace ulhff {

namespace {

using Subject = Finding::Subject;

constexpr uint64_t kObjectsOfABatch = 64;
constexpr uint64_t kWindow = uint64_t{4} << 20;

// A range of the file, read forwards in large steps.
class Window {
 public:
  Window(const InputFile& file, AlignedBuffer& buffer) : file_(file), buffer_(buffer) {}

  void Reset(uint64_t offset, uint64_t size) {
    offset_ = offset;
    size_ = size;
    held_ = {};
  }

  // Bytes at `position` of the range, valid until the next call. Precondition: size <= kWindow.
  ByteSpan At(uint64_t position, uint64_t size) {
    if (position < begin_ || position - begin_ > held_.size() ||
        size > held_.size() - (position - begin_)) {
      Fill(position, size);
    }
    return held_.subspan(position - begin_, size);
  }

  uint64_t SumOf(uint64_t position, uint64_t size) {
    if (size <= kWindow) return Checksum64(At(position, size));
    sum_.Reset();
    for (uint64_t done = 0; done < size; done += kWindow) {
      sum_.Update(At(position + done, std::min(kWindow, size - done)));
    }
    return sum_.Digest64();
  }

 private:
  void Fill(uint64_t position, uint64_t size) {
    held_ = {};
    begin_ = position;
    const uint64_t most = std::min(kWindow, size_ - position);
    try {
      held_ = file_.Read(offset_ + position, most, buffer_);
    } catch (const std::system_error&) {
      if (most == size) throw;
      held_ = file_.Read(offset_ + position, size, buffer_);  // perhaps only the rest is bad
    }
  }

  const InputFile& file_;
  AlignedBuffer& buffer_;
  StreamChecksum sum_;
  uint64_t offset_ = 0;
  uint64_t size_ = 0;
  uint64_t begin_ = 0;  // position of held_ in the range
  ByteSpan held_;
};

// Lets threads use in the order of numbers what they made in any order.
class Turns {
 public:
  // The turn of one number: comes when those before it have ended, ends with the object.
  class Turn {
   public:
    Turn(Turns& turns, uint64_t number) : turns_(turns), number_(number) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      Await();
      {
        const std::lock_guard lock(turns_.mutex_);
        ++turns_.next_;
      }
      turns_.changed_.notify_all();
    }
    void Await() {
      std::unique_lock lock(turns_.mutex_);
      turns_.changed_.wait(lock, [&] { return turns_.next_ == number_; });
    }

   private:
    Turns& turns_;
    uint64_t number_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t next_ = 0;
};

class BodyVerifier {
 public:
  BodyVerifier(const Reader& reader, VerifyReport& report) : reader_(reader), report_(report) {}

  void Run(unsigned threads) {
    const uint64_t objects = reader_.info().objects;
    const uint64_t all = objects + reader_.info().blobs;
    const uint64_t batches = (all + kObjectsOfABatch - 1) / kObjectsOfABatch;
    Turns turns;
    ForEachInParallel(batches, threads, [&](uint64_t batch) {
      const uint64_t begin = batch * kObjectsOfABatch;
      const uint64_t end = std::min(all, begin + kObjectsOfABatch);
      Turns::Turn turn(turns, batch);
      const BatchResult result = VerifyBatch(begin, end);
      turn.Await();
      Add(result);
      report_.AddProgress(result.bytes);
    });
  }

  // After Run. Where a part of the body could not be read, its share of the totals is unknown.
  void VerifyTotals();

 private:
  struct BatchResult {
    std::vector<std::byte> sums;
    uint64_t bytes = 0;
    uint64_t media_bytes = 0;
    bool complete = true;
  };

  BatchResult VerifyBatch(uint64_t begin, uint64_t end);
  void VerifyObject(const ObjectLayout& layout, Subject subject, uint64_t number,
                    BatchResult& result);
  void Add(const BatchResult& result) {
    digest_.Update(result.sums);
    media_bytes_ += result.media_bytes;
    complete_ = complete_ && result.complete;
  }

  const Reader& reader_;
  VerifyReport& report_;
  StreamChecksum digest_;  // of all sums areas
  uint64_t media_bytes_ = 0;
  bool complete_ = true;  // all sums areas were read
};

// Blobs are numbered after the objects here.
BodyVerifier::BatchResult BodyVerifier::VerifyBatch(uint64_t begin, uint64_t end) {
  BatchResult result;
  const uint64_t objects = reader_.info().objects;
  for (uint64_t i = begin; i < end; ++i) {
    const bool is_blob = i >= objects;
    const uint64_t number = is_blob ? i - objects : i;
    const Subject subject = is_blob ? Subject::kBlob : Subject::kMedia;
    std::optional<ObjectLayout> layout;
    report_.Try(subject, number, 0,
                [&] { layout = is_blob ? reader_.Blob(number) : reader_.Object(number); });
    if (!layout) {
      result.complete = false;
      continue;
    }
    result.bytes += layout->size;
    if (!is_blob) result.media_bytes += layout->media_size;
    VerifyObject(*layout, subject, number, result);
  }
  return result;
}

void BodyVerifier::VerifyObject(const ObjectLayout& layout, Subject subject, uint64_t number,
                                BatchResult& result) {
  thread_local AlignedBuffer data_buffer;
  thread_local AlignedBuffer sums_buffer;
  Window data(reader_.file(), data_buffer);
  Window own_sums(reader_.file(), sums_buffer);
  data.Reset(layout.offset, layout.size);
  own_sums.Reset(layout.offset, layout.size);
  // One read for a small object.
  Window& sums = layout.size <= kWindow ? data : own_sums;
  const auto stored = [&](uint64_t position) {
    return LoadAt<Le<uint64_t>>(sums.At(position, kSumSize), 0);
  };
  for (uint64_t chunk = 0; chunk < layout.chunks(); ++chunk) {
    const uint64_t position = chunk * kChunkSize;
    report_.Try(subject, number, layout.offset + position, [&] {
      const uint64_t sum = data.SumOf(position, layout.chunk_size(chunk));
      reader_.CheckChunk(layout, chunk, sum, stored(layout.media_sum_position(chunk)));
    });
  }
  for (uint64_t text = layout.first_text; text < layout.first_text + layout.texts; ++text) {
    report_.Try(Subject::kText, text, layout.offset, [&] {
      const TextLayout at = reader_.Text(layout, text);
      if (at.absent) return;
      const uint64_t sum = data.SumOf(at.position, at.size);
      reader_.CheckText(layout, at, sum, stored(layout.text_sum_position(text)));
    });
  }
  const bool read = report_.Try(subject, number, layout.offset, [&] {
    for (uint64_t at = layout.media_sums_position(); at < layout.size; at += kWindow) {
      const ByteSpan bytes = sums.At(at, std::min(kWindow, layout.size - at));
      result.sums.insert(result.sums.end(), bytes.begin(), bytes.end());
    }
  });
  result.complete = result.complete && read;
}

void BodyVerifier::VerifyTotals() {
  if (!complete_) return;
  const Superblock& superblock = reader_.superblock();
  if (media_bytes_ != superblock.media_bytes) {
    report_.Add(Subject::kFile, 0, offsetof(Superblock, media_bytes),
                fmt::format("media_bytes {}, but the media have {}",
                            uint64_t{superblock.media_bytes}, media_bytes_));
  }
  if (digest_.Digest() != superblock.body_digest) {
    report_.Add(Subject::kFile, 0, offsetof(Superblock, body_digest),
                "body_digest: it is not that of the sums in the body");
  }
}

}  // namespace

void VerifyBody(const Reader& reader, unsigned threads, VerifyReport& report) {
  const size_t before = report.size();
  BodyVerifier verifier(reader, report);
  verifier.Run(threads);
  report.Sort(before);
  verifier.VerifyTotals();
}

}  // namespace ulhff
