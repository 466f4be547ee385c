// The index is what retrieval needs; all tables are what stands behind the body.
#include "converter/index_text.h"

#include <fmt/format.h>

#include "converter/output.h"

namespace ulhff {

std::string DescribeIndex(const Info& info) {
  return fmt::format("{}; besides it order {}, text lengths {}, names {}; all tables {}",
                     ReadableSize(info.index_bytes), ReadableSize(info.order_bytes),
                     ReadableSize(info.text_index_bytes), ReadableSize(info.name_bytes),
                     ReadableSize(info.table_bytes));
}

}  // namespace ulhff
