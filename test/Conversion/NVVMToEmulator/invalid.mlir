// RUN: tile-opt %s -convert-nvvm-to-emulator -split-input-file -verify-diagnostics

// Each unsupported operation is refused, not only the first one.
llvm.func @instructions(%p: !llvm.ptr<3>, %i: i32) attributes {nvvm.kernel} {
  // expected-error@+1 {{expected an instruction that the emulator has, got 'nvvm.mbarrier.init'}}
  nvvm.mbarrier.init %p, %i : !llvm.ptr<3>, i32
  // expected-error@+1 {{expected an instruction that the emulator has, got 'nvvm.read.ptx.sreg.smid'}}
  %0 = nvvm.read.ptx.sreg.smid : i32
  llvm.return
}

// -----

llvm.func @barrier_reduction(%i: i32) attributes {nvvm.kernel} {
  // expected-error@+1 {{expected an instruction that the emulator has, got 'nvvm.barrier' with a reduction}}
  %0 = nvvm.barrier #nvvm.reduction<popc> %i -> i32
  llvm.return
}

// -----

llvm.func @matrix_shape(%p: !llvm.ptr<3>) attributes {nvvm.kernel} {
  // expected-error@+1 {{expected an instruction that the emulator has, got 'nvvm.ldmatrix' of 8x16 b8x16.b6x16_p32}}
  %0 = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8x16.b6x16_p32>} : (!llvm.ptr<3>) -> i32
  llvm.return
}

// -----

llvm.func @binary_product(%i: i32) attributes {nvvm.kernel} {
  // expected-error@+1 {{expected an instruction that the emulator has, got 'nvvm.mma.sync #nvvm.shape<m = 16, n = 8, k = 128>'}}
  %0 = nvvm.mma.sync A[%i, %i] B[%i] C[%i, %i, %i, %i] {b1Op = #nvvm.mma_b1op<xor_popc>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  llvm.return
}

// -----

llvm.func @intrinsic(%x: f32) attributes {nvvm.kernel} {
  // expected-error@+1 {{expected an instruction that the emulator has, got 'llvm.nvvm.ex2.approx.f'}}
  %0 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f"(%x) : (f32) -> f32
  // expected-error@+1 {{expected an instruction that the emulator has, got 'llvm.nvvm.mma.m8n8k4.col.col.f32.f32'}}
  llvm.call_intrinsic "llvm.nvvm.mma.m8n8k4.col.col.f32.f32"() : () -> ()
  llvm.return
}

// -----

llvm.func @assembly() attributes {nvvm.kernel} {
  // expected-error@+1 {{expected an instruction that the emulator has, got 'llvm.inline_asm'}}
  llvm.inline_asm has_side_effects "trap;", "" : () -> ()
  llvm.return
}

// -----

llvm.func @unknown(f32) -> f32
llvm.func @callee(%x: f32) attributes {nvvm.kernel} {
  // expected-error@+1 {{expected a function that the emulator has, got 'unknown'}}
  %0 = llvm.call @unknown(%x) : (f32) -> f32
  llvm.return
}

// -----

// expected-error@+1 {{expected shared memory as one external symbol, got 'mine'}}
llvm.mlir.global internal @mine() {addr_space = 3 : i32} : !llvm.array<64 x i8> {
  %0 = llvm.mlir.undef : !llvm.array<64 x i8>
  llvm.return %0 : !llvm.array<64 x i8>
}

// -----

// expected-error@+1 {{expected a global that has a value, got 'elsewhere'}}
llvm.mlir.global external @elsewhere() {addr_space = 1 : i32} : i32
