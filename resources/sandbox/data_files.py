"""Tables of data files, row by row: csv, tsv, xlsx, xls, ods, json, parquet, sqlite, each also packed as .gz.

    from data_files import tables, rows
    for row in rows("sales.csv"):            # dicts with typed values: numbers, datetime.date (datetime.datetime in columns with times), None for gaps
        print(row["region"], row["revenue"])
    rows("book.xlsx", "Sheet2"); rows("shop.sqlite", "orders")
    rows("sales.csv", notation={"price": ",", "day": "month first"})     # what the user said of an ambiguous column

`rows` reads each column as the app's data profile found it: encoding, delimiter, decimal comma, day or month first.
Times with an offset keep it (`tzinfo`).
"""
import atexit
import datetime
import json
import os
import shutil
import sqlite3
import tempfile
import time
import urllib.parse

from data_bytes import DataError, chunks, first_bytes, is_packed
from data_encoding import detect_encoding
from data_text import csv_rows, detect_delimiter
from data_values import ORDERS, is_plain_decimal, read_value

PROFILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data-profile.json")
SAMPLE_ROWS = 50
#: Texts of a column whose parsed values are cached.
REMEMBERED = 20_000
FORMATS = {
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".txt": "csv", ".xlsx": "xlsx", ".xlsm": "xlsx",
    ".json": "json", ".jsonl": "json", ".ndjson": "json", ".geojson": "json",
    ".xls": "sheet", ".xlsb": "sheet", ".ods": "sheet", ".parquet": "parquet", ".pq": "parquet", ".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite",
}


class Table:
    """Columns, and rows that can be read again: each `rows()` yields (line, values) from the start, one value a column."""

    def __init__(self, name, columns, rows, **facts):
        self.name, self.columns, self.rows, self.facts = name, columns, rows, facts


def open_file(path):
    """(facts of the file, its tables). Raises `DataError`."""
    if not os.path.isfile(path):
        raise DataError("not_found", "There is no such file.")
    size = os.path.getsize(path)
    if size == 0:
        raise DataError("empty", "The file is empty: it has no bytes.")
    form = _format(path)
    facts = {"format": form, "size": size}
    if is_packed(path):
        facts["packed"] = "gzip"
        if form not in ("csv", "json"):
            path = _unpacked(path)
    if form == "csv":
        return _open_csv(path, facts)
    if form == "json":
        return _open_json(path, facts)
    if form == "sqlite":
        return facts, _sqlite_tables(path)
    if form == "xlsx":
        import data_xlsx

        return facts, data_xlsx.tables(path)
    if form == "sheet":
        import data_sheet

        return dict(facts, format=data_sheet.name_of(path)), data_sheet.tables(path)
    import data_parquet

    return facts, data_parquet.tables(path)


def _format(path):
    head = first_bytes(path, 64)
    if head[:16] == b"SQLite format 3\0":
        return "sqlite"
    if head[:4] == b"PAR1":
        return "parquet"
    name = path[:-3] if path.lower().endswith(".gz") else path
    form = FORMATS.get(os.path.splitext(name)[1].lower(), "csv")
    # Before 2007; also those of today with a password.
    if head[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        return "sheet"
    if form == "sheet" and head[:2] != b"PK":
        # Programs call tables of HTML and texts with tabs .xls.
        is_old = head[:2] in (b"\x09\0", b"\x09\2", b"\x09\4", b"\x09\x08") or head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        return "sheet" if is_old else "csv"
    if head[:4] == b"PK\3\4" and form not in ("xlsx", "sheet"):
        form = "xlsx"
    if form == "sqlite" or (form in ("xlsx", "parquet") and head[:2] != b"PK"):
        raise DataError("broken", "This is not a %s file: its first bytes do not match." % form)
    return form


#: Most bytes that are unpacked to a temporary file, which may be in memory.
_MOST_COPIED = 1 << 29
_UNPACKED = {}


def _unpacked(path):
    """A copy without its packing, for readers that go back and forth."""
    if path not in _UNPACKED:
        folder = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, folder, True)
        copy, size = os.path.join(folder, os.path.basename(path[:-3] if path.lower().endswith(".gz") else path)), 0
        with open(copy, "wb") as file:
            for chunk, _ in chunks(path):
                size += len(chunk)
                if size > _MOST_COPIED:
                    raise DataError("too_large", "Unpacked, the file has over %d MB. Unpack it first." % (_MOST_COPIED >> 20))
                file.write(chunk)
        _UNPACKED[path] = copy
    return _UNPACKED[path]


class Head:
    """Where a table begins: titles above it, column names, how many rows of the sample they take."""

    def __init__(self, titles, columns, skip, has_header):
        self.titles, self.columns, self.skip, self.has_header = titles, columns, skip, has_header


