// The command line of ulhff-fuse, its help and its manual page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuse/options.h"

namespace ulhff {
namespace {

using Words = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;

MountOptions Parse(Words words) {
  words.insert(words.end(), {"FILE", "MOUNTPOINT"});
  return ParseMountOptions(words);
}

TEST(MountOptionsTest, TakesOperandsAnywhere) {
  const MountOptions options = ParseMountOptions({"data", "-f", "--", "-mnt"});
  EXPECT_EQ(options.file, "data");
  EXPECT_EQ(options.mountpoint, "-mnt");
  EXPECT_TRUE(options.foreground);
}

TEST(MountOptionsTest, TakesEveryOptionBothWays) {
  for (const Words& words :
       {Words{"--view=pairs", "--fan-out=5", "--fan_out", "7", "--flat", "--io=buffered"},
        Words{"-o", "view=pairs,fan_out=7,flat,io=buffered"},
        Words{"-oview=pairs,fan_out=7", "-fo", "flat", "-o", "io=buffered"}}) {
    const MountOptions options = Parse(words);
    EXPECT_EQ(options.tree.view, ViewKind::kPairs);
    EXPECT_EQ(options.tree.fan_out, 7u);
    EXPECT_TRUE(options.tree.flat);
    EXPECT_EQ(options.reader.mode, ReadMode::kBuffered);
  }
}

TEST(MountOptionsTest, LaterOptionsWin) {
  EXPECT_EQ(Parse({"-o", "uid=1,uid=2", "--uid=3"}).uid, 3u);
  EXPECT_EQ(Parse({"--uid=3", "-o", "uid=1,uid=2"}).uid, 2u);
}

TEST(MountOptionsTest, ABackslashKeepsACommaInAValue) {
  EXPECT_EQ(Parse({"-o", R"(fsname=a\,b\\c,xattr)"}).fsname, R"(a,b\c)");
  EXPECT_EQ(Parse({"--fsname=a,b"}).fsname, "a,b");
}

TEST(MountOptionsTest, MasksTakeBitsFromTheModes) {
  const MountOptions options = Parse({"-o", "umask=022,fmask=0377"});
  EXPECT_EQ(options.file_mode(), 0400u);
  EXPECT_EQ(options.directory_mode(), 0555u);
  EXPECT_EQ(Parse({"--umask", "077"}).directory_mode(), 0500u);
}

TEST(MountOptionsTest, HandsOnWhatTheKernelOrFusermountKnows) {
  const MountOptions options = Parse({"-o", "allow_other,context=system_u:object_r,noexec"});
  EXPECT_THAT(options.kernel, ElementsAre("allow_other", "context=system_u:object_r", "noexec"));
}

TEST(MountOptionsTest, IgnoresWhatFstabBrings) {
  EXPECT_THAT(Parse({"-o", "rw,ro,,user=me,x-systemd.device-timeout=5,comment=x,nofail"}).kernel,
              ElementsAre());
}

TEST(MountOptionsTest, DebugStaysInTheForeground) {
  EXPECT_TRUE(Parse({"-d"}).foreground);
  EXPECT_EQ(Parse({"-s"}).threads, 1u);
  EXPECT_EQ(Parse({"--transport", "device"}).transport, Transport::kDevice);
  EXPECT_EQ(Parse({"-otransport=io_uring"}).transport, Transport::kIoUring);
}

TEST(MountOptionsTest, AsksForOperandsUnlessHelpIsWanted) {
  EXPECT_TRUE(ParseMountOptions({"-h"}).help);
  EXPECT_TRUE(ParseMountOptions({"-V"}).version);
  EXPECT_THROW(ParseMountOptions({"FILE"}), std::invalid_argument);
}

struct BadOption {
  Words words;
  const char* message;
};

TEST(MountOptionsTest, RefusesNonsenseByName) {
  const BadOption cases[] = {
      {{"-o", "nonsense"}, "'nonsense'"},
      {{"--nonsense"}, "nonsense"},
      {{"--vie=pairs"}, "vie"},
      {{"-o", "view"}, "'view' needs a value"},
      {{"-o", "xattr=1"}, "'xattr' takes no value"},
      {{"-o", "view=x"}, "'x'"},
      {{"-o", "uid=-1"}, "uid=-1"},
      {{"-o", "uid=1x"}, "uid=1x"},
      {{"one too many"}, "more than"},
      {{"-o", "gid="}, "gid="},
      {{"-o", "umask=1000"}, "umask=1000"},
      {{"-o", "threads=0"}, "threads=0"},
      {{"-o", "pool=0"}, "pool=0"},
      {{"-o", "io=fast"}, "io=fast"},
      {{"--transport=tcp"}, "transport=tcp"},
      {{"-o", "template=x"}, "template"},
      {{"-o", "umask=022,fmask=0133,dmask=022"}, "umask: not with both"},
      {{"-o", "whole_object=64"}, "whole_object=64: such objects have no room in pool=16"},
      {{"--uid"}, "uid=FILE"},  // what follows is its value
  };
  for (const BadOption& bad : cases) {
    EXPECT_THAT([&] { Parse(bad.words); },
                testing::ThrowsMessage<std::invalid_argument>(HasSubstr(bad.message)));
  }
}

// In the help an option stands as "name" or "name=", in the manual page as **name** or **name=**.
TEST(MountOptionsTest, HelpAndManualPageNameEveryOption) {
  std::ifstream file(std::string(ULHFF_SOURCE_DIR) + "/docs/man/ulhff-fuse.1.md");
  const std::string manual{std::istreambuf_iterator<char>(file), {}};
  const std::string help = MountHelp();
  for (const std::string& name : MountOptionNames()) {
    EXPECT_THAT(help, testing::ContainsRegex("[ ]" + name + "[ =\n]")) << name;
    EXPECT_THAT(manual, testing::ContainsRegex("[*][*]" + name + "=?[*][*]")) << name;
  }
  for (const char* word : {"--foreground", "--debug", "--single", "--help", "--version"}) {
    EXPECT_THAT(help, HasSubstr(word));
    EXPECT_THAT(manual, HasSubstr(std::string("\\") + word));
  }
}

}  // namespace
}  // namespace ulhff
