// OutputFiles.cpp - write all outputs or none
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

void OutputFiles::add(llvm::StringRef path, std::string contents) {
  files.push_back({path.str(), std::move(contents), {}});
}

bool OutputFiles::fail(llvm::StringRef path, std::error_code code) {
  std::string name = path == "-" ? "standard output" : ("'" + path + "'").str();
  error = "cannot write " + name + ": " + code.message();
  return false;
}

bool OutputFiles::isStream(llvm::StringRef path) {
  return path == "-" || (llvm::sys::fs::exists(path) &&
                         !llvm::sys::fs::is_regular_file(path) &&
                         !llvm::sys::fs::is_directory(path));
}

bool OutputFiles::isInput(const File &file) {
  if (isStream(file.path) || !llvm::sys::fs::equivalent(file.path, input))
    return false;
  error = "expected an output (-o) of another name than the program, '" +
          file.path + "'";
  return true;
}

bool OutputFiles::writeInPlace(const File &file) {
  std::error_code code;
  llvm::raw_fd_ostream stream(file.path, code);
  if (code)
    return fail(file.path, code);
  stream << file.contents;
  stream.flush();
  code = stream.error();
  stream.clear_error();
  return !code || fail(file.path, code);
}

bool OutputFiles::writeBeside(File &file) {
  // A directory is detected here, before any other file is renamed.
  if (llvm::sys::fs::is_directory(file.path))
    return fail(file.path, std::make_error_code(std::errc::is_a_directory));
  llvm::SmallString<128> temporary;
  int descriptor = -1;
  std::error_code code = llvm::sys::fs::createUniqueFile(
      file.path + ".%%%%%%.tmp", descriptor, temporary, llvm::sys::fs::OF_None,
      llvm::sys::fs::all_read | llvm::sys::fs::all_write);
  if (code)
    return fail(file.path, code);
  file.temporary = std::string(temporary);
  llvm::sys::RemoveFileOnSignal(file.temporary);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream << file.contents;
  stream.close();
  code = stream.error();
  stream.clear_error();
  return !code || fail(file.path, code);
}

bool OutputFiles::rename(File &file) {
  if (std::error_code code = llvm::sys::fs::rename(file.temporary, file.path))
    return fail(file.path, code);
  llvm::sys::DontRemoveFileOnSignal(file.temporary);
  file.temporary.clear();
  return true;
}

bool OutputFiles::write() {
  for (const File &file : files)
    if (isInput(file))
      return false;
  bool isWritten = true;
  for (File &file : files)
    if (isWritten && !isStream(file.path))
      isWritten = writeBeside(file);
  for (File &file : files)
    if (isWritten && isStream(file.path))
      isWritten = writeInPlace(file);
  for (File &file : files)
    if (isWritten && !file.temporary.empty())
      isWritten = rename(file);
  for (File &file : files)
    if (!file.temporary.empty()) {
      llvm::sys::fs::remove(file.temporary);
      llvm::sys::DontRemoveFileOnSignal(file.temporary);
    }
  return isWritten;
}
