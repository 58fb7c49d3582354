#!/usr/bin/env bash
# Holds the simulator's counters against what Nsight Compute reads on the GPU at hand, for reference solutions launched
# as they are graded. Wants a GPU, `ncu` and a built kit:
#
#   bash grader/tests/h200/nsight_counters.sh [LABKIT] >grader/tests/h200/nsight_counters.csv
#
# One row is one counter of one launch. Ends with 1 if any differ, with 3 if a launch could not be read.
# Source counters (memory_...) are exact. Pipe counters (l1tex__...) are the hardware's: sectors and requests of global
# memory carry no arbitration noise.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
labkit=${1:-build/default/bin/labkit}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

metrics=(
  l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
  l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
  memory_l1_wavefronts_shared memory_l1_wavefronts_shared_ideal
  memory_l2_theoretical_sectors_global memory_l2_theoretical_sectors_global_ideal
)
status=0

# counters FILE KERNEL GRID BLOCK DYNAMIC_SHARED ARG...
counters() {
  local file=solutions/$1 kernel=$2 grid=$3 block=$4 shared=$5
  shift 5
  local arguments
  arguments=$(printf ', %s' "$@")
  local command=("$labkit" profile "$file" "$kernel<<<$grid, $block, $shared>>>(${arguments:2})")
  if ! "${command[@]}" --device sim --json "$work/sim.json" >"$work/sim.txt" 2>&1 ||
    ! ncu --target-processes all -k "regex:^${kernel%%<*}\$" -c 1 --clock-control none --csv --page raw --print-units base \
      --metrics "$(IFS=,; echo "${metrics[*]}")" "${command[@]}" --device cuda --no-sim >"$work/ncu.csv" 2>"$work/ncu.txt"; then
    echo "cannot read $file $kernel:" >&2
    tail -n 5 "$work"/*.txt >&2
    status=3
    return
  fi
  # Two rows of quoted fields: names, (units,) values. Fields may hold commas, but never `","`.
  local metric ours theirs verdict
  for metric in "${metrics[@]}"; do
    theirs=$(grep '^"' "$work/ncu.csv" | sed 's/","/\t/g; s/^"//; s/"$//' |
      awk -F'\t' -v name="$metric" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
                                    END { gsub(/,/, "", $column); print column ? $column : "" }')
    ours=$(grep -o "\"$metric\": *[0-9]*" "$work/sim.json" | head -n 1 | grep -o '[0-9]*$')
    verdict=equal
    if [[ -z $theirs || -z $ours ]]; then
      verdict=missing
      status=3
    elif [[ ${theirs%.*} != "$ours" ]]; then
      verdict=DIFFERENT
      ((status == 3)) || status=1
    fi
    echo "$file,\"$kernel\",$grid,$block,$metric,${ours:-},${theirs:-},$verdict"
  done
}

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1)
echo "# $gpu, $(date +%F); $(ncu --version | tail -n 1); bash grader/tests/h200/nsight_counters.sh"
echo "file,kernel,grid,block,metric,simulator,nsight_compute,verdict"

matrix=('f32[4194304]:random' 'f32[4194304]:poison' i32:2048 i32:2048)
product=('f32[131072]:random' 'f32[131072]:random' 'f32[1048576]:poison' i32:1024 i32:128 i32:1024)
series=('f32[262144]:random' 'f32[8388608]:poison' i32:262144)
for file in grid_stride vectorised; do
  for type in float:f32 double:f64; do
    counters lab1_vecadd_coalescing/correct/$file.cu "vecadd<${type%:*}>" 2048 256 0 \
      "${type#*:}[4194304]:random" "${type#*:}[4194304]:random" "${type#*:}[4194304]:poison" i32:4194304
  done
done
for kernel in transpose_coalesced_read transpose_coalesced_write; do
  counters lab2_naive_transpose/correct/plain.cu "$kernel<float>" 64x64 32x32 0 "${matrix[@]}"
done
counters lab3_corner_turning/correct/tile.cu 'corner_turn<float>' 64x64 32x32 0 "${matrix[@]}"
counters lab4_bank_conflict_padding/correct/padded.cu transpose_static 64x64 32x32 0 "${matrix[@]}"
counters lab4_bank_conflict_padding/correct/padded.cu transpose_dynamic 64x64 32x32 4224 "${matrix[@]}"
counters lab4_bank_conflict_padding/correct/padded.cu transpose_rows 64x64 32x8 0 "${matrix[@]}"
counters lab4_bank_conflict_padding/correct/wide_tile.cu transpose_rows 32x32 256 0 "${matrix[@]}"
counters lab4_bank_conflict_padding/correct/kept_lines.cu transpose_rows 32x32 256 0 "${matrix[@]}"
counters lab5_tiled_matmul/correct/tiled.cu matmul 32x32 32x32 0 "${product[@]}"
counters lab5_tiled_matmul/correct/tiled.cu matmul_registers 16x16 16x16 0 "${product[@]}"
counters lab5_tiled_matmul/correct/eight_by_eight.cu matmul_registers 8x16 128 0 "${product[@]}"
for file in padded vectors; do
  for kernel in powers powers_altered; do
    counters lab6_consecutive_powers/correct/$file.cu "$kernel" 2048 128 0 "${series[@]}"
  done
done
exit "$status"
