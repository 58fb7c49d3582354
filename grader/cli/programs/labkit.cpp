#include "cli/commands.h"

int main(int argc, char** argv) { return labkit::cli::labkit_main(argc, argv); }
