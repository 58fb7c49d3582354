// The one place where the program labkit learns of this folder. A student's kit is without it.
#include "class/commands/class.h"
#include "cli/labkit.h"

namespace labkit::course {
namespace {

[[maybe_unused]] const bool kRegistered = (cli::register_commands(add_class_commands), true);

}  // namespace
}  // namespace labkit::course
