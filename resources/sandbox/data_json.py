"""Tables of JSON: an array, a value on each line, or an object with arrays in it. Objects are flattened: a.b."""
import json

from data_bytes import DataError
from data_files import Table, find_head
from data_text import open_text

CHUNK = 1 << 20
#: Most characters of one value, and of a file that is one object.
MOST = 1 << 27


def tables(path, encoding, facts):
    """The tables; lines that are not JSON are counted in `facts`."""
    with open_text(path, encoding) as file:
        start = file.read(4096).lstrip("\ufeff \t\r\n")
    if start.startswith("["):
        return [_table("", lambda: enumerate(_array(path, encoding), 1))]
    if _is_lines(path, encoding):
        facts["format"] = "json lines"
        facts.update(broken_records=0, broken_record_lines=[])
        return [_table("", lambda: _lines(path, encoding, facts))]
    with open_text(path, encoding) as file:
        text = file.read(MOST + 1)
    if len(text) > MOST:
        raise DataError("too_large", "The file is one JSON object of over %d characters." % MOST)
    try:
        value = json.loads(text)
    except ValueError as error:
        raise DataError("broken", "It is not JSON: %s." % error)
    whole = _whole_table(value) if isinstance(value, dict) else None
    if whole is not None:
        return [_table("", lambda: enumerate(whole, 1))]
    arrays = _arrays(value, "") if isinstance(value, dict) else []
    if not arrays:
        arrays = [("", [value])]
    return [_table(name, lambda items=items: enumerate(items, 1)) for name, items in arrays]


def _whole_table(value):
    """Rows of an object that is one table: keyed by column, as `columns` with `data`, or keyed by row name."""
    names, data, inner = value.get("columns"), value.get("data"), list(value.values())
    if isinstance(names, list) and isinstance(data, list) and all(isinstance(row, list) and len(row) == len(names) for row in data):
        return [dict(zip(map(str, names), row)) for row in data]
    if all(isinstance(column, list) for column in inner):
        is_plain = not any(isinstance(one, (list, dict)) for column in inner for one in column)
        if len(inner) > 1 and is_plain and len(set(map(len, inner))) == 1:
            return [dict(zip(value, row)) for row in zip(*inner)]
    if len(inner) > 1 and all(isinstance(one, dict) and one and one.keys() == inner[0].keys() for one in inner):
        if any(isinstance(cell, (list, dict)) for one in inner for cell in one.values()):
            return None
        if all(key.isdigit() for key in inner[0]):
            return [{name: column[key] for name, column in value.items()} for key in inner[0]]
        return [{"key": name, **row} for name, row in value.items()]
    return None


def _arrays(value, prefix):
    found = []
    for key, inner in value.items():
        name = prefix + key
        if isinstance(inner, list) and any(isinstance(one, (dict, list)) for one in inner):
            found.append((name, inner))
        elif isinstance(inner, dict):
            found += _arrays(inner, name + ".")
    return found


def _is_lines(path, encoding):
    good = bad = 0
    with open_text(path, encoding) as file:
        for line in file:
            if line.strip():
                try:
                    json.loads(line)
                    good += 1
                except ValueError:
                    bad += 1
            if good + bad == 20:
                break
    return good > 1 and good > bad


def _lines(path, encoding, facts):
    facts.update(broken_records=0, broken_record_lines=[])
    with open_text(path, encoding) as file:
        for number, line in enumerate(file, 1):
            if line.strip("\ufeff \t\r\n"):
                try:
                    value = json.loads(line.strip("\ufeff"))
                except ValueError:
                    facts["broken_records"] += 1
                    if len(facts["broken_record_lines"]) < 5:
                        facts["broken_record_lines"].append(number)
                    continue
                yield number, value


def _array(path, encoding):
    """Items of an array, read a piece of the file at a time."""
    decoder = json.JSONDecoder()
    with open_text(path, encoding) as file:
        text, at, ended = file.read(CHUNK), 0, False
        at = text.index("[") + 1
        while True:
            while at < len(text) and text[at] in " \t\r\n,":
                at += 1
            if at < len(text) and text[at] == "]":
                return
            try:
                value, end = decoder.raw_decode(text, at)
                # A number at the very end of a piece may continue in the next.
                if end < len(text) or ended:
                    yield value
                    at = end
                    continue
            except ValueError as error:
                if ended:
                    raise DataError("broken", "The JSON is truncated or broken: %s." % error)
            more = file.read(max(CHUNK, len(text) - at))
            ended = more == ""
            text, at = text[at:] + more, 0
            if len(text) > MOST:
                raise DataError("too_large", "One value of the array is over %d characters." % MOST)
            if ended and not text.strip():
                raise DataError("broken", "The JSON is truncated: the array has no end.")


def _flat(value, prefix, row):
    for key, inner in value.items():
        if isinstance(inner, dict) and inner:
            _flat(inner, prefix + key + ".", row)
        elif isinstance(inner, (list, dict)):
            row[prefix + key] = json.dumps(inner, ensure_ascii=False)
        else:
            row[prefix + key] = inner
    return row


def _record(value):
    return _flat(value, "", {}) if isinstance(value, dict) else {"value": _plain(value)}


def _plain(value):
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


def _table(name, items):
    """Reads every item for its columns first: a later one may have more."""
    columns, lists = {}, []
    for _, item in items():
        if isinstance(item, list):
            if len(lists) < 50:
                lists.append([_plain(one) for one in item])
        else:
            for key in _record(item):
                columns[key] = len(columns) if key not in columns else columns[key]
    if lists and not columns:
        return _list_table(name, items, lists)

    def data():
        for number, item in items():
            record = _record(item)
            yield number, [record.get(column) for column in columns]

    return Table(name, list(columns), data, header=True, titles=[])


def _list_table(name, items, lists):
    head = find_head(lists)

    def data():
        for place, (number, item) in enumerate(items()):
            if place >= head.skip:
                yield number, [_plain(one) for one in item]

    return Table(name, head.columns, data, header=head.has_header, titles=head.titles)
