// Copies between memories: tiles that fit and tiles that hang over, pads, casts, pitches, parts of a block.

// Through shared memory and back, in square tiles and in whole rows.
// RUN: tile-run %s --kernel through --device sim --variant all --dim M=256 --dim N=512 -DT=f16 | FileCheck %s
// RUN: tile-run %s --kernel through --device sim --variant all --dim M=256 --dim N=256 -DT=f32 | FileCheck %s
// RUN: tile-run %s --kernel through --device sim --variant all --dim M=128 --dim N=576 -DT=f16 -DR=32 -DC=576 -DTHREADS=96 | FileCheck %s
// RUN: tile-run %s --kernel through --device sim --variant all --dim M=64 --dim N=576 -DT=f32 -DR=16 -DC=576 | FileCheck %s
// RUN: tile-run %s --kernel through --device sim --variant all --dim M=100 --dim N=333 -DT=i8 -DR=24 -DC=40 -DTHREADS=48 | FileCheck %s
// CHECK: verdict: right
// $T = f16
// $R = 128
// $C = 128
// $THREADS = 128
!A = memref<?x?x$T>
!S = memref<$Rx$Cx$T, #tile.shared>
tile.kernel @through[%M, %N](%a[%M, %N]: !A, %o[%M, %N]: !A) grid(%x, %y) in (%N ceildiv $C, %M ceildiv $R) threads($THREADS) {
  %s = tile.alloc_shared : !S
  tile.copy %a[%y * $R, %x * $C] to %s : !A to !S
  tile.copy %s to %o[%y * $R, %x * $C] : !S to !A
}

// Between two 16-bit floats each element is converted as the operation on one element converts it.
// RUN: tile-run %s --kernel halves --device sim --variant all --arg a=normal --arg b=normal | FileCheck %s
// RUN: tile-run %s --kernel halves --device sim --variant all --arg a=const:65504 --arg b=const:3.0e38 | FileCheck %s
// RUN: tile-run %s --kernel halves --device sim --variant all --arg a=const:nan --arg b=const:-inf | FileCheck %s
!Half = memref<40x33xf16>
!Brain = memref<40x33xbf16>
tile.kernel @halves(%a: !Half, %b: !Brain, %p: !Brain, %q: !Half, %r: !Brain, %t: !Half) grid(%g) in (1) threads(96) {
  %f = tile.alloc_fragment : memref<40x33xbf16, #tile.fragment>
  %s = tile.alloc_shared : memref<40x33xf16, #tile.shared>
  tile.copy %a to %f cast : !Half to memref<40x33xbf16, #tile.fragment>
  tile.copy %b to %s cast : !Brain to memref<40x33xf16, #tile.shared>
  tile.copy %f to %p : memref<40x33xbf16, #tile.fragment> to !Brain
  tile.copy %s to %q : memref<40x33xf16, #tile.shared> to !Half
  tile.parallel (%i, %j) in (40, 33) {
    %v = tile.load %a[%i, %j] : !Half
    %v32 = arith.extf %v : f16 to f32
    %w = arith.truncf %v32 : f32 to bf16
    tile.store %w, %r[%i, %j] : !Brain
    %u = tile.load %b[%i, %j] : !Brain
    %u32 = arith.extf %u : bf16 to f32
    %x = arith.truncf %u32 : f32 to f16
    tile.store %x, %t[%i, %j] : !Half
    // Bit for bit what the copies have made of them.
    %c = tile.load %f[%i, %j] : memref<40x33xbf16, #tile.fragment>
    %cBits = arith.bitcast %c : bf16 to i16
    %wBits = arith.bitcast %w : bf16 to i16
    %one = arith.cmpi eq, %cBits, %wBits : i16
    tile.assert %one, "f16 to bf16"
    %d = tile.load %s[%i, %j] : memref<40x33xf16, #tile.shared>
    %dBits = arith.bitcast %d : f16 to i16
    %xBits = arith.bitcast %x : f16 to i16
    %two = arith.cmpi eq, %dBits, %xBits : i16
    tile.assert %two, "bf16 to f16"
  }
}

