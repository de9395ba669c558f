"""Sheets of workbooks that are not xlsx (xls, xlsb, ods, tables in HTML) as tables, read by SheetJS in Node.js."""
import atexit
import json
import os
import shutil
import subprocess
import tempfile

from data_bytes import DataError
from data_xlsx import FIRST_DAY, FIRST_DAY_1904, date_of, sheet_table

_HERE = os.path.dirname(os.path.abspath(__file__))
#: The library holds the whole workbook in memory, at about ten times its size.
_MOST_BYTES = 100 << 20
_SECONDS = 180
_READ = {}
_LOCKED = DataError("locked", "The workbook has a password. Remove it in Excel (Save As), then attach it again.")


def name_of(path):
    """What the file is, as its name has it."""
    return os.path.splitext(path)[1].lower().lstrip(".") or "xls"


def tables(path):
    """Every sheet with something in it. Raises `DataError`."""
    if path not in _READ:
        _READ[path] = _converted(path)
    place = _READ[path]
    with open(place, encoding="utf-8") as file:
        sheets = [json.loads(line) for line in file if line.startswith("{")]
    found = [sheet_table(sheet["name"], sheet["merges"], _reader(place, number, sheet)) for number, sheet in enumerate(sheets)]
    return [table for table in found if table is not None]


def _reader(place, wanted, sheet):
    first_day = FIRST_DAY_1904 if sheet["is1904"] else FIRST_DAY

    def cell(value, lost):
        if isinstance(value, dict):
            if "lost" in value:
                lost.append(value["lost"])
                return None
            return date_of(value["date"], first_day)
        return value

    def raw_rows(lost):
        number = -1
        with open(place, encoding="utf-8") as file:
            for line in file:
                if line.startswith("{"):
                    number += 1
                elif number == wanted:
                    row, values = json.loads(line)
                    yield row, [cell(value, lost) for value in values]
                elif number > wanted:
                    return

    return raw_rows


def _converted(path):
    """A file of JSON lines: for each sheet an object, then its rows. Raises `DataError`."""
    if os.path.getsize(path) > _MOST_BYTES:
        raise DataError("too_large", "Workbooks of this kind can have up to %d MB. Save it as .xlsx or .csv." % (_MOST_BYTES >> 20))
    with open(path, "rb") as file:
        if "EncryptedPackage".encode("utf-16-le") in file.read():
            raise _LOCKED
    program = os.path.join(_HERE, "read-sheets.cjs")
    if name_of(path) in ("xlsx", "xlsm"):
        raise DataError("broken", "The workbook is an older one under the name of a newer: name it .xls.")
    if not os.path.isfile(program):
        raise DataError("no_reader", "A workbook of this kind is read where it is among the files of the analysis: name it there.")
    if shutil.which("node") is None:
        raise DataError("no_reader", "Reading this kind of workbook needs Node.js in the sandbox. Save it as .xlsx or .csv, or install Node.js.")
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, True)
    place = os.path.join(folder, "sheets.jsonl")
    command = ["node", program, os.path.abspath(path), place]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, env=dict(os.environ, TZ="UTC"))
    except subprocess.TimeoutExpired:
        raise DataError("too_large", "The workbook was not read within %d seconds. Save it as .xlsx or .csv." % _SECONDS)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().split("\n")[-1][:300]
        if "password" in said.lower():
            raise _LOCKED
        raise DataError("broken", "The workbook cannot be read: %s" % (said or "the reader ran out of memory."))
    return place
