// File.cpp - read whole files, and replace files atomically
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/File.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tile::runtime;

std::string tile::runtime::describeErrno() {
  return std::generic_category().message(errno);
}

Result<std::string> tile::runtime::readFile(const std::string &path,
                                            int64_t maxBytes) {
  int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return inputError("cannot read '", path, "': ", describeErrno());
  auto closeAndFail = [&](Error error) {
    close(descriptor);
    return error;
  };

  struct stat info;
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
    return closeAndFail(
        inputError("cannot read '", path, "': expected a regular file"));
  if (info.st_size > maxBytes)
    return closeAndFail(inputError("cannot read '", path,
                                   "': expected at most ", maxBytes,
                                   " bytes, found ", info.st_size));
  std::string text(static_cast<size_t>(info.st_size), '\0');
  size_t done = 0;
  while (done < text.size()) {
    ssize_t count = read(descriptor, &text[done], text.size() - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return closeAndFail(
          runtimeError("cannot read '", path, "': ", describeErrno()));
    if (count == 0)
      break;
    done += static_cast<size_t>(count);
  }
  close(descriptor);
  text.resize(done);
  return text;
}

/// Returns the path to which `path` leads if it is a symbolic link, otherwise
/// `path`.
static std::string followLinks(const std::string &path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 || !S_ISLNK(info.st_mode))
    return path;
  char *resolved = realpath(path.c_str(), nullptr);
  if (!resolved)
    return path;
  std::string target = resolved;
  std::free(resolved);
  return target;
}

/// Creates a file with a new name in `folder` (empty, or with a slash at its
/// end) and opens it. Returns -1 and sets errno on failure. Unlike the file of
/// mkstemp, it has the permissions of any new file.
static int createBeside(const std::string &folder, std::string &name) {
  static std::atomic<unsigned> counter{0};
  int descriptor;
  do {
    name = concat(folder, ".tile-", getpid(), "-", counter++);
    descriptor =
        open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
             S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}

Result<PendingFile> PendingFile::create(const std::string &path) {
  auto fail = [&](const std::string &why) {
    return inputError("cannot write '", path, "': ", why);
  };
  if (path.empty() || path.back() == '/')
    return fail("expected the name of a file");

  PendingFile file;
  file.path = path;
  file.target = followLinks(path);
  struct stat info;
  bool exists = stat(file.target.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode))
    return fail(S_ISDIR(info.st_mode)
                    ? "expected a file, found a folder"
                    : "expected a regular file or a new one, found a device or "
                      "the like");
  // A file can be replaced without write permission for it, but a file without
  // this permission is meant not to change.
  if (exists && access(file.target.c_str(), W_OK) != 0)
    return fail(describeErrno());

  size_t slash = file.target.rfind('/');
  std::string folder =
      slash == std::string::npos ? "" : file.target.substr(0, slash + 1);
  std::string temporary;
  file.descriptor = createBeside(folder, temporary);
  if (file.descriptor < 0)
    return fail(describeErrno());
  file.temporary = temporary;
  if (exists && fchmod(file.descriptor, info.st_mode & 07777) != 0)
    return fail(describeErrno());
  return file;
}

PendingFile::PendingFile(PendingFile &&other)
    : descriptor(other.descriptor), target(std::move(other.target)),
      temporary(std::move(other.temporary)), path(std::move(other.path)) {
  other.descriptor = -1;
  other.temporary.clear();
}

PendingFile::~PendingFile() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

Status PendingFile::write(const void *data, size_t size) {
  const char *bytes = static_cast<const char *>(data);
  while (size > 0) {
    // Linux writes at most about 2 GiB in one call.
    ssize_t count = ::write(descriptor, bytes, std::min(size, size_t(1) << 30));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return runtimeError("cannot write '", path, "': ", describeErrno());
    bytes += count;
    size -= static_cast<size_t>(count);
  }
  return success();
}

Status PendingFile::commit() {
  int toClose = descriptor;
  descriptor = -1;
  if (close(toClose) != 0 || rename(temporary.c_str(), target.c_str()) != 0)
    return runtimeError("cannot write '", path, "': ", describeErrno());
  temporary.clear();
  return success();
}

Status tile::runtime::checkWritable(const std::string &path) {
  Result<PendingFile> file = PendingFile::create(path);
  if (!file)
    return file.takeError();
  return success();
}
