#!/usr/bin/env python3
"""What the model says of warps' stalls beside Nsight Compute (other_stalls.csv and fresh_stalls.csv, made by count_ncu.py): how often the
largest is the same, "selected" aside. A hash of its name says which half of the fresh kernels may be looked at; of the other only the count is
printed.

  python3 grader/tests/timing/data/evaluate_stalls.py LABKIT [--all]
"""
import concurrent.futures, csv, hashlib, json, pathlib, subprocess, sys

here = pathlib.Path(__file__).parent
labkit, show_all = sys.argv[1], "--all" in sys.argv


def predicted(row):
    launch = f"{row['expression']}<<<{row['grid']}, {row['block']}, {row['dynamic_shared_bytes']}>>>({', '.join(row['arguments'].split())})"
    done = subprocess.run([labkit, "profile", here / f"{row['set']}_kernels.cu", launch, "--device", "sim", "--json", "-"], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["launches"][0]["prediction"]["stalls"]
    except (ValueError, KeyError):
        sys.exit(f"{row['kernel']}: {done.stdout[-300:]}{done.stderr[-300:]}")


def largest(parts):
    whole = sum(parts.values())
    return sorted(((part / whole, name) for name, part in parts.items() if name != "selected"), reverse=True)


def rows_of(kernels):
    launches = {(r["family"], r["kernel"]): r for r in csv.DictReader(open(here / f"{kernels}_launches.csv"))}
    for row in csv.DictReader(l for l in open(here / f"{kernels}_stalls.csv") if not l.startswith("#")):
        name = (row.pop("family"), row.pop("kernel"))
        is_first = kernels == "other" or int(hashlib.sha256("/".join(name).encode()).hexdigest()[0], 16) % 2 == 0
        half = ("fitted and tested" if kernels == "other" else "fresh, looked at") if is_first else "fresh, held back"
        yield {**launches[name], "set": kernels, "half": half, "counted": {k: float(v) for k, v in row.items()}}


rows = [*rows_of("other"), *rows_of("fresh")]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    stalls = list(pool.map(predicted, rows))
same = {}
for row, parts in zip(rows, stalls):
    own, real = largest(parts), largest(row["counted"])
    values = same.setdefault(row["half"], [])
    values.append(own[0][1] == real[0][1])
    if show_all or row["half"] != "fresh, held back":
        text = [", ".join(f"{n} {p:.0%}" for p, n in some[:3]) for some in (own, real)]
        print(f"{row['family']:14}{row['kernel']:18}{'' if values[-1] else 'OTHER':6}{text[0]:68}| {text[1]}")
for half, values in same.items():
    print(f"{half}: the largest is the same in {sum(values)} of {len(values)}")
