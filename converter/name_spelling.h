// How names of a source are spelled in the tree: --name-encoding, --lower-ext.
#ifndef ULHFF_CONVERTER_NAME_SPELLING_H_
#define ULHFF_CONVERTER_NAME_SPELLING_H_

#include <iconv.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "converter/options.h"

namespace ulhff {

// Names are bytes, and stay so unless the options say otherwise. Not thread-safe.
class NameSpelling {
 public:
  // Throws UsageError if iconv(3) does not know the encoding, or ASCII is not ASCII in it, and
  // nothing else.
  explicit NameSpelling(const ConvertOptions& options);

  // Of a directory: components that are no UTF-8 are taken for the encoding's. Throws InputError if
  // one is neither.
  std::string Directory(std::string_view path) const;
  // Of a file: the same, and its extension may be lowered.
  std::string File(std::string_view path) const;
  // What a file may be called that a table calls `value`: in other Unicode forms, and components in
  // the encoding in place of UTF-8, or all in UTF-8. Each once, without `value`.
  std::vector<std::string> OtherForms(std::string_view value) const;

 private:
  struct Close {
    void operator()(void* converter) const { iconv_close(converter); }
  };
  using Converter = std::unique_ptr<void, Close>;

  std::string Component(std::string_view component) const;
  std::vector<std::string> Encoded(std::string_view path) const;

  std::string encoding_;  // empty: names are not converted
  bool lower_extensions_;
  Converter to_utf8_, from_utf8_;
};

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_NAME_SPELLING_H_
