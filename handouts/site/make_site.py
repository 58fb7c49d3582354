#!/usr/bin/env python3
"""Builds the handouts: figures and tables from the kit, pages by Doxygen. `cmake --build --preset handouts` calls it.

make_site.py --labkit build/default/bin/labkit --out build/default/handouts [--teachers]

With --teachers the answers in handouts/teachers/ are among the pages; without it they are not read at all.
Ends with 3 and one sentence with the mend if something is missing, or if a page has a warning or a broken link.
"""

import argparse
import contextlib
import fcntl
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))
try:
    import tomllib  # noqa: F401  (used by kit.py)
except ImportError:
    sys.exit("handouts: Python 3.11 or newer is needed; Debian 12 and Ubuntu 24.04 have it as `python3`.")

import charts
import claims
import figures
import links
import tables
from kit import ROOT, Kit, Trouble

HANDOUTS = ROOT / "handouts"
STYLE = Path("/usr/share/doxygen-awesome-css")
MEND = "    sudo apt-get install doxygen doxygen-awesome-css"



def _pages(pattern: str) -> list[str]:
    return sorted(str(page.relative_to(HANDOUTS)) for page in HANDOUTS.glob(pattern))


# In the order of the menu. A page is a file in handouts/, its label the file's name.
MENU = [
    ("Before you begin", ["pages/primer.md", "pages/reading_a_report.md", "pages/other_machines.md"]),
    ("The labs", _pages("pages/lab*.md")),
    ("Measured stories", ["pages/story_copies.md", "pages/story_writes.md", "pages/story_padding.md", "pages/story_offsets.md",
                          "pages/story_barrier.md", "pages/story_launches.md"]),
    ("On a real GPU", ["pages/real_gpu.md", "measured/nvidia-h200.md", "measured/limits.md"]),
    ("For authors", ["pages/new_lab.md"]),
]
FOR_TEACHERS = ("For teachers", ["teachers/running_the_course.md", "teaching_assistant.md"] + _pages("teachers/lab*_answers.md"))


def title_and_label(page: Path) -> tuple[str, str]:
    first = page.read_text(encoding="utf-8").lstrip().split("\n", 1)[0]
    match = re.fullmatch(r"#\s*(.*?)\s*(?:\{#(\w+)\})?", first)
    if not match:
        raise Trouble(f"{page.relative_to(ROOT)}: a page begins with `# Title {{#label}}`")
    return match[1], match[2] or ""


def label_of(page: Path) -> str:
    """Pages in measured/ are written by programs, which give them no label."""
    return title_and_label(page)[1] or re.sub(r"\W", "_", page.stem)


def prepared(page: Path, parts: Path, known: dict[Path, str]) -> Path:
    """A copy, line for line, whose first line has a label and whose links to other pages are Doxygen's."""

    def link(match: re.Match) -> str:
        target = (page.parent / match[2]).resolve()
        if target not in known:
            raise Trouble(f"{page.relative_to(ROOT)}: there is no page {match[2]} to link to")
        return f"[{match[1]}](@ref {known[target]})"

    lines = page.read_text(encoding="utf-8").split("\n")
    lines[0] = f"# {title_and_label(page)[0]} {{#{known[page]}}}"
    fenced = False
    for at, line in enumerate(lines):  # Doxygen shows code in a heading as a tag's name
        fenced ^= line.startswith("```")
        if line.startswith("#") and not fenced:
            lines[at] = line.replace("`", "")
    copy = parts / "pages" / page.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(re.sub(r"\[([^\]]*)\]\(([^)#:\s]+\.md)\)", link, "\n".join(lines)), encoding="utf-8")
    return copy


def menu(teachers: bool) -> list[tuple[str, list[Path]]]:
    groups = MENU + ([FOR_TEACHERS] if teachers else [])
    return [(title, [HANDOUTS / page for page in pages if (HANDOUTS / page).exists()]) for title, pages in groups]


