#include "observe/places.h"

namespace labkit::observe {

std::string Places::kernel() const {
  return launch_.kernel.empty() ? simt::facts(program_).entry : launch_.kernel;
}

launch::SourceLine Places::line(std::uint32_t instruction) const {
  const auto all = simt::instructions(program_);
  if (instruction >= all.size()) return {};
  const auto& facts = all[instruction];
  if (facts.line_is_of_caller) return {};
  if (prefers_inside_)
    if (auto inner = inside(instruction); inner.line != 0) return inner;
  const auto& files = simt::module_of(program_).files;
  const auto& where = facts.inlined_at.line != 0 && facts.inlined_at.file < files.size()
                          ? facts.inlined_at
                          : facts.location;
  launch::SourceLine line;
  line.line = where.line;
  if (where.file < files.size()) line.file = files[where.file];
  return line;
}

launch::SourceLine Places::inside(std::uint32_t instruction) const {
  const auto all = simt::instructions(program_);
  if (instruction >= all.size()) return {};
  const auto& facts = all[instruction];
  const auto& files = simt::module_of(program_).files;
  if (facts.line_is_of_caller || facts.inlined_at.line == 0 || facts.location.line == 0 ||
      facts.inlined_at.file != facts.location.file || facts.location.file >= files.size())
    return {};
  return {files[facts.location.file], facts.location.line};
}

launch::Dim3 Places::thread(std::uint32_t linear) const {
  const auto& block = launch_.block;
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

launch::Dim3 Places::block(std::uint64_t linear) const {
  const auto& grid = launch_.grid;
  return {static_cast<std::uint32_t>(linear % grid.x),
          static_cast<std::uint32_t>(linear / grid.x % grid.y),
          static_cast<std::uint32_t>(linear / grid.x / grid.y)};
}

launch::Extent Places::extent(ptx::Space space, std::uint64_t address) const {
  launch::Extent extent;
  if (space == ptx::Space::shared) {
    for (const auto& array : simt::facts(program_).shared_arrays)
      if (address >= array.begin && (array.is_dynamic || address < array.end)) {
        const auto end = array.is_dynamic ? array.begin + launch_.dynamic_shared_bytes : array.end;
        extent = {source_name(array.name), array.begin, end - array.begin};
      }
  } else if (space == ptx::Space::global || space == ptx::Space::constant) {
    if (const auto place = memory_.find(address))
      extent = {place->is_variable ? source_name(place->name) : place->name, place->begin,
                place->size};
  }
  return extent;
}

}  // namespace labkit::observe
