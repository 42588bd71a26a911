// PhaseQueue.cpp - runs phases concurrently with the editor's requests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PhaseQueue.h"

#include "Phases.h"

#include "llvm/ADT/STLExtras.h"

using namespace tile;
using namespace tile::lspserver;

void PhaseQueue::add(Snapshot snapshot, Settings settings) {
  std::lock_guard<std::mutex> lock(mutex);
  std::string key = snapshot.uri.uri().str();
  auto due = Clock::now() + std::chrono::milliseconds(settings.delay);
  jobs[key] = {std::move(snapshot), std::move(settings), due};
  changed.notify_one();
  if (!isRunning)
    std::thread([this] { run(); }).detach();
  isRunning = true;
}

void PhaseQueue::remove(const llvm::lsp::URIForFile &uri) {
  std::lock_guard<std::mutex> lock(mutex);
  jobs.erase(uri.uri().str());
}

PhaseQueue::Job PhaseQueue::take() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    if (jobs.empty()) {
      changed.wait(lock);
      continue;
    }
    auto first = llvm::min_element(jobs, [](const auto &a, const auto &b) {
      return a.second.due < b.second.due;
    });
    if (first->second.due <= Clock::now()) {
      Job job = std::move(first->second);
      jobs.erase(first);
      return job;
    }
    changed.wait_until(lock, Clock::time_point(first->second.due));
  }
}

void PhaseQueue::run() {
  while (true) {
    Job job = take();
    const Snapshot &snapshot = job.snapshot;
    report(snapshot, runPhases(snapshot.uri, snapshot.text, job.settings));
  }
}
