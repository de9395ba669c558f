"""Runs the tests of a project with its own runner, and prints what the report of the runner says.

It runs as `python -I -S` with an empty environment, so that nothing of the workspace or of the shell is part of it.
The runner gets the environment with which the shell was started, not what programs made of it since. The last line
of the output is the result, as JSON; before it comes the end of what the runner printed.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SHOWN_CHARS = 6_000
NAMED = 10
NOT_INSTALLED = 97

PYTEST = """
import sys
here = sys.argv.pop(1)
sys.path[:] = [p for p in sys.path if p not in ("", ".", here)]
try:
    import pytest
except ImportError:
    sys.exit(97)
print("RUNNER " + pytest.__version__ + " " + pytest.__file__)
sys.stdout.flush()
sys.path.insert(0, here)
sys.exit(pytest.main(sys.argv[1:]))
"""

UNITTEST = """
import json, os, sys, unittest
here, report, *files = sys.argv[1:]
sys.path[:] = [p for p in sys.path if p not in ("", ".", here)]
sys.path.insert(0, here)
loader = unittest.defaultTestLoader
suite = unittest.TestSuite()
for folder in sorted({os.path.dirname(f) for f in files}):
    for name in sorted(os.path.basename(f) for f in files if os.path.dirname(f) == folder):
        start = os.path.join(here, folder)
        is_package = os.path.exists(os.path.join(start, "__init__.py"))
        suite.addTests(loader.discover(start, pattern=name, top_level_dir=here if is_package else start))
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
names = lambda pairs: [str(test) for test, _ in pairs]
with open(report, "w") as out:
    json.dump({
        "total": result.testsRun, "failed": names(result.failures) + [str(t) for t in result.unexpectedSuccesses],
        "errors": names(result.errors), "skipped": names(result.skipped) + names(result.expectedFailures)}, out)
sys.exit(0 if result.wasSuccessful() else 1)
"""


def clean_environment():
    """The variables that the shell began with; on systems that hide them, only what programs cannot do without."""
    try:
        with open(f"/proc/{os.getppid()}/environ", "rb") as file:
            pairs = [entry.split(b"=", 1) for entry in file.read().split(b"\0") if b"=" in entry]
        first = {os.fsdecode(name): os.fsdecode(value) for name, value in pairs}
    except OSError:
        first = {}
    folders = [os.path.dirname(sys.executable), "/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin"]
    first.setdefault("PATH", ":".join(folders))
    first.setdefault("HOME", os.path.expanduser("~"))
    first.setdefault("LANG", "C.UTF-8")
    return {**first, "CI": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def run(command, folder, environment, seconds):
    """The exit code, or None if it took too long, and the end of what was printed."""
    with tempfile.TemporaryFile() as printed:
        child = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            code = child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except OSError:
            pass
        child.wait()
        printed.seek(0)
        return code, printed.read().decode("utf-8", "replace")


def interpreter(folder, workspace, notes):
    """The Python of the project's environment, where it is that of the sandbox; else that of the sandbox."""
    at = folder
    while True:
        for name in (".venv", "venv"):
            python = os.path.join(at, name, "bin", "python")
            if os.path.exists(python):
                if not os.path.realpath(python).startswith(workspace + os.sep):
                    return python
                notes.append(f"The Python of {name} lies in the workspace and was not used.")
        if at == workspace or os.path.dirname(at) == at:
            return sys.executable
        at = os.path.dirname(at)


def shadows(folder, workspace, names):
    """Files of the workspace that would be imported in place of the runner."""
    found = []
    for place in {folder, workspace}:
        for name in names:
            for path in (os.path.join(place, name + ".py"), os.path.join(place, name, "__init__.py")):
                if os.path.exists(path):
                    found.append(os.path.relpath(path, workspace))
    return sorted(found)


