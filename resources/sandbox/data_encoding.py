"""In which encoding a text file is written, line by line where it changes, and what is broken in it.

Uses the standard library only: a sandbox may have nothing else.
"""
import codecs
import itertools
import re

from data_bytes import CHUNK, DataError, chunks, first_bytes, open_bytes

HEAD = 1 << 16
SAMPLE = 1 << 18
#: Pairs of bytes needed to tell Korean from Chinese.
SURE_PAIRS = 40
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SINGLE = ("cp1252", "cp1251")
_NUMBERS = itertools.count()
#: What Western texts have beside ASCII; other bytes are more likely damage.
_WESTERN = frozenset("äöüÄÖÜßéèêëàâçîïôûùœŒáíóúñÑåøæÅØÆãõìòÉÈÀÇÁÍÓÚÊÎÔ¿¡€£°§²³½µ·«»„“”‘’–—…®©™´\xa0")


def is_wide(encoding):
    return encoding.startswith(("utf-16", "utf-32"))


class _ByLine(codecs.BufferedIncrementalDecoder):
    """UTF-8, but what is not valid is decoded with `other`: single bytes, or the whole line."""

    other = "cp1252"
    _is_started = False

    def _buffer_decode(self, data, errors, final):
        end = len(data) if final else max(data.rfind(b"\n"), data.rfind(b"\r")) + 1
        if end == 0 and len(data) > HEAD:
            # None of these is a part of a character in any of the encodings.
            end = max(data.rfind(one) for one in (b",", b" ", b'"')) + 1
        text = decode_lines(data[:end], self.other)[0]
        if text and not self._is_started:
            self._is_started = True
            text = text[1:] if text[0] == "\ufeff" else text
        return text, end


def decode_lines(data, other):
    """(text, number of lines that are not UTF-8) of bytes."""
    try:
        return data.decode("utf-8"), 0
    except UnicodeDecodeError:
        pass
    strange, parts = 0, []
    for line in data.splitlines(True):
        try:
            parts.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            strange += 1
            parts.append(line.decode("utf-8", "hyperagent-" + other) if other in _SINGLE else line.decode(other, "replace"))
    return "".join(parts), strange


def _handler(other):
    return lambda error: (error.object[error.start : error.end].decode(other, "replace"), error.end)


for _one in _SINGLE:
    codecs.register_error("hyperagent-" + _one, _handler(_one))


def _find_codec(name):
    found = re.match(r"utf.8.(cp1252|cp1251|gb18030|big5|cp932|cp949)$", name)
    if found is None:
        return None
    decoder = type("Decoder", (_ByLine,), {"other": found.group(1)})
    utf8 = codecs.lookup("utf-8")
    return codecs.CodecInfo(utf8.encode, lambda data, errors="strict": (decode_lines(bytes(data), found.group(1))[0], len(data)), incrementaldecoder=decoder, incrementalencoder=utf8.incrementalencoder, name=name)


codecs.register(_find_codec)


class _Decoding:
    """Decodes a whole file with one encoding and counts what is broken."""

    def __init__(self, path, encoding):
        self.broken_bytes = self.broken_places = self.foreign = self.cjk = self.western = self.cyrillic = self.zeros = 0
        self.broken_lines, self.zero_lines = [], []
        self._line = 1
        name = "hyperagent-%d" % next(_NUMBERS)
        codecs.register_error(name, self._on_error)
        decoder = codecs.getincrementaldecoder(encoding)(name)
        for chunk, final in chunks(path):
            if b"\0" in chunk and not is_wide(encoding):
                self._note_zeros(chunk)
                chunk = chunk.replace(b"\0", b"")
            before = self.broken_places
            text = decoder.decode(chunk, final)
            if not text.isascii():
                marks = self.broken_places - before
                self.foreign += len(text) - len(text.encode("ascii", "ignore")) - marks
                self.cjk += len(re.findall("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]", text))
                self.cyrillic += len(re.findall("[\u0400-\u04ff]", text))
                self.western += len(re.findall("[\xa0-\u017f\u2010-\u203a\u20ac\u2122]", text))
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

    def _note_zeros(self, chunk):
        self.zeros += chunk.count(b"\0")
        if len(self.zero_lines) < 5:
            pieces = chunk.split(b"\n")
            found = [self._line + place for place, piece in enumerate(pieces) if b"\0" in piece]
            self.zero_lines = (self.zero_lines + found)[:5]


