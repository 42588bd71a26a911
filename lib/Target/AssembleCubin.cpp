// AssembleCubin.cpp - assemble PTX to the binary that the driver loads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/AssembleCubin.h"

#include "ProgramRun.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tile;

static InFlightDiagnostic emitMissing(Location location, StringRef program,
                                      const ToolkitFile &file) {
  return emitError(location) << "expected '" << program
                             << "' of the CUDA toolkit, " << file.getMissing();
}

static InFlightDiagnostic emitFailed(Location location, StringRef program,
                                     StringRef messages) {
  return emitError(location)
         << "expected '" << program << "' to succeed, got:\n"
         << messages.rtrim();
}

/// Warns of warpgroup MMAs that ptxas serializes, with the reason that it
/// reports.
static void warnOfSerialized(Location location, StringRef messages) {
  SmallVector<StringRef> lines;
  messages.split(lines, '\n');
  for (StringRef line : lines)
    if (line.contains("wgmma.mma_async instructions are serialized"))
      emitWarning(location)
          << "expected products in flight, got: " << line.trim();
}

FailureOr<AssembledCubin>
tile::assembleCubin(Location location, StringRef ptx,
                    const Architecture &architecture,
                    const AssembleCubinOptions &options) {
  const ToolkitFile &ptxas = options.ptxas;
  if (!ptxas.isProgram())
    return emitMissing(location, "ptxas", ptxas);
  TemporaryDirectory directory;
  if (!directory.isValid() || !directory.write("kernel.ptx", ptx))
    return emitError(location) << directory.error;
  SmallVector<std::string> arguments = {
      "-v", "-arch=" + architecture.name.str(), "-O3",
      // Compiles functions in parallel, which takes less time and gives
      // identical code.
      "--split-compile=0"};
  if (options.lineTables)
    arguments.push_back("-lineinfo");
  arguments.append({directory.getFile("kernel.ptx"), "-o",
                    directory.getFile("kernel.cubin")});
  std::string messages;
  if (!runProgram(ptxas.path, arguments, directory, messages))
    return emitFailed(location, ptxas.path, messages);
  AssembledCubin result;
  if (!directory.read("kernel.cubin", result.cubin))
    return emitError(location) << directory.error;
  warnOfSerialized(location, messages);
  result.facts = parseAssemblyFacts(messages);
  return result;
}

/// Returns the integer before `unit`, as in "24 bytes stack frame"; zero if it
/// is absent.
static int64_t integerBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return 0;
  StringRef before = line.take_front(end).rtrim();
  size_t start = before.find_last_not_of("0123456789");
  int64_t value = 0;
  before.drop_front(start == StringRef::npos ? 0 : start + 1)
      .getAsInteger(10, value);
  return value;
}

// The messages of ptxas 13.0 about an entry point:
//
//   ptxas info    : Compiling entry function 'gemm' for 'sm_90a'
//   ptxas info    : Function properties for gemm
//       8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
//   ptxas info    : Used 168 registers, used 1 barriers, 8 bytes cumulative ...
std::vector<AssemblyFacts> tile::parseAssemblyFacts(StringRef messages) {
  std::vector<AssemblyFacts> result;
  SmallVector<StringRef> lines;
  messages.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("Compiling entry function '")) {
      result.emplace_back();
      result.back().entry = line.split('\'').second.split('\'').first.str();
    }
    if (result.empty())
      continue;
    AssemblyFacts &facts = result.back();
    if (line.contains(" bytes stack frame")) {
      facts.stackBytes = integerBefore(line, " bytes stack frame");
      facts.spillStoreBytes = integerBefore(line, " bytes spill stores");
      facts.spillLoadBytes = integerBefore(line, " bytes spill loads");
    }
    if (line.contains(": Used "))
      facts.registers = integerBefore(line, " registers");
  }
  return result;
}

FailureOr<std::string> tile::joinFatbin(Location location,
                                        ArrayRef<FatbinImage> images,
                                        const ToolkitFile &fatbinary) {
  if (!fatbinary.isProgram())
    return emitMissing(location, "fatbinary", fatbinary);
  TemporaryDirectory directory;
  if (!directory.isValid())
    return emitError(location) << directory.error;
  SmallVector<std::string> arguments = {
      "-64", "--create=" + directory.getFile("kernel.fatbin")};
  for (const FatbinImage &image : images) {
    std::string architecture = image.architecture->name.str();
    std::string file = architecture + ".cubin";
    if (!directory.write(file, image.cubin))
      return emitError(location) << directory.error;
    arguments.push_back("--image3=kind=elf,sm=" + architecture.substr(3) +
                        ",file=" + directory.getFile(file));
  }
  std::string messages, result;
  if (!runProgram(fatbinary.path, arguments, directory, messages))
    return emitFailed(location, fatbinary.path, messages);
  if (!directory.read("kernel.fatbin", result))
    return emitError(location) << directory.error;
  return result;
}
