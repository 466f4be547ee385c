// bench_loader: the C++ loaders behind the line protocol of ../loaders/serve.py, timed and checked
// in the same way.
//
// Usage: bench_loader files|objects|ulhff KEY=VALUE...
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>
#include <stdexcept>

#include "loader.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;  // CLOCK_MONOTONIC, as Python's time.monotonic()

double Seconds(Clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

uint32_t Crc(uint32_t crc, Bytes bytes) {
  return static_cast<uint32_t>(
      crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The fingerprints of ../dataset.py.
uint32_t Sampled(const Pair& pair) {
  constexpr size_t kSample = 64;
  const Bytes& media = pair.media;
  const size_t size = media.size();
  const size_t part = std::min(size, kSample);
  uint32_t crc = Crc(static_cast<uint32_t>(size), media.first(part));
  crc = Crc(crc, media.subspan(size / 2, std::min(kSample, size - size / 2)));
  crc = Crc(crc, media.last(part));
  return Crc(crc, pair.text);
}

uint32_t Full(const Pair& pair) { return Crc(Crc(0, pair.media), pair.text); }

// One pass: its clock, its bytes, and the pairs that did not read as expected.
class Tally {
 public:
  Tally(const std::vector<uint32_t>& expected, uint32_t (*fingerprint)(const Pair&))
      : expected_(expected), fingerprint_(fingerprint) {}

  // In batches, of which the first pair's latency holds all reading.
  void ReadAll(Loader& loader, std::span<const uint32_t> numbers, size_t batch) {
    for (size_t done = 0; done < numbers.size(); done += batch) {
      const auto part = numbers.subspan(done, std::min(batch, numbers.size() - done));
      const auto begin = Clock::now();
      loader.Prepare(part);
      ReadOne(loader, part.front(), begin);
      for (const uint32_t number : part.subspan(1)) ReadOne(loader, number, Clock::now());
    }
  }

  void ReadOne(Loader& loader, uint32_t number, Clock::time_point begin) {
    const Pair pair = loader.Read(number);
    latencies_.push_back(std::chrono::duration<float>(Clock::now() - begin).count());
    media_bytes_ += pair.media.size();
    wrong_ += fingerprint_(pair) != expected_.at(number);
  }

  std::string Report() const {
    char text[256];
    std::snprintf(text, sizeof(text),
                  "{\"start\": %.9f, \"end\": %.9f, \"pairs\": %zu, \"media_bytes\": %llu, "
                  "\"wrong\": %zu}",
                  Seconds(start_), Seconds(Clock::now()), latencies_.size(),
                  static_cast<unsigned long long>(media_bytes_), wrong_);
    return text;
  }
  const std::vector<float>& latencies() const { return latencies_; }

 private:
  const std::vector<uint32_t>& expected_;
  uint32_t (*fingerprint_)(const Pair&);
  std::vector<float> latencies_;
  uint64_t media_bytes_ = 0;
  size_t wrong_ = 0;
  Clock::time_point start_ = Clock::now();
};

class Server {
 public:
  Server(std::string kind, Options options)
      : kind_(std::move(kind)),
        options_(std::move(options)),
        sampled_(LoadNumbers<uint32_t>(Option(options_, "sampled"))),
        full_(LoadNumbers<uint32_t>(Option(options_, "full"))),
        batch_(options_.contains("batch") ? std::stoul(options_.at("batch")) : 1) {}

  std::string Answer(const std::string& line) {
    std::istringstream words(line);
    std::string action;
    words >> action;
    try {
      if (action == "open") return Open();
      if (action == "pass") return RunPass(words);
      if (action == "verify") return Verify(words);
      throw std::invalid_argument("unknown action " + action);
    } catch (const std::exception& error) {
      return std::string("{\"error\": \"") + error.what() + "\"}";
    }
  }

 private:
  std::string Open() {
    const auto begin = Clock::now();
    if (kind_ == "files") loader_ = OpenFiles(options_);
    if (kind_ == "objects") loader_ = OpenObjects(options_);
    if (kind_ == "ulhff") loader_ = OpenUlhff(options_);
    if (!loader_) throw std::invalid_argument("unknown loader " + kind_);
    return "{\"seconds\": " +
           std::to_string(std::chrono::duration<double>(Clock::now() - begin).count()) + "}";
  }

  std::string RunPass(std::istringstream& words) {
    std::string order_file;
    std::string latency_file;
    size_t count = 0;
    size_t worker = 0;
    size_t workers = 1;
    words >> order_file >> count >> worker >> workers >> latency_file;
    const auto order = LoadNumbers<uint32_t>(order_file);
    Tally tally(sampled_, Sampled);
    std::vector<uint32_t> own;
    for (size_t i = worker; i < std::min(count, order.size()); i += workers)
      own.push_back(order[i]);
    tally.ReadAll(*loader_, own, batch_);
    const std::string report = tally.Report();
    if (latency_file != "-") Save(latency_file, tally.latencies());
    return report;
  }

  std::string Verify(std::istringstream& words) {
    uint32_t count = 0;
    words >> count;
    Tally tally(full_, Full);
    std::vector<uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    tally.ReadAll(*loader_, all, batch_);
    return tally.Report();
  }

  static void Save(const std::string& path, const std::vector<float>& values) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
  }

  std::string kind_;
  Options options_;
  std::vector<uint32_t> sampled_, full_;
  size_t batch_;  // pairs
  std::unique_ptr<Loader> loader_;
};

int Serve(int argc, char** argv) {
  if (argc < 2) throw std::invalid_argument("usage: bench_loader files|objects|ulhff KEY=VALUE...");
  Options options;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    if (equals == std::string::npos) throw std::invalid_argument("not KEY=VALUE: " + word);
    options[word.substr(0, equals)] = word.substr(equals + 1);
  }
  Server server(argv[1], options);
  std::cout << "{\"ready\": true}" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << server.Answer(line) << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    return bench::Serve(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_loader: %s\n", error.what());
    return 1;
  }
}
