// What the callbacks need: the tree, the object pool, and how nodes are presented.
#ifndef ULHFF_FUSE_SERVER_H_
#define ULHFF_FUSE_SERVER_H_

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>

#include "fuse/log.h"
#include "fuse/slow_lane.h"
#include "ulhff/pool.h"
#include "ulhff/reader.h"
#include "ulhff/tree.h"

namespace ulhff {

struct Presentation {
  uid_t uid = 0;
  gid_t gid = 0;
  mode_t file_mode = 0444;
  mode_t directory_mode = 0555;
  double timeout = 1e9;  // seconds that the kernel may keep names and attributes
  bool xattr = false;
};

// Immutable but for counters; any number of threads. Errors are those of Tree and ObjectPool.
class Server {
 public:
  // All three must outlive it.
  Server(const Reader& reader, const Tree& tree, ObjectPool& pool,
         const Presentation& presentation);

  const Tree& tree() const { return tree_; }
  const std::string& path() const;  // of the file
  double timeout() const { return presentation_.timeout; }

  struct stat Stat(const Attributes& attributes) const;
  // As far as readdir tells it: inode number and file type.
  static struct stat Brief(Node node);
  struct statvfs FileSystemStat() const;

  size_t Read(Node node, uint64_t position, std::span<std::byte> out);

  // The one extended attribute of a node; nullopt: it has none, or none are to be shown.
  struct Xattr {
    const char* name;
    std::string value;
  };
  bool has_xattrs() const { return presentation_.xattr; }
  std::optional<Xattr> XattrOf(Node node) const;

  // A request for `node` failed: one log line for each damaged place, with its path.
  void Report(Node node, const std::exception& error);

  // For the idle timeout.
  void CountRequest() { requests_.fetch_add(1, std::memory_order_relaxed); }
  uint64_t requests() const { return requests_.load(std::memory_order_relaxed); }

  // Entries that the kernel holds: answers to lookups and listings, less what it has forgotten.
  void CountKnown(int64_t entries) { known_.fetch_add(entries, std::memory_order_relaxed); }
  int64_t known() const { return known_.load(std::memory_order_relaxed); }

  // Whether the kernel goes without open and opendir (set once, when the connection is made).
  bool stateless_open = false;
  bool stateless_opendir = false;
  // Where answers go that wait for slow storage (set once, before requests come over io_uring).
  SlowLane* slow_lane = nullptr;

 private:
  std::string PathOf(Node node) const;

  const Reader& reader_;
  const Tree& tree_;
  ObjectPool& pool_;
  const Presentation presentation_;
  FaultLog faults_;
  std::atomic<uint64_t> requests_{0};
  std::atomic<int64_t> known_{0};
};

}  // namespace ulhff

#endif  // ULHFF_FUSE_SERVER_H_
