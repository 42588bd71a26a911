// ProgramRun.cpp - run a program on files that do not outlive it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramRun.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

static const char *const kOutputName = "messages.txt";

TemporaryDirectory::TemporaryDirectory() {
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("tile-mlir", path)) {
    error = "cannot make a temporary directory: " + code.message();
    path.clear();
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  if (isValid())
    llvm::sys::fs::remove_directories(path);
}

std::string TemporaryDirectory::getFile(llvm::StringRef name) const {
  llvm::SmallString<128> file(path);
  llvm::sys::path::append(file, name);
  return std::string(file);
}

bool TemporaryDirectory::write(llvm::StringRef name, llvm::StringRef contents) {
  std::error_code code;
  std::string file = getFile(name);
  llvm::raw_fd_ostream stream(file, code);
  if (!code) {
    stream << contents;
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    error = "cannot write '" + file + "': " + code.message();
  return !code;
}

bool TemporaryDirectory::read(llvm::StringRef name, std::string &contents) {
  std::string file = getFile(name);
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) {
    error = "cannot read '" + file + "': " + buffer.getError().message();
    return false;
  }
  contents = (*buffer)->getBuffer().str();
  return true;
}

bool tile::runProgram(llvm::StringRef program,
                      llvm::ArrayRef<std::string> arguments,
                      TemporaryDirectory &directory, std::string &messages) {
  llvm::SmallVector<llvm::StringRef> words{program};
  words.append(arguments.begin(), arguments.end());
  std::string output = directory.getFile(kOutputName);
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(""), llvm::StringRef(output), llvm::StringRef(output)};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(program, words, std::nullopt,
                                         redirects, /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &error);
  messages.clear();
  if (!directory.read(kOutputName, messages) && status == 0)
    return true; // The program printed nothing.
  if (!error.empty())
    messages += error;
  return status == 0;
}
