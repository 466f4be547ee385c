// A pipe cannot be read twice, and a conversion must.
#include "converter/standard_input.h"

#include <unistd.h>

#include <cerrno>
#include <span>
#include <vector>

#include "converter/interrupt.h"
#include "converter/spooled_file.h"
#include "converter/tar_source.h"
#include "ulhff/error.h"

namespace ulhff {
namespace {

constexpr size_t kPiece = size_t{1} << 20;

void ReadAll(SpooledFile& spool) {
  std::vector<std::byte> piece(kPiece);
  for (;;) {
    CheckInterrupt();
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) ThrowErrno("standard input");
    spool.Append(std::span(piece).first(static_cast<size_t>(got)));
    if (got == 0) return;
  }
}

}  // namespace

std::unique_ptr<Source> OpenStandardInput(const ConvertOptions& options) {
  auto spool = std::make_shared<SpooledFile>(options);
  ReadAll(*spool);
  const Shard shard{.name = "standard input", .path = spool->path(), .said = "standard input"};
  return MakeTarSource(shard, std::move(spool), options);
}

}  // namespace ulhff
