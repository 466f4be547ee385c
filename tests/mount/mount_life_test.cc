// Mounting, failing to mount, options, other users, and the ways a mount ends.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/mount_fixture.h"
#include "ulhff/file.h"
#include "ulhff/writer.h"

namespace ulhff {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t kOtherUser = 65534;  // nobody: fusermount3 wants an account

class MountLifeTest : public testing::Test {
 protected:
  void SetUp() override {
    ULHFF_SKIP_WITHOUT_FUSE();
    fs::create_directory(mountpoint());
  }
  void TearDown() override {
    if (IsMounted(mountpoint())) RunCommand({"fusermount3", "-u", "-z", mountpoint()});
  }

  fs::path mountpoint() const { return temp_ / "mnt"; }
  std::string container() const { return data_.container(); }

  // As a daemon: returns when the command does.
  static CommandResult Run(std::vector<std::string> arguments, const CommandOptions& options = {}) {
    arguments.insert(arguments.begin(), FuseProgram());
    return RunCommand(arguments, options);
  }

  const SampleDataset data_;
  const PublicDir temp_;
};

// M2.
TEST_F(MountLifeTest, IsUsableWhenTheCommandReturns) {
  const CommandResult run = Run({container(), mountpoint()});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(ReadFile(mountpoint() / "LICENSE"), data_.files().at("LICENSE"));
  EXPECT_THAT(run.err, HasSubstr(" on " + mountpoint().string() + ": source view: "));
  EXPECT_EQ(RunCommand({"fusermount3", "-u", mountpoint()}).status, 0);
  EXPECT_TRUE(WaitUntilMounted(mountpoint(), false));
}

TEST_F(MountLifeTest, RelativePathsSurviveGoingToTheBackground) {
  fs::copy_file(container(), temp_ / "data.ulhff");
  const CommandResult run = Run({"data.ulhff", "./mnt"}, {.user = {}, .directory = temp_.path()});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(ReadFile(mountpoint() / "LICENSE"), data_.files().at("LICENSE"));
  EXPECT_THAT(RunCommand({"df", "--output=source", mountpoint()}).out,
              HasSubstr(fs::canonical(temp_ / "data.ulhff").string()));
}

TEST_F(MountLifeTest, MountsFilesWithAnyName) {
  for (const char* name : {"a,b.ulhff", "with space.ulhff", "new\nline.ulhff", "back\\slash,.ulhff",
                           "-dash.ulhff", "L\xfcneburg.ulhff"}) {
    fs::copy_file(container(), temp_ / name);
    const CommandResult run = Run({"--", name, "mnt"}, {.user = {}, .directory = temp_.path()});
    ASSERT_EQ(run.status, 0) << name << run.err;
    EXPECT_EQ(ReadFile(mountpoint() / "LICENSE"), data_.files().at("LICENSE")) << name;
    EXPECT_EQ(RunCommand({"fusermount3", "-u", mountpoint()}).status, 0);
    EXPECT_TRUE(WaitUntilMounted(mountpoint(), false));
  }
}

TEST_F(MountLifeTest, MountsOnADirectoryWithAnyName) {
  for (const char* name : {"a,b", "with space", "new\nline", "-dash"}) {
    fs::create_directory(temp_ / name);
    const CommandResult run =
        Run({"--", container(), name}, {.user = {}, .directory = temp_.path()});
    ASSERT_EQ(run.status, 0) << name << run.err;
    EXPECT_EQ(ReadFile(temp_ / name / "LICENSE"), data_.files().at("LICENSE")) << name;
    EXPECT_EQ(RunCommand({"fusermount3", "-u", "--", temp_ / name}).status, 0);
  }
}

struct Failure {
  const char* name;
  std::vector<std::string>
      arguments;  // @ is the container, % the mountpoint, # the test's directory
  int status;
  const char* message;
};

class MountFails : public MountLifeTest, public testing::WithParamInterface<Failure> {};

// M2.
TEST_P(MountFails, WithOneLineAndNoMount) {
  std::ofstream(temp_ / "text") << "not a dataset, though it is longer than nothing";
  fs::create_directories(temp_ / "full/inner");
  fs::copy_file(container(), temp_ / "cut.ulhff");
  fs::resize_file(temp_ / "cut.ulhff", fs::file_size(container()) - 1);
  std::vector<std::string> arguments;
  for (std::string word : GetParam().arguments) {
    if (word == "@") word = container();
    if (word == "%") word = mountpoint();
    if (word.starts_with('#')) word = temp_ / word.substr(1);
    arguments.push_back(word);
  }
  const CommandResult run = Run(arguments);
  EXPECT_EQ(run.status, GetParam().status) << run.err;
  EXPECT_THAT(run.err, HasSubstr(GetParam().message));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_FALSE(IsMounted(mountpoint()));
  EXPECT_FALSE(IsMounted(temp_ / "full"));
}

const Failure kFailures[] = {
    {"MissingFile", {"#none.ulhff", "%"}, 1, "No such file or directory"},
    {"FileIsADirectory", {"#full", "%"}, 1, "Is a directory"},
    {"FileIsNotUlhff", {"#text", "%"}, 3, "text"},
    {"FileIsCut", {"#cut.ulhff", "%"}, 3, "cut"},
    {"MissingMountpoint", {"@", "#none"}, 1, "No such file or directory"},
    {"MountpointIsAFile", {"@", "#text"}, 1, "Not a directory"},
    {"MountpointIsNotEmpty", {"@", "#full"}, 1, "nonempty"},
    {"NoOperands", {}, 2, "FILE and MOUNTPOINT"},
    {"OneOperand", {"@"}, 2, "FILE and MOUNTPOINT"},
    {"ThreeOperands", {"@", "%", "more"}, 2, "more than"},
    {"UnknownOption", {"@", "%", "--nonsense"}, 2, "nonsense"},
    {"UnknownMountOption", {"@", "%", "-o", "nonsense"}, 2, "nonsense"},
    {"UnknownView", {"@", "%", "-o", "view=nonsense"}, 2, "nonsense"},
    {"BadUmask", {"@", "%", "-o", "umask=8"}, 2, "umask=8"},
    {"MissingValue", {"@", "%", "-o", "view"}, 2, "needs a value"},
    {"ForegroundToo", {"-f", "#none.ulhff", "%"}, 1, "No such file or directory"},
};
INSTANTIATE_TEST_SUITE_P(Mount, MountFails, testing::ValuesIn(kFailures),
                         [](const auto& info) { return std::string(info.param.name); });

// M2.
TEST_F(MountLifeTest, RefusesASecondMountOnTheSameDirectory) {
  const Mount mount(container());
  const CommandResult run = Run({container(), mount.path()});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("mounted there"));
}

