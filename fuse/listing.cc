// Packs directory entries into the buffers of readdir and readdirplus.
#include "listing.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>

namespace ulhff {

namespace {

// A name that goes out with its node costs the kernel an inode, some 1.2 KB and 3 us, and saves a
// lookup if it is opened. Loaders open what they list, but nobody opens a million names soon, so no
// more than this are handed out unasked.
constexpr int64_t kMostPrimed = int64_t{1} << 16;
constexpr off_t kDotEntries = 2;

// Without a node (ino 0) the kernel shows the name and looks it up only if asked to.
fuse_entry_param BriefEntry(Node node) {
  fuse_entry_param entry{};
  entry.attr = Server::Brief(node);
  return entry;
}

class Listing {
 public:
  Listing(fuse_req_t request, Server& server, ListingKind kind, std::span<char> out)
      : request_(request), server_(server), kind_(kind), out_(out) {}

  size_t used() const { return used_; }

  bool AddDot(std::string_view name, Node node, off_t offset) {
    return Add(name, BriefEntry(node), offset);
  }

  static bool Visit(void* self, std::string_view name, Node node, uint64_t next_cookie) {
    auto& listing = *static_cast<Listing*>(self);
    const fuse_entry_param entry = listing.EntryOf(node);
    if (!listing.Add(name, entry, static_cast<off_t>(next_cookie) + kDotEntries)) return false;
    if (entry.ino != 0) listing.server_.CountKnown(1);
    return true;
  }

 private:
  bool Primes() const { return kind_ == ListingKind::kPlus && server_.known() < kMostPrimed; }

  fuse_entry_param EntryOf(Node node) const {
    // What a view makes itself may not be made yet: a listing does not wait for it.
    if (Primes() && node.kind() != NodeKind::kMade) {
      try {
        const std::optional<Attributes> attributes = server_.tree().GetAttributes(node);
        if (attributes) return MakeEntry(server_, *attributes);
      } catch (const std::exception&) {
        // Damaged attributes of one name must not hide the others; its lookup will tell.
      }
    }
    return BriefEntry(node);
  }

  bool Add(std::string_view name, const fuse_entry_param& entry, off_t offset) {
    std::array<char, 256> terminated{};
    std::copy_n(name.begin(), std::min(name.size(), terminated.size() - 1), terminated.begin());
    char* const at = out_.data() + used_;
    const size_t left = out_.size() - used_;
    const size_t size =
        kind_ == ListingKind::kPlus
            ? fuse_add_direntry_plus(request_, at, left, terminated.data(), &entry, offset)
            : fuse_add_direntry(request_, at, left, terminated.data(), &entry.attr, offset);
    if (size > left) return false;
    used_ += size;
    return true;
  }

  fuse_req_t request_;
  Server& server_;
  ListingKind kind_;
  std::span<char> out_;
  size_t used_ = 0;
};

}  // namespace

fuse_entry_param MakeEntry(const Server& server, const Attributes& attributes) {
  fuse_entry_param entry{};
  entry.ino = attributes.node.inode();
  entry.attr = server.Stat(attributes);
  entry.attr_timeout = entry.entry_timeout = server.timeout();
  return entry;
}

size_t FillListing(fuse_req_t request, Server& server, Node directory, off_t offset,
                   ListingKind kind, std::span<char> out) {
  const Tree& tree = server.tree();
  Listing listing(request, server, kind, out);
  if (offset < 1 && !listing.AddDot(".", directory, 1)) return listing.used();
  if (offset < kDotEntries && !listing.AddDot("..", tree.Parent(directory), kDotEntries)) {
    return listing.used();
  }
  const auto cookie = static_cast<uint64_t>(std::max(offset - kDotEntries, off_t{0}));
  try {
    tree.List(directory, cookie, Listing::Visit, &listing);
  } catch (const std::exception&) {
    // The entries before the damage count; the next call begins at it and fails.
    if (listing.used() == 0) throw;
  }
  return listing.used();
}

}  // namespace ulhff
