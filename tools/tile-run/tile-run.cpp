// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- tile-run.cpp - launch a compiled kernel with given arrays ----------===//
//
//   tile-run gemm.cubin gemm a.npy b.npy out=c.npy:128x64 1.5
//   tile-run --batch                  reads many command lines (Batch.h)
//
// FILE is a cubin with its metadata next to it, or a tile program if the
// compiler is installed. Exit codes: 0, the results are written; 1, the
// run failed; 2, the command is invalid. In the last two cases no result file
// is changed.
//
//===----------------------------------------------------------------------===//

#include "../Version.h"
#include "Batch.h"
#include "CompilerFolders.h"
#include "Execution.h"
#include "FunctionExecution.h"
#include "Operand.h"
#include "ProgramCache.h"
#include "tile/Runtime/File.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iostream>

using namespace tile::runtime;

static constexpr int kExitRuntime = 1;
static constexpr int kExitInput = 2;
/// The largest value of --device and of --threads.
static constexpr int kMaxOptionValue = 1024;

namespace {

/// The command line.
struct Options {
  std::string file;
  std::string kernel;
  std::vector<std::string> arguments;
  std::string metadata;
  // The values of --grid, --seed and --on as text and as parsed.
  std::string grid;
  std::string seed = "0";
  std::string on;
  /// The machine of --on. Nothing without --on: the run is on the GPU if there
  /// is one, else on the emulator.
  std::optional<Machine> machine;
  /// The architecture to compile for; empty: that of the GPU, or the one that
  /// the program names.
  std::string arch;
  /// A file for the counters as JSON; empty: none.
  std::string profilePath;
  int device = 0;
  bool isList = false;
  ExecutionOptions execution;
};
} // namespace

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

/// Replaces the minus of a negative number while CLI11 looks for options.
static constexpr char kMinus = '\1';

/// Whether `text` is a negative number such as "-3", "-.5" or "-inf" and not an
/// option.
static bool isNegativeNumber(const std::string &text) {
  return text.size() > 1 && text[0] == '-' &&
         bool(parseScalar(ElementType::ComplexF64, text));
}

/// Prints an error about the command line, and returns the exit code.
static int refuseCommand(const std::string &message) {
  std::cerr << "tile-run: error: " << message << "; see 'tile-run --help'\n";
  return kExitInput;
}

