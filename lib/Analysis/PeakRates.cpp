// PeakRates.cpp - peak rates of a GPU, for the roofline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/PeakRates.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tile;

// The FP16 rate by FMA is for pairs in a register. The BF16 rate may be lower
// (half on the A100); the bound remains valid.
static const PeakRates kRates[] = {
    {80, "A100 SXM 80 GB", "NVIDIA A100 datasheet and whitepaper", 2039, 19.5,
     156, 312, 0, 624, 9.7, 19.5, 78},
    {86, "A40", "NVIDIA A40 datasheet", 696, 0, 74.8, 149.7, 0, 299.3, 0.58,
     37.4, 37.4},
    {89, "L40", "NVIDIA L40 datasheet", 864, 0, 90.5, 181.05, 362, 362, 1.41,
     90.5, 90.5},
    // An H200 has the same multiprocessors and 4800 GB/s.
    {90, "H100 SXM5 80 GB", "NVIDIA H100 whitepaper", 3350, 66.9, 494.7, 989.4,
     1978.9, 1978.9, 33.5, 66.9, 133.8},
};

double PeakRates::getTeraflops(llvm::StringRef unit) const {
  return llvm::StringSwitch<double>(unit)
      .Case("mma f64", mmaF64)
      .Case("mma tf32", mmaTF32)
      .Case("mma f16", mmaF16)
      .Case("mma f8", mmaF8)
      .Case("mma i8", mmaI8)
      .Case("fma f64", fmaF64)
      .Case("fma f32", fmaF32)
      .Case("fma f16", fmaF16)
      .Default(0);
}

const PeakRates *tile::findPeakRates(const Architecture &architecture) {
  for (const PeakRates &rates : kRates)
    if (rates.number == architecture.number)
      return &rates;
  return nullptr;
}

std::string tile::getUnit(bool isMma, llvm::StringRef operandType) {
  llvm::StringRef type = operandType.starts_with("f8") ? "f8"
                         : operandType == "bf16"       ? "f16"
                                                       : operandType;
  return (isMma ? "mma " : "fma ") + type.str();
}
