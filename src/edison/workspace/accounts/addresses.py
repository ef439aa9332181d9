"""Email addresses: canonical form, and protection against look-alikes.

An address is refused when one of its parts mixes scripts, or when it is not ASCII but looks as if
it were (a Cyrillic letter in `ada@…`). Two addresses look alike when their skeletons are equal; the
skeleton replaces each letter by the Latin letter that is drawn like it (Unicode TS 39, reduced to
lower case letters and digits). ASCII addresses are their own skeletons: `l` and `1` stay distinct,
since refusing such pairs would refuse legitimate addresses.
"""

import re
import unicodedata

# Code points, because the characters themselves look identical in print.
_LOOK_ALIKES = {
    "a": "\u0251\u03b1\u0430\u2c65",
    "b": "\u0185\u044c\u13cf\u1472\u15af\uab9f",
    "c": "\u03f2\u0441\u1d04\u2ca5\uabaf\U0001043d",
    "d": "\u0501\u146f\ua4d2\uabb7",
    "e": "\u0435\u04bd\uab32\u212e",
    "f": "\u0584\u1e9d\ua799\uab35",
    "g": "\u018d\u0261\u0581\u1d83",
    "h": "\u04bb\u0570\uab92",
    "i": "\u0131\u0269\u026a\u037a\u03b9\u0456\ua647\uab75\U000118c3",
    "j": "\u03f3\u0458",
    "k": "\u043a\u03ba\u0138\u2c95",
    "l": "\u01c0\u04cf\u06f1\u16c1\u2c93\u2d4f\ua4f2\U0001028a\U00010309\U00010320",
    "m": "\u1d0d\u217f",
    "n": "\u0578\u057c\u0274",
    "o": "\u03bf\u03c3\u043e\u0585\u06f5\u0966\u0ae6\u0be6\u0c66\u0ce6\u0d20\u0d66\u0e50\u0ed0"
    "\u101d\u1040\u10ff\u1d0f\u1d11\u2c9f\uab3d\U0001042c\U000104ea\U000118c8\U000118d7",
    "p": "\u03c1\u03f1\u0440\u2ca3",
    "q": "\u051b\u0563\u0566",
    "r": "\u0433\u1d26\u2c85\uab47\uab48\uab81",
    "s": "\u01bd\u0455\ua731\uabaa\U00010448\U000118c1",
    "t": "\u0442\u03c4\u1d1b",
    "u": "\u028b\u03c5\u057d\u1d1c\ua79f\uab4e\uab52\U000104f6\U000118d8",
    "v": "\u03bd\u0475\u1d20\uaba9\U00011706\U000118c0",
    "w": "\u026f\u0461\u051d\u0561\u1d21\uab83\U0001170a\U0001170e\U0001170f",
    "x": "\u0445\u1541\u157d\u2cad",
    "y": "\u0263\u028f\u03b3\u0443\u04af\u10e7\u1d8c\u1eff\uab5a\U000118dc",
    "z": "\u1d22\uab93\U000118c4",
    "2": "\u01a8\u03e9\u14bf\ua645\ua6ef\ua75b",
    "3": "\u021d\u025c\u0292\u0437\u04e1\u2ccd\ua76b\U000118ca\U00016f3b",
    "4": "\uab8e\U000118cf",
    "5": "\U000118db",
    "6": "\u0431\u2cd3\uabbe\U000118d5",
    "7": "\U000104fa\U000118c6",
    "8": "\u0223\u09ea\u0a6a\U0001031a",
    "9": "\u09ed\u0a67\u0b68\u0d6d\u2ccb\ua76f\U000118cc\U000118d6",
}
_LATIN_OF = str.maketrans(
    {alike: latin for latin, alikes in _LOOK_ALIKES.items() for alike in alikes}
)
# Scripts that one language combines.
_TOGETHER = ({"CJK", "HIRAGANA", "KATAKANA", "LATIN"}, {"CJK", "HANGUL", "LATIN"})


def normalise(value: str) -> str:
    """The address as stored: lower case, with the domain in DNS form.

    Raises ValueError with a message for the user.
    """
    from email_validator import EmailNotValidError, validate_email

    try:
        parts = validate_email(value, check_deliverability=False)
    except EmailNotValidError as wrong:
        raise ValueError("Enter a valid email address.") from wrong
    return parts.normalized.lower()


def normalise_unmistakable(value: str) -> str:
    """Like `normalise`; also refuses addresses that look like another."""
    address = normalise(value)
    if is_mistakable(address):
        raise ValueError(
            "This address mixes alphabets or has letters that look like other letters. "
            "Type it with the letters of one alphabet."
        )
    return address


def is_mistakable(address: str) -> bool:
    if address.isascii():
        return False
    return skeleton(address).isascii() or any(
        _mixes_scripts(part) or _imitates_latin(part) for part in _parts(address)
    )


def skeleton(address: str) -> str:
    """Equal for addresses that look alike."""
    folded = unicodedata.normalize("NFKC", address).lower()
    return unicodedata.normalize("NFC", folded.translate(_LATIN_OF))


def _parts(address: str) -> list[str]:
    """The local part and each label of the domain."""
    name, _, domain = address.rpartition("@")
    return [*re.split(r"[._+-]", name), *domain.split(".")]


def _mixes_scripts(part: str) -> bool:
    scripts = {_script(character) for character in part if character.isalpha()}
    return len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER)


def _imitates_latin(part: str) -> bool:
    """Not ASCII, but drawn like ASCII: as a whole, or a single character among Latin letters."""
    if part.isascii():
        return False
    if not any(character.isalpha() and _script(character) == "LATIN" for character in part):
        return skeleton(part).isascii()
    return any(
        not character.isascii() and (character.isdigit() or skeleton(character).isascii())
        for character in part
    )


def _script(character: str) -> str:
    """The first word of the character's Unicode name, which for letters is the script."""
    word = unicodedata.name(character, "UNKNOWN").split()[0]
    return "LATIN" if word in ("FULLWIDTH", "MATHEMATICAL", "SCRIPT") else word.split("-")[0]
