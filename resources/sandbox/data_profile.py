"""Profiles data files: rows, columns, types, gaps, ranges, oddities.

Prints a line for each table and writes everything as JSON to `.hyperagent/data-profile.json`. Reads whole files, a
row at a time; when time runs out, it reports what it did not read.
"""
import collections
import datetime
import importlib.util
import json
import math
import os
import sys
import time

from data_files import PROFILE, open_file
from data_text import DataError
from data_values import TEXT, is_plain_decimal, read_text, read_value

#: Distinct values counted in a column; beyond, the count is a minimum.
DISTINCT = 100_000
DISTINCT_OF_TABLE = 2_000_000
REMEMBERED = 20_000
COUNTED = 1_000
TABLES = 40
BLOCK = 10_000
#: Lines in one value; more are probably a mistake.
LONG_ROW = 40
COLUMNS = 200
EXAMPLES = 5
TEXT_CHARS = 80


class Sum:
    """Count, minimum, maximum, and a sum that stays exact over many rows."""

    __slots__ = ("count", "whole", "least", "greatest", "_parts", "_total", "floats")

    def __init__(self):
        self.count = self.whole = self.floats = 0
        self.least, self.greatest, self._parts, self._total = math.inf, -math.inf, [], 0.0

    def add(self, number, times):
        self.count += times
        if number < self.least:
            self.least = number
        if number > self.greatest:
            self.greatest = number
        if type(number) is int:
            self.whole += number * times
        else:
            self.floats += times
            self._parts.append(number * times)

    def settle(self):
        self._total, self._parts = math.fsum(self._parts + [self._total]), []

    def total(self):
        if not self.floats:
            return self.whole
        return math.fsum(self._parts + [self._total, self.whole])

    def merged(self, other):
        both = Sum()
        both.count, both.floats = self.count + other.count, self.floats + other.floats
        both.whole = self.whole + other.whole
        both.least, both.greatest = min(self.least, other.least), max(self.greatest, other.greatest)
        both._parts = self._parts + other._parts + [self._total, other._total]
        return both


class Range:
    __slots__ = ("least", "greatest")

    def __init__(self):
        self.least = self.greatest = None

    def add(self, text):
        if self.least is None or text < self.least:
            self.least = text
        if self.greatest is None or text > self.greatest:
            self.greatest = text


class Column:
    """Statistics of one column, collected a block of rows at a time."""

    def __init__(self, name, most_distinct):
        self.name, self.most_distinct = name, most_distinct
        self.missing = self.leading_zeros = self.broken = 0
        self.kinds, self.forms, self.units, self.odd = {}, {}, {}, {}
        self.same, self.point, self.comma = Sum(), Sum(), Sum()
        self.days, self.day_first, self.month_first = Range(), Range(), Range()
        self.times = 0
        self.distinct, self.top, self.seen, self.longest = set(), {}, {}, 0
        self.samples = []

    def take(self, lines, values, is_text):
        """Parses equal values of a block once, which makes columns with few values cheap."""
        # 1, 1.0 and True are equal but not the same value.
        counts = collections.Counter(values if is_text else zip(map(type, values), values))
        plain = self.same
        for value, times in counts.items():
            if not is_text:
                value = value[1]
            elif value.isdigit() and value.isascii() and value[0] != "0" and len(value) < 19:
                plain.add(int(value), times)
                self._note("number", value, lines, values, times)
                continue
            elif is_plain_decimal(value):
                self.point.add(float(value), times)
                self._note("number", value, lines, values, times)
                continue
            meant = self._read(value)
            kind = meant.kind
            if kind == "missing":
                self.missing += times
                continue
            if kind == "number":
                self._number(meant, value, times)
            elif kind == "date":
                self._day(meant, times)
            elif meant is TEXT:
                self._text(value, times)
            self._note(kind, value, lines, values, times)
        for one in (self.same, self.point, self.comma):
            one.settle()

    def _read(self, value):
        if type(value) is not str:
            return read_value(value)
        meant = self.seen.get(value)
        if meant is None:
            meant = read_text(value)
            if len(self.seen) < REMEMBERED and len(value) < 200:
                self.seen[value] = meant
        return meant

    def _number(self, number, value, times):
        point, comma = number.point, number.comma
        if point == comma:
            self.same.add(point, times)
            if type(value) is str and value[0] == "0" and len(value) > 1 and value.isdigit():
                self.leading_zeros += times
        else:
            if point is not None:
                self.point.add(point, times)
            if comma is not None:
                self.comma.add(comma, times)
        if number.unit is not None:
            self.units[number.unit] = self.units.get(number.unit, 0) + times

    def _day(self, day, times):
        self.forms[day.form] = self.forms.get(day.form, 0) + times
        self.times += times if day.time is not None else 0
        if day.other is None:
            self.days.add(day.day)
        else:
            self.day_first.add(day.day)
            self.month_first.add(day.other)

    def _text(self, value, times):
        text = value if isinstance(value, str) else str(value)
        self.longest = max(self.longest, len(text))
        if "\ufffd" in text:
            self.broken += times

    def _note(self, kind, value, lines, values, times):
        self.kinds[kind] = self.kinds.get(kind, 0) + times
        if len(self.distinct) < self.most_distinct:
            self.distinct.add(hash(value) if type(value) is str else value)
        if self.top is not None:
            key = _short(value)
            count = self.top.get(key)
            if count is None and len(self.top) == COUNTED:
                self.top = None
            else:
                self.top[key] = (count or 0) + times
                if count is None and len(self.samples) < 3:
                    self.samples.append(key)
        examples = self.odd.setdefault(kind, [])
        if len(examples) < EXAMPLES:
            examples.append({"line": lines[values.index(value)], "value": _short(value)})

    def facts(self, prefers_comma):
        """All statistics as JSON."""
        uses_comma = self.comma.count > self.point.count or (
            self.comma.count == self.point.count > 0 and prefers_comma
        )
        written = self.comma if uses_comma else self.point
        numbers = self.same.merged(written)
        kinds = dict(self.kinds)
        # A value that is a number only in the other notation counts as text.
        strange = kinds.get("number", 0) - numbers.count
        if strange:
            kinds["number"] = numbers.count
            kinds["text"] = kinds.get("text", 0) + strange
        kinds = {kind: count for kind, count in kinds.items() if count}
        facts = {"name": self.name, "type": self._type(kinds, numbers), "missing": self.missing}
        facts["distinct"] = len(self.distinct)
        if len(self.distinct) >= self.most_distinct:
            facts["distinct_is_minimum"] = True
        if numbers.count:
            total = numbers.total()
            facts.update(min=numbers.least, max=numbers.greatest)
            if math.isfinite(total):
                facts.update(sum=total, mean=total / numbers.count)
            if written.count:
                facts["decimal"] = "," if uses_comma else "."
        if self.forms:
            facts.update(self._dates())
        if len(kinds) > 1:
            facts["kinds"] = kinds
            least = sorted(kinds, key=kinds.get)[:-1]
            facts["odd"] = [one for kind in least for one in self.odd.get(kind, [])][:EXAMPLES]
        if self.units:
            facts["units"] = self.units
        if self.leading_zeros:
            facts["leading_zeros"] = self.leading_zeros
        if self.broken:
            facts["broken_values"] = self.broken
        if self.longest:
            facts["longest"] = self.longest
        if self.top is not None and len(self.top) < max(2, sum(kinds.values())):
            best = sorted(self.top.items(), key=lambda pair: -pair[1])[:EXAMPLES]
            facts["top"] = [{"value": value, "count": count} for value, count in best]
        facts["samples"] = self.samples
        return facts

    def _type(self, kinds, numbers):
        if not kinds:
            return "empty"
        if len(kinds) > 1:
            return "mixed"
        kind = next(iter(kinds))
        if kind == "number":
            return "number" if numbers.floats else "integer"
        return kind

    def _dates(self):
        unsure = sum(count for form, count in self.forms.items() if " or " in form)
        day_first = any(form.startswith(("dd/", "dd-")) and " or " not in form for form in self.forms)
        month_first = any(form.startswith("mm") for form in self.forms)
        order = None
        if day_first != month_first:
            order = "day first" if day_first else "month first"
        elif unsure:
            order = "both" if day_first else "unknown"
        span = Range()
        ranges = [self.days]
        if order in ("day first", "month first"):
            ranges.append(self.day_first if order == "day first" else self.month_first)
        for one in ranges:
            if one.least is not None:
                span.add(one.least)
                span.add(one.greatest)
        facts = {"date_formats": self.forms, "date_order": order}
        if self.times:
            facts["with_times"] = self.times
        if span.least is not None:
            facts.update(first_date=span.least, last_date=span.greatest)
        if unsure and order in ("both", "unknown"):
            facts["dates_unsure"] = unsure
        return facts


