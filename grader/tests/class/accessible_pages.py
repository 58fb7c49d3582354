#!/usr/bin/env python3
"""accessible_pages LABKIT MAKE_CLASS_PAGES SOURCE HANDOUTS: pages of each kind, and of the handouts if that folder has them, looked at by
axe-core in headless Chromium, light and dark.

No finding may be serious or critical. Skipped (exit code 77) without npm, chromium or a network to fetch axe-core over.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

AXE = "axe-core@4.14.1"  # https://github.com/dequelabs/axe-core, MPL-2.0; fetched, never kept
REPORT = """
<script>addEventListener("load", () => axe.run(document).then(found => {
  const told = document.createElement("pre");
  told.textContent = "AXE-" + "BEGIN" + JSON.stringify(found.violations.map(one => ({
    id: one.id, impact: one.impact, help: one.help, passes: found.passes.length, node: one.nodes[0].html.slice(0, 200)
  }))) + "AXE-" + "END" + found.passes.length;
  document.body.append(told);
}));</script></body>"""


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def fetch_axe(folder):
    if subprocess.run(["npm", "pack", "--silent", AXE], cwd=folder, capture_output=True, timeout=120, check=False).returncode:
        skip("npm cannot fetch " + AXE)
    shutil.unpack_archive(next(folder.glob("axe-core-*.tgz")), folder)
    return (folder / "package/axe.min.js").read_text(encoding="utf-8").replace("</script", "<\\/script")


def made_pages(labkit, make_class_pages, source, folder):
    """A page of each kind that a student or a teacher opens."""
    solutions = source / "solutions"
    for lab, file in [("lab1", "lab1_vecadd_coalescing/wrong/chunk_a_thread.cu"), ("lab4", "lab4_bank_conflict_padding/correct/padded.cu"),
                      ("lab5", "lab5_tiled_matmul/wrong/second_barrier_missing.cu"), ("lab7", "lab7_multiple_doubles/wrong/syntax_error.cu")]:
        if not (solutions / file).exists():
            sys.exit(f"{file} is not there")
        page = folder / f"{lab}.html"
        subprocess.run([labkit, "explain", lab, "--file", solutions / file, "--html", page], capture_output=True, check=False)
        yield page
    page = folder / "profile.html"
    subprocess.run([labkit, "profile", solutions / "lab3_corner_turning/correct/padded.cu", "--html", page,
                    "turn<float><<<4x4, 32x8>>>(f32[16384]:random, f32[16384]:poison, 128, 128)"], capture_output=True, check=False)
    yield page
    page = folder / "film.html"
    subprocess.run([labkit, "profile", source / "handouts/examples/tiles_race.cu", "--check", "--film", page,
                    "reverse<<<1, 64>>>(f32[192]:iota, f32[192]:poison, 192)"], capture_output=True, check=False)
    yield page
    subprocess.run([make_class_pages, folder / "class", "12"], capture_output=True, check=False)
    for wanted in ["index.html", "students/*.html", "similar/*.html", "board.html"]:
        yield next((folder / "class").glob(wanted))


def findings(page, axe, scheme):
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"<meta http-equiv=\"?Content-Security-Policy\"?[^>]*>", "", text, flags=re.IGNORECASE)
    text = text.replace("</body>", f"<script>{axe}</script>{REPORT}")
    copy = page.with_name("looked_at.html")  # beside it, for what it links to
    copy.write_text(text, encoding="utf-8")
    dom = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000",
                          f"--blink-settings=preferredColorScheme={scheme}", "--dump-dom", copy.as_uri()],
                         capture_output=True, text=True, timeout=300, check=True).stdout
    copy.unlink()
    told = re.search(r"AXE-BEGIN(.*?)AXE-END(\d+)", dom, re.DOTALL)
    if not told or int(told[2]) == 0:
        sys.exit(f"{page}: axe-core said nothing")
    return json.loads(html.unescape(told[1]))


def main():
    labkit, make_class_pages, source, handouts = (pathlib.Path(name).resolve() for name in sys.argv[1:5])
    for program in ["npm", "chromium"]:
        if not shutil.which(program):
            skip(f"there is no {program}")
    serious = 0
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        axe = fetch_axe(folder)
        site = sorted(page for page in handouts.glob("*.html") if page.name != "looked_at.html")
        if not site:
            print(f"{handouts} has no pages: the handouts were not looked at; `cmake --build --preset handouts` builds them")
        for page in [*made_pages(labkit, make_class_pages, source, folder), *site]:
            for scheme, number in [("dark", 0), ("light", 1)]:
                for one in findings(page, axe, number):
                    print(f"{page.name}, {scheme}: {one['impact']}: {one['help']} ({one['id']}): {one['node']}")
                    serious += one["impact"] in ("serious", "critical")
    print(serious, "serious findings")
    return 1 if serious else 0


if __name__ == "__main__":
    sys.exit(main())
