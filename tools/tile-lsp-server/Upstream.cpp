// Upstream.cpp - MLIR's language server as a child process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Upstream.h"

#include "tile/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tile;
using namespace tile::lspserver;

/// The first argument of the child process.
constexpr llvm::StringLiteral kUpstreamFlag = "--as-server-of-mlir";

bool lspserver::isUpstream(int argc, char **argv) {
  return argc > 1 && argv[1] == kUpstreamFlag;
}

int lspserver::runUpstream(int argc, char **argv) {
  argv[1] = argv[0];
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc - 1, argv + 1, registry));
}

namespace {
/// The two ends of a pipe, which other processes do not inherit.
struct Pipe {
  int ends[2] = {-1, -1};

  bool open() { return pipe2(ends, O_CLOEXEC) == 0; }
  int getReader() const { return ends[0]; }
  int getWriter() const { return ends[1]; }
};
} // namespace

std::optional<Upstream> Upstream::start(const std::string &program,
                                        llvm::StringRef log,
                                        std::string &error) {
  Pipe requests, answers;
  if (!requests.open() || !answers.open()) {
    error = std::strerror(errno);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, requests.getReader(),
                                   STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, answers.getWriter(),
                                   STDOUT_FILENO);
  std::string name = program, flag = kUpstreamFlag.str(),
              level = "--log=" + log.str();
  char *argv[] = {name.data(), flag.data(),
                  log.empty() ? nullptr : level.data(), nullptr};
  pid_t process;
  int status = posix_spawn(&process, program.c_str(), &actions,
                           /*attrp=*/nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(requests.getReader());
  close(answers.getWriter());
  if (status != 0) {
    error = std::strerror(status);
    return std::nullopt;
  }
  return Upstream{process, requests.getWriter(),
                  fdopen(answers.getReader(), "r")};
}

int Upstream::wait() {
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return 1;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  llvm::errs() << "tile-lsp-server: error: expected MLIR's server to go on, "
                  "got its end by signal "
               << WTERMSIG(status) << "\n";
  return 1;
}
