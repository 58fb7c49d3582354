#!/bin/bash
# Why warps stall, by Nsight Compute: for each launch of fresh_launches.csv (or other_launches.csv) how many warps of a scheduler wait for
# each reason, on average, whenever it issues; the columns add up to the warps in flight. Wants a GPU, ncu and a built kit.
#   bash grader/tests/timing/data/count_stalls.sh LABKIT [other] > fresh_stalls.csv
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python3 - "$here" "$1" "${2:-fresh}" <<'PY'
import concurrent.futures, csv, io, re, subprocess, sys
here, labkit, kernels = sys.argv[1:]
reasons = ["barrier", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss", "lg_throttle", "long_scoreboard", "math_pipe_throttle", "membar",
           "mio_throttle", "misc", "no_instruction", "not_selected", "selected", "short_scoreboard", "sleeping", "tex_throttle", "wait"]
metrics = [f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio" for reason in reasons]
print("family", "kernel", *reasons, sep=",", flush=True)
rows = list(csv.DictReader(open(f"{here}/{kernels}_launches.csv")))
# Compiled beforehand, into the cache: the compiler's jail does not let ncu into its process.
def compile(expression):
    subprocess.run([labkit, "profile", f"{here}/{kernels}_kernels.cu", expression + "<<<1, 32>>>()", "--device", "cuda", "--no-sim"],
                   capture_output=True)
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    list(pool.map(compile, {row["expression"] for row in rows}))
for row in rows:
    launch = f"{row['expression']}<<<{row['grid']}, {row['block']}, {row['dynamic_shared_bytes']}>>>({', '.join(row['arguments'].split())})"
    command = ["ncu", "--target-processes", "all", "-k", "regex:^" + re.split("<", row["expression"])[0] + "$", "-c", "1", "--clock-control", "none",
               "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics),
               labkit, "profile", f"{here}/{kernels}_kernels.cu", launch, "--device", "cuda", "--no-sim"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        table = list(csv.reader(io.StringIO("\n".join(l for l in done.stdout.splitlines() if l.startswith('"')))))
        at = {name: i for i, name in enumerate(table[0])}
        print(row["family"], row["kernel"], *(f"{float(table[-1][at[m]].replace(',', '')):.4f}" for m in metrics), sep=",", flush=True)
    except Exception as error:
        print(row["family"], row["kernel"], "failed", repr(error), (done.stdout + done.stderr)[-300:].replace("\n", " "), file=sys.stderr, flush=True)
PY
