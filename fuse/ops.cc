// Requests of the kernel, answered from the Server; the one place where exceptions become errno.
#include "ops.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include "fuse/listing.h"
#include "fuse/rings.h"
#include "fuse/server.h"
#include "ulhff/error.h"
#include "ulhff/file.h"
#include "ulhff/tree.h"

namespace ulhff {

namespace {

constexpr unsigned kMaxReadAhead = 1 << 20;  // bytes, as far as the mount's bdi allows
// Read-ahead and asynchronous direct reads in flight; the kernel's own 12 would queue loaders.
constexpr unsigned kMaxBackground = 128;

constexpr size_t kMaxName = 255;  // the kernel itself would let 1024 and more pass

// Runs `answer`, which either replies as its last act and returns 0, or returns an errno without
// having replied.
template <typename Answer>
void AnswerNow(Server& server, fuse_req_t request, fuse_ino_t ino, const Answer& answer) noexcept {
  int error = EIO;
  try {
    error = answer(server);
  } catch (const std::bad_alloc&) {
    error = ENOMEM;
  } catch (const std::exception& e) {
    server.Report(Node::FromInode(ino), e);
  }
  if (error != 0) fuse_reply_err(request, error);
}

// libfuse cancels the threads of its rings when it stops them, wherever they are.
struct NoCancel {
  NoCancel() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr); }
};

// The same, now or in the slow lane: `answer` must hold all it needs.
template <typename Answer>
void Handle(fuse_req_t request, fuse_ino_t ino, const Answer& answer) noexcept {
  Server& server = *static_cast<Server*>(fuse_req_userdata(request));
  server.CountRequest();
  if (server.slow_lane == nullptr) return AnswerNow(server, request, ino, answer);
  thread_local const NoCancel no_cancel;
  server.slow_lane->Run(
      [&server, request, ino, answer] { AnswerNow(server, request, ino, answer); });
}

// Room for one reply: the request's own if it has some (io_uring), else a buffer of this thread.
std::span<char> ReplyBuffer([[maybe_unused]] fuse_req_t request, size_t size) {
#if FUSE_VERSION >= FUSE_MAKE_VERSION(3, 18)
  char* payload = nullptr;
  size_t room = 0;
  if (fuse_req_get_payload(request, &payload, &room, nullptr) == 0 && room >= size) {
    return {payload, size};
  }
#endif
  thread_local AlignedBuffer buffer;
  buffer.Reserve(size);
  return {reinterpret_cast<char*>(buffer.data()), size};
}

// --- the connection ---

void Want(fuse_conn_info* connection, unsigned capability, bool wanted) {
#if FUSE_VERSION >= FUSE_MAKE_VERSION(3, 17)
  if (wanted) {
    fuse_set_feature_flag(connection, capability);
  } else {
    fuse_unset_feature_flag(connection, capability);
  }
#else
  connection->want &= ~capability;
  if (wanted) connection->want |= capability & connection->capable;
#endif
}

void Init(void* user_data, fuse_conn_info* connection) {
  auto& server = *static_cast<Server*>(user_data);
  server.stateless_open = (connection->capable & FUSE_CAP_NO_OPEN_SUPPORT) != 0;
  server.stateless_opendir = (connection->capable & FUSE_CAP_NO_OPENDIR_SUPPORT) != 0;
  Want(connection, FUSE_CAP_ASYNC_READ, true);
  Want(connection, FUSE_CAP_PARALLEL_DIROPS, true);
  Want(connection, FUSE_CAP_READDIRPLUS, true);
  // Always: a loader that lists first then opens without a lookup. Huge directories are spared by
  // FillListing, not by the kernel's guess.
  Want(connection, FUSE_CAP_READDIRPLUS_AUTO, false);
  Want(connection, FUSE_CAP_EXPORT_SUPPORT, true);
  // Nothing changes, so cached pages never need to be compared with new attributes.
  Want(connection, FUSE_CAP_AUTO_INVAL_DATA, false);
  // Else O_TRUNC on a mount made writable would empty the kernel's idea of the file unasked.
  Want(connection, FUSE_CAP_ATOMIC_O_TRUNC, false);
  if (server.slow_lane != nullptr) connection->max_write = RingPayload();  // of a reply, too
  connection->max_readahead = std::min(connection->max_readahead, kMaxReadAhead);
  connection->max_background = kMaxBackground;
}

