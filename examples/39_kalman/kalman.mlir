// Computes a step of many Kalman filters with one model. The state x of 9 elements and
// its covariance P are predicted,
//
//   x- = F x,  P- = F P F' + Q,
//
// and updated by a measurement z of 4 elements,
//
//   S = H P- H' + R,  K = P- H' S^-1,  x = x- + K (z - H x-),
//   P = (I - K H) P- (I - K H)' + K R K'.
//
// The last formula is Joseph's form, which stays symmetric and positive definite where
// rounding would destroy this for P = (I - K H) P-. S has both properties too, so K' is
// computed as the solution of S K' = H P- by Cholesky factors, without an inverse. A
// block takes four filters, which share the model's F, H, Q and R.

#grid = #tile.grid<affine_map<(filters) -> (filters ceildiv 4)> of [[0, 0]]>

tile.kernel @kalman(%x: memref<?x9xf32>, %P: memref<?x9x9xf32>,
                    %z: memref<?x4xf32>, %F: memref<9x9xf32>,
                    %H: memref<4x9xf32>, %Q: memref<9x9xf32>,
                    %R: memref<4x4xf32>, %new_x: memref<?x9xf32>,
                    %new_P: memref<?x9x9xf32>)
    attributes {grid = #grid} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %block = tile.program_id x
  %first = arith.muli %block, %c4 : index
  %f = tile.load %F[%c0, %c0] : memref<9x9xf32> -> !tile.tile<9x9xf32>
  %h = tile.load %H[%c0, %c0] : memref<4x9xf32> -> !tile.tile<4x9xf32>
  %q = tile.load %Q[%c0, %c0] : memref<9x9xf32> -> !tile.tile<9x9xf32>
  %r = tile.load %R[%c0, %c0] : memref<4x4xf32> -> !tile.tile<4x4xf32>
  %ft = tile.transpose %f [1, 0] : !tile.tile<9x9xf32> to !tile.tile<9x9xf32>
  %ht = tile.transpose %h [1, 0] : !tile.tile<4x9xf32> to !tile.tile<9x4xf32>
  %qs = tile.broadcast %q : !tile.tile<9x9xf32> to !tile.tile<4x9x9xf32>
  %rs = tile.broadcast %r : !tile.tile<4x4xf32> to !tile.tile<4x4x4xf32>
  %none9x9 = arith.constant dense<0.0> : !tile.tile<4x9x9xf32>
  %none9x4 = arith.constant dense<0.0> : !tile.tile<4x9x4xf32>
  %none9x1 = arith.constant dense<0.0> : !tile.tile<4x9x1xf32>

  // The prediction.
  %states = tile.load %x[%first, %c0]
      : memref<?x9xf32> -> !tile.tile<4x9xf32>
  %state = tile.reshape %states : !tile.tile<4x9xf32> to !tile.tile<4x9x1xf32>
  %x1 = tile.matmul %f, %state, %none9x1
      : !tile.tile<9x9xf32>, !tile.tile<4x9x1xf32> -> !tile.tile<4x9x1xf32>
  %p = tile.load %P[%first, %c0, %c0]
      : memref<?x9x9xf32> -> !tile.tile<4x9x9xf32>
  %fp = tile.matmul %f, %p, %none9x9
      : !tile.tile<9x9xf32>, !tile.tile<4x9x9xf32> -> !tile.tile<4x9x9xf32>
  %p1 = tile.matmul %fp, %ft, %qs
      : !tile.tile<4x9x9xf32>, !tile.tile<9x9xf32> -> !tile.tile<4x9x9xf32>

  // The gain.
  %pht = tile.matmul %p1, %ht, %none9x4
      : !tile.tile<4x9x9xf32>, !tile.tile<9x4xf32> -> !tile.tile<4x9x4xf32>
  %s = tile.matmul %h, %pht, %rs
      : !tile.tile<4x9xf32>, !tile.tile<4x9x4xf32> -> !tile.tile<4x4x4xf32>
  %hp = tile.transpose %pht [0, 2, 1]
      : !tile.tile<4x9x4xf32> to !tile.tile<4x4x9xf32>
  %kt = tile.solve %s, %hp spd
      : !tile.tile<4x4x4xf32>, !tile.tile<4x4x9xf32>
  %k = tile.transpose %kt [0, 2, 1]
      : !tile.tile<4x4x9xf32> to !tile.tile<4x9x4xf32>

  // The state, updated by the measurement's difference from the prediction.
  %measured = tile.load %z[%first, %c0]
      : memref<?x4xf32> -> !tile.tile<4x4xf32>
  %column = tile.reshape %measured
      : !tile.tile<4x4xf32> to !tile.tile<4x4x1xf32>
  %minus_h = arith.negf %h : !tile.tile<4x9xf32>
  %y = tile.matmul %minus_h, %x1, %column
      : !tile.tile<4x9xf32>, !tile.tile<4x9x1xf32> -> !tile.tile<4x4x1xf32>
  %x2 = tile.matmul %k, %y, %x1
      : !tile.tile<4x9x4xf32>, !tile.tile<4x4x1xf32> -> !tile.tile<4x9x1xf32>
  %new_state = tile.reshape %x2
      : !tile.tile<4x9x1xf32> to !tile.tile<4x9xf32>
  tile.store %new_state, %new_x[%first, %c0]
      : !tile.tile<4x9xf32>, memref<?x9xf32>

  // The covariance, with M = I - K H.
  %one = arith.constant 1.0 : f32
  %identity = tile.add_diagonal %none9x9, %one : !tile.tile<4x9x9xf32>, f32
  %m = tile.matmul %k, %minus_h, %identity
      : !tile.tile<4x9x4xf32>, !tile.tile<4x9xf32> -> !tile.tile<4x9x9xf32>
  %mp = tile.matmul %m, %p1, %none9x9
      : !tile.tile<4x9x9xf32>, !tile.tile<4x9x9xf32> -> !tile.tile<4x9x9xf32>
  %kr = tile.matmul %k, %r, %none9x4
      : !tile.tile<4x9x4xf32>, !tile.tile<4x4xf32> -> !tile.tile<4x9x4xf32>
  %krk = tile.matmul %kr, %kt, %none9x9
      : !tile.tile<4x9x4xf32>, !tile.tile<4x4x9xf32> -> !tile.tile<4x9x9xf32>
  %mt = tile.transpose %m [0, 2, 1]
      : !tile.tile<4x9x9xf32> to !tile.tile<4x9x9xf32>
  %p2 = tile.matmul %mp, %mt, %krk
      : !tile.tile<4x9x9xf32>, !tile.tile<4x9x9xf32> -> !tile.tile<4x9x9xf32>
  tile.store %p2, %new_P[%first, %c0, %c0]
      : !tile.tile<4x9x9xf32>, memref<?x9x9xf32>
  tile.return
}
