// Isolated.cpp - runs a function in its own process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Isolated.h"

#include "llvm/ADT/StringExtras.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tile::fuzz;
using llvm::StringRef;

bool tile::fuzz::isRight(Ending ending) {
  return ending == Ending::kResult || ending == Ending::kDiagnostic;
}

StringRef tile::fuzz::getName(Ending ending) {
  switch (ending) {
  case Ending::kResult:
    return "result";
  case Ending::kDiagnostic:
    return "diagnostic";
  case Ending::kNoDiagnostic:
    return "failure without a diagnostic";
  case Ending::kBoth:
    return "result in spite of an error";
  case Ending::kCrash:
    return "crash";
  case Ending::kTime:
    return "time";
  case Ending::kMemory:
    return "memory";
  }
  return "";
}

namespace {
/// A file in memory, which a child process writes and its parent reads.
class MemoryFile {
public:
  MemoryFile() : descriptor(memfd_create("isolated", 0)) {
    if (descriptor < 0)
      std::abort();
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() { close(descriptor); }

  int getDescriptor() const { return descriptor; }

  std::string read() const {
    std::string text(lseek(descriptor, 0, SEEK_END), '\0');
    ssize_t length = pread(descriptor, text.data(), text.size(), 0);
    text.resize(std::max<ssize_t>(length, 0));
    return text;
  }

private:
  int descriptor;
};
} // namespace

static void setLimit(int resource, rlim_t limit) {
  rlimit both{limit, limit};
  if (setrlimit(resource, &both) != 0)
    std::abort();
}

/// Returns the size in bytes of the process's address space.
static rlim_t getAddressSpace() {
  unsigned long pages = 0;
  if (FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return rlim_t(pages) * getpagesize();
}

/// Runs the function in the child process; does not return.
[[noreturn]] static void
work(llvm::function_ref<bool(llvm::raw_ostream &)> work, const Limits &limits,
     const MemoryFile &messages, const MemoryFile &result) {
  dup2(messages.getDescriptor(), STDOUT_FILENO);
  dup2(messages.getDescriptor(), STDERR_FILENO);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_CPU, limits.seconds);
  setLimit(RLIMIT_AS, getAddressSpace() + (rlim_t(limits.megabytes) << 20));
  // A process that waits forever uses no processor time.
  alarm(20 * limits.seconds);
  bool succeeded;
  {
    llvm::raw_fd_ostream stream(result.getDescriptor(), /*shouldClose=*/false);
    succeeded = work(stream);
  }
  llvm::outs().flush();
  llvm::errs().flush();
  _exit(succeeded ? 0 : 1);
}

/// Returns how a child with wait status `status` and output `messages` ended.
static Ending getEnding(int status, StringRef messages) {
  if (WIFSIGNALED(status)) {
    int signal = WTERMSIG(status);
    if (signal == SIGXCPU || signal == SIGKILL || signal == SIGALRM)
      return Ending::kTime;
    bool lacksMemory = messages.contains_insensitive("out of memory") ||
                       messages.contains("bad_alloc");
    return lacksMemory ? Ending::kMemory : Ending::kCrash;
  }
  if (messages.contains("LLVM ERROR"))
    return messages.contains_insensitive("out of memory") ? Ending::kMemory
                                                          : Ending::kCrash;
  bool hasError = messages.contains("error: ");
  switch (WEXITSTATUS(status)) {
  case 0:
    return hasError ? Ending::kBoth : Ending::kResult;
  case 1:
    return hasError ? Ending::kDiagnostic : Ending::kNoDiagnostic;
  default:
    return Ending::kCrash;
  }
}

Outcome
tile::fuzz::runIsolated(llvm::function_ref<bool(llvm::raw_ostream &)> function,
                        const Limits &limits) {
  MemoryFile messages, result;
  llvm::outs().flush();
  pid_t child = fork();
  if (child < 0)
    std::abort();
  if (child == 0)
    work(function, limits, messages, result);
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child)
    std::abort();
  auto toSeconds = [](timeval time) {
    return double(time.tv_sec) + double(time.tv_usec) / 1e6;
  };
  std::string text = messages.read();
  return {getEnding(status, text), text, result.read(),
          toSeconds(usage.ru_utime) + toSeconds(usage.ru_stime)};
}
