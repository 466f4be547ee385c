// Owners and parts as annotations.
#include "converter/joined_reader.h"

#include <utility>

#include "converter/tmp_dir.h"

namespace ulhff {

JoinedReader::JoinedReader(const SectionJoin::Side& owners, const SectionJoin::Side& parts,
                           bool owners_are_ids, TakeOwner take_owner,
                           const AnnotationContext& context)
    : join_(owners, parts,
            {TemporaryDirectory(context.options), context.options.lenient, owners_are_ids,
             context.options.duplicates},
            context.report),
      take_owner_(std::move(take_owner)) {}

bool JoinedReader::Next(Annotation& next) {
  while (const auto entry = join_.Next()) {
    if (!entry->is_owner) {
      next = owner_;
      TakePart(*entry, next);
      is_new_ = false;
      return true;
    }
    const bool alone = std::exchange(is_new_, true);
    if (alone) next = std::move(owner_);
    owner_ = {};
    owner_.line = entry->line;
    owner_.offset = entry->offset;
    take_owner_(entry->kept, owner_);
    if (alone) return true;
  }
  next = owner_;
  return std::exchange(is_new_, false);
}

void JoinedReader::TakePart(const SectionJoin::Entry& part, Annotation& next) const {
  next.same_media = !is_new_;
  if (next.texts.empty()) {
    next.texts.emplace_back();
    if (!part.absent) next.texts[0] = part.kept;
    next.line = part.line;
    next.offset = part.offset;
  } else if (part.kept.size() > 2) {
    next.texts[0]->back() = ',';
    next.texts[0]->append(part.kept.substr(1));
  }
}

}  // namespace ulhff
