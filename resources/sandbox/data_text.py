"""A text file as text, and as the rows of a table: its line ends, its delimiter.

Uses the standard library only: a sandbox may have nothing else.
"""
import csv
import io
import re

from data_bytes import CHUNK, WithoutZeros, open_bytes
from data_encoding import HEAD, is_wide

DELIMITERS = ",;\t|"


def _stream(path, encoding, newline):
    file = open_bytes(path)
    if not is_wide(encoding):
        file = io.BufferedReader(WithoutZeros(file), CHUNK)
    return io.TextIOWrapper(file, encoding=encoding, errors="replace", newline=newline)


def open_text(path, encoding):
    """The file as text: line ends stay (except those of an old Mac), broken bytes become U+FFFD, zero bytes are left out."""
    with _stream(path, encoding, "") as file:
        head = file.read(HEAD)
    return _stream(path, encoding, None if "\r" in head and "\n" not in head else "")


def csv_rows(path, encoding, delimiter):
    """(line number, fields) of each row; empty lines are left out."""
    csv.field_size_limit(1 << 26)
    with open_text(path, encoding) as file:
        # Older versions of the csv module refuse zero characters, which only wide encodings still have here.
        lines = (line.replace("\0", "") for line in file) if is_wide(encoding) else file
        reader = csv.reader(lines, delimiter=delimiter)
        for fields in reader:
            if fields and not (reader.line_num == 1 and fields[0].lower().startswith("sep=")):
                yield reader.line_num, fields


def detect_delimiter(path, encoding):
    """The one that makes most rows equally wide; a comma if there is only one column."""
    with open_text(path, encoding) as file:
        sample = file.read(1 << 18)
        is_whole = not file.read(1)
    named = re.match(r"sep=(.)\r?\n", sample, re.I)
    if named:
        return named.group(1)
    best = (0, 0, ",")
    for rank, delimiter in enumerate(DELIMITERS):
        rows = [row for row in csv.reader(io.StringIO(sample.replace("\0", ""), newline=""), delimiter=delimiter) if row]
        rows = (rows if is_whole else rows[:-1])[:500]
        widths = [len(row) for row in rows]
        if not widths:
            continue
        width = max(set(widths), key=lambda one: (widths.count(one), one))
        if width > 1:
            score = (round(widths.count(width) / len(widths), 2), width, delimiter)
            if score[:2] > best[:2]:
                best = score
    return best[2]
