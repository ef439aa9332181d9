"""Words of a sentence by the rules of the Penn Treebank, as promptfoo splits them for ROUGE."""

import re
import unicodedata

_QUOTE = re.compile(r"``|''|\"")
_CONTRACTIONS = tuple(
    re.compile(rf"(?<![\w\u200c\u200d]){pattern}(?![\w\u200c\u200d])", re.IGNORECASE)
    for pattern in (
        "(can)(not)",
        "(d)('ye)",
        "(gim)(me)",
        "(gon)(na)",
        "(got)(ta)",
        "(lem)(me)",
        "(more)('n)",
        "(wan)(na)(?= )",
        "('t)(is)",
        "('t)(was)",
    )
)
_FINAL_DOT = re.compile(r"([^.])(?<!\b[A-Za-z]\.[A-Za-z])(\.)([\])}>'\s]*)$")


def treebank_tokens(sentence: str) -> list[str]:
    text = re.sub(r"[\s\u0085]+", " ", sentence).strip()
    if not text:
        return []
    text = _quotes_marked(text)
    text = text.replace("...", " ... ")
    text = re.sub(r"[:,](?!\d)", r" \g<0> ", text)
    text = re.sub(r"[;@#$%&]", r" \g<0> ", text)
    text = _FINAL_DOT.sub(r"\1 \2\3 ", text)
    text = re.sub(r"[?!]", r" \g<0> ", text)
    text = re.sub(r"[\][(){}<>]", r" \g<0> ", text)
    text = f" {text.replace('--', ' -- ')} "
    text = re.sub(r"([^'])' ", r"\1 ' ", text)
    text = re.sub(r"'([sSmMdD]) ", r" '\1 ", text)
    text = re.sub(r"('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r" \1 ", text)
    for contraction in _CONTRACTIONS:
        text = contraction.sub(r" \1 \2 ", text)
    return text.split()


def _quotes_marked(text: str) -> str:
    """Opening quotes become two backticks, closing ones two apostrophes."""
    is_inside = False

    def marked(found: re.Match[str]) -> str:
        nonlocal is_inside
        is_inside = found[0] == "``" or (not is_inside and _is_opening(text, found))
        return " `` " if is_inside else " '' "

    return _QUOTE.sub(marked, text)


def _is_opening(text: str, found: re.Match[str]) -> bool:
    before = text[found.start() - 1] if found.start() else ""
    if before and not (before.isspace() or before == "<" or unicodedata.category(before)[0] == "P"):
        return False
    if (
        found.end() == len(text)
        and before
        and not (before.isspace() or before == "<" or unicodedata.category(before) == "Ps")
    ):
        return False
    if before and before in ".!?":
        return False
    if found[0] == '"':
        return True
    following = text[found.end() : found.end() + 1]
    kind = unicodedata.category(following) if following else ""
    closing = _QUOTE.search(text, found.end())
    is_word = kind[:1] in {"L", "N"} or kind in {"Sc", "Ps"}
    return found.start() > 0 and is_word and closing is not None and closing[0] == "''"
