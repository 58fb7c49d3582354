// The program of a package: labkit and lab_check in one file, since most of what they are made of is the same. Called as
// lab_check it is that.
#include <string_view>

#include "cli/commands.h"

int main(int argc, char** argv) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  return name == "lab_check" ? labkit::cli::check_main(argc, argv)
                             : labkit::cli::labkit_main(argc, argv);
}