// Also while the kernel still answers stat from what it keeps.
TEST_F(MountLifeTest, SaysThatADeadMountIsThereAndHowToRemoveIt) {
  Mount mount(container());
  EXPECT_TRUE(fs::is_directory(mount.path()));
  mount.Stop(SIGKILL);
  ASSERT_TRUE(IsMounted(mount.path()));
  for (const char* option : {"-f", "--nonempty"}) {
    const CommandResult run = Run({option, container(), mount.path()});
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("a dead mount is there"));
    EXPECT_THAT(run.err, HasSubstr("fusermount3 -u " + mount.path().string()));
  }
  EXPECT_EQ(RunCommand({"fusermount3", "-u", mount.path()}).status, 0);
}

TEST_F(MountLifeTest, SaysHowRequestsComeAndNoReasonForWhatWasAskedFor) {
  const Mount mount(container(), {"--transport=device"});
  EXPECT_TRUE(fs::exists(mount / "LICENSE"));
  EXPECT_EQ(mount.CountInLog("requests come over /dev/fuse\n"), 1U) << mount.Log();
}

TEST_F(MountLifeTest, MountsOverFilesIfToldTo) {
  fs::create_directory(mountpoint() / "below");
  EXPECT_EQ(Run({container(), mountpoint(), "-o", "nonempty"}).status, 0);
  EXPECT_FALSE(fs::exists(mountpoint() / "below"));
  EXPECT_TRUE(fs::exists(mountpoint() / "LICENSE"));
}

class MountEnds : public MountLifeTest, public testing::WithParamInterface<int> {};