def find_head(sample, groups=()):
    """The head of a sample of rows. `groups` are indexes of rows with cells that span several columns."""
    filled = [[str(cell).strip() for cell in row if str("" if cell is None else cell).strip()] for row in sample]
    widths = [len(row) for row in filled if row]
    if not widths:
        return Head([], [], len(sample), False)
    width = max(set(widths), key=lambda one: (widths.count(one), one))
    titles, at = [], 0
    while at < len(sample) - 1 and (not filled[at] or (width > 1 and len(set(filled[at])) == 1)):
        titles += filled[at][:1]
        at += 1
    top = list(sample[at])
    group = None
    if at in groups and at + 1 < len(sample) and _all_text(sample[at + 1]):
        group, at = top, at + 1
        top = list(sample[at])
    below = sample[at + 1 :]
    has_header = _is_header(top, below)
    count = max([len(_trimmed(row)) for row in [top] + list(below)] + [1])
    names = []
    for place in range(count):
        name = _cell(top, place) if has_header else ""
        over = _cell(group or [], place) if has_header else ""
        name = name if over in ("", name) else (over + " " + name).strip()
        name = " ".join(name.split()) or "column_%d" % (place + 1)
        again = 2
        while name in names:
            name, again = "%s (%d)" % (name.split(" (")[0], again), again + 1
        names.append(name)
    return Head(titles, names, at + 1 if has_header else at, has_header)


def _cell(row, place):
    return str(row[place]).strip() if place < len(row) and row[place] is not None else ""


def _trimmed(row):
    row = list(row)
    while row and (row[-1] is None or row[-1] == ""):
        row.pop()
    return row


def _all_text(row):
    return all(read_value(cell).kind in ("text", "missing") for cell in row)


def _is_header(top, below):
    score = 0
    for place, cell in enumerate(top):
        kind = read_value(cell).kind
        kinds = [read_value(row[place]).kind for row in below if place < len(row)]
        valued = sum(one in ("number", "date", "boolean") for one in kinds)
        if kind == "text" and valued * 2 > len(kinds) - kinds.count("missing") > 0:
            score += 1
        elif kind in ("number", "date", "boolean"):
            # Years and dates may be column names, if the column holds something else.
            below_it = [row[place] for row in below if place < len(row)]
            is_period = _is_year(cell) or kind == "date"
            others = sum(not _is_year(one) and read_value(one).kind == "number" for one in below_it)
            score += (1 if others * 2 > len(below_it) else 0) if is_period else -1
    if score:
        return score > 0
    texts = [str(cell) for cell in top if cell not in (None, "")]
    repeated = {str(cell) for row in below for cell in row}
    return _all_text(top) and len(set(texts)) == len(texts) and not repeated & set(texts)


def _is_year(cell):
    text = str(cell).strip()
    return text.isdigit() and len(text) == 4 and 1900 <= int(text) <= 2100


def _first(rows, count=SAMPLE_ROWS):
    found = []
    for line, values in rows:
        found.append(values)
        if len(found) == count:
            break
    return found


def _open_csv(path, facts):
    written = detect_encoding(path)
    delimiter = detect_delimiter(path, written["encoding"])
    facts.update(written, delimiter=delimiter)

    def records():
        return csv_rows(path, written["encoding"], delimiter)

    sample = _first(records())
    if not any(any(cell.strip() for cell in row) for row in sample):
        raise DataError("empty", "The file holds only blanks.")
    head = find_head(sample)

    def data():
        for number, record in enumerate(records()):
            if number >= head.skip:
                yield record

    about = {"header": head.has_header, "titles": head.titles}
    return facts, [Table("", head.columns, data, **about)]


def _open_json(path, facts):
    import data_json

    written = detect_encoding(path)
    facts.update(written)
    return facts, data_json.tables(path, written["encoding"], facts)


def _sqlite_tables(path):
    place = "file:%s?immutable=1" % urllib.parse.quote(os.path.abspath(_with_log(path)))
    try:
        base = sqlite3.connect(place, uri=True)
        base.text_factory = lambda data: data.decode("utf-8", "replace")
        found = base.execute(
            "SELECT name, type FROM sqlite_master WHERE type IN ('table','view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"
        ).fetchall()
        # Inner tables of full-text search; older versions of SQLite do not report them.
        inner = {row[1] for row in base.execute("PRAGMA table_list") if row[2] == "shadow"}
    except sqlite3.Error as error:
        raise DataError("broken", "The database cannot be read: %s." % error)

    def table(name, kind):
        quoted = '"%s"' % name.replace('"', '""')
        columns = [row[1] for row in base.execute("PRAGMA table_info(%s)" % quoted)]

        def data():
            try:
                for number, values in enumerate(base.execute("SELECT * FROM %s" % quoted), 1):
                    yield number, list(values)
            except sqlite3.Error as error:
                raise DataError("broken", "%s cannot be read to its end: %s." % (name, error))

        return Table(name, columns, data, header=True, titles=[], view=kind == "view")

    return [table(name, kind) for name, kind in found if name not in inner]


