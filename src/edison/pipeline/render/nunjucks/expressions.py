"""Parses the expressions of a Nunjucks template."""

from edison.pipeline.render.nunjucks.javascript import normal
from edison.pipeline.render.nunjucks.lexer import Lexer, TemplateError, Token, TokenKind
from edison.pipeline.render.nunjucks.nodes import (
    Array,
    Binary,
    Dict,
    DictEntry,
    Filter,
    FunctionCall,
    Group,
    InlineIf,
    Literal,
    MemberAccess,
    Name,
    Node,
    RegexLiteral,
    Signature,
    Test,
    Unary,
)

# Precedence of JavaScript, weakest first, and not of Nunjucks: it writes operators into JavaScript
# without parentheses.
_LEVELS = (
    ("==", "===", "!=", "!=="),
    ("<", ">", "<=", ">="),
    ("~", "+", "-"),
    ("*", "/", "%"),
    ("//",),
    ("**",),
)
_JAVASCRIPT = frozenset(operator for level in _LEVELS[:4] for operator in level)
_CONSTANTS = {"true": True, "false": False, "none": None, "null": None}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MOST_DIGITS = 300


class ExpressionParser:
    """Reads tokens one ahead."""

    def __init__(self, lexer: Lexer) -> None:
        self.lexer = lexer
        self._ahead: list[Token] = []

    def peek(self) -> Token | None:
        if not self._ahead:
            token = self.lexer.next()
            if token is None:
                return None
            self._ahead.append(token)
        return self._ahead[-1]

    def take(self) -> Token | None:
        token = self.peek()
        if token is not None:
            self._ahead.pop()
        return token

    def push(self, token: Token) -> None:
        self._ahead.append(token)

    def skip(self, value: str, kind: TokenKind = TokenKind.DELIMITER) -> bool:
        token = self.peek()
        if token is None or token.kind is not kind or token.value != value:
            return False
        self.take()
        return True

    def skip_word(self, word: str) -> bool:
        return self.skip(word, TokenKind.SYMBOL)

    def take_word(self) -> str:
        token = self.take()
        if token is None or token.kind is not TokenKind.SYMBOL:
            raise TemplateError(f"expected a name, got {_shown(token)}")
        return token.value

    def expression(self) -> Node:
        value = self._or()
        if not self.skip_word("if"):
            return value
        condition = self._or()
        otherwise = self._or() if self.skip_word("else") else None
        return InlineIf(condition, value, otherwise)

    def _or(self) -> Node:
        node = self._and()
        while self.skip_word("or"):
            node = Binary("or", node, self._and())
        return node

    def _and(self) -> Node:
        node = self._not()
        while self.skip_word("and"):
            node = Binary("and", node, self._not())
        return node

    def _not(self) -> Node:
        return _negated(self._not()) if self.skip_word("not") else self._in()

    def _in(self) -> Node:
        node = self._is()
        while True:
            token = self.peek()
            is_inverse = self.skip_word("not")
            if not self.skip_word("in"):
                if is_inverse and token is not None:
                    self.push(token)
                return node
            node = Binary("in", node, self._is())
            node = Unary("not", node) if is_inverse else node

    def _is(self) -> Node:
        node = self._binary(0)
        if not self.skip_word("is"):
            return node
        is_inverse = self.skip_word("not")
        node = self._test(node, self._binary(0))
        return Unary("not", node) if is_inverse else node

    @staticmethod
    def _test(value: Node, test: Node) -> Node:
        match test:
            case Name(name):
                return Test(value, name, Signature())
            case FunctionCall(Name(name), arguments):
                return Test(value, name, arguments)
            case Literal(None):
                return Test(value, "null", Signature())
        raise TemplateError("expected the name of a test after “is”")

    def _operator(self, wanted: tuple[str, ...]) -> str | None:
        token = self.peek()
        if token is None or token.kind not in {TokenKind.OPERATOR, TokenKind.DELIMITER}:
            return None
        if token.value not in wanted:
            return None
        self.take()
        return token.value

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        node = self._binary(level + 1)
        while (operator := self._operator(_LEVELS[level])) is not None:
            node = Binary(operator, node, self._binary(level + 1))
        return node

    def _unary(self, *, has_filters: bool = True) -> Node:
        if (operator := self._operator(("-", "+"))) is not None:
            node: Node = Unary(operator, self._unary(has_filters=False))
        else:
            node = self.primary()
        return self._filters(node) if has_filters else node

    def primary(self, *, has_postfix: bool = True) -> Node:
        token = self.take()
        if token is None:
            raise TemplateError("expected expression, got end of file")
        node = self._atom(token)
        return self._postfix(node) if has_postfix else node

    def _atom(self, token: Token) -> Node:
        match token.kind:
            case TokenKind.STRING:
                return Literal(token.value)
            case TokenKind.NUMBER:
                return Literal(_number(token.value))
            case TokenKind.BOOLEAN | TokenKind.NONE:
                return Literal(_CONSTANTS[token.value])
            case TokenKind.REGEX:
                return RegexLiteral(token.value, token.flags)
            case TokenKind.SYMBOL:
                return Name(token.value)
        if token.kind is TokenKind.DELIMITER and token.value in _CLOSING:
            return self._aggregate(token.value)
        raise TemplateError(f"unexpected token: {token.value}")

    def _aggregate(self, opening: str) -> Node:
        items: list[Node] = []
        pairs: list[DictEntry] = []
        while not self.skip(_CLOSING[opening]):
            if (items or pairs) and not self.skip(","):
                raise TemplateError("parseAggregate: expected comma after expression")
            if opening == "{":
                pairs.append(self._pair())
            else:
                items.append(self.expression())
        if opening == "{":
            return Dict(pairs)
        return Group(items) if opening == "(" else Array(items)

    def _pair(self) -> DictEntry:
        key = self.primary()
        if not self.skip(":"):
            raise TemplateError("parseAggregate: expected colon after dict key")
        return DictEntry(Literal(key.name) if isinstance(key, Name) else key, self.expression())

    def _postfix(self, node: Node) -> Node:
        while True:
            if self.skip("("):
                node = FunctionCall(node, self.arguments())
            elif self.skip("["):
                index = self._aggregate("[")
                if not isinstance(index, Array) or len(index.items) != 1:
                    raise TemplateError("invalid index")
                node = MemberAccess(node, index.items[0])
            elif self.skip(".", TokenKind.OPERATOR):
                node = MemberAccess(node, Literal(self._lookup()))
            else:
                return node

    def _lookup(self) -> str:
        token = self.take()
        if token is None or token.kind is not TokenKind.SYMBOL:
            raise TemplateError(f"expected name as lookup value, got {_shown(token)}")
        return token.value

    def arguments(self) -> Signature:
        """Arguments up to the closing parenthesis."""
        found = Signature()
        while not self.skip(")"):
            if (found.positional or found.named) and not self.skip(","):
                raise TemplateError("parseSignature: expected comma after expression")
            value = self.expression()
            if self.skip("=", TokenKind.OPERATOR):
                found.named.append(DictEntry(value, self.expression()))
            else:
                found.positional.append(value)
        return found

    def _filters(self, node: Node) -> Node:
        while self.skip("|"):
            name = self.filter_name()
            node = Filter(name, node, self.arguments() if self.skip("(") else Signature())
        return node

    def filter_name(self) -> str:
        name = self.take_word()
        while self.skip(".", TokenKind.OPERATOR):
            name += f".{self.take_word()}"
        return name


def _negated(node: Node) -> Node:
    """`not a == b` is `!a == b` in JavaScript: it negates what is next to it."""
    if isinstance(node, Binary) and node.operator in _JAVASCRIPT:
        return Binary(node.operator, _negated(node.left), node.right)
    return Unary("not", node)


def _number(text: str) -> float:
    if len(text) > _MOST_DIGITS:
        raise TemplateError("A number has too many digits.")
    return normal(float(text)) if "." in text else normal(int(text))


def _shown(token: Token | None) -> str:
    return "end of file" if token is None else token.value
