// RUN: tile-compile %s -o - --emit=ptx --arch=sm_90a | FileCheck %s
// REQUIRES: nvptx

// In a loop that contains a loop and issues asynchronous matrix instructions, an
// address is carried and grows by a run-time stride, instead of a multiplication.
// CHECK-LABEL: .visible .entry first_elements(
// CHECK:       mul.lo.s64
// CHECK:       [[ROWS:\$L__BB[0-9_]+]]:
// CHECK-NOT:   mul.lo
// CHECK-NOT:   mad.lo
// CHECK:       ld.volatile.global.b32 {{%r[0-9]+}}, [[[ELEMENT:%rd[0-9]+]]];
// CHECK-NOT:   mul.lo
// CHECK-NOT:   mad.lo
// CHECK:       add.s64 [[ELEMENT]], [[ELEMENT]], %rd{{[0-9]+}};
// CHECK-NOT:   mul.lo
// CHECK-NOT:   mad.lo
// CHECK:       bra [[ROWS]];
llvm.func @first_elements(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %first: i64, %rows: i64, %stride: i64) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^rows(%first : i64)
^rows(%row: i64):
  %offset = llvm.mul %row, %stride : i64
  %from = llvm.getelementptr %x[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %element = llvm.load volatile %from : !llvm.ptr<1> -> f32
  nvvm.wgmma.commit.group.sync.aligned
  llvm.br ^columns(%c0 : i64)
^columns(%column: i64):
  %to = llvm.getelementptr %y[%column] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store volatile %element, %to : f32, !llvm.ptr<1>
  %next_column = llvm.add %column, %c1 : i64
  %more_columns = llvm.icmp "slt" %next_column, %rows : i64
  llvm.cond_br %more_columns, ^columns(%next_column : i64), ^row_end
^row_end:
  %next_row = llvm.add %row, %c1 : i64
  %more_rows = llvm.icmp "slt" %next_row, %rows : i64
  llvm.cond_br %more_rows, ^rows(%next_row : i64), ^end
^end:
  llvm.return
}

// A power of the index does not grow by a constant: the multiplication stays.
// CHECK-LABEL: .visible .entry powers(
// CHECK:       [[ROWS:\$L__BB[0-9_]+]]:
// CHECK:       mul.lo.s64
// CHECK:       bra [[ROWS]];
llvm.func @powers(%x: !llvm.ptr<1>, %rows: i64, %factor: i64) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^rows(%c0, %c1 : i64, i64)
^rows(%row: i64, %power: i64):
  %next_power = llvm.mul %power, %factor : i64
  nvvm.wgmma.commit.group.sync.aligned
  llvm.br ^columns(%c0 : i64)
^columns(%column: i64):
  %at = llvm.getelementptr %x[%column] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i64
  llvm.store volatile %next_power, %at : i64, !llvm.ptr<1>
  %next_column = llvm.add %column, %c1 : i64
  %more_columns = llvm.icmp "slt" %next_column, %rows : i64
  llvm.cond_br %more_columns, ^columns(%next_column : i64), ^row_end
^row_end:
  %next_row = llvm.add %row, %c1 : i64
  %more_rows = llvm.icmp "slt" %next_row, %rows : i64
  llvm.cond_br %more_rows, ^rows(%next_row, %next_power : i64, i64), ^end
^end:
  llvm.return
}

// Without such instructions, registers are scarcer than issue slots: nothing is
// carried.
// CHECK-LABEL: .visible .entry no_products(
// CHECK:       [[ROWS:\$L__BB[0-9_]+]]:
// CHECK:       mul.lo.s64
// CHECK:       bra [[ROWS]];
llvm.func @no_products(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %first: i64, %rows: i64, %stride: i64) attributes {nvvm.kernel} {
  %c0 = llvm.mlir.constant(0 : i64) : i64
  %c1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^rows(%first : i64)
^rows(%row: i64):
  %offset = llvm.mul %row, %stride : i64
  %from = llvm.getelementptr %x[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %element = llvm.load volatile %from : !llvm.ptr<1> -> f32
  llvm.br ^columns(%c0 : i64)
^columns(%column: i64):
  %to = llvm.getelementptr %y[%column] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  llvm.store volatile %element, %to : f32, !llvm.ptr<1>
  %next_column = llvm.add %column, %c1 : i64
  %more_columns = llvm.icmp "slt" %next_column, %rows : i64
  llvm.cond_br %more_columns, ^columns(%next_column : i64), ^row_end
^row_end:
  %next_row = llvm.add %row, %c1 : i64
  %more_rows = llvm.icmp "slt" %next_row, %rows : i64
  llvm.cond_br %more_rows, ^rows(%next_row : i64), ^end
^end:
  llvm.return
}
