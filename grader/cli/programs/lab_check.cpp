#include "cli/commands.h"

int main(int argc, char** argv) { return labkit::cli::check_main(argc, argv); }
