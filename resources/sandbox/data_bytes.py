"""The bytes of a file, unpacked where it is packed.

Uses the standard library only: a sandbox may have nothing else.
"""
import gzip
import io
import zlib

CHUNK = 1 << 20
#: Most bytes that a packed file may have unpacked.
MOST_UNPACKED = 4 << 30


class DataError(Exception):
    """A file that cannot be read; `code` says why in a word, the text in a sentence."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def is_packed(path):
    """Whether the file is packed with gzip."""
    with open(path, "rb") as file:
        return file.read(2) == b"\x1f\x8b"


def open_bytes(path):
    """The bytes of a file, unpacked where it is packed with gzip."""
    return gzip.open(path, "rb") if is_packed(path) else open(path, "rb")


def first_bytes(path, count):
    """Raises `DataError` for a damaged packed file."""
    with open_bytes(path) as file:
        return _read(file, count)


def _read(file, count):
    try:
        return file.read(count)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError("broken", "The packed file is cut or damaged: %s." % str(error).rstrip("."))


def chunks(path):
    """(bytes, whether they are the last) of a file. Raises `DataError` for a damaged or huge packed one."""
    size = 0
    with open_bytes(path) as file:
        while True:
            chunk = _read(file, CHUNK)
            size += len(chunk)
            if size > MOST_UNPACKED and not isinstance(file, io.BufferedReader):
                raise DataError("too_large", "Unpacked, the file has over %d GB." % (MOST_UNPACKED >> 30))
            yield chunk, not chunk
            if not chunk:
                return


class WithoutZeros(io.RawIOBase):
    """The bytes of a file without zero bytes."""

    def __init__(self, file):
        super().__init__()
        self._file = file

    def readable(self):
        return True

    def readinto(self, buffer):
        while True:
            chunk = self._file.read(len(buffer))
            kept = chunk.replace(b"\0", b"")
            if kept or not chunk:
                buffer[: len(kept)] = kept
                return len(kept)

    def close(self):
        self._file.close()
        super().close()
