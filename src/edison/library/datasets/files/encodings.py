"""Detection of a file's encoding while it is streamed.

A byte order mark decides. Without one, bytes that are valid UTF-8 throughout are UTF-8, a NUL in
every other byte means UTF-16, and the rest is Windows-1252 or, where that has no character,
Latin-1. Other NULs mean that the file is not text.
"""

import codecs
from enum import StrEnum

from edison.library.datasets.files.problems import FileRefused


class Encoding(StrEnum):
    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_16_LE = "utf-16-le"
    UTF_16_BE = "utf-16-be"
    WINDOWS_1252 = "windows-1252"
    LATIN_1 = "latin-1"


SAMPLE_BYTES = 65_536
_UNDEFINED_IN_WINDOWS_1252 = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D])
_FOREIGN = {
    b"PK\x03\x04": "This is a workbook or an archive. Save the sheet as CSV and upload that.",
    b"\xd0\xcf\x11\xe0": "This is an old Excel workbook. Save the sheet as CSV and upload that.",
    b"%PDF": "This is a PDF document, not a table.",
    b"\x1f\x8b": "This file is compressed. Unpack it first.",
}


class EncodingGuess:
    """Feed it a whole file; it keeps the beginning and decides on the encoding."""

    def __init__(self) -> None:
        self.sample = b""
        self.size = 0
        self._utf_8 = codecs.getincrementaldecoder("utf-8")()
        self._is_utf_8 = True
        self._fits_windows = True
        self._has_nul = False

    def feed(self, block: bytes) -> None:
        if len(self.sample) < SAMPLE_BYTES:
            self.sample = (self.sample + block)[:SAMPLE_BYTES]
        self.size += len(block)
        self._check_utf_8(block)
        self._fits_windows &= not set(_UNDEFINED_IN_WINDOWS_1252) & set(block)
        self._has_nul |= b"\x00" in block

    def decide(self) -> Encoding:
        """Call after the whole file was fed. Raises FileRefused for files that are not text."""
        self._check_utf_8(b"", final=True)
        for mark, message in _FOREIGN.items():
            if self.sample.startswith(mark):
                raise FileRefused(message, code="not_text")
        if self.sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return Encoding.UTF_16
        if self._has_nul and (guessed := self._guess_utf_16()):
            return guessed
        if self._is_utf_8:
            return Encoding.UTF_8
        if self._has_nul:
            raise FileRefused("This is not a text file.", code="not_text")
        return Encoding.WINDOWS_1252 if self._fits_windows else Encoding.LATIN_1

    def _check_utf_8(self, block: bytes, *, final: bool = False) -> None:
        if self._is_utf_8:
            try:
                self._utf_8.decode(block, final)
            except UnicodeDecodeError:
                self._is_utf_8 = False

    def _guess_utf_16(self) -> Encoding | None:
        """Text in a Latin script has a NUL in nearly every other byte."""
        even, odd = self.sample[::2].count(0), self.sample[1::2].count(0)
        half = len(self.sample) / 2
        if odd > 0.7 * half and even < 0.1 * half:
            return Encoding.UTF_16_LE
        if even > 0.7 * half and odd < 0.1 * half:
            return Encoding.UTF_16_BE
        return None


class Decoder:
    """Incremental decoder that drops a byte order mark."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        codec = "utf-8-sig" if encoding is Encoding.UTF_8 else encoding
        self._decoder = codecs.getincrementaldecoder(codec)()
        self._line = 1

    def decode(self, block: bytes, *, final: bool = False) -> str:
        """Raises FileRefused for bytes that are invalid in the encoding."""
        try:
            text = self._decoder.decode(block, final)
        except UnicodeDecodeError as wrong:
            before = block[: wrong.start].decode(self._encoding, "ignore")
            raise FileRefused(
                f"this is not {self._encoding.upper()}. Choose another encoding.",
                code="wrong_encoding",
                line=self._line + before.count("\n"),
            ) from wrong
        self._line += text.count("\n")
        return text
