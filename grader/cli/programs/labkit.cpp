#include "cli/labkit.h"

int main(int argc, char** argv) { return labkit::cli::labkit_main(argc, argv); }
