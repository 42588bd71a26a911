// tile-lsp-server - a language server for tile programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   editor  <->  this process  <->  MLIR's server (Upstream.h)
//
// The process ends when MLIR's server does, with its exit code: 0 if it is told
// to exit after a shutdown, 1 if the input ends before.

#include "../CommandLine.h"
#include "MessageStream.h"
#include "Server.h"
#include "Settings.h"
#include "Upstream.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace tile;
using namespace tile::lspserver;
namespace cl = llvm::cl;
namespace lsp = llvm::lsp;

namespace {
/// The command line: options of MLIR's server, and those of this tool.
struct Options {
  cl::OptionCategory category{"tile-lsp-server options"};
  cl::opt<std::string> arch{
      "arch",
      cl::desc("the architecture to compile for where a module has no "
               "tile.target: sm_80, ..."),
      cl::value_desc("NAME"), cl::cat(category)};
  cl::opt<std::string> remarks{
      "remarks",
      cl::desc("show the remarks of the passes whose flags match, .* for all"),
      cl::value_desc("REGEX"), cl::cat(category)};
  cl::opt<bool> phases{"phases", cl::desc("show what the phases refuse"),
                       cl::init(Settings().phases), cl::cat(category)};
  cl::opt<int> delay{
      "delay", cl::desc("milliseconds without a change before the phases run"),
      cl::value_desc("N"), cl::init(Settings().delay), cl::cat(category)};
  cl::opt<lsp::JSONStreamStyle> inputStyle{
      "input-style", cl::desc("how messages of the input are told apart"),
      cl::init(lsp::JSONStreamStyle::Standard),
      cl::values(clEnumValN(lsp::JSONStreamStyle::Standard, "standard",
                            "by headers, as the protocol says"),
                 clEnumValN(lsp::JSONStreamStyle::Delimited, "delimited",
                            "by lines of '// -----'")),
      cl::cat(category)};
  cl::opt<bool> pretty{"pretty", cl::desc("write JSON on several lines"),
                       cl::cat(category)};
  cl::opt<std::string> log{
      "log",
      cl::desc("what to say on standard error: error, info (default), verbose"),
      cl::value_desc("LEVEL"), cl::cat(category)};
  cl::opt<bool> litTest{
      "lit-test",
      cl::desc("the same as --input-style=delimited --pretty --log=verbose"),
      cl::cat(category)};
};
} // namespace

static std::string getLog(const Options &options) {
  if (options.log.empty() && options.litTest)
    return "verbose";
  return options.log;
}

/// Forwards the editor's messages to MLIR's server. At the end of the messages,
/// closes `requests`, which ends MLIR's server.
static void forwardFromEditor(Server &server, MessageWriter &requests,
                              lsp::JSONStreamStyle style) {
  readMessages(stdin, style,
               [&](llvm::StringRef text) { server.handleFromEditor(text); });
  requests.close();
}

/// Runs the server until MLIR's server ends, then ends the process.
[[noreturn]] static void serve(const Options &options, const Settings &settings,
                               Upstream &upstream) {
  MessageWriter editor(STDOUT_FILENO, options.pretty || options.litTest);
  MessageWriter requests(upstream.requests);
  Server server(settings, editor, requests);
  lsp::JSONStreamStyle style = options.litTest ? lsp::JSONStreamStyle::Delimited
                                               : options.inputStyle.getValue();
  std::thread(forwardFromEditor, std::ref(server), std::ref(requests), style)
      .detach();
  readMessages(upstream.answers, lsp::JSONStreamStyle::Standard,
               [&](llvm::StringRef text) { server.handleFromUpstream(text); });
  // Does not wait for the input thread, which may block, or for phases.
  std::_Exit(upstream.wait());
}

int main(int argc, char **argv) {
  nameTool("tile-lsp-server");
  if (isUpstream(argc, argv))
    return runUpstream(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv,
                              "a language server for tile programs\n");
  Settings settings{options.arch, options.remarks, options.phases,
                    options.delay};
  std::string error = settings.verify();
  if (!error.empty())
    return refuseCommand("tile-lsp-server", error);
  // Ignores SIGPIPE: an editor that stops reading also closes the input, which
  // ends the server.
  std::signal(SIGPIPE, SIG_IGN);
  std::string program = llvm::sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&main));
  std::optional<Upstream> upstream =
      Upstream::start(program, getLog(options), error);
  if (!upstream)
    return refuseCommand("tile-lsp-server",
                         "expected to start MLIR's server: " + error);
  serve(options, settings, *upstream);
}
