// Makes the seeded dataset and writes its two forms.
#include "sample_dataset.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <utility>

#include "ulhff/writer.h"

namespace ulhff {

namespace {

namespace fs = std::filesystem;

std::string RandomBytes(std::mt19937& random, size_t size) {
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

struct timespec ToTimespec(int64_t ns) {
  return {.tv_sec = ns / 1'000'000'000, .tv_nsec = ns % 1'000'000'000};
}

void SetTime(const fs::path& path, int64_t ns) {
  const std::array<timespec, 2> times{ToTimespec(ns), ToTimespec(ns)};
  if (::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) != 0) {
    throw std::runtime_error("utimensat " + path.string());
  }
}

}  // namespace

PublicDir::PublicDir() {
  std::string name = fs::temp_directory_path() / "ulhff-mount-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr || ::chmod(name.c_str(), 0755) != 0) {
    throw std::runtime_error("cannot make " + name);
  }
  path_ = name;
}

PublicDir::~PublicDir() {
  std::error_code ignored;  // a mount that was left behind keeps its directory
  fs::remove_all(path_, ignored);
}

SampleDataset::SampleDataset(uint32_t seed) : container_(temp_ / "sample.ulhff") {
  Generate(seed);
  std::set<std::string> directories{"", "empty/inner"};
  for (const auto& [path, bytes] : files_) {
    for (fs::path p = fs::path(path).parent_path(); !p.empty(); p = p.parent_path()) {
      directories.insert(p);
    }
  }
  directories.insert("empty");
  directories_.assign(directories.begin(), directories.end());
  WriteContainer();
}

void SampleDataset::AddMedia(const std::vector<std::string>& paths, std::string bytes,
                             const std::vector<std::string>& texts) {
  SampleMedia media{.paths = paths, .bytes = std::move(bytes), .texts = texts, .text_paths = {}};
  for (const std::string& path : paths) files_[path] = media.bytes;
  for (size_t i = 0; i < texts.size(); ++i) {
    media.text_paths.push_back(fmt::format("{}.{}.txt", paths[0], i));
    files_[media.text_paths.back()] = texts[i];
  }
  media_.push_back(std::move(media));
}

void SampleDataset::Generate(uint32_t seed) {
  std::mt19937 random(seed);
  for (unsigned i = 0; i < 12; ++i) {
    std::vector<std::string> texts;
    for (unsigned t = 0; t < 1 + i % 5; ++t) texts.push_back(RandomBytes(random, random() % 200));
    const std::string path = fmt::format("train/class {}/image_{:03}.jpg", i % 3, i);
    AddMedia({path}, RandomBytes(random, 1 + random() % 300'000), texts);
  }
  const std::string long_stem(251, 'n');
  AddMedia({"train/class 0/twin_a.jpg", "test/twin_b.jpg"}, RandomBytes(random, 70'000),
           {"one", "two"});
  AddMedia({"video.mp4"}, RandomBytes(random, 5'242'897), {"longer than a pool object"});
  AddMedia({"odd/empty.png"}, "", {""});
  AddMedia({"odd/chunk.png"}, RandomBytes(random, 262'144), {std::string("a\0b\r\n\n", 6)});
  AddMedia({"odd/-dash .jpg"}, "d", {RandomBytes(random, 70'000)});
  AddMedia({"odd/new\nline,comma.jpg"}, "n", {"\xff\xfe"});
  AddMedia({"odd/L\xfcneburg.jpg"}, "l", {"text"});
  AddMedia({"deep/a/b/c/d/e/f/g/h.jpg"}, RandomBytes(random, 4096), {"deep"});
  blobs_["odd/" + long_stem + ".dat"] = "a name of 255 bytes";
  blobs_["LICENSE"] = RandomBytes(random, 600'000);
  blobs_[".hidden"] = "hidden";
  blobs_["annotations/empty.json"] = "";
  files_.insert(blobs_.begin(), blobs_.end());
}

int64_t SampleDataset::TimeOf(const std::string& path) const {
  // Names of one media share its time, the first name's.
  std::string of = path;
  for (const SampleMedia& media : media_) {
    for (const std::string& name : media.paths) {
      if (name == path) of = media.paths[0];
    }
  }
  const auto hash = static_cast<int64_t>(std::hash<std::string>()(of) % 1'000'000'000'000);
  return 1'600'000'000'000'000'000 + hash * 1001;
}

uint64_t SampleDataset::pairs() const {
  uint64_t pairs = 0;
  for (const SampleMedia& media : media_) pairs += media.texts.size();
  return pairs;
}

void SampleDataset::WriteContainer() const {
  WriterOptions options;
  options.fields = {{"caption", "txt"}};
  Writer writer(container_, options);
  for (const SampleMedia& media : media_) {
    const std::string extension = fs::path(media.paths[0]).extension().string().substr(1);
    const uint64_t object = writer.BeginObject(extension, TimeOf(media.paths[0]));
    writer.AppendMedia(AsBytes(media.bytes));
    for (const std::string& path : media.paths) writer.AddName(path, {TargetKind::kMedia, object});
    for (size_t i = 0; i < media.texts.size(); ++i) {
      const std::array<std::optional<ByteSpan>, 1> text{AsBytes(media.texts[i])};
      const std::array<std::optional<int64_t>, 1> time{TimeOf(media.text_paths[i])};
      const uint64_t pair = writer.AddPair(text, 0, time);
      writer.AddName(media.text_paths[i], {TargetKind::kText, pair});
    }
    writer.EndObject();
  }
  for (const auto& [path, bytes] : blobs_) {
    const uint64_t blob = writer.BeginBlob(TimeOf(path));
    writer.AppendBlob(AsBytes(bytes));
    writer.EndBlob();
    writer.AddName(path, {TargetKind::kBlob, blob});
  }
  for (const std::string& path : directories_) writer.AddDirectory(path, TimeOf(path));
  writer.Finish();
}

void SampleDataset::WriteFiles(const fs::path& directory) const {
  for (const std::string& path : directories_) fs::create_directories(directory / path);
  for (const auto& [path, bytes] : files_) {
    std::ofstream(directory / path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    SetTime(directory / path, TimeOf(path));
  }
  for (auto path = directories_.rbegin(); path != directories_.rend(); ++path) {
    SetTime(directory / *path, TimeOf(*path));
  }
}

}  // namespace ulhff