// Tiles that hang over: each copy has its own pad, in the target's type, or zero; what is converted is not the pad.
// RUN: tile-run %s --kernel pads --device sim --variant all --dim M=37 --dim N=45 | FileCheck %s
// RUN: tile-run %s --kernel pads --device sim --variant all --dim M=32 --dim N=32 --arg a=const:70000.0 | FileCheck %s
// RUN: tile-run %s --kernel pads --device sim --variant all --dim M=1 --dim N=1 | FileCheck %s
!In = memref<?x?xf32>
!Out = memref<?x?xf16>
!Wide = memref<32x32xf32, #tile.shared>
!Narrow = memref<32x32xf16, #tile.fragment>
tile.kernel @pads[%M, %N](%a[%M, %N]: !In, %o[%M, %N]: !Out, %count: memref<1xi32>) grid(%x, %y) in (%N ceildiv 32, %M ceildiv 32) threads(64) {
  %s = tile.alloc_shared : !Wide
  %z = tile.alloc_shared : !Wide
  %n = tile.alloc_fragment : !Narrow
  tile.copy %a[%y * 32, %x * 32] to %s pad -99.0 : !In to !Wide
  tile.copy %a[%y * 32, %x * 32] to %z : !In to !Wide
  tile.copy %a[%y * 32, %x * 32] to %n cast pad 2049.0 : !In to !Narrow
  tile.parallel (%i, %j) in (32, 32) {
    %row = affine.apply affine_map<(b, i) -> (b * 32 + i)>(%y, %i)
    %column = affine.apply affine_map<(b, j) -> (b * 32 + j)>(%x, %j)
    %isRow = arith.cmpi slt, %row, %M : index
    %isColumn = arith.cmpi slt, %column, %N : index
    %inside = arith.andi %isRow, %isColumn : i1
    %e = tile.load %a[%row, %column] : !In
    %p = tile.load %s[%i, %j] : !Wide
    %q = tile.load %z[%i, %j] : !Wide
    %r = tile.load %n[%i, %j] : !Narrow
    %ninety = arith.constant -99.0 : f32
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2048.0 : f16
    %small = arith.truncf %e : f32 to f16
    %pWant = arith.select %inside, %e, %ninety : f32
    %qWant = arith.select %inside, %e, %zero : f32
    %rWant = arith.select %inside, %small, %two : f16
    %pIs = arith.cmpf oeq, %p, %pWant : f32
    %qIs = arith.cmpf oeq, %q, %qWant : f32
    %rIs = arith.cmpf oeq, %r, %rWant : f16
    tile.assert %pIs, "the pad of the first copy"
    tile.assert %qIs, "no pad is zero"
    tile.assert %rIs, "the pad is rounded to the target's type, the elements are converted"
  }
  tile.copy %n to %o[%y * 32, %x * 32] : !Narrow to !Out
  tile.parallel %i in (1) {
    %one = arith.constant 1 : i32
    tile.store %one, %count[0] : memref<1xi32>
  }
}

// A grid with a tile too many in each direction reads the pad there, and writes nothing outside.
// RUN: tile-run %s --kernel beyond --device sim --variant all --dim M=64 --dim N=96 | FileCheck %s
// RUN: tile-run %s --kernel beyond --device sim --variant all --dim M=33 --dim N=95 | FileCheck %s
!Tile = memref<32x32xf16, #tile.shared>
tile.kernel @beyond[%M, %N](%a[%M, %N]: !Out, %o[%M, %N]: !Out, %tiles: memref<5x5x32x32xf16>)
    grid(%x, %y) in (%N ceildiv 32 + 1, %M ceildiv 32 + 1) threads(96) {
  %s = tile.alloc_shared : !Tile
  tile.copy %a[%y * 32, %x * 32] to %s pad 10.0 : !Out to !Tile
  tile.copy %s to %o[%y * 32, %x * 32] : !Tile to !Out
  tile.copy %s to %tiles[%y, %x, 0, 0] : !Tile to memref<5x5x32x32xf16>
  tile.parallel (%i, %j) in (32, 32) {
    %row = affine.apply affine_map<(b, i) -> (b * 32 + i)>(%y, %i)
    %column = affine.apply affine_map<(b, j) -> (b * 32 + j)>(%x, %j)
    %isRow = arith.cmpi slt, %row, %M : index
    %isColumn = arith.cmpi slt, %column, %N : index
    %inside = arith.andi %isRow, %isColumn : i1
    %ten = arith.constant 10.0 : f16
    %v = tile.load %s[%i, %j] : !Tile
    %is = arith.cmpf oeq, %v, %ten : f16
    %right = arith.ori %inside, %is : i1
    tile.assert %right, "outside there are tens"
  }
}

