// Text that is refused before it is parsed: bracket depth, operators, unknown names. Places are those of the user's text.

// RUN: %python -c "print('(' * 200000)" | not tile-opt - 2>&1 | FileCheck %s --check-prefix=CHECK-PARENS
// CHECK-PARENS: <stdin>:1:257: error: brackets nest 257 deep; text nests at most 256 deep (text-C1)

// RUN: %python -c "print('\n' + 'module {' * 200000)" | not tile-opt - 2>&1 | FileCheck %s --check-prefix=CHECK-BRACES
// CHECK-BRACES: <stdin>:2:2056: error: brackets nest 257 deep; text nests at most 256 deep (text-C1)

// RUN: %python -c "print('#a = ' + '[' * 200000)" | not tile-opt - 2>&1 | FileCheck %s --check-prefix=CHECK-LISTS
// CHECK-LISTS: <stdin>:1:262: error: brackets nest 257 deep; text nests at most 256 deep (text-C1)

// RUN: %python -c "print('!a = ' + 'tuple<' * 200000)" | not tile-opt - 2>&1 | FileCheck %s --check-prefix=CHECK-TYPES
// CHECK-TYPES: <stdin>:1:1547: error: brackets nest 257 deep; text nests at most 256 deep (text-C1)

// RUN: %python -c "print('#a = affine_map<() -> (' + '-' * 200000 + '1)>')" | not tile-opt - 2>&1 | FileCheck %s --check-prefix=CHECK-SIGNS
// CHECK-SIGNS: <stdin>:1:1024: error: an expression has more than 1000 operators; name parts of it by 'affine.apply' (text-C2)

// RUN: %python -c "print('#a = affine_map<(i) -> (i' + ' + i' * 200000 + ')>')" | not tile-opt - 2>&1 | FileCheck %s --check-prefix=CHECK-SUMS
// CHECK-SUMS: error: an expression has more than 1000 operators; name parts of it by 'affine.apply' (text-C2)

// RUN: echo 'tile.kernel @f() grid(%%b) in ($BLOCKS) threads(32) {}' | not tile-opt - 2>&1 | FileCheck %s --check-prefix=CHECK-NAME
// CHECK-NAME: error: '$BLOCKS' has no value; give -D BLOCKS=... or a line '// $BLOCKS = ...' (text-C3)

// RUN: not tile-opt %s -D 4=N 2>&1 | FileCheck %s --check-prefix=CHECK-DEFINITION
// CHECK-DEFINITION: error: -D 4=N is no definition; write -D NAME=value
