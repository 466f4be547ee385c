// One answer to readdir or readdirplus.
#ifndef ULHFF_FUSE_LISTING_H_
#define ULHFF_FUSE_LISTING_H_

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "fuse/server.h"
#include "ulhff/tree.h"

namespace ulhff {

enum class ListingKind : uint8_t { kPlain, kPlus };

// Entry parameters that the kernel may keep for as long as the server says.
fuse_entry_param MakeEntry(const Server& server, const Attributes& attributes);

// Fills `out` with entries of `directory` behind `offset` (what readdir was last told, 0 at first)
// and returns the bytes used; 0 at the end. Offsets are 1 for ".", 2 for "..", then 2 + the tree's
// cookie. Errors are those of Tree; none if there is something to return already.
size_t FillListing(fuse_req_t request, Server& server, Node directory, off_t offset,
                   ListingKind kind, std::span<char> out);

}  // namespace ulhff

#endif  // ULHFF_FUSE_LISTING_H_
