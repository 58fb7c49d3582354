"""Grades one lab for Classroom 50: CLASSROOM/autograder.py, or CLASSROOM/autograders/ASSIGNMENT/autograder.py.

An assignment is called after its lab: lab3, or lab3-anything. The image of runtime.json has labkit. This ends with 0 for every
grade. Otherwise the grader failed: there is no result.json, and Classroom 50 reports an error, not a zero.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

if not os.environ.get("ASSIGNMENT"):
    sys.exit("ASSIGNMENT is not set. Classroom 50's runner sets it and starts this file.")
lab = os.environ["ASSIGNMENT"].split("-")[0]
kernel = next(Path("labs").glob(f"{lab}_*/kernel.cu"), Path("kernel.cu"))
command = ["labkit", "grade", lab, "--file", str(kernel), "--device", "sim", "--html", "report.html"]
graded = subprocess.run([*command, "--classroom50", "result.json"], check=False)
if graded.returncode != 0:
    sys.exit(f"No result: labkit ended with exit code {graded.returncode}. Its message says what to fix.")

result = json.loads(Path("result.json").read_text(encoding="utf-8"))
lines = [f"### {lab}: {result['score']} of {result['max-score']} points", "", "| Test | | Points |", "|---|---|---|"]
for test in result["tests"]:
    word = "passed" if test["passed"] else "failed"
    lines.append(f"| {test['test-name']} | {word} | {test['score']} of {test['max-score']} |")
failed = next((test for test in result["tests"] if not test["passed"]), None)
if failed:
    lines += ["", failed["test-name"] + ":", "", *("    " + line for line in failed["message"].splitlines())]
lines += ["", "`report.html`, below, shows which lines and which threads."]
Path("release-body.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
