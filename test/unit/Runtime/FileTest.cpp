// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/File.h"

#include "Fakes/TemporaryFolder.h"

#include <filesystem>

#include <sys/stat.h>

using namespace tile::runtime;

using Names = std::vector<std::string>;

TEST(File, ReadsWholeFiles) {
  TemporaryFolder folder;
  std::string path = folder.write("a", std::string("x\0y", 3));
  EXPECT_EQ(*readFile(path, 3), std::string("x\0y", 3));
  EXPECT_EQ(readFile(path, 2).error().message,
            "cannot read '" + path + "': expected at most 2 bytes, found 3");
  EXPECT_EQ(readFile(folder / "b", 2).error().message,
            "cannot read '" + (folder / "b") + "': No such file or directory");
  EXPECT_EQ(readFile(folder / "", 2).error().message,
            "cannot read '" + (folder / "") + "': expected a regular file");
}

TEST(PendingFile, TakesItsPlaceWhenCommitted) {
  TemporaryFolder folder;
  std::string path = folder.write("a", "old");
  chmod(path.c_str(), 0640);
  Result<PendingFile> file = PendingFile::create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("new", 3));
  EXPECT_EQ(folder.read("a"), "old");
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_EQ(folder.list(), Names{"a"});
  struct stat info;
  stat(path.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(PendingFile, LeavesNothingWithoutCommit) {
  TemporaryFolder folder;
  {
    Result<PendingFile> file = PendingFile::create(folder / "a");
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new", 3));
  }
  EXPECT_EQ(folder.list(), Names{});
  EXPECT_TRUE(checkWritable(folder / "a"));
  EXPECT_EQ(folder.list(), Names{});
}

// The link remains a link, and its target is replaced.
TEST(PendingFile, FollowsLinks) {
  TemporaryFolder folder;
  folder.write("a", "old");
  std::filesystem::create_symlink("a", folder / "link");
  Result<PendingFile> file = PendingFile::create(folder / "link");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("new", 3));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(folder.read("a"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

TEST(PendingFile, RefusesWhatIsNoFile) {
  TemporaryFolder folder;
  EXPECT_EQ(checkWritable("/dev/null").error().message,
            "cannot write '/dev/null': expected a regular file or a new one, "
            "found a device or the like");
  std::filesystem::create_directory(folder / "d");
  EXPECT_EQ(checkWritable(folder / "d").error().message,
            "cannot write '" + (folder / "d") +
                "': expected a file, found a folder");
  EXPECT_EQ(checkWritable(folder / "no/a").error().message,
            "cannot write '" + (folder / "no/a") +
                "': No such file or directory");
  EXPECT_FALSE(checkWritable(""));
  EXPECT_FALSE(checkWritable(folder / "d/"));
}