def detect_encoding(path):
    """{"encoding", "bom", "certain", "broken_bytes", "broken_lines"}, and `zero_bytes`, `zero_lines` and `strange_lines`,
    `first_strange` where there are such. `utf-8+cp1252` is UTF-8 with lines that are not."""
    head = first_bytes(path, HEAD)
    if not head:
        raise DataError("empty", "The file is empty: unpacked it has no bytes.")
    bom, encoding = next(((True, name) for mark, name in _BOMS if head.startswith(mark)), (False, "utf-8"))
    if bom and is_wide(encoding):
        return _facts(encoding, _Decoding(path, encoding), bom=True)
    if b"\0" in head:
        wide = _wide(head)
        if wide is not None and _is_text(head.decode(wide, "ignore").encode("utf-8", "ignore")):
            return _facts(wide, _Decoding(path, wide), certain=False)
        if not _is_text(head):
            raise DataError("binary", "This is not a text file: it holds zero bytes and other control characters.")
    utf8 = _Decoding(path, encoding)
    if not utf8.broken_places:
        return _facts(encoding, utf8, bom=bom)
    lines = _Lines(path)
    mixed = _mixed(path, utf8, lines)
    if mixed is not None:
        return dict(mixed, bom=bom)
    # Other encodings hardly ever make valid UTF-8 by chance, Chinese ones sometimes do.
    if bom or utf8.broken_places <= utf8.foreign:
        return _facts(encoding, utf8, bom=bom)
    return _legacy(path, lines.sample)


class _Lines:
    """The lines of a file that are not UTF-8, and how many others have more than ASCII."""

    def __init__(self, path):
        self.good = self.strong = self.bad = 0
        self.first, self.sample = [], b""
        with open_bytes(path) as file:
            for number, line in enumerate(iter(lambda: file.readline(CHUNK), b""), 1):
                if line.isascii():
                    continue
                try:
                    line.decode("utf-8")
                    self.good += 1
                    # Three bytes are hardly ever one character by chance.
                    self.strong += max(line) >= 0xE0
                except UnicodeDecodeError:
                    self.bad += 1
                    if len(self.first) < 5:
                        self.first.append(number)
                    if len(self.sample) < SAMPLE:
                        self.sample += line


def _mixed(path, utf8, lines):
    """The facts of a file in which some lines are UTF-8 and others are in another encoding; else None."""
    if not lines.good or not lines.bad:
        return None
    other = _guess(lines.sample)[0]
    if utf8.cyrillic * 2 > utf8.foreign and _is_russian(lines.sample):
        other = "cp1251"
    if other is None:
        if utf8.western < 0.9 * utf8.foreign or not _is_western(lines.sample):
            return None
        other = "cp1252"
    elif other == "cp1251":
        if _joins_latin(lines.sample):
            return None
    elif not lines.strong or lines.strong * 50 < lines.bad or _breaks(lines.sample, other) > 0.02:
        return None
    elif _is_cut(lines.sample):
        return None
    decoding = _Decoding(path, "utf-8+" + other)
    facts = _facts("utf-8+" + other, decoding, certain=False)
    facts.update(zero_lines=utf8.zero_lines, strange_lines=lines.bad, first_strange=lines.first)
    return facts


def _strange_bytes(data):
    """The runs of bytes that are not UTF-8."""
    strange = []

    def note(error):
        strange.append(error.object[error.start : error.end])
        return "?", error.end

    codecs.register_error("hyperagent-strange", note)
    data.decode("utf-8", "hyperagent-strange")
    return strange


def _is_cut(sample):
    """Whether most lines are UTF-8 but for one character that is not whole: what cuts texts at a number of bytes leaves."""
    lines = sample.splitlines()
    strange = [_strange_bytes(line) for line in lines]
    return sum(len(one) == 1 and one[0][0] >= 0xC2 for one in strange) * 2 > len(lines)


def _is_western(sample):
    """Whether the bytes that are not UTF-8 are letters of Western languages, and not damage."""
    text = b"".join(_strange_bytes(sample)).decode("cp1252", "replace")
    return sum(char in _WESTERN for char in text) >= 0.9 * len(text)


def _joins_latin(sample):
    """Whether letters beside ASCII stand in one word with ASCII letters, as in damaged text and not in Russian."""
    runs = len(re.findall(b"[\xa8\xb8\xc0-\xff]{2,}", sample))
    joined = len(re.findall(b"[A-Za-z][\xa8\xb8\xc0-\xff]{2,}|[\xa8\xb8\xc0-\xff]{2,}[A-Za-z]", sample))
    return joined * 10 > runs


