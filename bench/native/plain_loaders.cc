// Loaders that know nothing of ULHFF: plain files, and bare pread of object ranges (the floor).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "loader.h"

namespace bench {
namespace {

constexpr uint32_t kPairsPerDirectory = 10'000;  // as ../dataset.py names files
constexpr size_t kBlock = 4096;

[[noreturn]] void Fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), path);
}

// A descriptor and a buffer that grows: all a loop of reads needs.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : path_(path), fd_(open(path.c_str(), flags)) {
    if (fd_ < 0) Fail(path);
  }
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  size_t Size() const {
    struct stat status {};
    if (fstat(fd_, &status) != 0) Fail(path_);
    return static_cast<size_t>(status.st_size);
  }
  // Fills `out` as far as the file goes; returns how far.
  size_t Read(std::span<std::byte> out, uint64_t offset) const {
    size_t done = 0;
    while (done < out.size()) {
      const ssize_t n =
          pread(fd_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
      if (n < 0) Fail(path_);
      if (n == 0) break;
      done += static_cast<size_t>(n);
    }
    return done;
  }

 private:
  std::string path_;
  int fd_;
};

// Opens, asks for the size, reads, closes: what any language's "read this file" does.
Bytes ReadFile(const std::string& path, std::vector<std::byte>& buffer) {
  const Descriptor file(path, O_RDONLY | O_CLOEXEC);
  const size_t size = file.Size();
  if (buffer.size() < size) buffer.resize(size);
  return {buffer.data(), file.Read(std::span(buffer).first(size), 0)};
}

class FilesLoader final : public Loader {
 public:
  FilesLoader(std::string root, std::string extension)
      : root_(std::move(root)), extension_(std::move(extension)) {}

  Pair Read(uint32_t pair) override {
    char stem[32];
    std::snprintf(stem, sizeof(stem), "/%06u/%06u.", pair / kPairsPerDirectory,
                  pair % kPairsPerDirectory);
    return {ReadFile(root_ + stem + extension_, media_), ReadFile(root_ + stem + "txt", text_)};
  }

 private:
  std::string root_, extension_;
  std::vector<std::byte> media_, text_;
};

class ObjectsLoader final : public Loader {
 public:
  explicit ObjectsLoader(const Options& options)
      : direct_(options.contains("direct") && options.at("direct") == "1"),
        file_(Option(options, "path"), O_RDONLY | O_CLOEXEC | (direct_ ? O_DIRECT : 0)),
        first_pair_(LoadNumbers<uint32_t>(Option(options, "first_pair"))),
        offsets_(LoadNumbers<uint64_t>(Option(options, "index") + ".offset.u64")),
        media_sizes_(LoadNumbers<uint64_t>(Option(options, "index") + ".media_size.u64")),
        text_ends_(LoadNumbers<uint64_t>(Option(options, "index") + ".text_end.u64")) {}

  Pair Read(uint32_t pair) override {
    const auto next = std::upper_bound(first_pair_.begin(), first_pair_.end(), pair);
    const auto object = static_cast<size_t>(next - first_pair_.begin()) - 1;
    const Bytes bytes = ReadRange(offsets_[object], text_ends_[*next - 1]);
    const uint64_t media = media_sizes_[object];
    const uint64_t begin = pair == first_pair_[object] ? media : text_ends_[pair - 1];
    return {bytes.first(media), bytes.subspan(begin, text_ends_[pair] - begin)};
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };

  // Direct reads round outwards to blocks.
  Bytes ReadRange(uint64_t offset, uint64_t size) {
    const uint64_t skip = direct_ ? offset % kBlock : 0;
    const uint64_t span = direct_ ? (skip + size + kBlock - 1) / kBlock * kBlock : size;
    if (span > capacity_) {
      capacity_ = (span + kBlock - 1) / kBlock * kBlock;
      buffer_.reset(static_cast<std::byte*>(std::aligned_alloc(kBlock, capacity_)));
    }
    if (file_.Read({buffer_.get(), span}, offset - skip) < skip + size) {
      throw std::runtime_error("the objects end early");
    }
    return {buffer_.get() + skip, size};
  }

  bool direct_;
  Descriptor file_;
  std::vector<uint32_t> first_pair_;  // objects + 1
  std::vector<uint64_t> offsets_, media_sizes_;
  std::vector<uint64_t> text_ends_;  // by pair: where its text ends within the object
  std::unique_ptr<std::byte, Free> buffer_;
  size_t capacity_ = 0;
};

}  // namespace

template <typename T>
std::vector<T> LoadNumbers(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) Fail(path);
  std::vector<T> numbers(static_cast<size_t>(file.tellg()) / sizeof(T));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(numbers.data()),
            static_cast<std::streamsize>(numbers.size() * sizeof(T)));
  return numbers;
}
template std::vector<uint32_t> LoadNumbers<uint32_t>(const std::string&);
template std::vector<uint64_t> LoadNumbers<uint64_t>(const std::string&);

const std::string& Option(const Options& options, const std::string& name) {
  const auto found = options.find(name);
  if (found == options.end()) throw std::invalid_argument("missing option " + name + "=");
  return found->second;
}

std::unique_ptr<Loader> OpenFiles(const Options& options) {
  return std::make_unique<FilesLoader>(Option(options, "root"), Option(options, "extension"));
}

std::unique_ptr<Loader> OpenObjects(const Options& options) {
  return std::make_unique<ObjectsLoader>(options);
}

}  // namespace bench
