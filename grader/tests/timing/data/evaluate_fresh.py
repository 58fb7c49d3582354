#!/usr/bin/env python3
"""Predicted against measured times of kernels that were written and measured before anything was tuned with them in view: fresh_kernels.cu,
third_kernels.cu and fourth_kernels.cu. Of the first two a hash of the name says which half may be looked at; of the other half only the mean and
the worst are printed. The fourth set may be looked at as a whole.

  python3 grader/tests/timing/data/evaluate_fresh.py LABKIT [fresh|third|fourth] [--all]
"""
import concurrent.futures, csv, hashlib, json, pathlib, subprocess, sys

here = pathlib.Path(__file__).parent
labkit, show_all = sys.argv[1], "--all" in sys.argv
kernels = next((name for name in ("third", "fourth") if name in sys.argv), "fresh")


def predicted(row):
    launch = f"{row['expression']}<<<{row['grid']}, {row['block']}, {row['dynamic_shared_bytes']}>>>({', '.join(row['arguments'].split())})"
    done = subprocess.run([labkit, "profile", here / f"{kernels}_kernels.cu", launch, "--device", "sim", "--json", "-"], capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["launches"][0]
    except (ValueError, KeyError):
        sys.exit(f"{row['kernel']}: {done.stdout[-300:]}{done.stderr[-300:]}")


rows = list(csv.DictReader(open(here / f"{kernels}_launches.csv")))
measured = {(r["family"], r["kernel"]): float(r["median_us"]) for r in csv.DictReader(l for l in open(here / f"{kernels}_times.csv") if not l.startswith("#"))}
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    launches = list(pool.map(predicted, rows))
errors = {"looked at": [], "held back": []}
for row, launch in zip(rows, launches):
    name = (row["family"], row["kernel"])
    half = "looked at" if kernels == "fourth" or int(hashlib.sha256("/".join(name).encode()).hexdigest()[0], 16) % 2 == 0 else "held back"
    error = launch["time_us"] / measured[name] - 1
    errors[half].append(abs(error))
    if show_all or half == "looked at":
        shares = sorted(launch["prediction"]["shares"].items(), key=lambda s: -s[1])[:2]
        print(f"{name[0]:10}{name[1]:22}{launch['time_us']:9.1f}{measured[name]:9.1f}{error:+7.0%}  " + ", ".join(f"{n} {p:.0%}" for n, p in shares))
for half, values in filter(lambda each: each[1], errors.items()):
    print(f"{half}: {len(values)} kernels, mean error {sum(values) / len(values):.1%}, worst {max(values):.0%}")