/// Parses the words after the command's name. Returns an exit code if there is
/// nothing else to do.
static std::optional<int> parseCommandLine(std::vector<std::string> words,
                                           Options &options) {
  CLI::App app("Runs a compiled tile kernel.", "tile-run");
  app.footer(
      "tile-run --batch reads command lines from standard input, each a "
      "JSON array of words on a line, and prints a NUL character and the "
      "exit code after what each prints.");
  app.set_version_flag("--version", tile::getVersionText("tile-run"),
                       "print the version");
  app.add_option("FILE", options.file,
                 "a cubin with its metadata beside it, or a tile program "
                 "(.mlir, .mlirbc, .tileirbc)");
  app.add_option("KERNEL", options.kernel,
                 "the name of the kernel, or of a function that launches "
                 "kernels");
  app.add_option("ARG", options.arguments,
                 "a number, or an array: FILE.npy, inout=FILE.npy, "
                 "inout=IN.npy:OUT.npy, out=FILE.npy, out=FILE.npy:64x128; "
                 "what is read may have a view, "
                 "in=FILE.npy[offset=1,shape=63x8,strides=64x1]");
  app.add_option("--grid", options.grid,
                 "blocks along x, y, z; default: as the metadata says")
      ->type_name("X,Y,Z");
  app.add_option("--on", options.on,
                 "where to run; default: on the GPU if there is one, else a "
                 "tile program runs on the emulator")
      ->type_name("cuda|emulator|cpu|cpu-decomposed");
  app.add_option("--arch", options.arch,
                 "the architecture to compile a tile program for; default: the "
                 "GPU's, on the emulator the one that the program names");
  app.add_option("--metadata", options.metadata,
                 "the metadata of a cubin; default: FILE with .json");
  app.add_option("--repeat", options.execution.repeat,
                 "then time this many runs, and print the median")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--device", options.device, "the GPU to use")
      ->check(CLI::Range(0, kMaxOptionValue));
  app.add_option("--threads", options.execution.threads,
                 "host threads of the cpu path and of the emulator; 0: as many "
                 "as are good")
      ->check(CLI::Range(0, kMaxOptionValue));
  app.add_option("--entry", options.execution.entry,
                 "the entry point that the emulator runs; default: the first "
                 "that the arguments allow");
  app.add_option("--seed", options.seed,
                 "the emulator's schedule: the order of warps and blocks, and "
                 "when asynchronous copies land")
      ->type_name("N");
  app.add_option("--schedules", options.execution.numSchedules,
                 "how many schedules the emulator tries, from --seed on")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--tolerance", options.execution.tolerance,
                 "numbers a and b of floating point may differ by this times "
                 "max(|a|, |b|, 1) under two of them, as atomic sums do")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--timeout", options.execution.timeout,
                 "the seconds that a run on the cpu path or the emulator may "
                 "take; 0: any")
      ->check(CLI::Range(0.0, 1e6));
  app.add_flag("--profile", options.execution.isProfiled,
               "print what the kernel does on the emulator, by line of the "
               "program");
  app.add_option("--profile-json", options.profilePath,
                 "write that to a file as JSON");
  app.add_flag("--list", options.isList, "print the kernels of FILE");
  CLI::Option *verbose =
      app.add_flag("--verbose", options.execution.isVerbose,
                   "say on stderr what is about to run, too");
  app.add_flag("--quiet", options.execution.isQuiet,
               "say nothing on stderr but what is wrong")
      ->excludes(verbose);

  for (std::string &word : words)
    if (isNegativeNumber(word))
      word[0] = kMinus;
  // CLI11 takes the words in reverse order.
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::Success &success) {
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    return refuseCommand(error.what());
  }
  for (std::string &argument : options.arguments)
    if (argument[0] == kMinus)
      argument[0] = '-';
  if (options.file.empty())
    return refuseCommand("expected FILE, a cubin or a tile program, found "
                         "none");
  if (options.kernel.empty() && !options.isList)
    return refuseCommand("expected the name of a kernel after '" +
                         options.file + "' (--list prints them), found none");
  return std::nullopt;
}

/// Parses the value of --on.
static Result<std::optional<Machine>> parseMachine(const std::string &text) {
  if (text.empty())
    return std::optional<Machine>();
  for (Machine machine :
       {Machine::Cuda, Machine::Emulator, Machine::Cpu, Machine::CpuDecomposed})
    if (text == getMachineName(machine))
      return std::optional<Machine>(machine);
  return inputError("expected --on=cuda, --on=emulator, --on=cpu or "
                    "--on=cpu-decomposed, found '",
                    text, "'");
}

static Result<uint64_t> parseSeed(const std::string &text) {
  uint64_t seed = 0;
  const char *end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc() && rest == end)
    return seed;
  return inputError("expected --seed=N from 0 to 2^64 - 1, found '", text, "'");
}

