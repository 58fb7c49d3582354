# Every package the kit builds against, in one place. CMake reads it to say what is missing and `./kit` to install it.
#
#   labkit_dependency(CMAKE_NAME MINIMUM DEBIAN_PACKAGE "what it is for")
#
# Minimum versions are those of Debian 12, the older of the two supported systems (Ubuntu 24.04 has newer ones). A CMake
# name of `-` is a tool that CMake itself does not look up. `./kit` reads the third word of each line by pattern: keep one
# dependency a line.
macro(labkit_dependency cmake_name minimum debian_package purpose)
  set(LABKIT_MINIMUM_${cmake_name} ${minimum})
  set(LABKIT_PACKAGE_${cmake_name} ${debian_package})
  set(LABKIT_PURPOSE_${cmake_name} ${purpose})
endmacro()

labkit_dependency(-             12.0   g++                 "the compiler, C++20")
labkit_dependency(-             3.22   cmake               "the build")
labkit_dependency(-             1.11   ninja-build         "the build")
labkit_dependency(-             4.5    ccache              "what was compiled once, here or for the image")
labkit_dependency(nettle        3.8    nettle-dev          "SHA-256")
labkit_dependency(fmt           9.1    libfmt-dev          "formatting")
labkit_dependency(nlohmann_json 3.11   nlohmann-json3-dev  "JSON and CBOR")
labkit_dependency(tomlplusplus  3.3    libtomlplusplus-dev "lab.toml and the GPU profiles")
labkit_dependency(CLI11         2.1    libcli11-dev        "the command line")
labkit_dependency(libseccomp    2.5    libseccomp-dev      "the jail: which system calls there are")
labkit_dependency(GTest         1.12   libgtest-dev        "the tests and the labs' graders")
labkit_dependency(benchmark     1.7    libbenchmark-dev    "the benchmarks")
labkit_dependency(LibArchive    3.6    libarchive-dev      "zip and tar: what an LMS hands out")
labkit_dependency(utf8proc      2.8    libutf8proc-dev     "characters: how wide, names in any script")
labkit_dependency(yaml-cpp      0.7    libyaml-cpp-dev     "Gradescope's metadata")
labkit_dependency(SQLiteCpp     3.2    libsqlitecpp-dev    "the gradebook")
labkit_dependency(-             1.0    libbz2-dev          "packages: LibArchive's codecs, linked in")
labkit_dependency(-             1.9    liblz4-dev          "device code as nvcc 11 and 12 pack it, and LibArchive's codecs")
labkit_dependency(-             5.4    liblzma-dev         "packages: LibArchive's codecs, linked in")
labkit_dependency(-             1.5    libzstd-dev         "device code as nvcc 13 packs it, and LibArchive's codecs")
labkit_dependency(-             1.2    zlib1g-dev          "packages: LibArchive's codecs, linked in")
labkit_dependency(-             5.4    xz-utils            "packages: the archives")

# For the handouts alone (`cmake --build --preset handouts`); `./kit handouts` installs them and nothing else does. CMake
# does not read them.
macro(labkit_handouts_dependency cmake_name minimum debian_package purpose)
endmacro()
labkit_handouts_dependency(-    3.11   python3             "figures and tables of the handouts")
labkit_handouts_dependency(-    1.9.4  doxygen             "the handouts' pages")
labkit_handouts_dependency(-    2.1    doxygen-awesome-css "their style sheet, light and dark")

# For tests of `class submit`, which are skipped by name without them; `CI=true ./kit test` installs them where it can.
macro(labkit_test_dependency cmake_name minimum debian_package purpose)
endmacro()
labkit_test_dependency(-    22.05    slurm-wlm "a cluster on one machine")
labkit_test_dependency(-    0.5      munge     "its keys")
labkit_test_dependency(-    2021     parallel  "GNU parallel")

# Used by tests where they are there, and skipped by name where they are not: clangd (what editors ask about a kernel.cu);
# chromium (Debian's package; Ubuntu has it as a
# snap, which cannot open the tests' files), or LABKIT_CHROMIUM names another browser of its family; docker.io, or podman with
# runc (the images); npm, for axe-core 4.14.1 (accessible_pages.py, which names the version); debootstrap (images, packages); qemu-user-static with binfmt-support (packages of 64-bit Arm).

# find_package for a package listed above, with the command that mends it when it is not there. A macro: imported targets
# must appear in the caller's scope.
macro(labkit_find_package name)
  if(NOT DEFINED LABKIT_PACKAGE_${name})
    message(FATAL_ERROR "${name} is not listed in grader/dependencies.cmake")
  endif()
  find_package(${name} QUIET ${ARGN})
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "${name} is missing (${LABKIT_PURPOSE_${name}}). Install it with\n"
                        "    sudo apt-get install ${LABKIT_PACKAGE_${name}}\n"
                        "or let `./kit test` install all that the kit needs.")
  endif()
  if(${name}_VERSION AND ${name}_VERSION VERSION_LESS LABKIT_MINIMUM_${name})
    message(FATAL_ERROR "${name} is ${${name}_VERSION}, the kit needs ${LABKIT_MINIMUM_${name}} or newer "
                        "(package ${LABKIT_PACKAGE_${name}}; Debian 12 and Ubuntu 24.04 have it).")
  endif()
endmacro()
