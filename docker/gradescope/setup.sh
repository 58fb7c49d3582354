#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the autograder's image; everything is in /autograder/source. It unpacks the kit's
# package, and installs the compiler that it takes.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
export DEBIAN_FRONTEND=noninteractive
command -v clang >/dev/null || {
  apt-get update -q
  apt-get install -qy --no-install-recommends clang xz-utils
}
mkdir -p kit
tar -xf kit.tar.xz --strip-components=1 -C kit
kit/kit doctor # compiles a kernel and runs it