def find_module(folder, workspace, path):
    """A file of an installed package, in the folder of the project or above it."""
    at = folder
    while True:
        found = os.path.join(at, "node_modules", path)
        if os.path.exists(found):
            return found
        if at == workspace or os.path.dirname(at) == at:
            return None
        at = os.path.dirname(at)


def version_near(file):
    """The version in the package that a file belongs to."""
    at = os.path.dirname(file)
    while len(at) > 1:
        try:
            with open(os.path.join(at, "package.json")) as package:
                return json.load(package).get("version", "")
        except (OSError, ValueError, AttributeError):
            at = os.path.dirname(at)
    return ""


def counts_of(passed, failed, errors, skipped):
    return {
        "passed": passed, "failed": len(failed), "errors": len(errors), "skipped": len(skipped),
        "failing": (failed + errors)[:NAMED], "left_out": skipped[:NAMED]}


def read_junit(report):
    passed, failed, errors, skipped = 0, [], [], []
    for case in ElementTree.parse(report).iter("testcase"):
        name = "::".join(part for part in (case.get("classname"), case.get("name")) if part)
        kinds = {child.tag for child in case}
        if "error" in kinds:
            errors.append(name)
        elif "failure" in kinds:
            failed.append(name)
        elif "skipped" in kinds:
            skipped.append(name)
        else:
            passed += 1
    return counts_of(passed, failed, errors, skipped)


def read_jest(report):
    with open(report) as file:
        given = json.load(file)
    passed, failed, errors, skipped = 0, [], [], []
    for suite in given["testResults"]:
        cases = suite.get("assertionResults", [])
        for case in cases:
            name = case.get("fullName", "")
            if case["status"] == "passed":
                passed += 1
            else:
                (failed if case["status"] == "failed" else skipped).append(name)
        if suite.get("status") == "failed" and not any(case["status"] == "failed" for case in cases):
            errors.append(suite.get("name", ""))
    return counts_of(passed, failed, errors, skipped)


def read_mocha(report):
    with open(report) as file:
        given = json.load(file)
    names = lambda key: [test.get("fullTitle", "") for test in given[key]]
    return counts_of(len(given["passes"]), names("failures"), [], names("pending"))


def read_unittest(report):
    with open(report) as file:
        given = json.load(file)
    failed, errors, skipped = given["failed"], given["errors"], given["skipped"]
    return counts_of(given["total"] - len(failed) - len(errors) - len(skipped), failed, errors, skipped)


def read_go(printed):
    ends = {}
    broken = []
    for line in printed.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if not isinstance(event, dict) or event.get("Action") not in ("pass", "fail", "skip"):
            continue
        if "Test" in event:
            ends[(event.get("Package"), event["Test"])] = event["Action"]
        elif event["Action"] == "fail":
            broken.append(event.get("Package", ""))
    by = lambda action: [test for (_, test), end in ends.items() if end == action]
    failing = {package for (package, _), end in ends.items() if end == "fail"}
    return counts_of(len(by("pass")), by("fail"), [one for one in broken if one not in failing], by("skip"))


def read_cargo(printed):
    found = re.findall(r"^test result: \S+\. (\d+) passed; (\d+) failed; (\d+) ignored", printed, re.M)
    names = lambda end: re.findall(rf"^test (\S+) \.\.\. {end}", printed, re.M)
    if not found:
        raise ValueError("no result")
    return counts_of(sum(int(one[0]) for one in found), names("FAILED"), [], names("ignored"))


