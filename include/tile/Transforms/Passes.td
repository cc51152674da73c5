// Passes.td - every pass; each is defined in the file of its name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILE_TRANSFORMS_PASSES_TD
#define TILE_TRANSFORMS_PASSES_TD

include "tile/Transforms/SplitWebs.td"
include "tile/Transforms/ChooseResidency.td"
include "tile/Transforms/InferLayouts.td"
include "tile/Transforms/InsertConversions.td"
include "tile/Transforms/ExpandCopies.td"
include "tile/Transforms/AssignSharedLayouts.td"
include "tile/Transforms/OrderBlocks.td"
include "tile/Transforms/PrintLayouts.td"
include "tile/Transforms/LowerTiles.td"
include "tile/Transforms/Simplify.td"
include "tile/Transforms/ForwardStores.td"
include "tile/Transforms/JoinLoads.td"
include "tile/Transforms/PlanSharedMemory.td"
include "tile/Transforms/InsertBarriers.td"
include "tile/Transforms/UnswitchGuards.td"
include "tile/Transforms/HoldWords.td"
include "tile/Transforms/FuseMultiplyAdd.td"
include "tile/Transforms/ChooseIndexWidth.td"

#endif // TILE_TRANSFORMS_PASSES_TD
