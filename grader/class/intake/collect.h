// Everything a class submitted, as one flat list: folders walked, archives read as streams, archives
// inside of archives too. Nothing is judged here but what cannot or must not be read; who owns a
// file and which lab it is for comes later (owners.h, lab_names.h).
//
// Bounded whatever comes in: each limit below stops one archive or one file with a line that says so, and the rest goes on.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace labkit::course {

struct IntakeLimits {
  std::uint64_t source_bytes = 1u << 20;             ///< as grade/prepare.cpp has it
  std::uint64_t metadata_bytes = 16u << 20;          ///< Gradescope's submission_metadata.yml
  std::uint64_t class_expanded_bytes = 64ull << 30;  ///< of the archive the teacher names
  std::uint64_t inner_expanded_bytes = 8ull << 30;   ///< of an archive in a folder
  std::uint64_t inner_kept_bytes = 48u << 20;      ///< sources kept of any archive but the class's
  std::uint64_t inner_members = 50'000;            ///< of any archive but the class's
  std::uint64_t nested_archive_bytes = 64u << 20;  ///< an archive inside of another, held in memory
  std::uint64_t nested_expanded_bytes = 256u << 20;  ///< and unpacks to no more than this
  std::uint64_t kept_bytes = 512u << 20;             ///< sources kept of the whole class
  std::uint64_t class_members = 1'000'000;
};

/// One thing found. `parts` is its path below the input; an archive is a part as a folder is.
struct Found {
  enum class Kind : std::uint8_t {
    source,    ///< `text` may be a kernel
    metadata,  ///< Gradescope's, not from inside a student's archive; `text` holds it
    other,     ///< no source file: not read
    refused,   ///< must not or cannot be read: `why`
    folder,    ///< an empty folder or one not walked: shows that its owner exists
  };
  Kind kind = Kind::other;
  std::vector<std::string> parts;
  /// The first so many parts were named by whoever made the input (the teacher, the LMS); what
  /// follows lies inside of an archive and was named by a student.
  std::size_t outer_parts = 0;
  std::string text;
  std::string why;
  /// refused: a whole folder or archive, so that nobody knows whose work was in it.
  bool is_whole = false;

  std::string path() const;
};

/// Walks a folder or reads an archive. The order is that of names for folders and that of members for archives, so that two
/// runs are alike. Throws labkit::Error only if `input` itself is not
/// there, not readable, or an archive of a kind that the kit does not read.
std::vector<Found> collect(const std::filesystem::path& input, const IntakeLimits& limits = {});

/// How sure a file's name makes us that it is a kernel: 2 for .cu and .cuh, 1 for what an LMS or an
/// editor makes of it (.cu.txt, .cpp, .c, .h, .txt, none), 0 for the rest.
int source_likeness(std::string_view file_name);

}  // namespace labkit::course
