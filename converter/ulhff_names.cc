// External sort by number; the sorter keeps equal ones in order.
#include "converter/ulhff_names.h"

#include <fmt/format.h>

#include <optional>

#include "converter/catalogue.h"
#include "converter/input_error.h"
#include "converter/interrupt.h"
#include "converter/media_types.h"
#include "converter/printable.h"
#include "converter/sort_key.h"
#include "ulhff/reader_name_escape.h"
#include "ulhff/reader_names.h"

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
  NameWalk(const Reader& reader, const NameCallbacks& callbacks)
      : reader_(&reader), callbacks_(&callbacks) {}

  void Descend(uint64_t number, const std::string& path) {
    CheckInterrupt();
    if (depth_ > kMaxDepth) {
      throw InputError(fmt::format("{}: {}: more than {} directories deep",
                                   Printable(reader_->info().path), Printable(path), kMaxDepth));
    }
    ++depth_;
    callbacks_->directory(path, reader_->Directory(number).mtime_ns);
    Level level{this, number, &path};
    reader_->ListNames(number, 0, &NameWalk::Visit, &level);
    --depth_;
  }

 private:
  struct Level {
    NameWalk* walk;
    uint64_t directory;
    const std::string* path;
  };

  static bool Visit(void* context, std::string_view name, NameTarget target, uint64_t /*next*/) {
    const Level& level = *static_cast<Level*>(context);
    const std::string path = JoinPath(*level.path, name);
    level.walk->TellIfEscaped(level.directory, name, path);
    if (target.kind == TargetKind::kDirectory) {
      level.walk->Descend(target.number, path);
    } else {
      level.walk->callbacks_->file(path, target);
    }
    return true;
  }

  // A stored name may look like one that is escaped.
  void TellIfEscaped(uint64_t directory, std::string_view name, const std::string& path) const {
    if (name.find('%') == std::string_view::npos) return;
    const std::optional<std::string> stored = UnescapedName(name);
    if (!stored && !PlaceOfName(name)) return;
    if (!reader_->names().FindStored(directory, name))
      callbacks_->escaped(stored.value_or(""), path);
  }

  const Reader* reader_;
  const NameCallbacks* callbacks_;
  uint64_t depth_ = 0;
};

}  // namespace

void WalkNames(const Reader& reader, const NameCallbacks& callbacks) {
  NameWalk(reader, callbacks).Descend(0, "");
}

}  // namespace ulhff
