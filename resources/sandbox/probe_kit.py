"""Shared by all sets of probes; the app puts it between `TARGETS = {...}` and the probes.

`print_report` prints one JSON object: probe name -> {"attempts": [...], "breaches": [...], "error": text or null}.
A probe that raises has not tried what it should, and counts as failed.
"""
import ctypes
import errno
import json
import os
import sys

MARK = ".hyperagent-probe-" + TARGETS["nonce"]
libc = ctypes.CDLL(None, use_errno=True)


class Probe:
    def __init__(self):
        self.attempts = []
        self.breaches = []

    def saw(self, fact):
        self.attempts.append(fact)

    def breach(self, fact):
        self.attempts.append(fact)
        self.breaches.append(fact)

    def must_fail(self, what, action, only=None):
        """`action` must raise OSError; if `only` is given, with one of these numbers."""
        try:
            action()
        except OSError as error:
            name = errno.errorcode.get(error.errno, str(error.errno))
            if only is None or error.errno in only:
                self.saw(f"{what}: {name}")
            else:
                self.breach(f"{what}: {name}, so it is there")
        else:
            self.breach(f"{what}: worked")


def open_for(path, flags):
    os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))


def print_report(probes):
    report = {}
    for run in probes:
        probe = Probe()
        failure = None
        try:
            run(probe)
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        report[run.__name__] = {"attempts": probe.attempts, "breaches": probe.breaches, "error": failure}
    sys.stdout.write(json.dumps(report))
