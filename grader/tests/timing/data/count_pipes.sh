#!/bin/bash
# What Nsight Compute counts of the pipes, for the half of fresh_launches.csv and third_launches.csv that may be looked at (evaluate_fresh.py). Wants
# a GPU, ncu and a built kit.
#   bash grader/tests/timing/data/count_pipes.sh LABKIT > pipes.csv
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python3 - "$here" "$1" <<'PY'
import concurrent.futures, csv, hashlib, io, re, subprocess, sys
here, labkit = sys.argv[1:]
pipes = ["alu", "fma", "fmaheavy", "fp16", "xu", "lsu", "fp64", "uniform", "cbu", "adu"]
metrics = ["sm__inst_executed.sum", "sm__inst_issued.sum", "sm__cycles_elapsed.max", "sm__cycles_active.avg", "smsp__cycles_active.avg",
           "smsp__issue_active.avg.per_cycle_active", "sm__warps_active.avg.per_cycle_active", "l1tex__data_pipe_lsu_wavefronts.sum", "l1tex__f_wavefronts.sum",
           "l1tex__lsu_writeback_active.sum", "l1tex__lsuin_requests.sum", "sm__sass_inst_executed_op_shared_ld.sum", "launch__registers_per_thread",
           "gpu__time_duration.sum"] + [f"sm__inst_executed_pipe_{p}.sum" for p in pipes]
print("set", "family", "kernel", *metrics, sep=",", flush=True)
rows = []
for kernels in ("fresh", "third"):
    for row in csv.DictReader(open(f"{here}/{kernels}_launches.csv")):
        if int(hashlib.sha256(f"{row['family']}/{row['kernel']}".encode()).hexdigest()[0], 16) % 2 == 0:
            rows.append((kernels, row))
def launch_of(row):
    return f"{row['expression']}<<<{row['grid']}, {row['block']}, {row['dynamic_shared_bytes']}>>>({', '.join(row['arguments'].split())})"
# Compiled beforehand, into the cache: the compiler's jail does not let ncu into its process.
def compile(item):
    kernels, row = item
    subprocess.run([labkit, "profile", f"{here}/{kernels}_kernels.cu", launch_of(row), "--device", "cuda", "--no-sim"], capture_output=True)
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    list(pool.map(compile, rows))
for kernels, row in rows:
    command = ["ncu", "--target-processes", "all", "-k", "regex:^" + re.split("<", row["expression"])[0] + "$", "-c", "1", "--clock-control", "none",
               "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics),
               labkit, "profile", f"{here}/{kernels}_kernels.cu", launch_of(row), "--device", "cuda", "--no-sim"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        table = list(csv.reader(io.StringIO("\n".join(l for l in done.stdout.splitlines() if l.startswith('"')))))
        at = {name: i for i, name in enumerate(table[0])}
        print(kernels, row["family"], row["kernel"], *(table[-1][at[m]].replace(",", "") if m in at else "" for m in metrics), sep=",", flush=True)
    except Exception as error:
        print(row["family"], row["kernel"], "failed", repr(error), (done.stdout + done.stderr)[-200:].replace("\n", " "), file=sys.stderr, flush=True)
PY
