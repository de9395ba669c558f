"""Sheets of an Excel workbook as tables, from its XML: values, dates, merged cells."""
import datetime
import re
import zipfile
from xml.etree import ElementTree

from data_bytes import DataError
from data_files import SAMPLE_ROWS, Table, find_head

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
FIRST_DAY, FIRST_DAY_1904 = datetime.datetime(1899, 12, 30), datetime.datetime(1904, 1, 1)
_DATE_FORMATS = frozenset(list(range(14, 23)) + list(range(27, 37)) + [45, 46, 47] + list(range(50, 59)))


def tables(path):
    """Every sheet with something in it. Raises `DataError`."""
    try:
        book = _Book(zipfile.ZipFile(path))
    except (zipfile.BadZipFile, KeyError, ElementTree.ParseError) as error:
        raise DataError("broken", "The workbook cannot be read: %s." % error)
    found = [_sheet(book, name, part) for name, part in book.sheets]
    return [table for table in found if table is not None]


class _Book:
    def __init__(self, archive):
        self.archive = archive
        names = set(archive.namelist())
        root = ElementTree.fromstring(archive.read("xl/workbook.xml"))
        links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))
        targets = {link.get("Id"): link.get("Target") for link in links}
        settings = root.find(_MAIN + "workbookPr")
        is_1904 = settings is not None and settings.get("date1904") in ("1", "true")
        self.first_day = FIRST_DAY_1904 if is_1904 else FIRST_DAY
        self.sheets = []
        for sheet in root.iter(_MAIN + "sheet"):
            target = targets.get(sheet.get(_LINK), "")
            part = target.lstrip("/") if target.startswith("/") else "xl/" + target
            if part in names and "worksheets" in part:
                self.sheets.append((sheet.get("name"), part))
        self.texts = list(self._texts()) if "xl/sharedStrings.xml" in names else []
        self.dates = self._date_styles() if "xl/styles.xml" in names else set()

    def _texts(self):
        with self.archive.open("xl/sharedStrings.xml") as file:
            for _, item in ElementTree.iterparse(file):
                if item.tag == _MAIN + "si":
                    yield _text_of(item)
                    item.clear()

    def _date_styles(self):
        root = ElementTree.fromstring(self.archive.read("xl/styles.xml"))
        own = set()
        for form in root.iter(_MAIN + "numFmt"):
            code = re.sub(r'"[^"]*"|\\.|\[[^\]]*\]', "", form.get("formatCode", ""))
            if re.search("[ymdhs]", code, re.I):
                own.add(int(form.get("numFmtId")))
        styles = root.find(_MAIN + "cellXfs")
        ids = [int(style.get("numFmtId", 0)) for style in (styles if styles is not None else [])]
        return {place for place, number in enumerate(ids) if number in _DATE_FORMATS or number in own}


def _text_of(item):
    # Phonetic readings of Japanese words are stored beside them.
    hidden = {text for reading in item.iter(_MAIN + "rPh") for text in reading.iter(_MAIN + "t")}
    return "".join(text.text or "" for text in item.iter(_MAIN + "t") if text not in hidden)


def _place(reference):
    """(row from 1, column from 0) of B3."""
    found = re.match(r"([A-Z]+)(\d+)", reference)
    column = 0
    for letter in found.group(1):
        column = column * 26 + ord(letter) - 64
    return int(found.group(2)), column - 1


class _Merges:
    """Merged cells: a text is repeated in every cell that it covers, a number is only in the first."""

    def __init__(self, references):
        self.count = len(references)
        self.starts = {}
        for reference in references:
            first, _, last = reference.partition(":")
            (top, left), (bottom, right) = _place(first), _place(last or first)
            self.starts.setdefault(top, []).append((bottom, left, right))
        self.active = []

    def spread(self, number, values):
        """Fills the row; returns whether a text spans several of its columns."""
        is_group = False
        for bottom, left, right in self.starts.get(number, []):
            value = values[left] if left < len(values) else None
            if isinstance(value, str):
                self.active.append((bottom, left, right, value))
                is_group = is_group or right > left
        self.active = [one for one in self.active if one[0] >= number]
        for _, left, right, value in self.active:
            values.extend([None] * (right + 1 - len(values)))
            for column in range(left, right + 1):
                if values[column] is None:
                    values[column] = value
        return is_group


def _value(cell, book, lost):
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return _text_of(cell)
    found = cell.find(_MAIN + "v")
    text = None if found is None else found.text
    if text is None:
        if cell.find(_MAIN + "f") is not None:
            lost.append(cell.get("r"))
        return None
    if kind == "s":
        return book.texts[int(text)]
    if kind == "b":
        return text == "1"
    if kind in ("str", "e"):
        return text
    if kind == "d":
        return text
    number = float(text)
    if int(cell.get("s", 0)) in book.dates:
        return date_of(number, book.first_day)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def date_of(number, first_day):
    """The date, date and time, or time of day of a number as Excel stores it."""
    try:
        when = first_day + datetime.timedelta(days=number)
    except OverflowError:
        return number
    if number < 1:
        return when.time().isoformat()
    when = (when + datetime.timedelta(microseconds=500_000)).replace(microsecond=0)
    return when.date() if when.time() == datetime.time() else when


def _raw_rows(book, part, lost):
    with book.archive.open(part) as file:
        number = 0
        for _, element in ElementTree.iterparse(file):
            if element.tag != _MAIN + "row":
                continue
            number = int(element.get("r", number + 1))
            values = []
            for cell in element.iter(_MAIN + "c"):
                column = _place(cell.get("r"))[1] if cell.get("r") else len(values)
                values.extend([None] * (column + 1 - len(values)))
                values[column] = _value(cell, book, lost)
            element.clear()
            yield number, values


def _merge_references(book, part):
    with book.archive.open(part) as file:
        found = []
        for _, element in ElementTree.iterparse(file):
            if element.tag == _MAIN + "mergeCell":
                found.append(element.get("ref"))
            elif element.tag == _MAIN + "row":
                element.clear()
        return found


def _sheet(book, name, part):
    return sheet_table(name, _merge_references(book, part), lambda lost: _raw_rows(book, part, lost))


def sheet_table(name, references, raw_rows):
    """A sheet as a table, None for an empty one. `raw_rows(lost)` yields (number, values); it appends to `lost` the
    cells of formulas without a stored value."""

    def records():
        merges, lost = _Merges(references), about["formulas_without_value"]
        lost.clear()
        for number, values in raw_rows(lost):
            is_group = merges.spread(number, values)
            if any(value is not None and value != "" for value in values):
                yield number, values, is_group

    about = {"merged": len(references), "formulas_without_value": []}
    sample, groups = [], set()
    for _, values, is_group in records():
        if is_group:
            groups.add(len(sample))
        sample.append(values)
        if len(sample) == SAMPLE_ROWS:
            break
    if not sample:
        return None
    head = find_head(sample, groups)

    def data():
        for place, (number, values, _) in enumerate(records()):
            if place >= head.skip:
                yield number, values

    return Table(name, head.columns, data, header=head.has_header, titles=head.titles, **about)
