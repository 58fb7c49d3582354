#!/bin/bash
# Measures every launch of other_launches.csv (or of fresh, third, fourth) on the GPU of this machine with the kit's own profiler and writes
# other_times.csv's rows: family,kernel,median_us,low_us,high_us,samples (95% interval of the median, L2 flushed before each).
#   bash grader/tests/timing/data/measure_others.sh LABKIT [fresh|third|fourth] > OUT.csv
set -eu
here=$(cd "$(dirname "$0")" && pwd)
labkit=$1
set=${2:-other}
echo "family,kernel,median_us,low_us,high_us,samples"
python3 - "$here" "$labkit" "$set" <<'PY'
import csv, json, subprocess, sys
here, labkit, kernels = sys.argv[1:]
for row in csv.DictReader(open(f"{here}/{kernels}_launches.csv")):
    launch = f"{row['expression']}<<<{row['grid']}, {row['block']}, {row['dynamic_shared_bytes']}>>>({', '.join(row['arguments'].split())})"
    command = [labkit, "profile", f"{here}/{kernels}_kernels.cu", launch, "--device", "cuda", "--no-sim", "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        timed = json.loads(done.stdout)["launches"][0]["measured"]["time_us"]
        print(row["family"], row["kernel"], *(f"{timed[k]:.3f}" for k in ("median", "low", "high")), len(timed["samples"]), sep=",", flush=True)
    except Exception as error:
        print(row["family"], row["kernel"], "failed", repr(error), (done.stdout + done.stderr)[-300:].replace("\n", " "), file=sys.stderr, flush=True)
PY
