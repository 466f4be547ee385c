// Merges files of equal bytes: each is compared with the first of its candidates while that is
// being written.
#ifndef ULHFF_CONVERTER_EQUAL_FILES_H_
#define ULHFF_CONVERTER_EQUAL_FILES_H_

#include "converter/feed.h"
#include "converter/progress.h"
#include "converter/worker_pool.h"
#include "ulhff/bytes.h"

namespace ulhff {

// Receives groups of equal files, in the order of their first ones.
class GroupSink {
 public:
  virtual ~GroupSink() = default;
  virtual void Begin(const Loaded& leader) = 0;
  virtual void Append(ByteSpan bytes) = 0;  // all of the leader, in pieces
  virtual void Add(Loaded member) = 0;      // then the leader and every file equal to it
  virtual void End() = 0;
};

// Delivers all of `feed`. Files are merged only after all their bytes were compared; a file is read
// at most four times, however many candidates differ.
void MergeEqualFiles(Feed& feed, const FileList& files, WorkerPool& pool, GroupSink& sink,
                     Progress& progress);

}  // namespace ulhff

#endif  // ULHFF_CONVERTER_EQUAL_FILES_H_
