// Attributes as struct stat, reads by kind of node, and the log lines about damage.
#include "server.h"

#include <fmt/format.h>

#include <functional>
#include <system_error>

#include "ulhff/error.h"

namespace ulhff {

namespace {

constexpr uint64_t kBlock = 4096;  // st_blksize, f_bsize
constexpr uint64_t kSector = 512;  // unit of st_blocks
constexpr int64_t kSecond = 1'000'000'000;

struct timespec ToTimespec(int64_t ns) {
  // Rounded down: tv_nsec is never negative.
  const int64_t seconds = ns / kSecond - (ns % kSecond < 0 ? 1 : 0);
  return {.tv_sec = seconds, .tv_nsec = ns - seconds * kSecond};
}

}  // namespace

Server::Server(const Reader& reader, const Tree& tree, ObjectPool& pool,
               const Presentation& presentation)
    : reader_(reader), tree_(tree), pool_(pool), presentation_(presentation) {}

struct stat Server::Brief(Node node) {
  struct stat st {};
  st.st_ino = node.inode();
  st.st_mode = node.is_directory() ? S_IFDIR : S_IFREG;
  return st;
}

struct stat Server::Stat(const Attributes& attributes) const {
  struct stat st = Brief(attributes.node);
  st.st_mode |= attributes.directory ? presentation_.directory_mode : presentation_.file_mode;
  st.st_nlink = attributes.links;
  st.st_uid = presentation_.uid;
  st.st_gid = presentation_.gid;
  st.st_size = static_cast<off_t>(attributes.size);
  st.st_blksize = kBlock;
  st.st_blocks = static_cast<blkcnt_t>((attributes.size + kSector - 1) / kSector);
  st.st_mtim = st.st_ctim = st.st_atim = ToTimespec(attributes.mtime_ns);
  return st;
}

struct statvfs Server::FileSystemStat() const {
  struct statvfs st {};
  st.f_bsize = kBlock;
  st.f_frsize = kBlock;
  st.f_blocks = (reader_.info().file_bytes + kBlock - 1) / kBlock;
  st.f_files = tree_.file_count();
  st.f_namemax = 255;
  return st;
}

size_t Server::Read(Node node, uint64_t position, std::span<std::byte> out) {
  switch (node.kind()) {
    case NodeKind::kMedia:
      return pool_.ReadMedia(node.number(), position, out);
    case NodeKind::kText:
      return pool_.ReadText(node.number(), position, out);
    case NodeKind::kBlob:
      return pool_.ReadBlob(node.number(), position, out);
    case NodeKind::kMade:
      return tree_.ReadMade(node, position, out);
    default:
      throw std::system_error(EISDIR, std::generic_category());
  }
}

std::optional<Server::Xattr> Server::XattrOf(Node node) const {
  const std::string number = std::to_string(node.number());
  switch (node.kind()) {
    case NodeKind::kMedia:
      return Xattr{"user.ulhff.object", number};
    case NodeKind::kText:
      return Xattr{"user.ulhff.text", number};
    case NodeKind::kBlob:
      return Xattr{"user.ulhff.blob", number};
    default:
      return std::nullopt;
  }
}

const std::string& Server::path() const { return reader_.info().path; }

std::string Server::PathOf(Node node) const {
  try {
    return tree_.PathOf(node);
  } catch (const std::exception&) {
    return fmt::format("inode {}", node.inode());  // its names are damaged too
  }
}

void Server::Report(Node node, const std::exception& error) {
  const auto* const damage = dynamic_cast<const FormatError*>(&error);
  if (!faults_.Admit(damage != nullptr ? damage->offset() : ~node.inode())) return;
  Log(LogLevel::kError, fmt::format("{} (asked for '{}')", error.what(), PathOf(node)));
}

}  // namespace ulhff
