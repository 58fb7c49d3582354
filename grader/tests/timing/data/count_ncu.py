#!/usr/bin/env python3
"""What Nsight Compute counts for the launches of SET_launches.csv (other, fresh, third, fourth), one row each. Wants a GPU, ncu and a built kit.

  python3 grader/tests/timing/data/count_ncu.py LABKIT SET traffic|stalls|pipes > OUT.csv

traffic: of DRAM and L2, hits in L1, registers, resident warps (other_traffic.csv; some launches are left out).
stalls:  how many warps of a scheduler wait for each reason, on average, whenever it issues; the columns add up to the warps in flight.
pipes:   instructions executed by each pipe; of fresh and third only the half that may be looked at (evaluate_fresh.py).
"""
import concurrent.futures, csv, hashlib, io, pathlib, subprocess, sys

REASONS = ["barrier", "branch_resolving", "dispatch_stall", "drain", "gmma", "imc_miss", "lg_throttle", "long_scoreboard", "math_pipe_throttle", "membar",
           "mio_throttle", "misc", "no_instruction", "not_selected", "selected", "short_scoreboard", "sleeping", "tex_throttle", "wait"]
PIPES = ["alu", "fma", "fmaheavy", "xu", "lsu", "fp64", "uniform"]
METRICS = {  # column: Nsight Compute's name
    "traffic": {name: name for name in (
        "dram__bytes_read.sum", "dram__bytes_write.sum", "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum",
        "lts__t_sectors_srcunit_tex_lookup_miss.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", "launch__registers_per_thread", "sm__warps_active.avg.per_cycle_active",
        "sm__inst_executed.sum", "gpu__time_duration.sum")},
    "stalls": {reason: f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio" for reason in REASONS},
    "pipes": {"executed": "sm__inst_executed.sum", "cycles": "sm__cycles_active.avg", "issue_active": "smsp__issue_active.avg.per_cycle_active",
              "warps": "sm__warps_active.avg.per_cycle_active", "lsu_wavefronts": "l1tex__data_pipe_lsu_wavefronts.sum"} |
             {pipe: f"sm__inst_executed_pipe_{pipe}.sum" for pipe in PIPES},
}
OTHER_TRAFFIC_LEFT_OUT = ("stream_2e20", "stream_2e22", "stream_2e26", "turn_1024x1024", "turn_3000x5000", "stencil2d_2048", "stencil3d_256",
                          "reduce_2e22", "shared_2e22")
OTHER_TRAFFIC_SOME = {"offset_2e24": (0, 1, 8), "stride_2e26": (1, 2, 3, 4, 8, 12, 16, 20, 24, 32)}


def is_wanted(row, kernels, what):
    family, kernel = row["family"], row["kernel"]
    if what == "pipes" and kernels in ("fresh", "third"):
        return int(hashlib.sha256(f"{family}/{kernel}".encode()).hexdigest()[0], 16) % 2 == 0
    if what == "traffic" and kernels == "other":
        return family not in OTHER_TRAFFIC_LEFT_OUT and (family not in OTHER_TRAFFIC_SOME or int(kernel.split("_")[1]) in OTHER_TRAFFIC_SOME[family])
    return True


def main(labkit, kernels, what):
    here = pathlib.Path(__file__).parent
    metrics = METRICS[what]
    rows = [row for row in csv.DictReader(open(here / f"{kernels}_launches.csv")) if is_wanted(row, kernels, what)]

    def profile(row):
        launch = f"{row['expression']}<<<{row['grid']}, {row['block']}, {row['dynamic_shared_bytes']}>>>({', '.join(row['arguments'].split())})"
        return [labkit, "profile", here / f"{kernels}_kernels.cu", launch, "--device", "cuda", "--no-sim"]

    # Compiled beforehand, into the cache: the compiler's jail does not let ncu into its process.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda row: subprocess.run(profile(row), capture_output=True), {row["expression"]: row for row in rows}.values()))
    print("family", "kernel", *metrics, sep=",", flush=True)
    has_failed = False
    for row in rows:
        command = ["ncu", "--target-processes", "all", "-k", "regex:^" + row["expression"].split("<")[0] + "$", "-c", "1", "--clock-control", "none",
                   "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(metrics.values()), *profile(row)]
        done = subprocess.run(command, capture_output=True, text=True)
        table = list(csv.reader(io.StringIO("\n".join(line for line in done.stdout.splitlines() if line.startswith('"')))))
        values = dict(zip(table[0], table[-1])) if table else {}
        missing = [name for name in metrics.values() if not values.get(name)]
        if missing:
            print(row["family"], row["kernel"], "not counted:", *missing, (done.stdout + done.stderr)[-300:].replace("\n", " "), file=sys.stderr, flush=True)
            has_failed = True
            continue
        print(row["family"], row["kernel"], *(values[name].replace(",", "") for name in metrics.values()), sep=",", flush=True)
    return has_failed


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in METRICS:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
