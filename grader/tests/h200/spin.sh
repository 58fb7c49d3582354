#!/bin/bash
# Times of spin.cu as the kit takes them: median, low and high of the interval, in us. The SM's clock is told beside them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for grid in 1 132 1056; do
  for block in 32 256 1024; do
    for cycles in 0 500 1000 2000 4000 8000 16000 32000; do
      echo -n "grid $grid block $block cycles $cycles: "
      "$1" profile "$here/spin.cu" "spin<<<$grid, $block>>>(i32[1024]:poison, i32:$cycles)" --device cuda --no-sim --json - |
        python3 -c 'import json, sys; t = json.load(sys.stdin)["launches"][0]["measured"]["time_us"]; print(*(f"{t[k]:.3f}" for k in ("median", "low", "high")))'
    done
  done
done
nvidia-smi --query-gpu=name,clocks.sm,clocks.max.sm --format=csv,noheader
