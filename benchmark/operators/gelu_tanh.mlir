// y = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))), E elements a block.
//
// $T = 256
// $E = 4096
!X = memref<?xbf16>

tile.kernel @gelu_tanh[%N](%x[%N]: !X, %y[%N]: !X) grid(%b) in (%N ceildiv $E) threads($T)
    disjoint(%x, %y) fastmath(contract, afn, arcp) {
  tile.parallel %i in ($E) {
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.79788456 : f32
    %cubic = arith.constant 0.044715 : f32
    %h = tile.load %x[%b * $E + %i] : !X
    %v = arith.extf %h : bf16 to f32
    %square = arith.mulf %v, %v : f32
    %c = arith.mulf %square, %cubic : f32
    %d = arith.addf %c, %one : f32
    %f = arith.mulf %d, %v : f32
    %u = arith.mulf %f, %root : f32
    %t = math.tanh %u : f32
    %s = arith.addf %t, %one : f32
    %p = arith.mulf %v, %half : f32
    %q = arith.mulf %p, %s : f32
    %o = arith.truncf %q : f32 to bf16
    tile.store %o, %y[%b * $E + %i] : !X
  }
}
