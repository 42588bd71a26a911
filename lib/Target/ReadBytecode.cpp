// ReadBytecode.cpp - a module from a file of bytecode that may be damaged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadBytecode.h"
#include "TextNesting.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace tile;

/// Limits of the child process, far above the needs of the longest program.
static constexpr unsigned kMostSeconds = 10;
static constexpr rlim_t kMostBytes = rlim_t(4) << 30;

namespace {
/// Exit status of the child: the pipe contains bytecode, or error messages.
enum ChildStatus { kRead = 0, kRefused = 1 };

/// A pipe; the destructor closes its ends.
struct Pipe {
  Pipe() { isOpen = pipe2(ends, O_CLOEXEC) == 0; }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  void closeEnd(int end) {
    if (isOpen && ends[end] >= 0)
      close(std::exchange(ends[end], -1));
  }
  int ends[2] = {-1, -1};
  bool isOpen;
};
} // namespace

static bool hasOneThread() {
  std::error_code code;
  llvm::sys::fs::directory_iterator task("/proc/self/task", code), end;
  return !code && task != end && task.increment(code) == end;
}

static OwningOpRef<ModuleOp>
parseBuffer(std::unique_ptr<llvm::MemoryBuffer> file, MLIRContext *context) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), SMLoc());
  return parseSourceFile<ModuleOp>(sources, ParserConfig(context));
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// Restores the default actions of signals and discards stderr, so that a crash
/// ends the process without output.
static void becomeSilent() {
  for (int signum :
       {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM})
    std::signal(signum, SIG_DFL);
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
}

static void limitResources() {
  alarm(kMostSeconds);
#if !LLVM_ADDRESS_SANITIZER_BUILD
  rlimit limit = {kMostBytes, kMostBytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

/// Reads `file` and writes its module to the pipe. If there is an error, writes
/// a line for the first error and a line for each of its notes.
static ChildStatus readAndWrite(std::unique_ptr<llvm::MemoryBuffer> file,
                                const DialectRegistry &dialects,
                                llvm::raw_ostream &stream) {
  // Threads of the parent may have been using its context, so the child creates
  // its own.
  MLIRContext context(dialects, MLIRContext::Threading::DISABLED);
  std::string messages;
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) {
    if (messages.empty()) {
      messages = diagnostic.str();
      for (Diagnostic &note : diagnostic.getNotes())
        messages += "\n" + note.str();
    }
    return success();
  });
  OwningOpRef<ModuleOp> module = parseBuffer(std::move(file), &context);
  if (module && succeeded(verifyNesting(*module)) &&
      succeeded(writeBytecodeToFile(*module, stream)))
    return kRead;
  stream << messages;
  return kRefused;
}

[[noreturn]] static void runChild(std::unique_ptr<llvm::MemoryBuffer> file,
                                  const DialectRegistry &dialects, int to) {
  becomeSilent();
  limitResources();
  ChildStatus status;
  {
    llvm::raw_fd_ostream stream(to, /*shouldClose=*/true);
    status = readAndWrite(std::move(file), dialects, stream);
  }
  _exit(status);
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

/// Waits for the child to end. Returns its exit status; nothing if it did not
/// exit, for example after a crash.
static std::optional<int> waitFor(pid_t child) {
  int status = 0;
  pid_t ended;
  do
    ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0 || !WIFEXITED(status))
    return std::nullopt;
  return WEXITSTATUS(status);
}

static void emitRefusal(Location loc, StringRef messages) {
  auto [error, notes] = messages.split('\n');
  if (error.empty())
    error = "expected the bytecode of a program, got a damaged file";
  InFlightDiagnostic diagnostic = emitError(loc) << error;
  SmallVector<StringRef> lines;
  notes.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    diagnostic.attachNote() << line;
}

OwningOpRef<ModuleOp>
tile::readBytecode(std::unique_ptr<llvm::MemoryBuffer> file,
                   MLIRContext *context) {
  Pipe pipe;
  pid_t child = pipe.isOpen && hasOneThread() ? fork() : -1;
  if (child < 0)
    return parseBuffer(std::move(file), context);
  if (child == 0)
    runChild(std::move(file), context->getDialectRegistry(), pipe.ends[1]);
  pipe.closeEnd(1);
  std::string name = file->getBufferIdentifier().str();
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> answer =
      llvm::MemoryBuffer::getOpenFile(
          llvm::sys::fs::convertFDToNativeFile(pipe.ends[0]), name,
          /*FileSize=*/-1);
  std::optional<int> status = waitFor(child);
  if (answer && status == kRead)
    return parseBuffer(std::move(*answer), context);
  emitRefusal(FileLineColLoc::get(context, name, 0, 0),
              answer && status == kRefused ? (*answer)->getBuffer()
                                           : StringRef());
  return nullptr;
}
