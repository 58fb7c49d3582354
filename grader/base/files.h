// Files read and written whole. Every failure is a labkit::Error that names the file and what the
// system said.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace labkit {

/// The whole file, byte for byte. Refuses directories, devices and files over `max_bytes`.
std::string read_file(const std::filesystem::path& path, std::uint64_t max_bytes = 1ull << 30);

/// Replaces `path` in one step (a temporary beside it, then a rename): a reader sees the old text
/// or the new one, never a part, also when two programs write at once. Makes missing parent
/// directories.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

/// Refuses a path that write_output_file() would refuse: without a name, in a folder that is not there or in which no
/// file can be made, itself a folder, or a file that is no report (JSON or HTML, by its first character), such as somebody's
/// source. To be asked before long work.
void require_output_place(const std::filesystem::path& path);

/// Writes a report where the user said. An earlier report is replaced in one step; what else is there (a device,
/// a pipe) is written to and never replaced. Makes no directories.
void write_output_file(const std::filesystem::path& path, std::string_view contents);

}  // namespace labkit
