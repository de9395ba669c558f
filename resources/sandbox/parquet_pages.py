"""Reads columns of Parquet files with the standard library, where neither pyarrow nor duckdb is installed.

Reads flat columns and those in structs; plain, dictionary and delta encodings; snappy, gzip, and zstd from
Python 3.14 on. Slow, but exact: it refuses what it cannot read.
"""
import datetime
import decimal
import struct
import zlib

from data_bytes import DataError

_EPOCH = datetime.datetime(1970, 1, 1)
_JULIAN_EPOCH = 2_440_588
_PLAIN = {1: ("<%di", 4), 2: ("<%dq", 8), 4: ("<%df", 4), 5: ("<%dd", 8)}
_CODECS = {1: "snappy", 2: "gzip", 3: "lzo", 4: "brotli", 5: "lz4", 6: "zstd", 7: "lz4"}


def refuse(what):
    return DataError("no_reader", "%s needs pyarrow or duckdb, and the Python of the sandbox has neither." % what)


class Reader:
    """Bytes with a read position."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, count):
        piece = self.data[self.at : self.at + count]
        if len(piece) < count:
            raise DataError("broken", "The Parquet file is truncated.")
        self.at += count
        return piece

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def zigzag(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def record(self):
        """A structure of Thrift's compact protocol, as a dict by field number."""
        fields, last = {}, 0
        while True:
            head = self.take(1)[0]
            if head == 0:
                return fields
            last = last + (head >> 4) if head >> 4 else self.zigzag()
            kind = head & 15
            fields[last] = kind == 1 if kind in (1, 2) else self._value(kind)

    def _value(self, kind):
        if kind in (1, 2):
            return self.take(1)[0] == 1
        if kind == 3:
            return self.take(1)[0]
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 7:
            return struct.unpack("<d", self.take(8))[0]
        if kind == 8:
            return bytes(self.take(self.varint()))
        if kind in (9, 10):
            head = self.take(1)[0]
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self._value(head & 15) for _ in range(count)]
        if kind == 12:
            return self.record()
        raise DataError("broken", "The Parquet file has a field of an unknown type.")


