#!/bin/bash
# What Nsight Compute counts for launches of other_launches.csv, one row each: traffic of DRAM and L2, hits in L1, registers, resident
# warps. Wants a GPU, ncu and a built kit.
#   bash grader/tests/timing/data/count_others.sh LABKIT > other_traffic.csv
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python3 - "$here" "$1" <<'PY'
import concurrent.futures, csv, io, re, subprocess, sys
here, labkit = sys.argv[1:]
metrics = ["dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum",
           "lts__t_sectors_srcunit_tex_lookup_miss.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
           "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "launch__registers_per_thread",
           "sm__warps_active.avg.per_cycle_active", "sm__inst_executed.sum", "gpu__time_duration.sum"]
print("family", "kernel", *metrics, sep=",", flush=True)
left_out = ("stream_2e20", "stream_2e22", "stream_2e26", "turn_1024x1024", "turn_3000x5000", "stencil2d_2048", "stencil3d_256", "reduce_2e22", "shared_2e22")
some = {"offset_2e24": (0, 1, 8), "stride_2e26": (1, 2, 3, 4, 8, 12, 16, 20, 24, 32)}
rows = list(csv.DictReader(open(here + "/other_launches.csv")))
# Compiled beforehand, into the cache: the compiler's jail does not let ncu into its process.
def compile(expression):
    subprocess.run([labkit, "profile", here + "/other_kernels.cu", expression + "<<<1, 32>>>()",
                    "--device", "cuda", "--no-sim"], capture_output=True)
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    list(pool.map(compile, {row["expression"] for row in rows}))
for row in rows:
    if row["family"] in left_out or (row["family"] in some and int(row["kernel"].split("_")[1]) not in some[row["family"]]):
        continue
    launch = f"{row['expression']}<<<{row['grid']}, {row['block']}, {row['dynamic_shared_bytes']}>>>({', '.join(row['arguments'].split())})"
    command = ["ncu", "--target-processes", "all", "-k", "regex:^" + re.split("<", row["expression"])[0] + "$", "-c", "1", "--clock-control", "none",
               "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics),
               labkit, "profile", here + "/other_kernels.cu", launch, "--device", "cuda", "--no-sim"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        table = list(csv.reader(io.StringIO("\n".join(l for l in done.stdout.splitlines() if l.startswith('"')))))
        at = {name: i for i, name in enumerate(table[0])}
        print(row["family"], row["kernel"], *(table[-1][at[m]].replace(",", "") for m in metrics), sep=",", flush=True)
    except Exception as error:
        print(row["family"], row["kernel"], "failed", repr(error), (done.stdout + done.stderr)[-200:].replace("\n", " "), file=sys.stderr, flush=True)
PY