// --- names and attributes ---

std::optional<Node> Find(const Tree& tree, Node directory, std::string_view name) {
  // The kernel asks for these only to make sense of NFS handles; "." of any node.
  if (name == ".") return directory;
  if (name == "..") return tree.Parent(directory);
  return tree.Lookup(directory, name);
}

// A name that outlives its request. Longer ones are no names.
struct NameCopy {
  std::array<char, kMaxName> bytes;
  size_t size;
  explicit NameCopy(std::string_view name) : size(std::min(name.size(), kMaxName)) {
    std::copy_n(name.begin(), size, bytes.begin());
  }
  std::string_view view() const { return {bytes.data(), size}; }
};

void Lookup(fuse_req_t request, fuse_ino_t parent, const char* given) {
  if (std::strlen(given) > kMaxName) {
    fuse_reply_err(request, ENAMETOOLONG);
    return;
  }
  Handle(request, parent, [=, name = NameCopy(given)](Server& server) {
    const std::optional<Node> node = Find(server.tree(), Node::FromInode(parent), name.view());
    if (!node) {
      fuse_entry_param absent{};  // no node: the kernel remembers that there is none
      absent.entry_timeout = server.timeout();
      fuse_reply_entry(request, &absent);
      return 0;
    }
    const std::optional<Attributes> attributes = server.tree().GetAttributes(*node);
    if (!attributes) throw FormatError(server.path(), 0, "the index counts no name for it");
    const fuse_entry_param entry = MakeEntry(server, *attributes);
    server.CountKnown(1);
    fuse_reply_entry(request, &entry);
    return 0;
  });
}

void Forget(fuse_req_t request, fuse_ino_t, uint64_t lookups) {
  static_cast<Server*>(fuse_req_userdata(request))->CountKnown(-static_cast<int64_t>(lookups));
  fuse_reply_none(request);
}

void ForgetMany(fuse_req_t request, size_t count, fuse_forget_data* forgets) {
  int64_t lookups = 0;
  for (const fuse_forget_data& one : std::span(forgets, count)) {
    lookups += static_cast<int64_t>(one.nlookup);
  }
  static_cast<Server*>(fuse_req_userdata(request))->CountKnown(-lookups);
  fuse_reply_none(request);
}

void GetAttributes(fuse_req_t request, fuse_ino_t ino, fuse_file_info*) {
  Handle(request, ino, [=](Server& server) {
    const std::optional<Attributes> attributes = server.tree().GetAttributes(Node::FromInode(ino));
    if (!attributes) return ESTALE;
    const struct stat st = server.Stat(*attributes);
    fuse_reply_attr(request, &st, server.timeout());
    return 0;
  });
}

void StatFileSystem(fuse_req_t request, fuse_ino_t ino) {
  Handle(request, ino, [=](Server& server) {
    const struct statvfs st = server.FileSystemStat();
    fuse_reply_statfs(request, &st);
    return 0;
  });
}

// --- files and directories ---

// ENOSYS tells the kernel that it need not ask again: no round trips and no state for opens.
void Open(fuse_req_t request, fuse_ino_t ino, fuse_file_info* given) {
  Handle(request, ino, [request, asked = *given](const Server& server) {
    if (server.stateless_open) return ENOSYS;
    fuse_file_info file = asked;
    if ((file.flags & O_ACCMODE) != O_RDONLY) return EROFS;
    file.keep_cache = 1;
    fuse_reply_open(request, &file);
    return 0;
  });
}

void OpenDirectory(fuse_req_t request, fuse_ino_t ino, fuse_file_info* given) {
  Handle(request, ino, [request, asked = *given](const Server& server) {
    if (server.stateless_opendir) return ENOSYS;
    fuse_file_info file = asked;
    file.keep_cache = 1;
    file.cache_readdir = 1;
    fuse_reply_open(request, &file);
    return 0;
  });
}

