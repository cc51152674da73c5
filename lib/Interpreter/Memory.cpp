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
  if (table || isAbsent)
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

std::optional<int64_t> BufferView::locateSlowly(const int64_t *index, int64_t thread) const {
  if (isAbsent)
    return std::nullopt;
  int64_t number = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (index[d] < low[d] || index[d] >= high[d])
      return std::nullopt;
    number = number * shape[d] + index[d];
  }
  int64_t at = (*table)[number];
  return at == missing ? std::nullopt : std::optional<int64_t>(at + thread * threadBytes);
}

std::vector<int64_t> BufferView::enumerate() const {
  std::vector<int64_t> offsets;
  int64_t count = numElements();
  offsets.reserve(count);
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    offsets.push_back(locate(index.data(), 0).value_or(missing));
    nextIndex(index, shape);
  }
  return offsets;
}

/// What every view of a storage has in common with its source.
void BufferView::inherit(const BufferView &source) {
  storage = source.storage;
  space = source.space;
  offset = source.offset;
  threadBytes = source.threadBytes;
  table = nullptr;
  isAbsent = false;
  makeContiguous();
}

void BufferView::reshape(const BufferView &source) {
  inherit(source);
  if (!source.isContiguous())
    table = std::make_shared<std::vector<int64_t>>(source.enumerate());
}

std::string BufferView::reinterpret(const BufferView &source) {
  inherit(source);
  if (source.isContiguous())
    return "";
  int64_t from = byteSize(source.type), to = byteSize(type);
  std::vector<int64_t> old = source.enumerate(), offsets;
  offsets.reserve(numElements());
  for (int64_t byte = 0, end = old.size() * from; byte < end; byte += to) {
    int64_t first = old[byte / from];
    // A wide element made of several narrow ones: all or none exist, and they lie side by side.
    for (int64_t part = from; part < to; part += from) {
      int64_t next = old[(byte + part) / from];
      if ((next == missing) != (first == missing) || (first != missing && next != first + part))
        return "makes one element of bytes that are not adjacent";
    }
    offsets.push_back(first == missing ? first : first + byte % from);
  }
  table = std::make_shared<std::vector<int64_t>>(std::move(offsets));
  return "";
}

/// The window of a view whose elements only a table can find.
static std::vector<int64_t> windowTable(const BufferView &source, ArrayRef<int64_t> starts, ArrayRef<int64_t> shape) {
  std::vector<int64_t> offsets;
  size_t rank = shape.size(), sourceRank = source.shape.size();
  SmallVector<int64_t> index(rank, 0), at(sourceRank);
  for (int64_t i = 0, e = countPoints(shape); i < e; ++i, nextIndex(index, shape)) {
    for (size_t d = 0; d < sourceRank; ++d)
      at[d] = starts[d] + (d + rank >= sourceRank ? index[d + rank - sourceRank] : 0);
    offsets.push_back(source.locate(at.data(), 0).value_or(BufferView::missing));
  }
  return offsets;
}

void BufferView::window(const BufferView &source, ArrayRef<int64_t> starts) {
  inherit(source);
  if (source.table || source.isAbsent) {
    table = std::make_shared<std::vector<int64_t>>(windowTable(source, starts, shape));
    return;
  }
  size_t rank = shape.size(), sourceRank = source.shape.size();
  for (size_t d = 0; d < sourceRank; ++d) {
    // An absurd start may overflow here; then no element exists, and the offset is never used.
    offset += static_cast<int64_t>(uint64_t(starts[d]) * uint64_t(source.strides[d]));
    if (d + rank < sourceRank) {
      isAbsent |= starts[d] < source.low[d] || starts[d] >= source.high[d];
      continue;
    }
    size_t to = d + rank - sourceRank;
    strides[to] = source.strides[d];
    low[to] = std::max<int64_t>(0, source.low[d] - starts[d]);
    high[to] = std::min(shape[to], source.high[d] - starts[d]);
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
