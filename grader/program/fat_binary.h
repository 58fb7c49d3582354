// The PTX in what nvcc or clang embeds in a program. The format is not documented; the layout is read off what nvcc 11.8 to 13.0 write.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace labkit::program {

/// Of several architectures, the newest that is no newer than `arch` (90), or else the oldest. nullopt: there is no PTX in it. Of
/// a text, the text. Throws labkit::Error where it is cut or of a form that is not known.
std::optional<std::string> ptx_of(std::span<const std::byte> fat_binary, unsigned arch);

}  // namespace labkit::program