def layout(doxygen: str, groups, parts: Path) -> Path:
    """Doxygen's own layout with our menu."""
    file = parts / "layout.xml"
    subprocess.run([doxygen, "-l", file], check=True, capture_output=True)
    tabs = '<navindex><tab type="mainpage" visible="yes" title="Start"/>'
    for title, pages in groups:
        tabs += f'<tab type="usergroup" url="[none]" title="{title}">'
        for page in pages:
            tabs += f'<tab type="user" url="@ref {label_of(page)}" title="{title_and_label(page)[0]}"/>'
        tabs += "</tab>"
    tabs += ('<tab type="usergroup" url="[none]" title="Reference"><tab type="classlist" visible="yes" title="Types"/>'
             '<tab type="filelist" visible="yes" title="Headers"/></tab></navindex>')
    text = re.sub(r"<navindex>.*</navindex>", lambda _: tabs, file.read_text(encoding="utf-8"), flags=re.S)
    file.write_text(text, encoding="utf-8")
    return file


def outputs(kit: Kit) -> dict[str, str]:
    """What commands of the pages print, shown as it is."""
    example = "handouts/examples/{}.cu".format
    reverse = ["--kernel", "reverse", "--grid", "4", "--block", "64", "--arg", "f32[256]:iota", "--arg", "f32[256]:poison"]
    return {
        "lab0_no_bounds": kit.run(["grade", "lab0", "--file", example("lab0_no_bounds")])[1],
        "lab1_chunk": kit.run(["grade", "lab1", "--file", example("lab1_chunk")])[1],
        "lab1_long": kit.run(["--file", example("lab1_chunk"), "--gtest_filter=VecAdd.BandwidthFloat"], "lab1_check")[1],
        "reverse_race": kit.run(["profile", example("reverse_race"), *reverse, "--check"])[1],
        "strided": kit.run(["profile", example("strided"), "--kernel", "every", "--grid", "64", "--block", "256",
                            "--arg", "f32[131072]:random", "--arg", "f32[16384]:poison", "--arg", "i32:8"])[1],
        "no_second_barrier": kit.run(
            ["profile", "grader/tests/observe/data/faulty_kernels.cu", "--kernel", "mm_no_second_barrier", "--grid", "8x8", "--block", "32x32",
             "--arg", "f32[65536]:random", "--arg", "f32[65536]:random", "--arg", "f32[65536]:poison", "--arg", "i32:256", "--check"])[1],
        "new_lab": (ROOT / "handouts/new_lab/labs/lab9_reversal/lab.toml").read_text(encoding="utf-8"),
    }


def steady(text: str) -> str:
    """Without the machine's own speed."""
    return re.sub(r"^simulated in .*\n?", "", text.replace(str(ROOT) + "/", ""), flags=re.M)


