#!/usr/bin/env python3
"""check_pages.py SOURCE: the site has the pages of the menu only and shows stubs, and two runs take turns.

Exits with 77 if there is no Doxygen.
"""

import fcntl
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
STYLE = Path("/usr/share/doxygen-awesome-css/doxygen-awesome.css")
MARK = "changed_by_the_reader"


def only_pages_with_stubs(source: Path, work: Path):
    """In a kit whose reader has changed every kernel."""
    kit = work / "kit"
    for name in ("handouts", "labs"):
        shutil.copytree(source / name, kit / name)
    (kit / "grader").mkdir()
    for kernel in (kit / "labs").glob("*/kernel.cu"):
        kernel.write_text(f"int {MARK};\n", encoding="utf-8")
    sys.path.insert(0, str(kit / "handouts/site"))
    import make_site

    parts, site = work / "parts", work / "site"
    parts.mkdir()
    site.mkdir()
    make_site.run_doxygen(shutil.which("doxygen"), False, parts, site)
    shown = {page.name for page in site.rglob("*.html")}
    wanted = {f"{make_site.label_of(page)}.html" for _, group in make_site.menu(False) for page in group} | {"index.html"}
    assert shown == wanted, f"pages that nobody asked for, or that are missing: {sorted(shown ^ wanted)}"
    pages = [page for page in site.glob("*.html") if "TODO" in page.read_text(encoding="utf-8")]
    labs = len(list((kit / "labs").glob("*/.stub")))
    assert len(pages) >= labs, f"pages that show a stub: {[page.name for page in pages]}"
    for page in site.rglob("*.html"):
        assert MARK not in page.read_text(encoding="utf-8"), f"{page.name} shows the reader's kernel"


def runs_take_turns(source: Path, work: Path):
    out = work / "out"
    (out / "parts").mkdir(parents=True)
    of_the_other = out / "parts/of_the_other"
    of_the_other.touch()
    labkit = work / "labkit"  # ends the run as soon as it has the lock
    labkit.write_text("#!/bin/sh\nexit 5\n", encoding="utf-8")
    labkit.chmod(0o755)
    command = [sys.executable, source / "handouts/site/make_site.py", "--labkit", labkit, "--out", out]
    with open(out / ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        said = run.stderr.readline()
        assert "waiting" in said, said
        assert of_the_other.exists(), "the pages of the other run are removed while it builds them"
    said = run.communicate(timeout=240)[1]
    assert run.returncode == 3 and "exited with 5" in said, (run.returncode, said)
    assert not of_the_other.exists(), "it never got the lock"


def main() -> int:
    if not shutil.which("doxygen") or not STYLE.exists():
        print("skipped: doxygen or doxygen-awesome-css is not installed")
        return 77
    source = Path(sys.argv[1])
    for check in (only_pages_with_stubs, runs_take_turns):
        with tempfile.TemporaryDirectory() as work:
            check(source, Path(work).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