// Rows at a pitch of twice their length, known when the kernel is compiled or at launch.
// RUN: tile-run %s --kernel pitched --device sim --variant all --pitch b=256 | FileCheck %s
// RUN: tile-run %s --kernel pitched --device sim --variant all --pitch b=131 | FileCheck %s
!Fixed = memref<64x128xf16, strided<[256, 1]>>
!Any = memref<64x128xf16, strided<[?, 1]>>
tile.kernel @pitched(%a: !Fixed, %b: !Any) grid(%x, %y) in (2, 2) threads(128) {
  %s = tile.alloc_shared : memref<32x64xf16, #tile.shared>
  tile.copy %a[%y * 32, %x * 64] to %s : !Fixed to memref<32x64xf16, #tile.shared>
  tile.copy %s to %b[%y * 32, %x * 64] : memref<32x64xf16, #tile.shared> to !Any
}

// Half of the block works: by its thread numbers, or as a loop that leaves the spreading to the compiler.
// RUN: tile-run %s --kernel half --device sim --variant all | FileCheck %s
tile.kernel @half(%a: memref<64x128xf16>, %o: memref<64x128xf16>, %p: memref<64x128xf16>) grid(%g) in (1) threads(256) {
  %s = tile.alloc_shared : memref<64x128xf16, #tile.shared>
  %u = tile.alloc_shared : memref<64x128xf16, #tile.shared>
  %t = tile.thread_id
  %half = arith.constant 128 : index
  %works = arith.cmpi slt, %t, %half : index
  scf.if %works {
    tile.serial %i in (64) {
      %v = tile.load %a[%i, %t] : memref<64x128xf16>
      tile.store %v, %s[%i, %t] : memref<64x128xf16, #tile.shared>
    }
  }
  tile.parallel (%i, %j) in (64, 128) layout(#tile.distributed<64x128 = [(64 reg), (128 thread)] threads 256>) {
    %v = tile.load %a[%i, %j] : memref<64x128xf16>
    tile.store %v, %u[%i, %j] : memref<64x128xf16, #tile.shared>
  }
  tile.sync
  tile.copy %s to %o : memref<64x128xf16, #tile.shared> to memref<64x128xf16>
  tile.copy %u to %p : memref<64x128xf16, #tile.shared> to memref<64x128xf16>
}

// Indices may be computed before they stand in a bracket: by affine.apply, by arithmetic, one from another.
// RUN: tile-run %s --kernel computed --device sim --variant all --dim M=96 --dim N=144 -DT=f32 | FileCheck %s
// RUN: tile-run %s --kernel computed --device sim --variant all --dim M=70 --dim N=130 -DT=f16 | FileCheck %s
!Part = memref<32x48x$T, #tile.shared>
tile.kernel @computed[%M, %N](%a[%M, %N]: !A, %o[%M, %N]: !A) grid(%x, %y) in (%N ceildiv 48, %M ceildiv 32) threads(96) {
  %s = tile.alloc_shared : !Part
  %c48 = arith.constant 48 : index
  %c16 = arith.constant 16 : index
  %row = affine.apply affine_map<(y) -> (y * 32)>(%y)
  %column = arith.muli %x, %c48 : index
  %row16 = arith.addi %row, %c16 : index
  %half = arith.subi %row16, %c16 : index
  tile.copy %a[%half, %column] to %s : !A to !Part
  tile.parallel (%i, %j) in (32, 48) {
    %r = affine.apply affine_map<(i, y) -> (i + y * 32)>(%i, %y)
    %k = arith.addi %column, %j : index
    %v = tile.load %s[%r - %row, %k - %x * 48] : !Part
    tile.store %v, %o[%r, %k] : !A
  }
}