@contextlib.contextmanager
def alone(out: Path):
    """Nobody else makes pages there meanwhile: each begins with removing what is there."""
    out.mkdir(parents=True, exist_ok=True)
    with open(out / ".lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("handouts: waiting for another run that makes these pages", file=sys.stderr, flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def put_stubs(parts: Path):
    """A page that includes a lab's kernel.cu shows it as it is handed out, whatever the reader has made of it since."""
    for stub in (ROOT / "labs").glob("*/.stub"):
        shown = parts / stub.relative_to(ROOT).with_name("kernel.cu")
        shown.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(stub, shown)


def make_parts(kit: Kit, parts: Path):
    for name, content in {**figures.drawings(kit), **charts.charts(kit)}.items():
        (parts / f"{name}.html").write_text(content, encoding="utf-8")
    for folder, lab in kit.labs():
        number = folder.name.split("_")[0]
        (parts / f"{number}_points.html").write_text(tables.points(lab), encoding="utf-8")
        (parts / f"{number}_gates.html").write_text(tables.gates(lab), encoding="utf-8")
    for name, text in outputs(kit).items():
        (parts / f"{name}.txt").write_text(steady(text), encoding="utf-8")


def run_doxygen(doxygen: str, teachers: bool, parts: Path, site: Path) -> tuple[list[str], int]:
    """Warnings about our own pages, and how many there are about the headers."""
    put_stubs(parts)
    groups = menu(teachers)
    originals = [HANDOUTS / "pages/start.md"] + [page for _, group in groups for page in group]
    known = {page: label_of(page) for page in originals}
    pages = {prepared(page, parts, known): page for page in originals}
    version = subprocess.run([doxygen, "--version"], capture_output=True, text=True).stdout.split()[0]
    text = (HANDOUTS / "site/Doxyfile.in").read_text(encoding="utf-8")
    for name, value in {
        "ROOT": ROOT, "PARTS": parts, "SITE": site, "STYLE": STYLE, "LAYOUT": layout(doxygen, groups, parts),
        "PAGES": " ".join(f'"{p}"' for p in pages), "WHO": "for teachers" if teachers else "handouts",
        # 1.9.5 brought a dark mode of its own, which is not wanted beside the style sheet's
        "LIGHT": "HTML_COLORSTYLE = LIGHT" if tuple(map(int, version.split(".")[:3])) >= (1, 9, 5) else "",
    }.items():
        text = text.replace(f"@{name}@", str(value))
    (parts / "Doxyfile").write_text(text, encoding="utf-8")
    done = subprocess.run([doxygen, parts / "Doxyfile"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Trouble(f"doxygen ended with {done.returncode}:\n{done.stderr}")
    ours, others = [], 0
    for line in done.stderr.splitlines():
        # What another Doxygen says about a key of the configuration is nothing about a page.
        if ("warning:" not in line and "error:" not in line) or "/Doxyfile" in line or "warning: Tag '" in line:
            continue
        if str(ROOT / "grader") in line.split("warning:")[0]:
            others += 1
        else:
            for copy, page in pages.items():
                line = line.replace(str(copy), str(page.relative_to(ROOT)))
            ours.append(line)
    return ours, others


def make(labkit: Path, out: Path, doxygen: str, teachers: bool) -> int:
    parts, site = out / ("parts-teachers" if teachers else "parts"), out / ("teachers" if teachers else "students")
    for folder in (parts, site):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    kit = Kit(labkit, out / "cache")
    make_parts(kit, parts)
    ours, others = run_doxygen(doxygen, teachers, parts, site)
    links.without_empty_summaries(site)
    texts = {label_of(page): page.read_text(encoding="utf-8") for _, pages in menu(teachers) for page in pages}
    complaints = ours + claims.untrue(kit, texts) + links.broken(site)
    if not teachers:
        complaints += [f"{file.name} is not for students" for file in site.rglob("*") if "answers" in file.name]
    if complaints:
        raise Trouble("the pages are not in order:\n    " + "\n    ".join(complaints[:40]))
    if others:
        print(f"handouts: Doxygen has {others} things to say about the comments of headers; `doxygen {parts / 'Doxyfile'}` lists them")
    print(f"handouts: {site / 'index.html'}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--labkit", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teachers", action="store_true")
    parser.add_argument("--skip-without-doxygen", action="store_true", help="for tests: ends with 77 where it is not installed")
    options = parser.parse_args()
    doxygen = shutil.which("doxygen")
    if options.skip_without_doxygen and not (doxygen and (STYLE / "doxygen-awesome.css").exists()):
        print("skipped: there is no doxygen, or no doxygen-awesome-css")
        return 77
    if not doxygen:
        raise Trouble(f"Doxygen, which makes the pages, is not installed. This mends it:\n{MEND}")
    if not (STYLE / "doxygen-awesome.css").exists():
        raise Trouble(f"the pages' style sheet, doxygen-awesome-css, is not installed. This mends it:\n{MEND}")
    if options.teachers and not (HANDOUTS / "teachers").is_dir():
        raise Trouble("this copy of the kit has no handouts/teachers; build the preset `handouts` instead.")
    if not options.labkit.exists():
        raise Trouble(f"{options.labkit} is not built. This mends it:\n    cmake --build --preset default")
    with alone(options.out.resolve()):
        return make(options.labkit.resolve(), options.out.resolve(), doxygen, options.teachers)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Trouble as trouble:
        print(f"handouts: {trouble}", file=sys.stderr)
        sys.exit(3)
