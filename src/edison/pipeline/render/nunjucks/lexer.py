"""Splits a Nunjucks template into tokens."""

import re
from enum import Enum

from edison.kit.lazy_dataclasses import dataclass

BLANK = " \n\t\r\u00a0"
_DELIMITERS = "()[]{}%*-+~/#,:|.<>=!"
_LONG_OPERATORS = {"==", "===", "!=", "!==", "<=", ">=", "//", "**"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_WORD = re.compile(f"[^{re.escape(BLANK + _DELIMITERS)}]+")
_BLANKS = re.compile(f"[{BLANK}]+")
_DIGITS = re.compile(r"[0-9]*")
_STOPS = re.compile(r"[{#]")
_FLAGS = re.compile(r"[gimy]*")


class TemplateError(Exception):
    """The template cannot be parsed or rendered. `line` counts from 1, and is None for errors that
    depend on the values.
    """

    line: int | None = None


class TokenKind(Enum):
    TEXT = "text"
    COMMENT = "comment"
    BLOCK_START = "{%"
    BLOCK_END = "%}"
    VARIABLE_START = "{{"
    VARIABLE_END = "}}"
    STRING = "string"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NONE = "none"
    SYMBOL = "symbol"
    REGEX = "regex"
    OPERATOR = "operator"
    DELIMITER = "delimiter"


@dataclass(frozen=True, slots=True)
class Token:
    kind: TokenKind
    value: str
    flags: str = ""


class Lexer:
    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self._is_in_code = False

    def next(self) -> Token | None:
        """The next token without white space; None at the end."""
        if self._is_in_code and (blank := _BLANKS.match(self.source, self.position)):
            self.position = blank.end()
        if self.position >= len(self.source):
            return None
        return self._code() if self._is_in_code else self._data()

    def _take(self, *spellings: str) -> str | None:
        for spelling in spellings:
            if self.source.startswith(spelling, self.position):
                self.position += len(spelling)
                return spelling
        return None

    def _data(self) -> Token:
        for kind in (TokenKind.BLOCK_START, TokenKind.VARIABLE_START):
            if found := self._take(f"{kind.value}-", kind.value):
                self._is_in_code = True
                return Token(kind, found)
        if self._take("{#"):
            end = self.source.find("#}", self.position)
            if end == -1:
                raise TemplateError("expected end of comment, got end of file")
            comment = self.source[self.position - 2 : end + 2]
            self.position = end + 2
            return Token(TokenKind.COMMENT, comment)
        return self._text()

    def _text(self) -> Token:
        begin = self.position
        while found := _STOPS.search(self.source, self.position):
            self.position = found.start()
            if self.source.startswith("#}", self.position):
                raise TemplateError("unexpected end of comment")
            if self.source.startswith(("{%", "{{", "{#"), self.position):
                return Token(TokenKind.TEXT, self.source[begin : self.position])
            self.position += 1
        self.position = len(self.source)
        return Token(TokenKind.TEXT, self.source[begin:])

    def _code(self) -> Token:
        character = self.source[self.position]
        if character in "\"'":
            return Token(TokenKind.STRING, self._string(character))
        for kind in (TokenKind.BLOCK_END, TokenKind.VARIABLE_END):
            if found := self._take(kind.value, f"-{kind.value}"):
                self._is_in_code = False
                return Token(kind, found)
        if self.source.startswith("r/", self.position):
            return self._regex()
        if character in _DELIMITERS:
            return self._operator(character)
        return self._word()

    def _string(self, quote: str) -> str:
        self.position += 1
        parts = []
        while self.position < len(self.source) and self.source[self.position] != quote:
            character = self.source[self.position]
            if character == "\\":
                self.position += 1
                character = self.source[self.position : self.position + 1]
                character = _ESCAPES.get(character, character)
            parts.append(character)
            self.position += 1
        self.position += 1
        return "".join(parts)

    def _regex(self) -> Token:
        end = self.position + 2
        while end < len(self.source) and not (
            self.source[end] == "/" and self.source[end - 1] != "\\"
        ):
            end += 1
        body = self.source[self.position + 2 : end]
        flags = _FLAGS.match(self.source, end + 1)
        self.position = flags.end() if flags else len(self.source)
        return Token(TokenKind.REGEX, body, flags[0] if flags else "")

    def _operator(self, character: str) -> Token:
        for length in (3, 2):
            found = self.source[self.position : self.position + length]
            if len(found) == length and found in _LONG_OPERATORS:
                self.position += length
                return Token(TokenKind.OPERATOR, found)
        self.position += 1
        return Token(
            TokenKind.DELIMITER if character in "()[]{},:~|" else TokenKind.OPERATOR, character
        )

    def _word(self) -> Token:
        found = _WORD.match(self.source, self.position)
        if found is None:
            raise TemplateError("Unexpected value while parsing")
        self.position = found.end()
        word = found[0]
        if re.fullmatch(r"[0-9]+", word):
            return Token(TokenKind.NUMBER, word + self._fraction())
        if word in {"true", "false"}:
            return Token(TokenKind.BOOLEAN, word)
        return Token(TokenKind.NONE if word in {"none", "null"} else TokenKind.SYMBOL, word)

    def _fraction(self) -> str:
        if not self.source.startswith(".", self.position):
            return ""
        digits = _DIGITS.match(self.source, self.position + 1)
        self.position += 1 + (len(digits[0]) if digits else 0)
        return f".{digits[0]}" if digits else "."
