"""Parquet files as tables: with pyarrow or duckdb if installed, else with our own reader."""
import struct

import parquet_pages
from data_bytes import DataError
from data_files import Table


def tables(path):
    """The one table of the file. Raises `DataError`, with the code `no_reader` where nothing can read it."""
    for read in (_by_pyarrow, _by_duckdb, _by_own_reader):
        found = read(path)
        if found is not None:
            return [found]
    return []


def _by_pyarrow(path):
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        return None
    try:
        file = parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise DataError("broken", "The file cannot be read: %s." % error)

    def data():
        number = 0
        for batch in file.iter_batches():
            for values in zip(*(column.to_pylist() for column in batch.columns)):
                number += 1
                yield number, [_plain(value) for value in values]

    return Table("", list(file.schema_arrow.names), data, header=True, titles=[])


def _by_duckdb(path):
    try:
        import duckdb
    except ImportError:
        return None
    base = duckdb.connect()
    try:
        columns = [row[0] for row in base.execute("DESCRIBE SELECT * FROM read_parquet(?)", [path]).fetchall()]
    except duckdb.Error as error:
        raise DataError("broken", "The file cannot be read: %s." % error)

    def data():
        answer, number = base.execute("SELECT * FROM read_parquet(?)", [path]), 0
        while True:
            batch = answer.fetchmany(10_000)
            if not batch:
                return
            for values in batch:
                number += 1
                yield number, [_plain(value) for value in values]

    return Table("", columns, data, header=True, titles=[])


def _by_own_reader(path):
    file = _guarded(lambda: parquet_pages.File(path))
    flat = [place for place, column in enumerate(file.columns) if not column.is_repeated]
    left_out = sorted({column.name.split(".")[0] for column in file.columns if column.is_repeated})

    def data():
        number = 0
        for group in file.groups:
            columns = _guarded(lambda group=group: [file.read(group, place) for place in flat])
            for values in zip(*columns):
                number += 1
                yield number, list(values)

    names = [file.columns[place].name for place in flat]
    return Table("", names, data, header=True, titles=[], left_out=left_out)


def _guarded(work):
    try:
        return work()
    except (IndexError, KeyError, TypeError, struct.error, OSError, OverflowError, ValueError) as error:
        raise DataError("broken", "The Parquet file is damaged: %s: %s." % (type(error).__name__, error))


def _plain(value):
    """Lists and structs as text; decimals as numbers."""
    if value is None or isinstance(value, (str, bool, int, float, bytes)) or hasattr(value, "isoformat"):
        return value
    return str(value) if isinstance(value, (list, dict)) else float(value)