def unsnap(data):
    """Decompresses Snappy."""
    reader = Reader(data)
    length, out = reader.varint(), bytearray()
    while reader.at < len(data):
        tag = reader.take(1)[0]
        if tag & 3 == 0:
            count = tag >> 2
            if count >= 60:
                count = int.from_bytes(reader.take(count - 59), "little")
            out += reader.take(count + 1)
            continue
        if tag & 3 == 1:
            count, back = 4 + (tag >> 2 & 7), (tag >> 5) << 8 | reader.take(1)[0]
        else:
            count, back = 1 + (tag >> 2), int.from_bytes(reader.take(2 if tag & 3 == 2 else 4), "little")
        if not 0 < back <= len(out):
            raise DataError("broken", "The Parquet file is damaged.")
        start = len(out) - back
        if back >= count:
            out += out[start : start + count]
        else:
            # The copy overlaps what it writes.
            piece = out[start:]
            out += (piece * (count // back + 1))[:count]
    if len(out) != length:
        raise DataError("broken", "The Parquet file is damaged.")
    return bytes(out)


def unpack(data, codec):
    if codec == 0:
        return data
    if codec == 1:
        return unsnap(data)
    if codec == 2:
        return zlib.decompress(data, 47)
    if codec == 6:
        try:
            from compression import zstd
        except ImportError:
            raise refuse("Parquet compressed with zstd")
        return zstd.decompress(data)
    raise refuse("Parquet compressed with %s" % _CODECS.get(codec, "codec %d" % codec))


def bits(data, width, count):
    """`count` numbers of `width` bits each."""
    if width == 0:
        return [0] * count
    mask, found = (1 << width) - 1, []
    for start in range(0, len(data), width):
        group = int.from_bytes(data[start : start + width], "little")
        found += [group >> shift & mask for shift in range(0, 8 * width, width)]
    return found[:count]


def hybrid(reader, width, count):
    """Numbers in runs and bit-packed groups, in turn."""
    found = []
    while len(found) < count:
        head = reader.varint()
        if head & 1:
            groups = head >> 1
            found += bits(reader.take(groups * width), width, groups * 8)
        else:
            value = int.from_bytes(reader.take((width + 7) // 8), "little")
            found += [value] * min(head >> 1, count - len(found))
    return found[:count]


def deltas(reader):
    block, parts, count, value = reader.varint(), reader.varint(), reader.varint(), reader.zigzag()
    found, size = [value], block // parts
    while len(found) < count:
        least, widths = reader.zigzag(), reader.take(parts)
        for width in widths:
            if len(found) >= count:
                break
            for delta in bits(reader.take(size * width // 8), width, size):
                value += least + delta
                found.append(value)
    return found[:count]


class Column:
    """A leaf of the schema."""

    def __init__(self, name, element, levels, is_repeated):
        self.name, self.levels, self.is_repeated = name, levels, is_repeated
        self.kind, self.length = element.get(1), element.get(2, 0)
        self.convert = _conversion(element)

    def plain(self, data, count):
        kind = self.kind
        if kind in _PLAIN:
            form, size = _PLAIN[kind]
            return list(struct.unpack_from(form % count, data)) if len(data) >= size * count else _short()
        if kind == 0:
            return [bool(one) for one in bits(data, 1, count)]
        if kind in (3, 7):
            size = 12 if kind == 3 else self.length
            return [bytes(data[at : at + size]) for at in range(0, size * count, size)]
        reader, found = Reader(data), []
        for _ in range(count):
            found.append(bytes(reader.take(int.from_bytes(reader.take(4), "little"))))
        return found


def _short():
    raise DataError("broken", "The Parquet file is truncated.")


def _conversion(element):
    """Converts stored values; None where they need no conversion."""
    kind, converted, logical = element.get(1), element.get(6), element.get(10) or {}
    if converted == 5 or 5 in logical:
        scale = element.get(7, (logical.get(5) or {}).get(1, 0))
        return lambda value: _decimal(value, scale)
    if kind == 3:
        return _int96
    if converted == 6 or 6 in logical:
        return lambda value: (_EPOCH + datetime.timedelta(days=value)).date()
    if converted in (9, 10) or 8 in logical:
        unit = 1_000 if converted == 9 else 1
        if 8 in logical:
            named = logical[8].get(2, {})
            unit = 1_000 if 1 in named else 1 if 2 in named else 0.001
        return lambda value: _EPOCH + datetime.timedelta(microseconds=int(value * unit) if unit >= 1 else value // 1_000)
    if converted in (13, 14):
        # Unsigned, but stored as signed.
        return lambda value: value % (1 << (32 if converted == 13 else 64))
    if kind in (6, 7):
        return lambda value: value.decode("utf-8", "replace")
    return None


def _decimal(value, scale):
    number = value if isinstance(value, int) else int.from_bytes(value, "big", signed=True)
    return float(decimal.Decimal(number).scaleb(-scale)) if scale else number


def _int96(value):
    nanos, day = struct.unpack("<qi", value)
    return _EPOCH + datetime.timedelta(days=day - _JULIAN_EPOCH, microseconds=nanos // 1_000)


class File:
    """The footer of a Parquet file, and its columns a row group at a time."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            file.seek(-8, 2)
            tail = file.read(8)
            if tail[4:] != b"PAR1":
                raise DataError("broken", "This is not a Parquet file, or it is truncated: its end is missing.")
            length = int.from_bytes(tail[:4], "little")
            file.seek(-8 - length, 2)
            footer = Reader(file.read(length)).record()
        self.groups = footer.get(4, [])
        self.columns = []
        elements = iter(footer[2])
        for _ in range(next(elements).get(5, 0)):
            self._read_element(elements, 0, False, [])

    def _read_element(self, elements, levels, is_repeated, path):
        """Reads one element and those below it."""
        element = next(elements)
        name = path + [element[4].decode("utf-8", "replace")]
        repetition = element.get(3, 0)
        deeper, repeated = levels + (repetition > 0), is_repeated or repetition == 2
        children = element.get(5, 0)
        if not children:
            self.columns.append(Column(".".join(name), element, deeper, repeated))
        for _ in range(children):
            self._read_element(elements, deeper, repeated, name)

    def read(self, group, place):
        """Values of a column in a row group; None for what is missing."""
        column, about = self.columns[place], group[1][place][3]
        start = min(at for at in (about.get(11), about[9]) if at)
        with open(self.path, "rb") as file:
            file.seek(start)
            data = file.read(about[7])
        reader, table, found = Reader(data), None, []
        while len(found) < about[5]:
            head = reader.record()
            page = reader.take(head[3])
            if head[1] == 2:
                table = column.plain(unpack(page, about[4]), head[7][1])
            elif head[1] == 0:
                found += _page(column, unpack(page, about[4]), head[5], table)
            elif head[1] == 3:
                found += _page_v2(column, page, head[8], table=table, codec=about[4])
        if column.convert is None:
            return found
        convert = column.convert
        return [None if value is None else convert(value) for value in found]


def _width(number):
    return number.bit_length()


def _page(column, data, head, table):
    reader, count = Reader(data), head[1]
    levels = [0] * count
    if column.levels:
        length = int.from_bytes(reader.take(4), "little")
        levels = hybrid(Reader(reader.take(length)), _width(column.levels), count)
    return _values(column, reader, levels, encoding=head[2], table=table)


def _page_v2(column, page, head, table, codec):
    repeated, defined = head.get(6, 0), head.get(5, 0)
    levels = [0] * head[1]
    if column.levels:
        levels = hybrid(Reader(page[repeated : repeated + defined]), _width(column.levels), head[1])
    body = page[repeated + defined :]
    data = unpack(body, codec) if head.get(7, True) and body else body
    return _values(column, Reader(data), levels, encoding=head[4], table=table)


def _values(column, reader, levels, encoding, table):
    there = levels.count(column.levels)
    if encoding in (2, 8):
        width = reader.take(1)[0] if there else 0
        values = [table[place] for place in hybrid(reader, width, there)] if there else []
    elif encoding == 0:
        values = column.plain(reader.data[reader.at :], there)
    elif encoding == 3 and column.kind == 0:
        reader.take(4)
        values = [bool(one) for one in hybrid(reader, 1, there)]
    elif encoding == 5:
        values = deltas(reader) if there else []
    else:
        raise refuse("A column of this Parquet file")
    if there == len(levels):
        return values
    following = iter(values)
    return [next(following) if level == column.levels else None for level in levels]
