"""Parses the tags of a Nunjucks template."""

import re

from edison.pipeline.render.nunjucks.expressions import ExpressionParser
from edison.pipeline.render.nunjucks.javascript import STRIPPED
from edison.pipeline.render.nunjucks.lexer import Lexer, TemplateError, Token, TokenKind
from edison.pipeline.render.nunjucks.nodes import (
    Body,
    Capture,
    DictEntry,
    Filter,
    For,
    FunctionCall,
    If,
    Literal,
    Macro,
    Missing,
    Name,
    Node,
    Print,
    Set,
    Signature,
    Switch,
    Text,
)

_LOOP_ENDS = {"for": "endfor", "asyncEach": "endeach", "asyncAll": "endall"}


def parse_template(source: str) -> Body:
    """Raises TemplateError."""
    lexer = Lexer(source)
    try:
        return _Parser(lexer).whole()
    except RecursionError as deep:
        raise TemplateError("The template is nested too deeply.") from deep
    except TemplateError as wrong:
        wrong.line = source.count("\n", 0, lexer.position) + 1
        raise


class _Parser(ExpressionParser):
    def __init__(self, lexer: Lexer) -> None:
        super().__init__(lexer)
        self._drops_blanks = False
        self._tags = {
            "if": self._if,
            "ifAsync": self._if,
            "for": self._for,
            "asyncEach": self._for,
            "asyncAll": self._for,
            "set": self._set,
            "macro": self._macro,
            "call": self._call,
            "filter": self._filter,
            "switch": self._switch,
            "raw": self._raw,
            "verbatim": self._raw,
            "block": self._block,
            "include": self._missing,
            "extends": self._missing,
            "import": self._missing,
            "from": self._missing,
        }

    def whole(self) -> Body:
        body = self._until()
        if self.peek() is not None:
            raise TemplateError("unexpected end of a block")
        return body

    def _until(self, *ends: str) -> Body:
        """Nodes up to a tag of these names, whose opening has been read, or to the end."""
        children: list[Node] = []
        while (token := self.take()) is not None:
            if token.kind is TokenKind.TEXT:
                children.append(Text(self._text(token.value)))
            elif token.kind is TokenKind.BLOCK_START:
                self._drops_blanks = False
                name = self.peek()
                if name is None or name.kind is not TokenKind.SYMBOL:
                    raise TemplateError("tag name expected")
                if name.value in ends:
                    break
                children.append(self._tag(name))
            elif token.kind is TokenKind.VARIABLE_START:
                value = self.expression()
                self._drops_blanks = self._close(TokenKind.VARIABLE_END, "expected variable end")
                children.append(Print(value))
            elif token.kind is TokenKind.COMMENT:
                self._drops_blanks = token.value.endswith("-#}")
            else:
                raise TemplateError(f"Unexpected token at top-level: {token.value}")
        return Body(children)

    def _text(self, text: str) -> str:
        if self._drops_blanks:
            text = text.lstrip(STRIPPED)
            self._drops_blanks = False
        following = self.peek()
        if following is not None and _trims_before(following):
            text = text.rstrip(STRIPPED)
        return text

    def _tag(self, name: Token) -> Node:
        parse = self._tags.get(name.value)
        if parse is None:
            raise TemplateError(f"unknown block tag: {name.value}")
        self.take()
        return parse(name.value)

    def _close(self, kind: TokenKind, problem: str) -> bool:
        token = self.take()
        if token is None or token.kind is not kind:
            raise TemplateError(problem)
        return token.value.startswith("-")

    def _end_tag(self, name: str) -> None:
        self._drops_blanks = self._close(
            TokenKind.BLOCK_END, f"expected block end in {name} statement"
        )

    def _finish(self, *ends: str) -> str:
        """Reads the tag that ended a body."""
        token = self.take()
        if token is None or token.value not in ends:
            raise TemplateError(f"expected {' or '.join(ends)}, got end of file")
        return token.value

    def _if(self, name: str) -> Node:
        condition = self.expression()
        self._end_tag(name)
        body = self._until("elseif", "elif", "else", "endif")
        token = self.take()
        match token.value if token else "":
            case "elseif" | "elif":
                return If(condition, body, self._if("elif"))
            case "else":
                self._end_tag("else")
                otherwise = self._until("endif")
                self._end_tag(self._finish("endif"))
                return If(condition, body, otherwise)
            case "endif":
                self._end_tag("endif")
                return If(condition, body)
        raise TemplateError("parseIf: expected elif, else, or endif, got end of file")

    def _for(self, name: str) -> Node:
        names = [self._variable()]
        while self.skip(","):
            names.append(self._variable())
        if not self.skip_word("in"):
            raise TemplateError('parseFor: expected "in" keyword for loop')
        items = self.expression()
        self._end_tag(name)
        end = _LOOP_ENDS[name]
        body = self._until(end, "else")
        otherwise = None
        found = self._finish(end, "else")
        if found == "else":
            self._end_tag("else")
            otherwise = self._until(end)
            self._finish(end)
        self._end_tag(end)
        return For(names, items, body, otherwise)

    def _variable(self) -> str:
        node = self.primary()
        if not isinstance(node, Name):
            raise TemplateError("variable name expected")
        return node.name

    def _set(self, name: str) -> Node:
        names = [self._variable()]
        while self.skip(","):
            names.append(self._variable())
        if self.skip("=", TokenKind.OPERATOR):
            value: Node = self.expression()
            self._end_tag(name)
            return Set(names, value)
        self._end_tag(name)
        value = Capture(self._until("endset"))
        self._end_tag(self._finish("endset"))
        return Set(names, value)

    def _macro(self, name: str) -> Node:
        found = self.primary(has_postfix=False)
        if not isinstance(found, Name) or not self.skip("("):
            raise TemplateError("expected the name and the parameters of a macro")
        parameters = self.arguments()
        self._end_tag(name)
        body = self._until("endmacro")
        self._end_tag(self._finish("endmacro"))
        return Macro(found.name, parameters, body)

    def _call(self, name: str) -> Node:
        parameters = self.arguments() if self.skip("(") else Signature()
        call = self.primary()
        if not isinstance(call, FunctionCall):
            raise TemplateError("expected a call in the call tag")
        self._end_tag(name)
        body = self._until("endcall")
        self._end_tag(self._finish("endcall"))
        caller = Macro("caller", parameters, body, is_caller=True)
        call.arguments.named.append(DictEntry(Literal("caller"), caller))
        return Print(call)

    def _filter(self, name: str) -> Node:
        found = self.filter_name()
        arguments = self.arguments() if self.skip("(") else Signature()
        self._end_tag(name)
        body = self._until("endfilter")
        self._end_tag(self._finish("endfilter"))
        return Print(Filter(found, Capture(body), arguments))

    def _switch(self, name: str) -> Node:
        value = self.expression()
        self._end_tag(name)
        self._until("case", "default", "endswitch")
        cases: list[tuple[Node, Body]] = []
        found = self._finish("case", "default", "endswitch")
        while found == "case":
            condition = self.expression()
            self._end_tag("case")
            cases.append((condition, self._until("case", "default", "endswitch")))
            found = self._finish("case", "default", "endswitch")
        self._end_tag(found)
        default = None
        if found == "default":
            default = self._until("endswitch")
            self._end_tag(self._finish("endswitch"))
        return Switch(value, cases, default)

    def _raw(self, name: str) -> Node:
        self._end_tag(name)
        self._drops_blanks = False
        tag = re.compile(r"\{%\s*(" + name + "|end" + name + r")\s*%\}")
        begin = self.lexer.position
        level = 1
        for found in tag.finditer(self.lexer.source, begin):
            level += 1 if found[1] == name else -1
            if level == 0:
                self.lexer.position = found.end()
                return Text(self.lexer.source[begin : found.start()])
        return Text("")

    def _block(self, name: str) -> Node:
        self.take_word()
        self._end_tag(name)
        body = self._until("endblock")
        self._finish("endblock")
        self.skip_word("endblock")
        token = self.peek()
        if token is not None and token.kind is TokenKind.SYMBOL:
            self.take()
        self._end_tag("endblock")
        return body

    def _missing(self, name: str) -> Node:
        template = self.expression()
        is_optional = False
        while (token := self.peek()) is not None and token.kind is not TokenKind.BLOCK_END:
            is_optional = is_optional or token.value == "ignore"
            self.take()
        self._end_tag(name)
        return Missing(template, is_optional)


def _trims_before(token: Token) -> bool:
    if token.kind is TokenKind.COMMENT:
        return token.value.startswith("{#-")
    return token.kind in {TokenKind.BLOCK_START, TokenKind.VARIABLE_START} and token.value.endswith(
        "-"
    )
