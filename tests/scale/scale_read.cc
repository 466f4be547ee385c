// Opens random files of a mount of scale_make's file, without listing first, and checks their
// bytes. Usage: scale_read MOUNT OBJECTS READS THREADS
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/scale/scale_set.h"
#include "ulhff/file.h"

namespace {

struct File {
  std::string path;
  std::string bytes;
};

uint64_t FirstPair(uint64_t object) {
  constexpr std::array<uint64_t, 5> kBefore = {0, 3, 7, 12, 18};
  return object / 5 * 25 + kBefore[object % 5];
}

// A media by its name in the source, a text of a pair, or a text of an object.
File RandomFile(uint64_t objects, std::mt19937_64& random) {
  const uint64_t object = random() % objects;
  const uint64_t slot = random() % ulhff::PairsOf(object);
  const uint64_t pair = FirstPair(object) + slot;
  switch (random() % 3) {
    case 0:
      return {"source/" + ulhff::MediaPath(object), ulhff::MediaBytes(object)};
    case 1:
      return {fmt::format("pairs/{:05}/{:09}.txt", pair / 10000, pair), ulhff::TextBytes(pair)};
    default:
      return {fmt::format("objects/{:05}/{:09}.{}.txt", object / 10000, object, slot),
              ulhff::TextBytes(pair)};
  }
}

bool ReadsRight(const std::string& mount, const File& file) {
  const std::string path = mount + "/" + file.path;
  const ulhff::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 256> buffer{};
  const ssize_t size = fd.valid() ? ::read(fd.get(), buffer.data(), buffer.size()) : -1;
  if (size >= 0 && file.bytes == std::string_view(buffer.data(), static_cast<size_t>(size)))
    return true;
  fmt::print(stderr, "scale_read: {}: {}\n", path, size < 0 ? std::strerror(errno) : "other bytes");
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "Usage: scale_read MOUNT OBJECTS READS THREADS\n");
    return 2;
  }
  const uint64_t objects = std::strtoull(argv[2], nullptr, 10);
  const uint64_t reads = std::strtoull(argv[3], nullptr, 10);
  std::atomic<uint64_t> left{reads};
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> threads(std::max(1UL, std::strtoul(argv[4], nullptr, 10)));
  for (size_t i = 0; i < threads.size(); ++i) {
    threads[i] = std::thread([&, seed = i] {
      std::mt19937_64 random(seed);
      for (uint64_t n = left; n > 0;) {
        if (!left.compare_exchange_weak(n, n - 1)) continue;
        if (!ReadsRight(argv[1], RandomFile(objects, random))) ++wrong;
        n = left;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  fmt::print("{} reads, {} wrong\n", reads, wrong.load());
  return wrong == 0 ? 0 : 1;
}
