"""Building blocks of simulated support replies."""

import re

from edison.kit.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """`cue` is matched in lower case, `trouble` completes "I am sorry that", `action` is a concrete
    next step.
    """

    cue: re.Pattern[str]
    trouble: str
    action: str


def _topic(cue: str, trouble: str, action: str) -> Topic:
    return Topic(cue=re.compile(cue.lower()), trouble=trouble, action=action)


TOPICS = (
    _topic(
        r"broke|damag|crack|scratch|shatter|dent|beschädigt|kaputt|cass|roto|leak",
        "your item arrived damaged",
        "Please send us one photo of the damage so that I can start the replacement.",
    ),
    _topic(
        r"wrong (?:item|size|colou?r|product|model)|instead of|falsch|mauvais|equivocad",
        "we sent you the wrong item",
        "I have created a return label; please put it on the parcel and drop it off.",
    ),
    _topic(
        r"charged|invoice|bill|payment|double|overcharg|Rechnung|factur|cobr",
        "the charge on your account does not look right",
        "I have asked our billing team to check the charge line by line.",
    ),
    _topic(
        r"password|log ?in|sign in|locked|account|two-factor|Passwort|connexion|contraseña",
        "you cannot get into your account",
        "Please open the reset link that I am sending to your registered address.",
    ),
    _topic(
        r"cancel|subscription|unsubscribe|kündig|résili|renew",
        "cancelling has been so cumbersome",
        "I have noted your cancellation; please confirm it by replying to this message.",
    ),
    _topic(
        r"late|delay|where is|not arrived|hasn't arrived|still waiting|tracking|deliver|shipp|"
        r"Lieferung|livraison|entrega|parcel|package",
        "your delivery is late",
        "I have opened an enquiry with the carrier to find your parcel.",
    ),
    _topic(
        r"missing|incomplete|without the|fehlt|manqu|falta",
        "a part is missing from your order",
        "I have asked our warehouse to send the missing part.",
    ),
    _topic(
        r"not work|doesn't work|stopped|won't|error|defect|faulty|crash|heat|smoke|burn",
        "the product does not work as it should",
        "Please hold the reset button for ten seconds and tell us what the light does.",
    ),
)
OTHERWISE = _topic(
    "", "you had to write to us about this", "I have passed your request to the team in charge."
)

GREETINGS = ("Hello {name},", "Hi {name},", "Dear {name},")
IMPERSONAL = ("Hello,", "Dear customer,", "Hi there,")
SYMPATHY = (
    "I am sorry that {trouble}.",
    "I apologise that {trouble}; I understand how frustrating that is.",
)
COOL = ("Thank you for your message.", "We have received your request.")
REFERENCES = ("I have looked up {code}.", "I have your order {code} in front of me.")
ASKS = ("Could you tell us your order number, so that I can find the purchase?",)
SHRUGS = ("We will look into it.", "We are working on it.", "Someone will take care of this.")
DEADLINES = (
    "You will hear from us within two business days.",
    "We will update you within 24 hours.",
)
SOMETIME = ("You will hear from us soon.", "We will get back to you as soon as possible.")
PROMISES = (
    "Of course you will get a full refund right away.",
    "I guarantee that this will never happen again.",
)
HANDOVERS = ("Because this is serious, I am handing your case to a senior colleague today.",)
CLOSINGS = ("Kind regards,\nYour support team", "Best wishes,\nYour support team")
PADDING = (
    "At our company, customer satisfaction has always been at the very heart of everything that we "
    "do, and we take every single piece of feedback that reaches us extremely seriously, because "
    "it helps us to improve our products and services for you and for all other customers.",
    "We would also like to take this opportunity to thank you for the trust that you have placed "
    "in us over the years, and we very much hope that you will continue to enjoy our wide range of "
    "products, our newsletter with seasonal offers, and our loyalty programme with many benefits.",
)