def _with_log(path):
    """The database with its log (-wal) merged in: a copy, because nothing may be written into the workspace."""
    log = path + "-wal"
    if not os.path.isfile(log) or os.path.getsize(log) == 0:
        return path
    folder = tempfile.mkdtemp()
    copy = os.path.join(folder, "data.sqlite")
    shutil.copyfile(path, copy)
    shutil.copyfile(log, copy + "-wal")
    atexit.register(shutil.rmtree, folder, True)
    # Opening the copy for writing merges the log into it.
    base = sqlite3.connect(copy)
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    base.close()
    return copy


def tables(path):
    """Names of the tables of a file; a csv has one, with an empty name."""
    return [table.name for table in open_file(path)[1]]


def rows(path, table=None, notation=None):
    """Rows of a table (the first unless named) as dicts of values. `notation` says how columns are meant, against the
    profile: "." or "," for the decimal mark, "day first", "month first" or "year first", "text" for neither."""
    facts, found = open_file(path)
    chosen = next((one for one in found if table in (None, one.name)), None)
    if chosen is None:
        raise DataError("not_found", "%s has no table %r. Its tables: %s." % (path, table, [one.name for one in found]))
    names, notation = chosen.columns, notation or {}
    for name, meant in notation.items():
        if name not in names or meant not in (".", ",", "text", *ORDERS):
            raise ValueError("notation: %r: %r; there are the columns %s" % (name, meant, names[:50]))
    known = _known_columns(path, chosen, facts)
    readers = [_reader(known.get(name, {}), notation.get(name)) for name in names]
    for _, values in chosen.rows():
        if len(values) < len(names):
            values = list(values) + [None] * (len(names) - len(values))
        # Blank rows are skipped, as in the profile; a row of markers (n/a) is not blank.
        if any(value not in (None, "") for value in values):
            yield {name: read(value) for name, read, value in zip(names, readers, values)}


#: For a table that is not in the profile, such as one that a program wrote.
_PROFILE_SECONDS = 30


def _known_columns(path, table, facts):
    try:
        with open(PROFILE, encoding="utf-8") as file:
            files = json.load(file)["files"]
    except (OSError, ValueError):
        files = []
    for one in files:
        if os.path.abspath(one["path"]) == os.path.abspath(path) and one.get("size") == os.path.getsize(path):
            for other in one["tables"]:
                if other["name"] == table.name:
                    return {column["name"]: column for column in other["columns"]}
    if facts["format"] in ("parquet", "sqlite"):
        return {}
    import data_profile

    own = data_profile.profile_table(table, facts, time.monotonic() + _PROFILE_SECONDS)
    return {column["name"]: column for column in own["columns"]}


def _reader(column, notation=None):
    """Reads values of a column as its profile says, or as `notation` does."""
    decimal, order = column.get("decimal", "."), column.get("date_order")
    decimal = notation if notation in (".", ",") else decimal
    order = notation if notation in ORDERS else order
    has_times = bool(column.get("with_times"))

    seen, is_code = {}, bool(column.get("leading_zeros")) and notation not in (".", ",")

    def convert(value):
        meant = read_value(value)
        if meant.kind == "missing":
            return None
        if meant.kind == "number" and not is_code:
            number = meant.comma if decimal == "," else meant.point
            return value.strip() if number is None else number
        if meant.kind == "boolean" and column.get("type") == "boolean":
            return value.strip().lower() in ("true", "yes")
        if meant.kind == "date":
            iso = meant.day or meant.readings.get(order)
            if iso is None:
                return value.strip()
            day = datetime.date.fromisoformat(iso)
            if not has_times:
                return day
            zone = None if meant.offset is None else datetime.timezone(datetime.timedelta(minutes=meant.offset))
            return datetime.datetime.combine(day, meant.time or datetime.time(), zone)
        return value.strip()

    def read(value):
        if type(value) is not str:
            if has_times and type(value) is datetime.date:
                return datetime.datetime.combine(value, datetime.time())
            return None if value != value else value
        if notation == "text":
            return value
        if value in seen:
            return seen[value]
        if value.isdigit() and value.isascii() and len(value) < 19 and not is_code:
            return int(value)
        if decimal == "." and is_plain_decimal(value):
            return float(value)
        found = convert(value)
        if len(seen) < REMEMBERED:
            seen[value] = found
        return found

    return read
