"""Profiles data files: rows, columns, types, gaps, ranges, oddities.

Prints a line for each table and writes everything as JSON to `.hyperagent/data-profile.json`. Reads whole files, a
row at a time; when time runs out, it reports what it did not read.
"""
import importlib.util
import json
import os
import sys
import time

from data_bytes import DataError
from data_column import EXAMPLES, Column
from data_files import PROFILE, open_file

TABLES = 40
#: Rows, and cells, between two looks at the clock; this many are in memory.
BLOCK, BLOCK_CELLS = 10_000, 500_000
#: Lines in one value; more are probably a mistake.
LONG_ROW = 40
#: Columns that are read, and those of them that are described with examples.
COLUMNS, DESCRIBED = 5_000, 200
_TOTALS = ("total", "sum", "grand total", "gesamt", "summe", "subtotal", "\u5408\u8ba1", "\u603b\u8ba1")


def profile_table(table, facts, until):
    """Reads as many rows of a table as time allows."""
    names = table.columns[:COLUMNS]
    columns = [Column(name, of=len(names)) for name in names]
    block_rows = max(1, min(BLOCK, BLOCK_CELLS // max(1, len(names))))
    width, count, ragged, blank, last = len(table.columns), 0, 0, 0, None
    ragged_lines, is_partial = [], False
    is_text = facts["format"] == "csv"
    lines, block = [], []

    def settle():
        for column, values in zip(columns, zip(*block)):
            column.take(lines, values, is_text)
        lines.clear()
        block.clear()

    long_row, before = None, 0
    for line, values in table.rows():
        if is_text and line - before > LONG_ROW:
            most = max(str(cell).count("\n") for cell in values)
            long_row = long_row or (most, line) if most > LONG_ROW else long_row
        before = line
        if not any(value not in (None, "") for value in values):
            blank += 1
            continue
        count += 1
        last = values
        if len(values) != width:
            if is_text or len(values) > width:
                ragged += 1
                if len(ragged_lines) < EXAMPLES:
                    ragged_lines.append(line)
            values = (list(values) + [""] * width if is_text else list(values) + [None] * width)[:width]
        lines.append(line)
        block.append(values)
        if len(block) == block_rows:
            settle()
            if time.monotonic() > until:
                is_partial = True
                break
    settle()
    found = {"name": table.name, "rows": count, "width": width, "columns": []}
    found.update(table.facts)
    if isinstance(found.get("formulas_without_value"), list):
        found["formulas_without_value"] = len(found["formulas_without_value"])
    preferred = _preferred(columns, facts)
    found["columns"] = [column.facts(preferred) for column in columns]
    for one in found["columns"][DESCRIBED:]:
        one.pop("top", None)
        one.update(samples=[])
    notes = []
    if is_partial:
        found["partial"] = True
        notes.append("Time ran out: rows after line %d were not read." % line)
    if long_row:
        notes.append("One value spans %d line ends, up to line %d: a closing quotation mark may be missing." % long_row)
    if found.get("left_out"):
        notes.append("Columns of lists are not read without pyarrow: %s." % ", ".join(found["left_out"]))
    if len(table.columns) > COLUMNS:
        notes.append("Of %d columns, the first %d were read." % (width, COLUMNS))
    if last is not None and any(str(cell).strip().lower().rstrip(":") in _TOTALS for cell in last):
        notes.append("The last row looks like a total: it would be counted twice.")
    found.update(ragged_rows=ragged, ragged_lines=ragged_lines, blank_rows=blank, notes=notes)
    return found


def _preferred(columns, facts):
    """The notation of numbers where a column proves none: that of the other columns, else what its delimiter suggests."""
    proved = [column.notation()[0] for column in columns]
    commas, points = proved.count(","), proved.count(".")
    if commas == points:
        return "," if facts.get("delimiter") == ";" else "."
    return "," if commas > points else "."


def profile_file(path, until):
    """The profile of a file; one that cannot be read has an `error`."""
    found = {"path": path, "tables": []}
    try:
        facts, tables = open_file(path)
        found.update(facts)
        for table in tables[:TABLES]:
            found["tables"].append(profile_table(table, facts, until))
        found.update(facts)
        if len(tables) > TABLES:
            found["more_tables"] = [table.name for table in tables[TABLES:]]
    except DataError as error:
        found["error"] = {"code": error.code, "message": str(error)}
    except Exception as error:
        # A broken file must not keep the others from being read.
        text = "%s: %s" % (type(error).__name__, error)
        found["error"] = {"code": "unreadable", "message": "It cannot be read: %s" % text[:300]}
    return found


def packages():
    """The data packages that are installed."""
    names = ("pandas", "numpy", "matplotlib", "openpyxl", "pyarrow", "duckdb")
    return [name for name in names if importlib.util.find_spec(name) is not None]


def main(paths, seconds):
    """Profiles files within this time; each gets a share by its size."""
    sizes = [os.path.getsize(path) + 1 if os.path.isfile(path) else 1 for path in paths]
    ends = time.monotonic() + seconds
    files = []
    for number, path in enumerate(paths):
        now = time.monotonic()
        share = sizes[number] / sum(sizes[number:])
        found = profile_file(path, now + max(1.0, (ends - now) * share))
        files.append(found)
        if "error" in found:
            print("%s: %s" % (path, found["error"]["message"]))
        for table in found["tables"]:
            name = "%s %s" % (path, table["name"]) if table["name"] else path
            line = "%s: %d rows, %d columns" % (name, table["rows"], table["width"])
            print(line.encode("utf-8", "replace").decode("utf-8"))
    python = "%d.%d" % sys.version_info[:2]
    profile = {"python": python, "packages": packages(), "files": files}
    os.makedirs(os.path.dirname(PROFILE), exist_ok=True)
    with open(PROFILE, "w", encoding="utf-8", errors="replace") as file:
        json.dump(profile, file, ensure_ascii=False)