void Read(fuse_req_t request, fuse_ino_t ino, size_t size, off_t offset, fuse_file_info*) {
  Handle(request, ino, [=](Server& server) {
    const std::span<char> buffer = ReplyBuffer(request, size);
    const size_t got = server.Read(Node::FromInode(ino), static_cast<uint64_t>(offset),
                                   std::as_writable_bytes(buffer));
    fuse_reply_buf(request, buffer.data(), got);
    return 0;
  });
}

template <ListingKind kind>
void List(fuse_req_t request, fuse_ino_t ino, size_t size, off_t offset, fuse_file_info*) {
  Handle(request, ino, [=](Server& server) {
    const std::span<char> buffer = ReplyBuffer(request, size);
    const size_t used = FillListing(request, server, Node::FromInode(ino), offset, kind, buffer);
    fuse_reply_buf(request, buffer.data(), used);
    return 0;
  });
}

// --- extended attributes ---

// As getxattr(2): `size` 0 asks how much room is needed.
int ReplySized(fuse_req_t request, std::string_view value, size_t size) {
  if (size == 0) {
    fuse_reply_xattr(request, value.size());
  } else if (value.size() > size) {
    return ERANGE;
  } else {
    fuse_reply_buf(request, value.data(), value.size());
  }
  return 0;
}

void GetXattr(fuse_req_t request, fuse_ino_t ino, const char* given, size_t size) {
  Handle(request, ino, [=, name = NameCopy(given)](Server& server) {
    if (!server.has_xattrs()) return ENOSYS;  // asked once only, as with open
    const auto xattr = server.XattrOf(Node::FromInode(ino));
    if (!xattr || xattr->name != name.view()) return ENODATA;
    return ReplySized(request, xattr->value, size);
  });
}

void ListXattrs(fuse_req_t request, fuse_ino_t ino, size_t size) {
  Handle(request, ino, [=](Server& server) {
    if (!server.has_xattrs()) return ENOSYS;
    const auto xattr = server.XattrOf(Node::FromInode(ino));
    if (!xattr) return ReplySized(request, "", size);
    return ReplySized(request, {xattr->name, std::strlen(xattr->name) + 1}, size);
  });
}

// --- what is refused, whatever its arguments ---

template <int error, typename... Arguments>
void Refuse(fuse_req_t request, Arguments...) {
  fuse_reply_err(request, error);
}

void SetRefusals(fuse_lowlevel_ops& ops) {
  // The mount is read-only, so these come only after `mount -o remount,rw`.
  ops.setattr = Refuse<EROFS>;
  ops.mknod = Refuse<EROFS>;
  ops.mkdir = Refuse<EROFS>;
  ops.unlink = Refuse<EROFS>;
  ops.rmdir = Refuse<EROFS>;
  ops.symlink = Refuse<EROFS>;
  ops.rename = Refuse<EROFS>;
  ops.link = Refuse<EROFS>;
  ops.create = Refuse<EROFS>;
  ops.write = Refuse<EROFS>;
  ops.fallocate = Refuse<EROFS>;
  ops.copy_file_range = Refuse<EROFS>;
  ops.setxattr = Refuse<EROFS>;
  ops.removexattr = Refuse<EROFS>;
  // isatty() of every open in Python; the kernel never remembers the answer.
  ops.ioctl = Refuse<ENOTTY>;
}

}  // namespace

fuse_lowlevel_ops FuseOperations() {
  fuse_lowlevel_ops ops{};
  ops.init = Init;
  ops.lookup = Lookup;
  ops.forget = Forget;
  ops.forget_multi = ForgetMany;
  ops.getattr = GetAttributes;
  ops.statfs = StatFileSystem;
  ops.open = Open;
  ops.opendir = OpenDirectory;
  ops.read = Read;
  ops.readdir = List<ListingKind::kPlain>;
  ops.readdirplus = List<ListingKind::kPlus>;
  ops.getxattr = GetXattr;
  ops.listxattr = ListXattrs;
  SetRefusals(ops);
  return ops;
}

}  // namespace ulhff
