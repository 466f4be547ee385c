// Files are the same if device and inode are, whatever they are called.
#include "converter/output_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "converter/file_window.h"
#include "converter/input_error.h"
#include "converter/media_types.h"
#include "converter/printable.h"
#include "converter/scan.h"
#include "converter/standard_input.h"
#include "converter/ulhff_file.h"
#include "converter/walk.h"
#include "ulhff/error.h"

namespace ulhff {

namespace {

namespace fs = std::filesystem;

bool IsSame(const std::optional<FileState>& a, const std::optional<FileState>& b) {
  return a && b && a->device == b->device && a->inode == b->inode;
}

// The directories that media are read from.
std::vector<std::string> SourceDirectories(const ConvertOptions& options) {
  std::vector<std::string> directories = options.sources;
  if (!options.media_root.empty()) directories.push_back(options.media_root);
  std::erase_if(directories, [](const std::string& path) {
    std::error_code ignored;
    return path == kStandardInput || !fs::is_directory(path, ignored);
  });
  return directories;
}

// Of a file that need not be there.
fs::path RealPlace(const fs::path& path) { return fs::weakly_canonical(fs::absolute(path)); }

// Whether a file at `path`, there or not, would be in `directory` or below.
bool LiesIn(const fs::path& path, const std::string& directory) {
  const std::optional<FileState> wanted = StatFile(directory);
  const fs::path full = fs::absolute(path);
  // As it is spelled, and where it is really.
  for (fs::path above : {RealPlace(full.parent_path()), RealPlace(full).parent_path()}) {
    for (;; above = above.parent_path()) {
      if (IsSame(StatFile(above), wanted)) return true;
      if (above == above.root_path() || above.empty()) break;
    }
  }
  return false;
}

// Under another name: a hard link or a symbolic one.
bool Holds(const std::string& directory, const FileState& file, const ConvertOptions& options) {
  const Walker walker(directory, options);
  bool holds = false;
  walker.Walk(
      [&](const DirectoryListing& listing) {
        for (const NameList* names : {&listing.files, &listing.hidden}) {
          for (size_t i = 0; i < names->size() && !holds; ++i) {
            holds = IsSame(StatFile(walker.FullPath(JoinPath(listing.path, (*names)[i]))), file);
          }
        }
      },
      {});
  return holds;
}

// A ULHFF file may stand in its own source, as conversions that are run again have it.
void CheckIsNoPartOfSource(const FileState& output, const ConvertOptions& options) {
  if (IsUlhffFile(options.output)) return;
  for (const std::string& directory : SourceDirectories(options)) {
    if (!LiesIn(options.output, directory) && !Holds(directory, output, options)) continue;
    throw UsageError(fmt::format("{} is a file of the source {}, and no ULHFF file to be replaced",
                                 Printable(options.output), Printable(directory)));
  }
}

void CheckOutput(const ConvertOptions& options) {
  if (options.output.empty()) throw UsageError("OUT is empty; name the file to be made");
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(options.output, ignored))) {
    throw UsageError(fmt::format("{} is a symbolic link; name the file that it points to",
                                 Printable(options.output)));
  }
  const std::optional<FileState> output = StatFile(options.output);
  for (const std::string& source : options.sources) {
    if (source != kStandardInput && IsSame(output, StatFile(source))) {
      throw UsageError(fmt::format("OUT is SOURCE: {}", Printable(source)));
    }
  }
  if (output && !output->regular) {
    throw UsageError(fmt::format("{} exists and is no file; name the file to be made",
                                 Printable(options.output)));
  }
  if (output && !options.force && !options.dry_run) {
    throw UsageError(fmt::format("{} exists; --force replaces it", Printable(options.output)));
  }
  if (output) CheckIsNoPartOfSource(*output, options);
  if (options.dry_run) return;
  const fs::path directory = fs::path(options.output).parent_path();
  const std::string checked = directory.empty() ? "." : directory.string();
  if (::access(checked.c_str(), W_OK | X_OK) != 0) ThrowErrno(checked);
}

bool IsReport(const std::string& path) {
  constexpr std::string_view kStart = R"({"kind":)";
  FileWindow file(path, kStart.size());
  return file.size() == 0 ||
         AsText(file.Read(0, std::min<uint64_t>(file.size(), kStart.size()))) == kStart;
}

void CheckReport(const ConvertOptions& options) {
  const std::string& report = options.report;
  if (report.empty()) return;
  const auto refuse = [&report](std::string_view why) {
    throw UsageError(fmt::format("--report {}: {}", Printable(report), why));
  };
  if (report == "-") refuse("name a file");
  const std::optional<FileState> state = StatFile(report);
  if (state && !state->regular) return;  // a device, or what cannot be opened
  if (IsSame(state, StatFile(options.output)) || RealPlace(report) == RealPlace(options.output)) {
    refuse("is OUT; name another file");
  }
  for (const std::string& source : options.sources) {
    if (source != kStandardInput && IsSame(state, StatFile(source))) refuse("is SOURCE");
  }
  for (const std::string& directory : SourceDirectories(options)) {
    if (LiesIn(report, directory)) refuse("lies in the source, whose part it would become");
  }
  if (!state) return;
  if (!options.force) refuse("exists; --force replaces it");
  if (!IsReport(report)) refuse("exists and is no report; name another file");
}

}  // namespace

bool OutputIsInside(const ConvertOptions& options) {
  return std::any_of(options.sources.begin(), options.sources.end(), [&](const std::string& path) {
    std::error_code ignored;
    return path != kStandardInput && fs::is_directory(path, ignored) &&
           LiesIn(options.output, path);
  });
}

void CheckOutputs(const ConvertOptions& options) {
  for (const std::string& source : options.sources) {
    if (source.empty()) throw UsageError("a SOURCE is empty; name a file or directory");
  }
  CheckOutput(options);
  CheckReport(options);
}

}  // namespace ulhff