/// Parses "X,Y,Z"; omitted values are 1.
static Result<std::optional<Grid>> parseGrid(const std::string &text) {
  std::optional<Grid> grid;
  if (text.empty())
    return grid;
  auto fail = [&]() {
    return inputError("expected --grid=X,Y,Z with three positive numbers, "
                      "found '",
                      text, "'");
  };
  grid = Grid{1, 1, 1};
  size_t axis = 0;
  std::string_view rest = text;
  while (true) {
    size_t end = std::min(rest.find(','), rest.size());
    std::string_view extent = rest.substr(0, end);
    // 18 digits fit int64_t; the value itself is checked later.
    if (axis == 3 || extent.empty() || extent.size() > 18 ||
        extent.find_first_not_of("0123456789") != extent.npos)
      return fail();
    (*grid)[axis++] = std::stoll(std::string(extent));
    if (end == rest.size())
      break;
    rest.remove_prefix(end + 1);
  }
  return grid;
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

/// Formats sizes such as "?x64".
static std::string toString(const std::vector<StaticOrRunTime> &sizes) {
  std::string text;
  for (const StaticOrRunTime &size : sizes)
    text += concat(text.empty() ? "" : "x", size ? concat(*size) : "?");
  return text;
}

static void listArguments(const std::vector<Argument> &arguments) {
  for (const Argument &argument : arguments) {
    std::cout << "  " << argument.name << ": ";
    if (argument.kind == Argument::Kind::Scalar) {
      std::cout << getElementTypeName(argument.type) << "\n";
      continue;
    }
    std::cout << getAccessName(argument.access) << " array of "
              << getElementTypeName(argument.type);
    if (argument.shape.empty())
      std::cout << ", rank 0\n";
    else
      std::cout << ", shape " << toString(argument.shape) << ", strides "
                << toString(argument.strides) << "\n";
  }
}

static void listKernels(const ModuleMetadata &module) {
  for (const KernelMetadata &kernel : module.kernels) {
    std::cout << kernel.name << ": " << kernel.arch << ", block "
              << kernel.block[0] << "," << kernel.block[1] << ","
              << kernel.block[2];
    if (kernel.threads)
      std::cout << " (" << *kernel.threads << " threads)";
    std::cout << ", grid ";
    if (!kernel.grid)
      std::cout << "to be given";
    else
      std::cout << toString((*kernel.grid)[0]) << ", "
                << toString((*kernel.grid)[1]) << ", "
                << toString((*kernel.grid)[2]);
    std::cout << "\n";
    listArguments(kernel.arguments);
  }
  for (const HostFunction &function : module.functions) {
    std::cout << function.name << ": function, " << function.launches.size()
              << (function.launches.size() == 1 ? " launch" : " launches")
              << ", " << function.temporaries.size()
              << (function.temporaries.size() == 1 ? " temporary\n"
                                                   : " temporaries\n");
    listArguments(function.arguments);
  }
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() &&
         text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Prints the median of `times` in microseconds.
static void printTimes(std::vector<double> times) {
  if (times.empty())
    return;
  std::sort(times.begin(), times.end());
  size_t count = times.size();
  double median = count % 2 ? times[count / 2]
                            : (times[count / 2 - 1] + times[count / 2]) / 2;
  std::printf("time: median %.1f us (min %.1f, max %.1f, %zu %s)\n", median,
              times.front(), times.back(), count, count == 1 ? "run" : "runs");
}

/// Reads the operands, and checks everything that can be checked before the
/// run.
static Result<std::vector<Operand>> prepare(const KernelMetadata &kernel,
                                            const Options &options) {
  Result<std::vector<Operand>> operands =
      readOperands(concat("kernel '", kernel.name, "'"), kernel.arguments,
                   options.arguments);
  if (!operands)
    return operands;
  Result<LaunchPlan> plan =
      planLaunch(kernel, getArguments(*operands), options.execution.grid);
  if (!plan)
    return plan.takeError();
  if (Status status = checkOutputs(*operands, options.profilePath); !status)
    return status.takeError();
  if (plan->isEmpty() && !options.execution.isQuiet)
    std::cerr << "the grid is empty (" << plan->grid[0] << "," << plan->grid[1]
              << "," << plan->grid[2]
              << "): nothing is launched, and results keep their initial "
                 "values\n";
  return operands;
}

/// Reads and checks the operands of a host function.
static Result<std::vector<Operand>> prepare(const HostFunction &function,
                                            const Options &options) {
  if (options.execution.grid || !options.execution.entry.empty())
    return inputError("expected --grid and --entry with a kernel, found them "
                      "with function '",
                      function.name, "'");
  Result<std::vector<Operand>> operands =
      readOperands(concat("function '", function.name, "'"), function.arguments,
                   options.arguments);
  if (!operands)
    return operands;
  if (Result<std::vector<int64_t>> bytes =
          getTemporaryBytes(function, getArguments(*operands));
      !bytes)
    return bytes.takeError();
  if (Status status = checkOutputs(*operands, options.profilePath); !status)
    return status.takeError();
  return operands;
}

/// Flushes standard output; an error if that fails.
static Status flushOutput() {
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::cout && !std::ferror(stdout))
    return success();
  return runtimeError("cannot write standard output: ", describeErrno());
}

/// Renames all results to their final names, after everything else succeeded.
static Status publish(std::vector<PendingFile> &files) {
  if (Status status = flushOutput(); !status)
    return status;
  for (PendingFile &file : files)
    if (Status status = file.commit(); !status)
      return status;
  return success();
}

/// Writes the results of a successful run.
static Status finish(const Result<std::vector<double>> &times,
                     const std::vector<Operand> &operands) {
  if (!times)
    return times.error();
  Result<std::vector<PendingFile>> files = stageOutputs(operands);
  if (!files)
    return files.takeError();
  printTimes(*times);
  return publish(*files);
}

static void describeDevice(const CudaDevice &device, const Options &options) {
  if (options.execution.isVerbose)
    std::cerr << "device: " << device.getName() << " (" << device.getArch()
              << ")\n";
}

/// Runs a kernel that is in `binary` on `device`.
static Status runBinary(const CudaDevice &device, std::string_view binary,
                        const KernelMetadata &kernel,
                        std::vector<Operand> &operands, Options &options) {
  describeDevice(device, options);
  options.execution.machine = device.getName() + " (" + device.getArch() + ")";
  Result<Kernel> loaded = Kernel::load(device, binary, kernel);
  if (!loaded)
    return loaded.takeError();
  return finish(runOnCuda(*loaded, device, operands, options.execution),
                operands);
}

/// Runs a function whose kernels are in `binary` on `device`.
static Status runBinary(const CudaDevice &device, std::string_view binary,
                        const ModuleMetadata &module,
                        const HostFunction &function,
                        std::vector<Operand> &operands, Options &options) {
  describeDevice(device, options);
  options.execution.machine = device.getName() + " (" + device.getArch() + ")";
  Result<Function> loaded =
      Function::load(device, binary, module, function.name);
  if (!loaded)
    return loaded.takeError();
  return finish(runOnCuda(*loaded, device, operands, options.execution),
                operands);
}

namespace {
/// State that the runs of a batch share. Creating a GPU context takes longer
/// than running most kernels, and the processes of a host create their contexts
/// one after the other.
struct Shared {
  Result<CudaDevice> open(int ordinal) {
    auto known = devices.find(ordinal);
    if (known != devices.end())
      return known->second;
    Result<CudaDevice> device = CudaDevice::open(ordinal);
    if (device)
      devices.emplace(ordinal, *device);
    return device;
  }

  ProgramCache programs;
  std::map<int, CudaDevice> devices;
};
} // namespace

/// Opens the GPU on which a cubin runs.
static Result<CudaDevice> openDevice(const Options &options, Shared &shared) {
  if (Result<int> count = countCudaDevices(); !count)
    return runtimeError("no GPU found, which '", options.file,
                        "' needs: ", count.error().message);
  return shared.open(options.device);
}

static Status refuseTimeoutOnGpu(const Options &options) {
  if (options.execution.timeout == 0)
    return success();
  return inputError(
      "expected --timeout for the cpu path or the emulator, found "
      "it for a GPU");
}

/// Runs or lists a cubin. Errors that need no GPU are detected first.
static Status runCubin(Options &options, Shared &shared) {
  if (options.machine && *options.machine != Machine::Cuda)
    return inputError(
        "expected a tile program (.mlir, .mlirbc or .tileirbc) for --on=",
        getMachineName(*options.machine), ", found '", options.file, "'");
  if (!options.arch.empty())
    return inputError("expected --arch with a tile program, found it with a "
                      "cubin");
  if (Status status = refuseTimeoutOnGpu(options); !status)
    return status;
  // The limit is larger than any cubin.
  Result<std::string> binary = readFile(options.file, int64_t(1) << 30);
  if (!binary)
    return binary.takeError();
  std::string metadataPath = options.metadata.empty()
                                 ? getMetadataPath(options.file)
                                 : options.metadata;
  Result<ModuleMetadata> metadata = readMetadata(metadataPath);
  if (!metadata)
    return inputError(metadata.error().message,
                      options.metadata.empty()
                          ? " (metadata of '" + options.file + "')"
                          : "");
  if (options.isList) {
    listKernels(*metadata);
    return success();
  }
  if (const HostFunction *function = findFunction(*metadata, options.kernel)) {
    Result<std::vector<Operand>> operands = prepare(*function, options);
    if (!operands)
      return operands.takeError();
    Result<CudaDevice> device = openDevice(options, shared);
    if (!device)
      return device.takeError();
    return runBinary(*device, *binary, *metadata, *function, *operands,
                     options);
  }
  Result<const KernelMetadata *> kernel =
      findKernelOf(*metadata, options.kernel, options.file, metadataPath);
  if (!kernel)
    return kernel.takeError();
  Result<std::vector<Operand>> operands = prepare(**kernel, options);
  if (!operands)
    return operands.takeError();
  Result<CudaDevice> device = openDevice(options, shared);
  if (!device)
    return device.takeError();
  return runBinary(*device, *binary, **kernel, *operands, options);
}

/// Chooses the machine for a tile program if none is given.
static Machine chooseMachine(const Options &options) {
  // Listing kernels needs no machine, and the CPU path compiles fastest.
  if (options.isList)
    return Machine::Cpu;
  if (countCudaDevices())
    return Machine::Cuda;
  if (!options.execution.isQuiet)
    std::cerr << "no GPU found; running on the emulator\n";
  return Machine::Emulator;
}

static Status checkProgramOptions(const Options &options, Machine machine) {
  if (!options.metadata.empty())
    return inputError("expected --metadata with a cubin, found it with a tile "
                      "program");
  bool isCpu = machine == Machine::Cpu || machine == Machine::CpuDecomposed;
  if (isCpu && !options.arch.empty())
    return inputError("expected --arch for a GPU or the emulator, found it "
                      "with --on=",
                      getMachineName(machine));
  if (options.execution.tolerance != 0 && options.execution.numSchedules == 1)
    return inputError(
        "expected --tolerance with --schedules=N, which it is for, "
        "found one schedule");
  if (machine == Machine::Cuda)
    if (Status status = refuseTimeoutOnGpu(options); !status)
      return status;
  if (machine == Machine::Emulator)
    return options.execution.repeat == 0
               ? success()
               : inputError("expected --repeat on a machine that is timed, "
                            "found it with the emulator");
  bool isEmulated =
      !options.execution.entry.empty() || options.execution.seed != 0 ||
      options.execution.numSchedules != 1 || options.execution.isProfiled;
  if (isEmulated)
    return inputError("expected --entry, --seed, --schedules and --profile for "
                      "the emulator, found them with --on=",
                      getMachineName(machine));
  return success();
}

/// Writes `text` to a file that is not committed yet.
static Result<PendingFile> stageText(const std::string &path,
                                     const std::string &text) {
  Result<PendingFile> file = PendingFile::create(path);
  if (!file)
    return file;
  if (Status status = file->write(text.data(), text.size()); !status)
    return status.takeError();
  return file;
}

/// Writes the results of a run on the emulator, and prints its counters.
static Status finish(const Result<EmulationProfile> &profile,
                     const std::vector<Operand> &operands,
                     const Options &options) {
  if (!profile)
    return profile.error();
  Result<std::vector<PendingFile>> files = stageOutputs(operands);
  if (!files)
    return files.takeError();
  if (!options.profilePath.empty()) {
    Result<PendingFile> json =
        stageText(options.profilePath, profile->json + "\n");
    if (!json)
      return json.takeError();
    files->push_back(std::move(*json));
  }
  if (!profile->text.empty())
    std::cout << profile->text << "\n";
  return publish(*files);
}

/// Runs a kernel or a host function on the emulator of `arch` or on the CPU.
template <typename Callee>
static Status runCompiled(const CompiledProgram &program, const Callee &callee,
                          std::vector<Operand> &operands, Machine machine,
                          const std::string &arch, Options &options) {
  options.execution.machine = getMachineName(machine);
  if (machine != Machine::Emulator)
    return finish(runOnCpu(program, callee, operands, options.execution),
                  operands);
  options.execution.machine += " of " + arch;
  return finish(runOnEmulator(program, callee, operands, options.execution),
                operands, options);
}

/// Runs a host function of a program that is compiled for `machine`, on
/// `device` if that is a GPU.
static Status runFunction(const CompiledProgram &program,
                          const HostFunction &function, Machine machine,
                          const std::optional<CudaDevice> &device,
                          Options &options) {
  Result<std::vector<Operand>> operands = prepare(function, options);
  if (!operands)
    return operands.takeError();
  const ModuleMetadata &metadata = program.getMetadata();
  if (device)
    return runBinary(*device, program.getBinary(), metadata, function,
                     *operands, options);
  return runCompiled(program, function, *operands, machine,
                     metadata.kernels.front().arch, options);
}

/// Compiles a tile program, and runs or lists it.
static Status runProgram(Options &options, Shared &shared) {
  Machine machine = options.machine ? *options.machine : chooseMachine(options);
  if (Status status = checkProgramOptions(options, machine); !status)
    return status;
  std::optional<CudaDevice> device;
  std::string arch = options.arch;
  if (machine == Machine::Cuda) {
    Result<CudaDevice> opened = shared.open(options.device);
    if (!opened)
      return opened.takeError();
    device = std::move(*opened);
    if (arch.empty())
      arch = device->getArch();
  }

  Result<CompilerLibrary> compiler =
      CompilerLibrary::find(getCompilerFolders());
  if (!compiler)
    return runtimeError("'", options.file,
                        "' has to be compiled: ", compiler.error().message);
  if (options.execution.isVerbose)
    std::cerr << "compiler: " << compiler->getPath() << "\n";
  Result<CompiledProgram> program = shared.programs.compile(
      *compiler, options.file, options.isList ? "" : options.kernel, machine,
      arch);
  if (!program)
    return program.takeError();
  if (options.isList) {
    listKernels(program->getMetadata());
    return success();
  }
  if (const HostFunction *function =
          findFunction(program->getMetadata(), options.kernel))
    return runFunction(*program, *function, machine, device, options);
  Result<const KernelMetadata *> kernel =
      findKernel(program->getMetadata(), options.kernel, options.file);
  if (!kernel)
    return kernel.takeError();
  Result<std::vector<Operand>> operands = prepare(**kernel, options);
  if (!operands)
    return operands.takeError();
  if (device)
    return runBinary(*device, program->getBinary(), **kernel, *operands,
                     options);
  return runCompiled(*program, **kernel, *operands, machine, (*kernel)->arch,
                     options);
}

static Status run(Options &options, Shared &shared) {
  Result<std::optional<Machine>> machine = parseMachine(options.on);
  if (!machine)
    return machine.takeError();
  options.machine = *machine;
  Result<uint64_t> seed = parseSeed(options.seed);
  if (!seed)
    return seed.takeError();
  options.execution.seed = *seed;
  if (!options.profilePath.empty())
    options.execution.isProfiled = true;
  Result<std::optional<Grid>> grid = parseGrid(options.grid);
  if (!grid)
    return grid.takeError();
  options.execution.grid = *grid;
  bool isProgram = endsWith(options.file, ".mlir") ||
                   endsWith(options.file, ".mlirbc") ||
                   endsWith(options.file, ".tileirbc");
  return isProgram ? runProgram(options, shared) : runCubin(options, shared);
}

/// Prints the error of `status`, if any, and returns the exit code.
static int report(const Status &status) {
  if (status)
    return 0;
  std::cerr << "tile-run: error: " << status.error().message << "\n";
  return status.error().kind == ErrorKind::Input ? kExitInput : kExitRuntime;
}

/// Executes one command line, and returns its exit code.
static int runWords(std::vector<std::string> words, Shared &shared) {
  Options options;
  if (std::optional<int> exitCode = parseCommandLine(std::move(words), options))
    return *exitCode;
  Status status = run(options, shared);
  return report(status ? flushOutput() : status);
}

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  Shared shared;
  if (words != std::vector<std::string>{"--batch"})
    return runWords(std::move(words), shared);
  return report(runBatch([&](std::vector<std::string> words) {
    return runWords(std::move(words), shared);
  }));
}
