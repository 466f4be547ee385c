// slowfs: shows a folder read-only through FUSE and waits before each lookup, open and read, as a
// busy network file system does; counts how many reads are in flight.
//
// Usage: slowfs FOLDER MOUNTPOINT DELAY_US STATISTICS_FILE    (stays in the foreground)
// SIGUSR1 writes the counts since the last time as JSON into STATISTICS_FILE; SIGUSR2 switches the
// delay off and on.
#define FUSE_USE_VERSION 312
#include <dirent.h>
#include <fcntl.h>
#include <fuse_lowlevel.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kThreads = 256;
constexpr double kEntryTimeout = 60;  // seconds; network file systems keep names for a while

// Reads in flight over time: their average while there were any, their maximum, and how many.
class Gauge {
 public:
  void Enter() {
    const std::lock_guard lock(mutex_);
    Advance();
    most_ = std::max(most_, ++now_);
    ++total_;
  }
  void Leave() {
    const std::lock_guard lock(mutex_);
    Advance();
    --now_;
  }
  // Writes a JSON object and starts anew.
  void Report(std::FILE* out, uint64_t lookups, uint64_t opens) {
    const std::lock_guard lock(mutex_);
    Advance();
    const double mean = busy_ > 0 ? area_ / busy_ : 0;
    std::fprintf(out,
                 "{\"reads\": %llu, \"in_flight_mean\": %.2f, \"in_flight_max\": %d, "
                 "\"lookups\": %llu, \"opens\": %llu}\n",
                 static_cast<unsigned long long>(total_), mean, most_,
                 static_cast<unsigned long long>(lookups), static_cast<unsigned long long>(opens));
    area_ = busy_ = 0;
    most_ = now_;
    total_ = 0;
  }

 private:
  void Advance() {
    const auto time = Clock::now();
    const double seconds = std::chrono::duration<double>(time - last_).count();
    if (now_ > 0) {
      area_ += now_ * seconds;
      busy_ += seconds;
    }
    last_ = time;
  }

  std::mutex mutex_;
  Clock::time_point last_ = Clock::now();
  int now_ = 0, most_ = 0;
  uint64_t total_ = 0;
  double area_ = 0, busy_ = 0;  // read-seconds; seconds with a read in flight
};

struct State {
  std::string statistics_file;
  std::chrono::microseconds delay{0};
  std::atomic<bool> slow{true};
  std::atomic<uint64_t> lookups{0}, opens{0};
  Gauge reads;
  std::mutex mutex;
  std::unordered_map<fuse_ino_t, std::string> paths;  // never forgotten: the folder is bounded

  void Wait() const {
    if (slow.load(std::memory_order_relaxed)) std::this_thread::sleep_for(delay);
  }
  std::string Path(fuse_ino_t ino) {
    const std::lock_guard lock(mutex);
    const auto found = paths.find(ino);
    return found == paths.end() ? std::string() : found->second;
  }
};

State* state;

void Lookup(fuse_req_t req, fuse_ino_t parent, const char* name) {
  ++state->lookups;
  state->Wait();
  const std::string path = state->Path(parent) + "/" + name;
  fuse_entry_param entry{};
  entry.entry_timeout = entry.attr_timeout = kEntryTimeout;
  if (lstat(path.c_str(), &entry.attr) == 0) {
    // The folder's own inode numbers serve; only its root has to be FUSE's 1.
    entry.ino = entry.attr.st_ino;
    const std::lock_guard lock(state->mutex);
    state->paths.emplace(entry.ino, path);
  } else if (errno != ENOENT) {
    fuse_reply_err(req, errno);
    return;
  }
  fuse_reply_entry(req, &entry);
}

void GetAttributes(fuse_req_t req, fuse_ino_t ino, fuse_file_info* /*info*/) {
  struct stat attributes {};
  if (lstat(state->Path(ino).c_str(), &attributes) != 0) {
    fuse_reply_err(req, errno);
    return;
  }
  fuse_reply_attr(req, &attributes, kEntryTimeout);
}

void Open(fuse_req_t req, fuse_ino_t ino, fuse_file_info* info) {
  ++state->opens;
  state->Wait();
  const int fd = open(state->Path(ino).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    fuse_reply_err(req, errno);
    return;
  }
  info->fh = static_cast<uint64_t>(fd);
  info->keep_cache = 1;
  fuse_reply_open(req, info);
}

void Release(fuse_req_t req, fuse_ino_t /*ino*/, fuse_file_info* info) {
  close(static_cast<int>(info->fh));
  fuse_reply_err(req, 0);
}

