// External sort by number; the sorter keeps equal ones in order.
#include "converter/ulhff_names.h"

#include <fmt/format.h>

#include "converter/catalogue.h"
#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "converter/media_types.h"
#include "converter/printable.h"
#include "converter/sort_key.h"

namespace ulhff {

NamesByNumber::NamesByNumber(const std::string& tmp_dir) : sorter_(tmp_dir, kSortMemory) {}

void NamesByNumber::Add(uint64_t number, std::string_view path) {
  sorter_.Add(SortKey(number), AsBytes(path));
}

void NamesByNumber::Advance() {
  started_ = true;
  const auto record = sorter_.Next();
  more_ = record.has_value();
  if (!more_) return;
  number_ = KeyNumber(record->key, 0);
  path_ = AsText(record->payload);
}

namespace {

class NameWalk {
 public:
  using Directory = std::function<void(std::string_view path, int64_t mtime_ns)>;
  using File = std::function<void(std::string_view path, NameTarget target)>;

  NameWalk(const Reader& reader, const Directory& directory, const File& file)
      : reader_(&reader), directory_(&directory), file_(&file) {}

  void Descend(uint64_t number, const std::string& path) {
    CheckInterrupt();
    if (depth_ > kMaxDepth) {
      throw InputError(fmt::format("{}: {}: more than {} directories deep",
                                   Printable(reader_->info().path), Printable(path), kMaxDepth));
    }
    ++depth_;
    (*directory_)(path, reader_->Directory(number).mtime_ns);
    Level level{this, &path};
    reader_->ListNames(number, 0, &NameWalk::Visit, &level);
    --depth_;
  }

 private:
  struct Level {
    NameWalk* walk;
    const std::string* path;
  };

  static bool Visit(void* context, std::string_view name, NameTarget target, uint64_t /*next*/) {
    const Level& level = *static_cast<Level*>(context);
    const std::string path = JoinPath(*level.path, name);
    if (target.kind == TargetKind::kDirectory) {
      level.walk->Descend(target.number, path);
    } else {
      (*level.walk->file_)(path, target);
    }
    return true;
  }

  const Reader* reader_;
  const Directory* directory_;
  const File* file_;
  uint64_t depth_ = 0;
};

}  // namespace

void WalkNames(const Reader& reader, const NameWalk::Directory& directory,
               const NameWalk::File& file) {
  NameWalk(reader, directory, file).Descend(0, "");
}

}  // namespace ulhff
