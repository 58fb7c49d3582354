#include "base/work_folder.h"

#include <stdlib.h>

#include "base/error.h"

namespace labkit {

WorkFolder::WorkFolder(const std::filesystem::path& in) {
  std::string name = (in / "labkit-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw Error("cannot make a folder in " + in.string(),
                "Set TMPDIR to a folder you may write to.", error_id::kCannotWrite);
  path_ = name;
}

void WorkFolder::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace labkit