def _short(value):
    if isinstance(value, bytes):
        return "(%d bytes)" % len(value)
    if isinstance(value, (bool, int, float)) or value is None:
        # JSON has no infinity.
        return str(value) if isinstance(value, float) and not math.isfinite(value) else value
    text = value.isoformat() if isinstance(value, datetime.date) else str(value).strip()
    return text if len(text) <= TEXT_CHARS else text[:TEXT_CHARS] + "\u2026"


_TOTALS = ("total", "sum", "grand total", "gesamt", "summe", "subtotal", "\u5408\u8ba1", "\u603b\u8ba1")


def profile_table(table, facts, until):
    """Reads as many rows of a table as time allows."""
    names = table.columns[:COLUMNS]
    most = min(DISTINCT, DISTINCT_OF_TABLE // max(1, len(names)))
    columns = [Column(name, most) for name in names]
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
        if len(block) == BLOCK:
            settle()
            if time.monotonic() > until:
                is_partial = True
                break
    settle()
    found = {"name": table.name, "rows": count, "columns": []}
    found.update(table.facts)
    if isinstance(found.get("formulas_without_value"), list):
        found["formulas_without_value"] = len(found["formulas_without_value"])
    found["columns"] = [column.facts(facts.get("delimiter") == ";") for column in columns]
    notes = []
    if is_partial:
        found["partial"] = True
        notes.append("Time ran out: rows after line %d were not read." % line)
    if long_row:
        notes.append("One value spans %d line ends, up to line %d: a closing quotation mark may be missing." % long_row)
    if found.get("left_out"):
        notes.append("Columns of lists are not read without pyarrow: %s." % ", ".join(found["left_out"]))
    if len(table.columns) > COLUMNS:
        notes.append("%d more columns were not read." % (len(table.columns) - COLUMNS))
    if last is not None and any(str(cell).strip().lower().rstrip(":") in _TOTALS for cell in last):
        notes.append("The last row looks like a total: it would be counted twice.")
    found.update(ragged_rows=ragged, ragged_lines=ragged_lines, blank_rows=blank, notes=notes)
    return found


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
            line = "%s: %d rows, %d columns" % (name, table["rows"], len(table["columns"]))
            print(line.encode("utf-8", "replace").decode("utf-8"))
    python = "%d.%d" % sys.version_info[:2]
    profile = {"python": python, "packages": packages(), "files": files}
    os.makedirs(os.path.dirname(PROFILE), exist_ok=True)
    with open(PROFILE, "w", encoding="utf-8", errors="replace") as file:
        json.dump(profile, file, ensure_ascii=False)
