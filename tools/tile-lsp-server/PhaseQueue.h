// PhaseQueue.h - runs phases concurrently with the editor's requests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILELSPSERVER_PHASEQUEUE_H
#define TILE_TOOLS_TILELSPSERVER_PHASEQUEUE_H

#include "Settings.h"

#include "llvm/Support/LSP/Protocol.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tile::lspserver {

/// The state of a document at some time.
struct Snapshot {
  llvm::lsp::URIForFile uri;
  int64_t version = 0;
  std::string text;
};

/// A thread that runs the phases of a document once the document has not
/// changed for a while, one document at a time. The thread ends with the
/// process, because a phase cannot be stopped.
class PhaseQueue {
public:
  using Report =
      std::function<void(const Snapshot &, std::vector<llvm::lsp::Diagnostic>)>;

  /// @param report called from that thread, also for outdated snapshots
  explicit PhaseQueue(Report report) : report(std::move(report)) {}

  /// Runs the phases of a document after the delay of the settings, unless
  /// another snapshot of the document is added before.
  void add(Snapshot snapshot, Settings settings);
  /// Cancels the pending run of a document.
  void remove(const llvm::lsp::URIForFile &uri);

private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    Snapshot snapshot;
    Settings settings;
    Clock::time_point due;
  };

  void run();
  /// Waits for the next job that is due, and removes it.
  Job take();

  Report report;
  std::mutex mutex;
  std::condition_variable changed;
  /// Jobs by URI.
  std::map<std::string, Job> jobs;
  bool isRunning = false;
};

} // namespace tile::lspserver

#endif // TILE_TOOLS_TILELSPSERVER_PHASEQUEUE_H
