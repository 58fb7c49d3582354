// pack_sample_class OUT: docker/sample_class in each format, for trying `class grade` by hand and for
// tests of the image.
#include <cstdio>
#include <exception>

#include "sample_class.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: pack_sample_class OUT\n");
    return 2;
  }
  try {
    for (const auto& [format, input] :
         labkit::course::pack_sample_class(LABKIT_SOURCE_DIR, argv[1]))
      std::printf("%-10s %s\n", format.c_str(), input.c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pack_sample_class: %s\n", error.what());
    return 3;
  }
}
