// Workers.cpp - runs trials in child processes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workers.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tile::fuzz;

namespace {
using Clock = std::chrono::steady_clock;

/// A child's message that it starts a trial, or the trial's result. It is small
/// enough for an atomic write to a pipe.
struct Message {
  uint64_t seed;
  bool isEnd;
  TrialResult result;
};

/// A child process and its next seed. Each later seed of the child is larger by
/// the number of children.
struct Worker {
  uint64_t nextSeed;
  pid_t process = -1;
  int pipe = -1;
  std::optional<uint64_t> current = std::nullopt;
  bool isDone = false;
};

class Supervisor {
public:
  Supervisor(const WorkerOptions &options,
             const std::function<TrialResult(uint64_t)> &trial,
             const std::function<void(uint64_t, const std::string &)> &crashed)
      : options(options), trial(trial), crashed(crashed),
        end(options.firstSeed + options.count), start(Clock::now()) {
    for (unsigned job = 0; job < options.jobs; ++job)
      workers.push_back({options.firstSeed + job});
  }

  Summary run();

private:
  bool isLate() const {
    return options.seconds > 0 &&
           std::chrono::duration<double>(Clock::now() - start).count() >
               options.seconds;
  }
  void begin(Worker &worker);
  [[noreturn]] void work(const Worker &worker, int pipe);
  void receive(Worker &worker);
  void finish(Worker &worker);

  const WorkerOptions &options;
  const std::function<TrialResult(uint64_t)> &trial;
  const std::function<void(uint64_t, const std::string &)> &crashed;
  uint64_t end;
  Clock::time_point start;
  std::vector<Worker> workers;
  Summary summary;
};
} // namespace

/// Runs trials in the child until there are no more. The programs' output is
/// discarded.
void Supervisor::work(const Worker &worker, int pipe) {
  if (!std::freopen("/dev/null", "w", stdout))
    _exit(2);
  auto say = [&](const Message &message) {
    if (write(pipe, &message, sizeof message) != sizeof message)
      _exit(2);
  };
  for (uint64_t seed = worker.nextSeed; seed < end && !isLate();
       seed += options.jobs) {
    say({seed, false, {}});
    alarm(options.trialSeconds);
    TrialResult result = trial(seed);
    alarm(0);
    say({seed, true, result});
  }
  _exit(0);
}

void Supervisor::begin(Worker &worker) {
  int ends[2];
  if (worker.nextSeed >= end || isLate() || pipe(ends) != 0) {
    worker.isDone = true;
    return;
  }
  worker.process = fork();
  if (worker.process == 0) {
    close(ends[0]);
    work(worker, ends[1]);
  }
  close(ends[1]);
  worker.pipe = ends[0];
}

static std::string describeEnd(int status) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM
               ? "takes too long"
               : std::string("crash: ") + strsignal(WTERMSIG(status));
  return "ended with exit status " + std::to_string(WEXITSTATUS(status));
}

/// Handles the end of a child. If it ended during a trial, that trial has
/// failed; otherwise all its trials are done.
void Supervisor::finish(Worker &worker) {
  int status = 0;
  waitpid(worker.process, &status, 0);
  close(worker.pipe);
  worker.pipe = -1;
  if (!worker.current) {
    worker.isDone = true;
    return;
  }
  ++summary.numRun;
  ++summary.numFailed;
  crashed(*worker.current, describeEnd(status));
  worker.current.reset();
}

void Supervisor::receive(Worker &worker) {
  Message message;
  if (read(worker.pipe, &message, sizeof message) != sizeof message)
    return finish(worker);
  worker.nextSeed = message.seed + options.jobs;
  if (!message.isEnd) {
    worker.current = message.seed;
    return;
  }
  worker.current.reset();
  summary.numRun += message.result.isRun;
  summary.numFailed += !message.result.isRight;
  summary.counts += message.result.counts;
  summary.derivatives.add(message.result.derivatives);
}

Summary Supervisor::run() {
  while (true) {
    std::vector<pollfd> waits;
    std::vector<Worker *> waiting;
    for (Worker &worker : workers) {
      if (!worker.isDone && worker.pipe < 0)
        begin(worker);
      if (worker.isDone)
        continue;
      waits.push_back({worker.pipe, POLLIN, 0});
      waiting.push_back(&worker);
    }
    if (waits.empty())
      return summary;
    poll(waits.data(), waits.size(), -1);
    for (size_t i = 0; i < waits.size(); ++i)
      if (waits[i].revents != 0)
        receive(*waiting[i]);
  }
}

Summary tile::fuzz::runTrials(
    const WorkerOptions &options,
    const std::function<TrialResult(uint64_t)> &trial,
    const std::function<void(uint64_t, const std::string &)> &crashed) {
  return Supervisor(options, trial, crashed).run();
}
