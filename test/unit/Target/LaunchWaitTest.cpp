// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses before the wait for earlier launches are found in PTX.

#include "LaunchWait.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;

/// Returns the error for two kernels, of which `waits` starts with a wait, or
/// an empty string.
static std::string verify(const std::string &ptx) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    llvm.func @declared()
    llvm.func @waits() {
      nvvm.griddepcontrol wait
      llvm.return
    }
    llvm.func @waits_later() {
      %one = llvm.mlir.constant(1 : i32) : i32
      nvvm.griddepcontrol wait
      llvm.return
    }
  )",
                                                             &context);
  EXPECT_TRUE(module);
  LogicalResult result = tile::verifyLaunchWaits(*module, ptx);
  EXPECT_EQ(failed(result), !message.empty());
  return message;
}

static std::string makeKernel(const std::string &name,
                              const std::string &before) {
  return ".visible .entry " + name + "(\n.param .u64 .ptr .global .align 16 " +
         name + "_param_0\n)\n.reqntid 32\n{\n" + before +
         "griddepcontrol.wait;\nld.global.b32 %r1, [%rd1];\nret;\n}\n";
}

TEST(LaunchWait, FindsAccessesBeforeTheWait) {
  std::string parameter = "ld.param.b64 %rd1, [waits_param_0];\n";
  std::string load = parameter + "ld.global.nc.b32 %r1, [%rd1];\n";
  EXPECT_EQ(verify(makeKernel("waits", parameter)), "");
  EXPECT_EQ(verify(makeKernel("waits", load)),
            "expected code that accesses memory after the wait for earlier "
            "launches, got an access before it from LLVM");
  // A kernel that waits later may access memory before.
  EXPECT_EQ(
      verify(makeKernel("waits_later", load) + makeKernel("waits", parameter)),
      "");
}
