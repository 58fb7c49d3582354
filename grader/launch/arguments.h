// Launches as `labkit profile` is told them: the way that CUDA writes one, with what the arrays hold.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/launch.h"

namespace labkit::launch {

/// TYPE[COUNT]:CONTENTS, NAME=TYPE[COUNT]:CONTENTS, NAME, a number, TYPE:NUMBER or hex:BYTES. CONTENTS is random,
/// random(LOW,HIGH), iota, zero, poison or a file's name; then COUNT may be missing.
struct ParsedArgument {
  std::optional<Buffer> buffer = {};  ///< of an array; its name may be empty
  std::filesystem::path file = {};    ///< that the array is read from
  std::vector<std::byte> bytes = {};  ///< of a scalar with its type, and of a struct
  std::string number = {};            ///< whose type is the parameter's
  std::string array = {};             ///< the name of one that an earlier argument made
  std::string type = {};              ///< as it is written: "i32", "f32", "hex"; "": it is not
};
/// Throws std::invalid_argument with a one-line reason naming the text.
ParsedArgument parse_argument(std::string_view text);

/// One launch: "transpose<float><<<64x64, 32x8>>>(in, out, 2048)".
struct ParsedLaunch {
  std::string kernel;  ///< name expression
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<ParsedArgument> arguments;  ///< in the order of the parameters
};
/// Throws as parse_argument().
ParsedLaunch parse_launch(std::string_view text);

/// Of `text`, the pieces between commas that stand outside all brackets.
std::vector<std::string_view> split_at_commas(std::string_view text);

/// A number as the bytes of a parameter: `is_float` of 4 or 8 bytes, else an integer of 1 to 8. Throws as parse_argument().
std::vector<std::byte> number_bytes(std::string_view number, bool is_float, std::size_t size);

}  // namespace labkit::launch
