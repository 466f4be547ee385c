// Annotations whose media and texts stand in two sections, joined.
#ifndef ULHFF_CONVERTER_JOINED_READER_H_
#define ULHFF_CONVERTER_JOINED_READER_H_

#include <functional>
#include <string_view>

#include "converter/annotation_source.h"
#include "converter/section_join.h"

namespace ulhff {

// Gives an annotation for each part; for an owner that has none, the owner as it is.
class JoinedReader : public AnnotationReader {
 public:
  // Fills in media and split. A text of the owner is a JSON object, which those of its parts
  // continue.
  using TakeOwner = std::function<void(std::string_view kept, Annotation& owner)>;

  JoinedReader(const SectionJoin::Side& owners, const SectionJoin::Side& parts, bool owners_are_ids,
               TakeOwner take_owner, const AnnotationContext& context);

  bool Next(Annotation& next) override;

 private:
  void TakePart(const SectionJoin::Entry& part, Annotation& next) const;

  SectionJoin join_;
  const TakeOwner take_owner_;
  Annotation owner_;
  bool is_new_ = false;  // nothing of owner_ has been given yet
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_JOINED_READER_H_
