"""How a text file is written: its encoding, its broken bytes, its delimiter.

Uses the standard library only: a sandbox may have nothing else.
"""
import codecs
import csv
import io
import itertools
import re

CHUNK = 1 << 20
HEAD = 1 << 16
#: Pairs of bytes needed to tell Korean from Chinese.
SURE_PAIRS = 40
DELIMITERS = ",;\t|"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NUMBERS = itertools.count()


class DataError(Exception):
    """A file that cannot be read; `code` says why in a word, the text in a sentence."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class _Decoding:
    """Decodes a whole file with one encoding and counts what is broken."""

    def __init__(self, path, encoding):
        self.broken_bytes = 0
        self.broken_places = 0
        self.foreign = 0
        self.cjk = 0
        self.broken_lines = []
        self._line = 1
        name = "hyperagent-%d" % next(_NUMBERS)
        codecs.register_error(name, self._on_error)
        decoder = codecs.getincrementaldecoder(encoding)(name)
        for chunk, final in _chunks(path):
            before = self.broken_places
            text = decoder.decode(chunk, final)
            if not text.isascii():
                marks = self.broken_places - before
                self.foreign += len(text) - len(text.encode("ascii", "ignore")) - marks
                self.cjk += len(re.findall("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]", text))
                if marks:
                    self._note_lines(text)
            self._line += text.count("\n")

    def _on_error(self, error):
        self.broken_bytes += error.end - error.start
        self.broken_places += 1
        return "\ufffd", error.end

    def _note_lines(self, text):
        line = self._line
        for piece in text.split("\n"):
            if "\ufffd" in piece and len(self.broken_lines) < 5:
                self.broken_lines.append(line)
            line += 1


def _chunks(path):
    with open(path, "rb") as file:
        while True:
            chunk = file.read(CHUNK)
            yield chunk, not chunk
            if not chunk:
                return


def detect_encoding(path):
    """{"encoding", "bom", "certain", "broken_bytes", "broken_lines"}; bytes that cannot be decoded are counted."""
    with open(path, "rb") as file:
        head = file.read(HEAD)
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            return _facts(encoding, _Decoding(path, encoding), bom=True)
    if b"\0" in head:
        encoding = _wide(head)
        if encoding is None:
            raise DataError("binary", "This is not a text file: it holds zero bytes.")
        return _facts(encoding, _Decoding(path, encoding), certain=False)
    utf8 = _Decoding(path, "utf-8")
    # Other encodings hardly ever make valid UTF-8 by chance, Chinese ones sometimes do.
    if utf8.broken_places <= utf8.foreign:
        return _facts("utf-8", utf8)
    if _pairs_up(path):
        syllables = _syllables(path)
        if syllables >= SURE_PAIRS:
            korean = _Decoding(path, "cp949")
            if korean.broken_places * 20 <= korean.foreign:
                return _facts("cp949", korean, certain=False)
        chinese = _Decoding(path, "gb18030")
        if chinese.cjk * 2 >= chinese.foreign and chinese.broken_places * 20 <= chinese.foreign:
            return _facts("gb18030", chinese, certain=not syllables)
    other = _by_letters(path)
    if other is not None:
        found = _Decoding(path, other)
        if found.broken_places * 50 <= found.foreign:
            return _facts(other, found, certain=False)
    with open(path, "rb") as file:
        windows = any(re.search(b"[\x80-\x9f]", chunk) for chunk in iter(lambda: file.read(CHUNK), b""))
    encoding = "cp1252" if windows else "latin-1"
    return _facts(encoding, _Decoding(path, encoding), certain=False)


def _facts(encoding, decoding, bom=False, certain=True):
    return {
        "encoding": encoding,
        "bom": bom,
        "certain": certain,
        "broken_bytes": decoding.broken_bytes,
        "broken_lines": decoding.broken_lines,
    }


def _wide(head):
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) * 0.15 and even * 10 < odd:
        return "utf-16-le"
    if even > len(head) * 0.15 and odd * 10 < even:
        return "utf-16-be"
    return None


def _pairs_up(path):
    """Whether bytes over 127 come in pairs, as Chinese does; letters with accents mostly stand alone."""
    odd = even = 0
    for chunk, _ in _chunks(path):
        for run in re.finditer(b"[\x80-\xff]+", chunk):
            if (run.end() - run.start()) % 2:
                odd += 1
            else:
                even += 1
        if odd + even > 100_000:
            break
    return odd * 5 < even


def _syllables(path):
    """How many pairs of bytes there are if all could be Korean syllables, else 0. Common Chinese characters
    also lie beyond that range, so many pairs without one are not Chinese."""
    first = [pair[0] for pair in _sample(path, b"[\xb0-\xfe][\xa1-\xfe]")]
    return len(first) if sum(one <= 0xC8 for one in first) >= 0.98 * len(first) else 0


def _by_letters(path):
    """The encoding whose common letters make up most non-ASCII bytes: Japanese, Big5 or Russian; else None."""
    high = sum(map(len, _sample(path, b"[\x80-\xff]+")))
    if not high:
        return None
    # Kana and the first level of kanji; the first level of Big5; letters of whole words.
    japanese = _sample(path, b"[\x81-\x97][\x40-\x7e\x80-\xfc]")
    if sum(sum(byte > 127 for byte in pair) for pair in japanese) >= 0.8 * high and _has_kana(japanese):
        return "cp932"
    taiwanese = _sample(path, b"[\xa1-\xc6][\x40-\x7e\xa1-\xfe]")
    if sum(sum(byte > 127 for byte in pair) for pair in taiwanese) >= 0.8 * high and len(taiwanese) >= 6:
        return "big5"
    words = _sample(path, b"[\xa8\xb8\xc0-\xff]{3,}")
    return "cp1251" if sum(map(len, words)) >= 0.8 * high else None


def _has_kana(pairs):
    """Whether some are kana or there are many: a few pairs may be quotation marks of other encodings."""
    return any(pair[0] in (0x82, 0x83) for pair in pairs) or len(pairs) >= 6


def _sample(path, pattern):
    with open(path, "rb") as file:
        return re.findall(pattern, file.read(1 << 18))


def open_text(path, encoding):
    """The file as text: line ends stay (except those of an old Mac), broken bytes become U+FFFD."""
    with open(path, encoding=encoding, errors="replace", newline="") as file:
        head = file.read(HEAD)
    return open(path, encoding=encoding, errors="replace", newline=None if "\r" in head and "\n" not in head else "")


def csv_rows(path, encoding, delimiter):
    """(line number, fields) of each row; empty lines are left out."""
    csv.field_size_limit(1 << 26)
    with open_text(path, encoding) as file:
        # Older versions of the csv module refuse zero bytes.
        lines = (line.replace("\0", "\ufffd") for line in file)
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
        rows = [row for row in csv.reader(io.StringIO(sample.replace("\0", "")), delimiter=delimiter) if row]
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