def plan(request, folder, report, notes):
    """The command of the runner, and how its report is read; a text if it cannot be run."""
    workspace, files = request["workspace"], request["files"]
    runner = request["runner"]
    relative = [os.path.relpath(os.path.join(workspace, file), folder) for file in files]
    # No runner takes a name such as --import=x.test.js for an option; Node.js would, behind "./" too.
    relative = [os.path.join(folder, file) if file.startswith("-") else file for file in relative]
    path = request["environment"]["PATH"]
    if runner == "pytest":
        notes.extend(
            f"{file} is named like the runner; the installed pytest was used."
            for file in shadows(folder, workspace, ("pytest", "_pytest", "pluggy")))
        options = ["-q", "--tb=short", "-p", "no:cacheprovider", f"--junitxml={report}"]
        return [interpreter(folder, workspace, notes), "-c", PYTEST, folder, *options, *relative], read_junit
    if runner == "unittest":
        notes.extend(
            f"{file} is named like the runner; that of Python was used."
            for file in shadows(folder, workspace, ("unittest",)))
        python = interpreter(folder, workspace, notes)
        return [python, "-c", "import unittest\n" + UNITTEST, folder, report, *relative], read_unittest
    if runner == "go":
        go = shutil.which("go", path=path)
        return ([go, "test", "-json", "./..."], read_go) if go else "Go is not installed in the sandbox."
    if runner == "cargo":
        cargo = shutil.which("cargo", path=path)
        return ([cargo, "test"], read_cargo) if cargo else "Cargo is not installed in the sandbox."
    node = shutil.which("node", path=path)
    if node is None:
        return "Node.js is not installed in the sandbox."
    if runner == "node":
        options = ["--test", "--test-reporter=junit", f"--test-reporter-destination={report}"]
        return [node, *options, *relative], read_junit
    module, options, read = {
        "vitest": ("vitest/vitest.mjs", ["run", "--reporter=json", f"--outputFile={report}"], read_jest),
        "jest": ("jest/bin/jest.js", ["--ci", "--json", f"--outputFile={report}"], read_jest),
        "mocha": ("mocha/bin/mocha.js", ["--reporter", "json", "--reporter-option", f"output={report}"], read_mocha),
    }[runner]
    found = find_module(folder, workspace, module)
    if found is None:
        return f"{runner} is not installed in the project."
    request["version"] = version_near(found)
    return [node, found, *options, *relative], read


def result_of(request):
    workspace = os.path.realpath(request["workspace"])
    folder = os.path.realpath(os.path.join(workspace, request["folder"]))
    notes = []
    result = {"runner": request["runner"], "version": "", "exit_code": None, "notes": notes, "problem": None}
    if folder != workspace and not folder.startswith(workspace + os.sep):
        return {**result, "problem": "The folder is outside of the workspace."}
    request = {**request, "workspace": workspace, "environment": clean_environment()}
    with tempfile.TemporaryDirectory() as private:
        report = os.path.join(private, "report")
        planned = plan(request, folder, report, notes)
        if isinstance(planned, str):
            return {**result, "problem": planned}
        command, read = planned
        code, printed = run(command, folder, request["environment"], request["seconds"])
        # Without times: the same tests give the same result when a run goes on.
        print(re.sub(r"\bin \d+\.\d+ ?s\b", "in ? s", printed[-SHOWN_CHARS:]))
        result.update(exit_code=code, version=request.get("version", ""))
        first = re.match(r"RUNNER (\S+) (\S+)\n", printed)
        if first and request["runner"] == "pytest":
            result["version"] = first.group(1)
            if first.group(2).startswith(workspace + os.sep):
                notes.append(f"The runner is {os.path.relpath(first.group(2), workspace)}, a file of the workspace.")
        if code is None:
            return {**result, "problem": f"The tests ran longer than {request['seconds']:.0f} s."}
        if request["runner"] == "pytest" and code == NOT_INSTALLED:
            return {**result, "problem": "pytest is not installed in the sandbox."}
        try:
            counts = read(printed if read in (read_go, read_cargo) else report)
        except (OSError, ValueError, KeyError, TypeError, ElementTree.ParseError):
            return {**result, "problem": "The runner wrote no report."}
        return {**result, **counts}


def main(request):
    result = result_of(json.loads(request))
    sys.stdout.flush()
    print("\n" + json.dumps({"run_tests": result}), flush=True)
