// Who is in a class, as the teacher said once: the gradebook remembers it.
#pragma once
#include <filesystem>
#include <string>

#include "class/commands/grade.h"
#include "class/gradebook/gradebook.h"

namespace labkit::course {

struct KeptRoster {
  std::string name;     ///< of its file; "" if there is none
  std::string text;     ///< CSV
  bool is_new = false;  ///< named on this command line
};

/// The one that the command line names, else the one that the class's gradebook has, else none. Throws
/// labkit::Error if its file, or the gradebook, cannot be read.
KeptRoster roster_for(const ClassGradeOptions& options);

/// With a roster students go by its ids; without, by what the input says: the same class would be
/// another, and decisions would lose whom they are about. Throws std::invalid_argument for a gradebook of
/// an older kit, which was made with a roster and has none.
void require_roster_again(const Gradebook& book, const KeptRoster& roster);

/// Keeps a new one, and says which one holds. The copy of the gradebook that was made before, if it was another; or "".
std::filesystem::path keep_roster(Gradebook& book, const KeptRoster& roster);

/// If the roster changed who is who: how to go back to `copy`. Else `copy` is taken away.
void say_way_back(const Merged& merged, const std::filesystem::path& copy,
                  const std::filesystem::path& gradebook);

}  // namespace labkit::course
