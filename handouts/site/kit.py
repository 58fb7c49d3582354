"""The pages' data: measured times from the kit's CSV files, and runs of labkit, cached until labkit changes."""

import csv
import hashlib
import json
import os
import subprocess
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "grader/tests/timing/data"
KERNELS = DATA / "other_kernels.cu"

class HandoutsError(Exception):
    """Something that the person who builds the pages can fix; main() prints it."""


def _rows(path: Path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


class Kit:
    def __init__(self, labkit: Path, cache: Path):
        self.labkit, self.cache = labkit, cache
        cache.mkdir(parents=True, exist_ok=True)
        self.written = labkit.stat().st_mtime_ns
        self.version = hashlib.sha256(labkit.read_bytes()).hexdigest()
        self.launches = {(r["family"], r["kernel"]): r for r in _rows(DATA / "other_launches.csv")}
        self.times = {(r["family"], r["kernel"]): r for r in _rows(DATA / "other_times.csv")}
        self.older = {(r["family"], r["kernel"]): r for r in _rows(DATA / "kernel_times.csv")}

    @property
    def peak_flops(self) -> float:
        """float32 operations per second, from the GPU profile."""
        profile = tomllib.loads((ROOT / "grader/timing/profiles/h200.toml").read_text(encoding="utf-8"))
        tables = [profile] + [table for table in profile.values() if isinstance(table, dict)]
        return next(table["fp32_flops_per_second"]["value"] for table in tables if "fp32_flops_per_second" in table)

    def _start(self, arguments: list[str]):
        environment = {**os.environ, "LABKIT_DEVICE": "sim", "LABKIT_ROOT": str(ROOT), "LABKIT_COMMAND": "./kit"}
        return subprocess.run([self.labkit, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)

    def run(self, arguments: list[str], with_report: bool = False) -> tuple[int, str]:
        """Exit code and output of `labkit ARGUMENTS`, in the project's root, without a GPU. `with_report`: and what it says on stderr."""
        key = hashlib.sha256(json.dumps([self.version, arguments, with_report, self._files(arguments)]).encode()).hexdigest()
        kept = self.cache / f"{key}.json"
        if kept.exists():
            return tuple(json.loads(kept.read_text()))
        done = self._start(arguments)
        # 3 of a whole program: no compiler for its host code is here, and the page shows what is said then
        if done.returncode not in ((0, 1, 3) if with_report else (0, 1)):
            raise HandoutsError(f"labkit {' '.join(arguments)} exited with {done.returncode}:\n{done.stderr or done.stdout}")
        if self.labkit.stat().st_mtime_ns != self.written:
            raise HandoutsError("labkit was rebuilt while the pages were being built. Run the same command again.")
        text = done.stdout + (done.stderr if with_report else "")
        kept.write_text(json.dumps([done.returncode, text]))
        return done.returncode, text

    @staticmethod
    def _files(arguments):
        names = [ROOT / a for a in arguments if a.endswith(".cu")]
        return [hashlib.sha256(n.read_bytes()).hexdigest() for n in names if n.exists()]

    def profile(self, file: str, kernel: str, grid: str, block: str, arguments: list[str], shared: str = "0") -> dict:
        launch = f"{kernel}<<<{grid}, {block}, {shared}>>>({', '.join(arguments)})"
        code, out = self.run(["profile", file, launch, "--json", "-"])
        if code != 0:
            raise HandoutsError(f"a figure needs {kernel} of {file}, but labkit reports an error in it:\n{out}")
        return json.loads(out)["launches"][0]

    def film(self, file: str, launch: str) -> str:
        """The page with the film of a launch."""
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "film.html"
            done = self._start(["profile", file, "--check", launch, "--film", str(page)])
            if done.returncode not in (0, 1) or not page.exists():
                raise HandoutsError(f"no film of {file}:\n{done.stderr or done.stdout}")
            return page.read_text(encoding="utf-8")

    def useful_bytes(self, family, kernel) -> int:
        return int(self.launches[family, kernel]["useful_bytes"])

    def measured_us(self, family, kernel) -> float:
        return float(self.times[family, kernel]["median_us"])

    def predicted(self, family, kernel) -> dict:
        launch = self.launches[family, kernel]
        return self.profile(
            str(KERNELS.relative_to(ROOT)), launch["expression"], launch["grid"], launch["block"],
            launch["arguments"].split(), launch["dynamic_shared_bytes"],
        )

    def predict_together(self, rows: list[tuple[str, str]]):
        """Fills the cache for these families and kernels, on all cores."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda row: self.predicted(*row), rows))

    def predicted_us(self, family, kernel) -> float:
        return self.predicted(family, kernel)["time_us"]

    def labs(self) -> list[tuple[Path, dict]]:
        files = sorted((ROOT / "labs").glob("*/lab.toml"))
        return [(f.parent, tomllib.loads(f.read_text(encoding="utf-8"))) for f in files]