// A tensor that one kernel writes and the next one reads.
// RUN: tile-run %s --kernel first --device sim --variant all --out w=%t.npy | FileCheck %s
// RUN: tile-run %s --kernel second --device sim --variant all --arg w=%t.npy --out o=%t.2.npy | FileCheck %s
// RUN: tile-run %s --kernel both --device sim --variant all --expect o=%t.2.npy | FileCheck %s
!Work = memref<128x64xf16>
!WorkTile = memref<32x64xf16, #tile.fragment>
tile.kernel @first(%a: !Work, %w: !Work) grid(%b) in (4) threads(64) {
  %f = tile.alloc_fragment : !WorkTile
  tile.copy %a[%b * 32, 0] to %f : !Work to !WorkTile
  tile.copy %f to %w[96 - %b * 32, 0] : !WorkTile to !Work
}
tile.kernel @second(%w: !Work, %o: !Work) grid(%b) in (4) threads(96) {
  %f = tile.alloc_fragment : !WorkTile
  tile.copy %w[%b * 32, 0] to %f : !Work to !WorkTile
  tile.copy %f to %o[%b * 32, 0] : !WorkTile to !Work
}
tile.kernel @both(%a: !Work, %o: !Work) grid(%b) in (1) threads(128) {
  tile.parallel (%i, %j) in (128, 64) {
    %v = tile.load %a[96 - (%i floordiv 32) * 32 + %i mod 32, %j] : !Work
    tile.store %v, %o[%i, %j] : !Work
  }
}

// A fill of bytes with a negative number; of a region, by a loop with bounds that are constants or known at launch.
// RUN: tile-run %s --kernel fills --device sim --variant all --arg n=9 --arg o=zeros --dim N=300 | FileCheck %s
// RUN: tile-run %s --kernel fills --device sim --variant all --arg n=0 --arg o=zeros --dim N=1 | FileCheck %s
// RUN: tile-run %s --kernel fills --device sim --variant all --arg n=32 --arg o=zeros --dim N=4099 | FileCheck %s
!Bytes = memref<32x40xi8>
tile.kernel @fills[%N](%o: !Bytes, %p: !Bytes, %all[%N]: memref<?xi8>, %n: index) grid(%g) in (1) threads(96) {
  %f = tile.alloc_fragment : memref<32x40xi8, #tile.fragment>
  %c = arith.constant -3 : i8
  tile.fill %f with -77 : memref<32x40xi8, #tile.fragment>
  tile.parallel (%i, %j) in (7, 13) {
    tile.store %c, %f[%i + 20, %j + 3] : memref<32x40xi8, #tile.fragment>
  }
  tile.copy %f to %p : memref<32x40xi8, #tile.fragment> to !Bytes
  tile.parallel (%i, %j) in (%n, %n + 8) {
    tile.store %c, %o[%i, %j] : !Bytes
  }
  // The whole tensor, whatever its size.
  tile.fill %all with -128 : memref<?xi8>
}

