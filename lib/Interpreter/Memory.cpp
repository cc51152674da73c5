// Memory.cpp - touch maps, and the views of a storage: reshape, view, slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Memory.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace tile;

std::optional<Conflict> TouchMap::touch(uint64_t epoch, int64_t granule, uint32_t point, Touch touch) {
  size_t page = granule / pageSize;
  if (page >= pages.size())
    pages.resize(page + 1);
  if (!pages[page])
    pages[page] = std::make_unique<Page>();
  Cell &cell = (*pages[page])[granule % pageSize];
  if (cell.epoch != epoch) {
    cell = Cell();
    cell.epoch = epoch;
  }
  auto other = [&](const std::array<uint32_t, 2> &points) { return points[0] == point ? points[1] : points[0]; };
  auto record = [&](std::array<uint32_t, 2> &points) {
    if (points[0] == nobody)
      points[0] = point;
    else if (points[0] != point)
      points[1] = point;
  };
  if (cell.writer != nobody && cell.writer != point)
    return Conflict{cell.writer, Touch::Write};
  if (uint32_t reader = other(cell.readers); touch != Touch::Read && reader != nobody)
    return Conflict{reader, Touch::Read};
  if (uint32_t atomic = other(cell.atomics); touch != Touch::Atomic && atomic != nobody)
    return Conflict{atomic, Touch::Atomic};
  if (touch == Touch::Write)
    cell.writer = point;
  else
    record(touch == Touch::Read ? cell.readers : cell.atomics);
  return std::nullopt;
}

void Storage::allocate(Space where, int64_t count) {
  space = where;
  bytes = count;
  owned.assign(count, std::byte{0});
  written.assign(count, 0);
  data = owned.data();
}

void Storage::forget(int64_t offset, int64_t count) {
  std::fill_n(written.begin() + offset, count, 0);
}

bool tile::nextIndex(MutableArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d])
      return true;
    index[d] = 0;
  }
  return false;
}

int64_t tile::countPoints(ArrayRef<int64_t> shape) {
  constexpr int64_t limit = int64_t(1) << 62;
  int64_t count = 1;
  if (llvm::any_of(shape, [](int64_t extent) { return extent <= 0; }))
    return 0;
  for (int64_t extent : shape)
    count = extent > limit / count ? limit : count * extent;
  return count;
}

//===----------------------------------------------------------------------===//
// BufferView
//===----------------------------------------------------------------------===//

int64_t BufferView::numElements() const {
  return countPoints(shape);
}

bool BufferView::isContiguous() const {
  if (isAbsent)
    return false;
  int64_t stride = byteSize(type);
  for (size_t d = shape.size(); d-- > 0;) {
    if (low[d] != 0 || high[d] != shape[d] || (shape[d] > 1 && strides[d] != stride))
      return false;
    stride *= shape[d];
  }
  return true;
}

void BufferView::makeContiguous() {
  strides.assign(shape.size(), 0);
  low.assign(shape.size(), 0);
  high.assign(shape.begin(), shape.end());
  int64_t stride = byteSize(type);
  for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
    strides[d] = stride;
}

/// What every view of a storage has in common with its source.
void BufferView::inherit(const BufferView &source) {
  storage = source.storage;
  space = source.space;
  offset = source.offset;
  threadBytes = source.threadBytes;
  isAbsent = false;
  makeContiguous();
}

void BufferView::reinterpret(const BufferView &source) {
  inherit(source);
}

void BufferView::window(const BufferView &source, ArrayRef<int64_t> starts) {
  inherit(source);
  isAbsent = source.isAbsent;
  size_t rank = shape.size(), sourceRank = source.shape.size();
  constexpr int64_t farAway = int64_t(1) << 62;
  for (size_t d = 0; d < sourceRank; ++d) {
    // Beyond any extent one start is as good as another: no element exists, and the offset is never used.
    int64_t start = std::clamp(starts[d], -farAway, farAway);
    offset = static_cast<int64_t>(uint64_t(offset) + uint64_t(start) * uint64_t(source.strides[d]));
    if (d + rank < sourceRank) {
      isAbsent |= start < source.low[d] || start >= source.high[d];
      continue;
    }
    size_t to = d + rank - sourceRank;
    strides[to] = source.strides[d];
    low[to] = std::max<int64_t>(0, source.low[d] - start);
    high[to] = std::min(shape[to], source.high[d] - start);
  }
}

std::string BufferView::describe() const {
  std::string kind = space == Space::Global  ? "tensor"
                     : space == Space::Local ? "private array"
                                             : (nameOf(space) + " tile").str();
  auto name = dyn_cast_or_null<NameLoc>(value ? LocationAttr(value.getLoc()) : LocationAttr());
  return name ? kind + " %" + name.getName().str() : kind;
}

std::string tile::coordinateText(ArrayRef<int64_t> index) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(index, stream);
  stream << ']';
  return text;
}

std::string BufferView::element(const int64_t *index) const {
  return "element " + coordinateText(ArrayRef<int64_t>(index, shape.size())) + " of " + describe();
}