// M3.
TEST_P(MountEnds, BySignal) {
  Mount mount(container());
  EXPECT_EQ(mount.Stop(GetParam()), 0) << mount.Log();
  EXPECT_FALSE(IsMounted(mount.path()));
}

// M3.
TEST_P(MountEnds, BySignalEvenWhenInUse) {
  Mount mount(container());
  const UniqueFd fd(::open((mount / "LICENSE").c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(fd.valid());
  EXPECT_EQ(mount.Stop(GetParam()), 0) << mount.Log();
  EXPECT_FALSE(IsMounted(mount.path()));
}

INSTANTIATE_TEST_SUITE_P(Mount, MountEnds, testing::Values(SIGINT, SIGTERM, SIGHUP),
                         [](const auto& info) {
                           return std::string("Signal") + std::to_string(info.param);
                         });

// M3.
TEST_F(MountLifeTest, EndsWhenItIsUnmounted) {
  Mount mount(container());
  EXPECT_EQ(RunCommand({"fusermount3", "-u", mount.path()}).status, 0);
  EXPECT_EQ(mount.Stop(0), 0) << mount.Log();
}

// M3.
TEST_F(MountLifeTest, StaysWhileInUse) {
  Mount mount(container());
  const UniqueFd fd(::open((mount / "LICENSE").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_NE(RunCommand({"fusermount3", "-u", mount.path()}).status, 0);
  EXPECT_TRUE(IsMounted(mount.path()));
}

// M17.
TEST_F(MountLifeTest, UnmountsItselfWhenIdle) {
  Mount mount(container(), {"-o", "idle_timeout=1"});
  {
    const UniqueFd fd(::open((mount / "LICENSE").c_str(), O_RDONLY | O_CLOEXEC));
    ::sleep(2);
    EXPECT_TRUE(IsMounted(mount.path())) << "in use";
  }
  EXPECT_TRUE(WaitUntilMounted(mount.path(), false));
  EXPECT_EQ(mount.Stop(0), 0) << mount.Log();
}

// Every mount option can be given both ways.
std::vector<std::vector<std::string>> BothWays(const std::string& option) {
  return {{"-o", option}, {"--" + option}};
}

// M5.
TEST_F(MountLifeTest, TakesOwnersAndModes) {
  for (const auto& arguments :
       {std::vector<std::string>{"-o", "uid=12,gid=34,umask=0027"},
        std::vector<std::string>{"--uid=12", "--gid", "34", "--fmask=027", "--dmask=0027"}}) {
    const Mount mount(container(), arguments);
    struct stat st {};
    ASSERT_EQ(::stat((mount / "LICENSE").c_str(), &st), 0);
    EXPECT_EQ(st.st_uid, 12u);
    EXPECT_EQ(st.st_gid, 34u);
    EXPECT_EQ(st.st_mode & 07777, 0440u);
    ASSERT_EQ(::stat((mount / "odd").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 07777, 0550u);
  }
}

TEST_F(MountLifeTest, TakesTheViewBothWays) {
  for (const auto& arguments : BothWays("view=objects")) {
    const Mount mount(container(), arguments);
    EXPECT_TRUE(fs::exists(mount / "00000/000000013.0.txt")) << arguments[0];
  }
}

TEST_F(MountLifeTest, TakesWhatFstabBrings) {
  const Mount mount(container(),
                    {"-o",
                     "rw,dev,suid,noauto,user,nofail,_netdev,x-systemd.automount,exec,async,"
                     "comment=a\\,b,defaults,relatime,ro,noexec"});
  EXPECT_TRUE(fs::exists(mount / "LICENSE"));
  EXPECT_THAT(ReadFile("/proc/self/mounts"),
              HasSubstr(mount.path().string() + " fuse.ulhff-fuse ro,nosuid,nodev,noexec"));
}

TEST_F(MountLifeTest, WorksAsAMountHelper) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may call mount";
  if (RunCommand({"sh", "-c", "command -v mount.fuse3"}).status != 0)
    GTEST_SKIP() << "no mount.fuse3";
  const std::string path = std::string("PATH=") + ULHFF_BIN_DIR + ":" + std::getenv("PATH");
  const CommandResult run = RunCommand({"env", path, "mount.fuse3", container(), mountpoint(), "-t",
                                        "fuse.ulhff-fuse", "-o", "rw,view=pairs,allow_other"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(fs::exists(mountpoint() / "00000/000000000.txt"));
}

TEST_F(MountLifeTest, PrintsVersionsAndHelp) {
  const CommandResult version = Run({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.out, HasSubstr(std::string("ulhff-fuse ") + ULHFF_VERSION + "\n"));
  EXPECT_THAT(version.out, HasSubstr("ULHFF format 1.0\nlibfuse 3."));
  const CommandResult help = Run({"-h"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, testing::StartsWith("Usage: ulhff-fuse "));
}

class MountAsUserTest : public MountLifeTest {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root may become another user";
    if (const auto why = WhyNoMount(true)) GTEST_SKIP() << *why;
    const CommandResult run = RunCommand({FuseProgram(), "--version"}, {.user = kOtherUser});
    if (run.status != 0) GTEST_SKIP() << "another user cannot run " << FuseProgram();
    MountLifeTest::SetUp();
  }
};

// M4.
TEST_F(MountAsUserTest, MountsThroughFusermount) {
  const Mount mount(container(), {}, kOtherUser);
  const CommandResult read = RunCommand({"cat", mount / "odd/-dash .jpg"}, {.user = kOtherUser});
  EXPECT_EQ(read.out, "d") << read.err;
  // Nobody else, not even root, may look in.
  EXPECT_EQ(OpenErrno(mount / "LICENSE", O_RDONLY), EACCES);
}

// M3.
TEST_F(MountAsUserTest, EndsBySignalEvenWhenInUse) {
  Mount mount(container(), {}, kOtherUser);
  const CommandResult run = RunCommand({"sh", "-c", "exec 3<\"$1\"; kill -TERM $2; sleep 1", "sh",
                                        mount / "LICENSE", std::to_string(mount.pid())},
                                       {.user = kOtherUser});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(mount.Stop(0), 0) << mount.Log();
  EXPECT_FALSE(IsMounted(mount.path()));
}

TEST_F(MountAsUserTest, OwnsWhatItShows) {
  const Mount mount(container(), {}, kOtherUser);
  const CommandResult stat =
      RunCommand({"stat", "-c", "%u %g %a", mount / "LICENSE"}, {.user = kOtherUser});
  EXPECT_EQ(stat.out, "65534 65534 444\n");
}

TEST_F(MountAsUserTest, IsRefusedAMountpointOfSomebodyElse) {
  const CommandResult run = Run({container(), mountpoint()}, {.user = kOtherUser});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("fusermount3: "));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
  EXPECT_FALSE(IsMounted(mountpoint()));
}

// M4.
TEST_F(MountAsUserTest, IsRefusedAllowOtherUnlessFuseConfSaysSo) {
  if (ReadFile("/etc/fuse.conf").find("\nuser_allow_other") != std::string::npos) {
    GTEST_SKIP() << "/etc/fuse.conf allows it here";
  }
  ASSERT_EQ(::chown(mountpoint().c_str(), kOtherUser, kOtherUser), 0);
  const CommandResult run =
      Run({container(), mountpoint(), "-o", "allow_other"}, {.user = kOtherUser});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("user_allow_other"));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

// M5.
TEST_F(MountAsUserTest, OthersSeeRootsMountIfAllowedWithinItsModes) {
  const Mount closed(container());
  const auto read = [](const Mount& mount) {
    return RunCommand({"cat", mount / "odd/-dash .jpg"}, {.user = kOtherUser}).out;
  };
  EXPECT_EQ(read(closed), "");
  const Mount open(container(), {"-o", "allow_other"});
  EXPECT_EQ(read(open), "d");
  const Mount masked(container(), {"-o", "allow_other,umask=007"});
  EXPECT_EQ(read(masked), "");
}

TEST_F(MountAsUserTest, MountsAFileWithACommaInItsName) {
  fs::copy_file(container(), temp_ / "a,b\\c.ulhff");
  const Mount mount(temp_ / "a,b\\c.ulhff", {}, kOtherUser);
  EXPECT_THAT(ReadFile("/proc/self/mounts"),
              HasSubstr("/a,b\\134c.ulhff " + mount.path().string()));
}

}  // namespace
}  // namespace ulhff
