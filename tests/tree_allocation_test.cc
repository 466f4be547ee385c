// Lookup, List and GetAttributes allocate nothing: this program counts every operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "tests/model_dataset.h"
#include "tests/temp_dir.h"
#include "ulhff/tree.h"

namespace {
std::atomic<uint64_t> allocations{0};
}  // namespace

// Sanitizers have operators of their own, which must not be mixed with these.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ULHFF_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ULHFF_SANITIZED
#endif
#endif
#ifdef ULHFF_SANITIZED
constexpr bool kCounts = false;
#else
constexpr bool kCounts = true;
// Not inlined: GCC would take the free() for one that does not belong to the new.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif

namespace ulhff {
namespace {

struct Found {
  std::string name;
  Node directory;
  Node node;
};

void Collect(const Tree& tree, Node directory, std::vector<Found>& all) {
  struct State {
    std::vector<Found>* found;
    Node directory;
  };
  std::vector<Found> here;
  State state{&here, directory};
  const auto add = [](void* context, std::string_view name, Node node, uint64_t) {
    auto* s = static_cast<State*>(context);
    s->found->push_back({std::string(name), s->directory, node});
    return true;
  };
  tree.List(directory, 0, add, &state);
  for (const Found& found : here) {
    if (found.node.is_directory()) Collect(tree, found.node, all);
    all.push_back(found);
  }
}

TEST(TreeAllocationTest, AllocatesNothingOnceItIsOpen) {
  if (!kCounts) GTEST_SKIP() << "the sanitizer owns operator new";
  const TempDir dir;
  const ModelShape shape{.objects = 100, .splits = {"train", "val"}, .extensions = {"jpg", ""}};
  const ModelDataset dataset(dir / "file.ulhff", shape);
  const Reader reader = Reader::Open(dir / "file.ulhff");
  TreeOptions options;
  options.view = ViewKind::kAll;
  options.fan_out = 20;
  const Tree tree(reader, options);
  std::vector<Found> all;
  Collect(tree, kRootNode, all);
  ASSERT_GT(all.size(), 500u);

  const auto count = [](void* context, std::string_view, Node, uint64_t) {
    ++*static_cast<uint64_t*>(context);
    return true;
  };
  uint64_t listed = 0;
  uint64_t wrong = 0;
  const uint64_t before = allocations;
  for (const Found& found : all) {
    if (tree.Lookup(found.directory, found.name) != found.node) ++wrong;
    if (tree.Lookup(found.directory, "00000 no such name")) ++wrong;
    if (!tree.GetAttributes(found.node)) ++wrong;
    if (found.node.is_directory()) tree.List(found.node, 0, count, &listed);
  }
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(listed, 500u);
}

}  // namespace
}  // namespace ulhff