def _breaks(sample, encoding):
    """The share of characters beside ASCII that are broken if it is in this encoding."""
    text = sample.decode(encoding, "replace")
    high = [char for char in text if char > "\x7f"]
    return high.count("\ufffd") / max(1, len(high))


def _legacy(path, sample):
    other, certain = _guess(sample)
    if other is not None:
        found = _Decoding(path, other)
        if found.broken_places * (20 if other in ("cp949", "gb18030") else 50) <= found.foreign:
            if other != "gb18030" or found.cjk * 2 >= found.foreign:
                return _facts(other, found, certain=certain)
        other = _by_letters(sample) if other in ("cp949", "gb18030") else None
        if other is not None:
            found = _Decoding(path, other)
            if found.broken_places * 50 <= found.foreign:
                return _facts(other, found, certain=False)
    windows = any(re.search(b"[\x80-\x9f]", chunk) for chunk, _ in chunks(path))
    encoding = "cp1252" if windows else "latin-1"
    return _facts(encoding, _Decoding(path, encoding), certain=False)


def _guess(sample):
    """(encoding, whether it is certain) of lines that are not UTF-8; (None, False) for a Western one."""
    if _pairs_up(sample):
        syllables = _syllables(sample)
        if syllables >= SURE_PAIRS and _breaks(sample, "cp949") <= 0.05:
            return "cp949", False
        text = sample.decode("gb18030", "replace")
        foreign = sum(char > "\x7f" for char in text)
        cjk = len(re.findall("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]", text))
        if cjk * 2 >= foreign and text.count("\ufffd") * 20 <= foreign:
            return "gb18030", not syllables
    return _by_letters(sample), False


def _facts(encoding, decoding, bom=False, certain=True):
    facts = {
        "encoding": encoding,
        "bom": bom,
        "certain": certain,
        "broken_bytes": decoding.broken_bytes,
        "broken_lines": decoding.broken_lines,
    }
    if decoding.zeros:
        facts.update(zero_bytes=decoding.zeros, zero_lines=decoding.zero_lines)
    return facts


def _wide(head):
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) * 0.15 and even * 10 < odd:
        return "utf-16-le"
    if even > len(head) * 0.15 and odd * 10 < even:
        return "utf-16-be"
    return None


def _is_text(head):
    """Whether it is a text but for its zero bytes: padding of columns, or a gap that a crash left."""
    kept = head.replace(b"\0", b"")
    return len(re.findall(b"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]", kept)) * 50 < len(kept)


def _pairs_up(sample):
    """Whether bytes over 127 come in pairs, as Chinese does; letters with accents mostly stand alone."""
    runs = [len(run) % 2 for run in re.findall(b"[\x80-\xff]+", sample)]
    return sum(runs) * 6 < len(runs)


def _syllables(sample):
    """How many pairs of bytes there are if all could be Korean syllables, else 0. Common Chinese characters
    also lie beyond that range, so many pairs without one are not Chinese."""
    first = [pair[0] for pair in re.findall(b"[\xb0-\xfe][\xa1-\xfe]", sample)]
    return len(first) if sum(one <= 0xC8 for one in first) >= 0.98 * len(first) else 0


def _by_letters(sample):
    """The encoding whose common letters make up most non-ASCII bytes: Japanese, Big5 or Russian; else None."""
    high = sum(byte > 127 for byte in sample)
    if not high:
        return None
    # Kana and the first level of kanji; the first level of Big5; letters of whole words.
    japanese = re.findall(b"[\x81-\x97][\x40-\x7e\x80-\xfc]", sample)
    if sum(sum(byte > 127 for byte in pair) for pair in japanese) >= 0.8 * high and _has_kana(japanese):
        return "cp932"
    taiwanese = re.findall(b"[\xa1-\xc6][\x40-\x7e\xa1-\xfe]", sample)
    if sum(sum(byte > 127 for byte in pair) for pair in taiwanese) >= 0.8 * high and len(taiwanese) >= 6:
        return "big5"
    return "cp1251" if _is_russian(sample) else None


def _is_russian(sample):
    """Whether most bytes beside ASCII are letters of Windows-1251, in whole words."""
    words = re.findall(b"[\xa8\xb8\xc0-\xff]{3,}", sample)
    return sum(map(len, words)) >= 0.8 * sum(byte > 127 for byte in sample)


def _has_kana(pairs):
    """Whether some are kana or there are many: a few pairs may be quotation marks of other encodings."""
    return any(pair[0] in (0x82, 0x83) for pair in pairs) or len(pairs) >= 6