// A tile with padded rows is filled by a copy of contiguous ones, and each row stays where the padding puts it.
// RUN: tile-run %s --kernel padded --device sim --variant all -DPAD=8 | FileCheck %s
// RUN: tile-run %s --kernel padded --device sim --variant all -DPAD=1 | FileCheck %s
// RUN: tile-run %s --kernel padded --device sim --variant all -DPAD=3 | FileCheck %s
// $PAD = 8
!Rows = memref<16x64xf16, #tile.shared>
tile.kernel @padded(%a: memref<16x64xf16>, %o: memref<64x16xf16>, %p: memref<16x64xf16>) grid(%g) in (1) threads(128) {
  %s = tile.alloc_shared layout(#tile.padded<$PAD>) : !Rows
  tile.copy %a to %s : memref<16x64xf16> to !Rows
  tile.parallel (%j, %i) in (64, 16) {
    %v = tile.load %s[%i, %j] : !Rows
    tile.store %v, %o[%j, %i] : memref<64x16xf16>
  }
  tile.copy %s to %p : !Rows to memref<16x64xf16>
}

// Reads of one element's neighbourhood: the tile is two larger than what the block writes, on every side of every dimension.
// RUN: tile-run %s --kernel cross --device sim --variant all --dim M=70 --dim N=131 | FileCheck %s
// RUN: tile-run %s --kernel cross --device sim --variant all --dim M=1 --dim N=1 | FileCheck %s
// RUN: tile-run %s --kernel cube --device sim --variant all --dim M=10 --dim N=21 | FileCheck %s
!Halo = memref<34x66xf32, #tile.shared>
tile.kernel @cross[%M, %N](%a[%M, %N]: !In, %o[%M, %N]: !In, %p[%M, %N]: !In) grid(%x, %y) in (%N ceildiv 64, %M ceildiv 32) threads(128) {
  %s = tile.alloc_shared : !Halo
  tile.copy %a[%y * 32 - 1, %x * 64 - 1] to %s : !In to !Halo
  tile.parallel (%i, %j) in (32, 64) {
    %c = tile.load %s[%i + 1, %j + 1] : !Halo
    %n = tile.load %s[%i, %j + 1] : !Halo
    %e = tile.load %s[%i + 1, %j + 2] : !Halo
    %t = tile.load %s[%i + 2, %j + 1] : !Halo
    %w = tile.load %s[%i + 1, %j] : !Halo
    %0 = arith.addf %c, %n : f32
    %1 = arith.addf %0, %e : f32
    %2 = arith.addf %1, %t : f32
    %3 = arith.addf %2, %w : f32
    tile.store %3, %o[%y * 32 + %i, %x * 64 + %j] : !In
    %nw = tile.load %s[%i, %j] : !Halo
    %ne = tile.load %s[%i, %j + 2] : !Halo
    %sw = tile.load %s[%i + 2, %j] : !Halo
    %se = tile.load %s[%i + 2, %j + 2] : !Halo
    %4 = arith.addf %3, %nw : f32
    %5 = arith.addf %4, %ne : f32
    %6 = arith.addf %5, %sw : f32
    %7 = arith.addf %6, %se : f32
    tile.store %7, %p[%y * 32 + %i, %x * 64 + %j] : !In
  }
}
!Space = memref<?x?x?xf32>
!Cube = memref<6x10x18xf32, #tile.shared>
tile.kernel @cube[%M, %N](%a[%M, %N, %M]: !Space, %o[%M, %N, %M]: !Space) grid(%x, %y, %z) in (%M ceildiv 16, %N ceildiv 8, %M ceildiv 4) threads(96) {
  %s = tile.alloc_shared : !Cube
  tile.copy %a[%z * 4 - 1, %y * 8 - 1, %x * 16 - 1] to %s : !Space to !Cube
  tile.parallel (%i, %j, %k) in (4, 8, 16) {
    %c = tile.load %s[%i + 1, %j + 1, %k + 1] : !Cube
    %0 = tile.load %s[%i, %j + 1, %k + 1] : !Cube
    %1 = tile.load %s[%i + 2, %j + 1, %k + 1] : !Cube
    %2 = tile.load %s[%i + 1, %j, %k + 1] : !Cube
    %3 = tile.load %s[%i + 1, %j + 2, %k + 1] : !Cube
    %4 = tile.load %s[%i + 1, %j + 1, %k] : !Cube
    %5 = tile.load %s[%i + 1, %j + 1, %k + 2] : !Cube
    %6 = arith.addf %c, %0 : f32
    %7 = arith.addf %6, %1 : f32
    %8 = arith.addf %7, %2 : f32
    %9 = arith.addf %8, %3 : f32
    %10 = arith.addf %9, %4 : f32
    %11 = arith.addf %10, %5 : f32
    tile.store %11, %o[%z * 4 + %i, %y * 8 + %j, %x * 16 + %k] : !Space
  }
}