void Read(fuse_req_t req, fuse_ino_t /*ino*/, size_t size, off_t offset, fuse_file_info* info) {
  state->reads.Enter();
  state->Wait();
  fuse_bufvec bytes = FUSE_BUFVEC_INIT(size);
  bytes.buf[0].flags = static_cast<fuse_buf_flags>(FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK);
  bytes.buf[0].fd = static_cast<int>(info->fh);
  bytes.buf[0].pos = offset;
  fuse_reply_data(req, &bytes, FUSE_BUF_SPLICE_MOVE);
  state->reads.Leave();
}

void OpenDirectory(fuse_req_t req, fuse_ino_t ino, fuse_file_info* info) {
  DIR* directory = opendir(state->Path(ino).c_str());
  if (directory == nullptr) {
    fuse_reply_err(req, errno);
    return;
  }
  info->fh = reinterpret_cast<uint64_t>(directory);
  fuse_reply_open(req, info);
}

void ReadDirectory(fuse_req_t req, fuse_ino_t /*ino*/, size_t size, off_t offset,
                   fuse_file_info* info) {
  DIR* directory = reinterpret_cast<DIR*>(info->fh);
  seekdir(directory, offset);
  std::vector<char> buffer(size);
  size_t used = 0;
  while (const dirent* entry = readdir(directory)) {
    struct stat attributes {};
    attributes.st_ino = entry->d_ino;
    attributes.st_mode = static_cast<mode_t>(entry->d_type) << 12;
    const size_t needed = fuse_add_direntry(req, buffer.data() + used, size - used, entry->d_name,
                                            &attributes, entry->d_off);
    if (needed > size - used) break;
    used += needed;
  }
  fuse_reply_buf(req, buffer.data(), used);
}

void ReleaseDirectory(fuse_req_t req, fuse_ino_t /*ino*/, fuse_file_info* info) {
  closedir(reinterpret_cast<DIR*>(info->fh));
  fuse_reply_err(req, 0);
}

void StatFs(fuse_req_t req, fuse_ino_t ino) {
  struct statvfs status {};
  if (statvfs(state->Path(ino).c_str(), &status) != 0) {
    fuse_reply_err(req, errno);
    return;
  }
  fuse_reply_statfs(req, &status);
}

void Init(void* /*userdata*/, fuse_conn_info* connection) {
  // The file system must not be what bounds the reads in flight.
  connection->max_background = kThreads;
  connection->congestion_threshold = kThreads;
}

void WriteStatistics() {
  const std::string temporary = state->statistics_file + ".tmp";
  std::FILE* out = std::fopen(temporary.c_str(), "w");
  if (out == nullptr) return;
  state->reads.Report(out, state->lookups.exchange(0), state->opens.exchange(0));
  std::fclose(out);
  std::rename(temporary.c_str(), state->statistics_file.c_str());
}

// Signals are blocked everywhere and taken here, so that their work may lock.
[[noreturn]] void HandleSignals(const sigset_t& signals) {
  for (;;) {
    int number = 0;
    sigwait(&signals, &number);
    if (number == SIGUSR1) WriteStatistics();
    if (number == SIGUSR2) state->slow = !state->slow;
  }
}

int Serve(const char* program, const char* mountpoint) {
  fuse_lowlevel_ops operations{};
  operations.init = Init;
  operations.lookup = Lookup;
  operations.getattr = GetAttributes;
  operations.open = Open;
  operations.release = Release;
  operations.read = Read;
  operations.opendir = OpenDirectory;
  operations.readdir = ReadDirectory;
  operations.releasedir = ReleaseDirectory;
  operations.statfs = StatFs;

  std::vector<std::string> words = {program, "-o",
                                    "ro,allow_other,default_permissions,fsname=slowfs"};
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  fuse_args args = FUSE_ARGS_INIT(static_cast<int>(pointers.size()), pointers.data());
  fuse_session* session = fuse_session_new(&args, &operations, sizeof(operations), nullptr);
  if (session == nullptr) return 1;
  int status = 1;
  if (fuse_set_signal_handlers(session) == 0 && fuse_session_mount(session, mountpoint) == 0) {
    fuse_loop_config* config = fuse_loop_cfg_create();
    fuse_loop_cfg_set_clone_fd(config, 1);
    fuse_loop_cfg_set_max_threads(config, kThreads);
    fuse_loop_cfg_set_idle_threads(config, kThreads);
    status = fuse_session_loop_mt(session, config);
    fuse_loop_cfg_destroy(config);
    fuse_session_unmount(session);
  }
  fuse_session_destroy(session);
  fuse_opt_free_args(&args);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: slowfs FOLDER MOUNTPOINT DELAY_US STATISTICS_FILE\n");
    return 2;
  }
  const auto owned = std::make_unique<State>();
  state = owned.get();
  state->delay = std::chrono::microseconds(std::atoll(argv[3]));
  state->statistics_file = argv[4];
  state->paths[FUSE_ROOT_ID] = argv[1];

  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(HandleSignals, std::cref(signals)).detach();
  return Serve(argv[0], argv[2]);
}
