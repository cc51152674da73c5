// y[row, c] = x[row, 0] * ... * x[row, c]: each thread a part of neighbours, as 16-byte accesses.
//
// $T = 128
// $V = 32
// $N = 4096
!X = memref<?x$Nxbf16>
!Part = memref<$Vxbf16, #tile.local>
!Totals = memref<$Txf32, #tile.shared>
!Groups = memref<64xf32, #tile.shared>
!Near = memref<16xf32, #tile.local>
!Far = memref<64xf32, #tile.local>
!Run = memref<1xf32, #tile.local>

tile.kernel @row_prefix_vector[%M](%x[%M, $N]: !X, %y[%M, $N]: !X) grid(%row) in (%M) threads($T) {
  %t = tile.thread_id
  %part = tile.alloc_local : !Part
  %totals = tile.alloc_shared : !Totals
  %groups = tile.alloc_shared : !Groups
  %near = tile.alloc_local : !Near
  %far = tile.alloc_local : !Far
  %run = tile.alloc_local : !Run
  %one = arith.constant 1.0 : f32
  %last = arith.constant 15 : index
  tile.vectorized %v in ($V) {
    %h = tile.load %x[%row, %t * $V + %v] : !X
    tile.store %h, %part[%v] : !Part
  }

  // The product of the thread's own part.
  tile.store %one, %run[0] : !Run
  tile.unrolled %c in ($V) {
    %h = tile.load %part[%c] : !Part
    %f = arith.extf %h : bf16 to f32
    %r = tile.load %run[0] : !Run
    %p = arith.mulf %r, %f : f32
    tile.store %p, %run[0] : !Run
  }
  %total = tile.load %run[0] : !Run

  // What the threads before this one multiplied to: first inside groups of 16 threads, then over the groups.
  tile.store %total, %totals[%t] : !Totals
  tile.sync
  tile.vectorized %v in (16) {
    %a = tile.load %totals[%t floordiv 16 * 16 + %v] : !Totals
    tile.store %a, %near[%v] : !Near
  }
  %place = affine.apply affine_map<(t) -> (t mod 16)>(%t)
  %group = affine.apply affine_map<(t) -> (t floordiv 16)>(%t)
  tile.store %one, %run[0] : !Run
  tile.unrolled %v in (16) {
    %a = tile.load %near[%v] : !Near
    %r = tile.load %run[0] : !Run
    %is_before = arith.cmpi slt, %v, %place : index
    %f = arith.select %is_before, %a, %one : f32
    %p = arith.mulf %r, %f : f32
    tile.store %p, %run[0] : !Run
  }
  %in_group = tile.load %run[0] : !Run
  %is_last = arith.cmpi eq, %place, %last : index
  scf.if %is_last {
    %p = arith.mulf %in_group, %total : f32
    tile.store %p, %groups[%group] : !Groups
  }
  tile.sync
  tile.vectorized %v in ($T floordiv 16) {
    %a = tile.load %groups[%v] : !Groups
    tile.store %a, %far[%v] : !Far
  }
  tile.unrolled %v in ($T floordiv 16) {
    %a = tile.load %far[%v] : !Far
    %r = tile.load %run[0] : !Run
    %is_before = arith.cmpi slt, %v, %group : index
    %f = arith.select %is_before, %a, %one : f32
    %p = arith.mulf %r, %f : f32
    tile.store %p, %run[0] : !Run
  }

  // The running product of the part, continued from there.
  tile.unrolled %c in ($V) {
    %h = tile.load %part[%c] : !Part
    %f = arith.extf %h : bf16 to f32
    %r = tile.load %run[0] : !Run
    %p = arith.mulf %r, %f : f32
    tile.store %p, %run[0] : !Run
    %q = arith.truncf %p : f32 to bf16
    tile.store %q, %part[%c] : !Part
  }
  tile.vectorized %v in ($V) {
    %h = tile.load %part[%v] : !Part
    tile.store %h, %y[%row, %t * $V + %v] : !X
  }
}
