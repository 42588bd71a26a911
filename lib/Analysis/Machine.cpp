// Machine.cpp - rates of a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Machine.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tile;

// Fitted to docs/performance/plans.csv, which was measured on an H200. It has
// the multiprocessors of the H100, and a faster memory.
static constexpr KernelCosts kHopperCosts = {
    /*memoryGigabytes=*/4279,
    /*launchCycles=*/2000,
    /*blockCycles=*/149.6,
    /*warpCycles=*/74.5,
    /*stepCycles=*/198.7,
    /*copiedBytes=*/45.27,
    /*loadedBytes=*/15,
    /*storedBytes=*/17.27,
    /*spilledBytes=*/64,
    /*sharedCopiedBytes=*/5194,
    /*issuedSlots=*/11.05,
    /*slotCycles=*/0.4,
    /*loadCycles=*/300,
    /*shuffleCycles=*/147.7,
    /*barrierCycles=*/200.1,
    /*warpMmaFactor=*/2.18};

// The costs of architectures of which no card was at hand are those of the
// H200, with the same share of their memory's bandwidth. `warpMmaFactor` is
// assumed: where warpgroups or single threads start MMAs, those of warps are as
// slow as on the H200, elsewhere they reach the rate of the tensor cores.
static constexpr KernelCosts getCosts(double gigabytes, double warpMmaFactor) {
  constexpr double kOfH200 = 4800;
  KernelCosts costs = kHopperCosts;
  costs.memoryGigabytes *= gigabytes / kOfH200;
  costs.warpMmaFactor = warpMmaFactor;
  return costs;
}

// The FP16 rate by FMA is for pairs in a register. The BF16 rate may be lower
// (half on the A100); the bound remains valid. Clocks are the boost clocks of
// the same sources.
static const Machine kMachines[] = {
    {80,
     "A100 SXM 80 GB",
     "NVIDIA A100 datasheet and whitepaper",
     {2039, 19.5, 156, 312, 0, 624, 9.7, 19.5, 78},
     1.41,
     getCosts(2039, 1)},
    {86,
     "A40",
     "NVIDIA A40 datasheet",
     {696, 0, 74.8, 149.7, 0, 299.3, 0.58, 37.4, 37.4},
     1.74,
     getCosts(696, 1)},
    {89,
     "L40",
     "NVIDIA L40 datasheet",
     {864, 0, 90.5, 181.05, 362, 362, 1.41, 90.5, 90.5},
     2.49,
     getCosts(864, 1)},
    {90,
     "H100 SXM5 80 GB",
     "NVIDIA H100 whitepaper",
     {3350, 66.9, 494.7, 989.4, 1978.9, 1978.9, 33.5, 66.9, 133.8},
     1.83,
     kHopperCosts},
    {100,
     "B200 HGX 180 GB",
     "NVIDIA HGX B200 datasheet",
     {7700, 37, 1100, 2250, 4500, 4500, 37, 75, 150},
     1.86,
     getCosts(7700, kHopperCosts.warpMmaFactor)},
    {120,
     "RTX PRO 6000 Blackwell",
     "NVIDIA RTX PRO 6000 Blackwell datasheet",
     {1792, 0, 251.9, 503.8, 1007.6, 1007.6, 1.97, 126, 126},
     2.62,
     getCosts(1792, 1)},
};

int64_t Machine::getProcessors() const {
  auto isOwn = [&](const Architecture &each) { return each.number == number; };
  return llvm::find_if(getArchitectures(), isOwn)->processors;
}

double Machine::getTeraflops(llvm::StringRef unit) const {
  return llvm::StringSwitch<double>(unit)
      .Case("mma f64", peak.mmaF64)
      .Case("mma tf32", peak.mmaTF32)
      .Case("mma f16", peak.mmaF16)
      .Case("mma f8", peak.mmaF8)
      .Case("mma i8", peak.mmaI8)
      .Case("fma f64", peak.fmaF64)
      .Case("fma f32", peak.fmaF32)
      .Case("fma f16", peak.fmaF16)
      .Default(0);
}

double Machine::getOperationsPerCycle(llvm::StringRef unit) const {
  constexpr double kGigaInTera = 1e3;
  return getTeraflops(unit) * kGigaInTera /
         (gigahertz * double(getProcessors()));
}

double Machine::getMmaCycles(llvm::StringRef unit, double multiplyAdds,
                             bool byWarp) const {
  constexpr double kOperations = 2;
  // Units that compute with elements of a type which a part lacks.
  std::string fma = "fma " + unit.split(' ').second.str();
  double rate = 0;
  for (llvm::StringRef known :
       {unit, llvm::StringRef(fma), llvm::StringRef("mma f16")})
    if (rate == 0)
      rate = getOperationsPerCycle(known);
  double cycles = multiplyAdds * kOperations / rate;
  return byWarp ? cycles * costs.warpMmaFactor : cycles;
}

const Machine *tile::findMachine(const Architecture &architecture) {
  for (const Machine &machine : kMachines)
    if (machine.number == architecture.number)
      return &machine;
  return nullptr;
}

const Machine &tile::getMachineOfEstimates(const Architecture &architecture) {
  auto getNumber = [&] {
    switch (architecture.number) {
    case 87:
      return 86;
    case 103:
      return 100;
    case 121:
      return 120;
    default:
      return architecture.number;
    }
  };
  return *llvm::find_if(kMachines, [number = getNumber()](const Machine &each) {
    return each.number == number;
  });
}

std::string tile::getUnit(bool isMma, llvm::StringRef operandType) {
  llvm::StringRef type = operandType.starts_with("f8") ? "f8"
                         : operandType == "bf16"       ? "f16"
                                                       : operandType;
  return (isMma ? "mma " : "fma ") + type.str();
}
