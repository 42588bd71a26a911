// BytecodeTrial.cpp - whether a file of bytecode can be read at all
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BytecodeTrial.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;

/// Far more than the longest program takes.
static constexpr unsigned kMostSeconds = 10;

/// Ends by signals as the system does, without a word.
static void becomeSilent() {
  for (int number :
       {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM})
    std::signal(number, SIG_DFL);
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO);
}

static void read(const std::shared_ptr<llvm::SourceMgr> &sources,
                 const DialectRegistry &dialects) {
  // The parent's context may be in the hands of its threads.
  MLIRContext context(dialects, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  auto module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
}

/// What the reader wrote where it should not have is seen when memory is given
/// back.
static void checkHeap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

[[noreturn]] static void
readInChild(const std::shared_ptr<llvm::SourceMgr> &sources,
            const DialectRegistry &dialects) {
  becomeSilent();
  alarm(kMostSeconds);
  read(sources, dialects);
  checkHeap();
  _exit(0);
}

bool tile::tryBytecode(const std::shared_ptr<llvm::SourceMgr> &sources,
                       MLIRContext &context) {
  pid_t child = fork();
  if (child < 0)
    return true;
  if (child == 0)
    readInChild(sources, context.getDialectRegistry());
  int status = 0;
  pid_t ended;
  do
    ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
