// A seeded dataset in two forms, for mount tests: plain files, and the ULHFF file of the same
// files.
#ifndef ULHFF_TESTS_SAMPLE_DATASET_H_
#define ULHFF_TESTS_SAMPLE_DATASET_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ulhff {

// A directory that goes with the object. Everybody may enter it, so that a mount in it can be
// visited as another user.
class PublicDir {
 public:
  PublicDir();
  ~PublicDir();
  PublicDir(const PublicDir&) = delete;
  PublicDir& operator=(const PublicDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct SampleMedia {
  std::vector<std::string> paths;  // several: duplicates, merged into one object
  std::string bytes;
  std::vector<std::string> texts;  // of texts[i] the path is text_paths[i]
  std::vector<std::string> text_paths;
};

// About 60 files in nested directories: media from 0 bytes to more than 4 MiB with one to five
// texts each, duplicated media, blobs, an empty directory, hidden files, names with spaces,
// newlines, 255 bytes, and bytes that are no UTF-8. Every file and directory has a time of its own.
class SampleDataset {
 public:
  explicit SampleDataset(uint32_t seed = 1);

  // The ULHFF file. Objects are in the order of media(), blobs in that of their paths.
  const std::filesystem::path& container() const { return container_; }
  // The plain files, written to disk on request only.
  void WriteFiles(const std::filesystem::path& directory) const;

  const std::vector<SampleMedia>& media() const { return media_; }
  const std::map<std::string, std::string>& files() const { return files_; }  // path -> bytes
  int64_t TimeOf(const std::string& path) const;  // ns; of a directory too, "" is the root
  const std::vector<std::string>& directories() const { return directories_; }
  uint64_t pairs() const;

 private:
  void Generate(uint32_t seed);
  void AddMedia(const std::vector<std::string>& paths, std::string bytes,
                const std::vector<std::string>& texts);
  void WriteContainer() const;

  PublicDir temp_;
  std::filesystem::path container_;
  std::vector<SampleMedia> media_;
  std::map<std::string, std::string> blobs_;
  std::map<std::string, std::string> files_;
  std::vector<std::string> directories_;
};

}  // namespace ulhff

#endif  // ULHFF_TESTS_SAMPLE_DATASET_H_
