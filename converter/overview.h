// A first look at an operand of the command line, bounded in time, shared by all kinds of sources.
#ifndef ULHFF_CONVERTER_OVERVIEW_H_
#define ULHFF_CONVERTER_OVERVIEW_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "converter/files_pairing.h"
#include "converter/options.h"

namespace ulhff {

struct Overview {
  std::string path;
  bool is_directory = false;

  // Of a directory: what was seen in its upper levels, at most kMaxNames names.
  static constexpr uint64_t kMaxNames = 100'000;
  bool complete = true;  // false: there is more
  // Files that can be tables or annotations, by extension, and are no text of a media: paths from
  // the operand, in walk order. None from directories that are full of them: those are samples.
  std::vector<std::string> documents;
  std::string parquet;                   // the first metadata.parquet; empty: none
  std::vector<std::string> directories;  // without the hidden ones
  uint64_t media = 0;
  std::array<uint64_t, kFilesRuleNames.size()> text_pairs{};  // by rule of plain files
  // Texts of media that are alone with them: a table or annotation file beside one media is none.
  std::vector<std::string> alone_texts;
};

// By the name's extension: a table or annotations.
bool CanBeDocument(std::string_view name);

// --from KIND or --from KIND:FILE[,FILE...], where a kind can be read from several files.
std::string KindAsked(const ConvertOptions& options);
bool AsksForFiles(const ConvertOptions& options);
bool AsksForFile(const ConvertOptions& options, std::string_view name);
// The names in that list. A file of `directory` may have commas in its name.
std::vector<std::string> FilesAskedFor(const std::string& directory, const ConvertOptions& options);
// Options that only tables have.
bool AsksForColumns(const ConvertOptions& options);

// Throws std::system_error (no such file), UsageError (neither file nor directory).
Overview LookAt(const std::string& path, const ConvertOptions& options);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_OVERVIEW_H_
