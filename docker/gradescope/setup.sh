#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image; everything is in /autograder/source. It installs what
# the kit needs and builds the grader. This takes some minutes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
./kit --yes packages
cmake --preset default -DLABKIT_TESTS=OFF
./kit doctor # builds, and checks that a kernel compiles and runs
