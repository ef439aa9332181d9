"""Token counts: exact for OpenAI, labelled estimates elsewhere, and always in bounded time."""

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edison.pipeline.generate.families import openai_tokens
from edison.pipeline.generate.tokens import encodings
from edison.pipeline.generate.tokens.count import Count, count, count_prompt
from edison.pipeline.render.prompt import Message, RenderedPrompt, ToolDefinition

HASHES = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
QUESTION = RenderedPrompt(messages=(Message(role="user", text="hello world"),))


def openai(text: str, model: str = "gpt-4o") -> Count:
    return count(text, model=model, provider="openai")


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_the_shipped_ranks_are_openais(name: encodings.EncodingName) -> None:
    assert hashlib.sha256(encodings.read_ranks(name)).hexdigest() == HASHES[name]


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_words_are_cut_as_tiktoken_cuts_them(
    name: encodings.EncodingName, monkeypatch: pytest.MonkeyPatch
) -> None:
    openai_public = import_module("tiktoken_ext.openai_public")
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *_, **__: {})
    published = getattr(openai_public, name)()
    assert encodings._PATTERNS[name] == published["pat_str"]


@pytest.mark.parametrize(
    ("text", "model", "tokens"),
    [
        ("", "gpt-4o", 0),
        ("hello world", "gpt-4o", 2),
        ("antidisestablishmentarianism", "gpt-4o", 6),
        ("antidisestablishmentarianism", "gpt-4", 6),
        ("お誕生日おめでとう", "gpt-4o", 8),
        ("お誕生日おめでとう", "gpt-4", 9),
        ("2 + 2 = 4", "gpt-4", 7),
    ],
)
def test_texts_have_the_tokens_that_openai_publishes(text: str, model: str, tokens: int) -> None:
    found = openai(text, model)
    assert (found.tokens, found.method) == (tokens, "exact")


@pytest.mark.parametrize("text", ["<|endoftext|>", "a<|fim_prefix|>b", "<|endofprompt|>" * 3])
def test_special_tokens_are_counted_as_text(text: str) -> None:
    for model in ("gpt-4o", "gpt-4"):
        assert openai(text, model).tokens > text.count("<|") * 2


def test_lone_surrogates_are_counted() -> None:
    assert openai("a\ud800b").tokens > 0


@pytest.mark.parametrize(
    ("model", "encoding", "method"),
    [
        ("gpt-4o-mini", "o200k_base", "exact"),
        ("gpt-4.1-nano", "o200k_base", "exact"),
        ("gpt-5.4", "o200k_base", "exact"),
        ("o3-mini", "o200k_base", "exact"),
        ("chatgpt-4o-latest", "o200k_base", "exact"),
        ("ft:gpt-4o:acme", "o200k_base", "exact"),
        ("gpt-4", "cl100k_base", "exact"),
        ("gpt-4-turbo-2024-04-09", "cl100k_base", "exact"),
        ("gpt-3.5-turbo", "cl100k_base", "exact"),
        ("text-embedding-3-small", "cl100k_base", "exact"),
        ("davinci", "o200k_base", "estimate"),
    ],
)
def test_openai_models_have_their_own_encoding(model: str, encoding: str, method: str) -> None:
    assert openai("hello", model) == Count(
        tokens=1,
        method=method,  # type: ignore[arg-type]  # parametrized text
        encoding=encoding,  # type: ignore[arg-type]  # parametrized text
    )


def test_encodings_agree_with_tiktokens_own_table() -> None:
    from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

    listed = MODEL_TO_ENCODING | {
        f"{key}x": value for key, value in MODEL_PREFIX_TO_ENCODING.items()
    }
    ours = {name: openai_tokens(name) for name in listed}
    wrong = {
        name: scheme
        for name, scheme in ours.items()
        if scheme.is_exact
        and listed[name].removesuffix("_harmony") not in (scheme.encoding, "o200k")
    }
    assert wrong == {}


def test_an_azure_deployment_with_a_name_of_its_own_is_estimated() -> None:
    assert count("hello", model="gpt-35-turbo", provider="azure").encoding == "cl100k_base"
    assert count("hello", model="our-model", provider="azure").method == "estimate"


@pytest.mark.parametrize(
    ("provider", "model", "tokens"),
    [
        ("anthropic", "claude-sonnet-4-5", 120),
        ("anthropic", "claude-opus-4-8", 165),
        ("bedrock", "eu.anthropic.claude-opus-5-v1:0", 165),
        ("bedrock", "amazon.nova-lite-v1:0", 120),
        ("vertex", "gemini-2.5-pro", 120),
        ("ollama", "llama3", 120),
        ("openai_compatible", "gpt-4o", 120),
    ],
)
def test_other_vendors_are_estimated_with_a_margin(provider: str, model: str, tokens: int) -> None:
    found = count("a " * 50 + "b " * 49 + "b", model=model, provider=provider)
    assert found == Count(tokens=tokens, method="estimate", encoding="o200k_base")


def test_simulated_models_count_characters() -> None:
    found = count("x" * 9, model="sim-small", provider="sim")
    assert (found.tokens, found.encoding) == (3, "four_characters")


def test_a_conversation_adds_the_documented_overhead() -> None:
    assert count_prompt(QUESTION, model="gpt-4o", provider="openai") == Count(
        tokens=2 + 4 + 3, method="exact", encoding="o200k_base"
    )
    with_system = RenderedPrompt(messages=QUESTION.messages, system="hello world")
    assert count_prompt(with_system, model="gpt-4o", provider="openai").tokens == 4 + 8 + 3


def test_tools_are_counted_and_make_it_an_estimate() -> None:
    tool = ToolDefinition(name="f", description="d", parameters={"type": "object"})
    prompt = RenderedPrompt(messages=QUESTION.messages, tools=(tool,))
    found = count_prompt(prompt, model="gpt-4o", provider="openai")
    definition = '{"name":"f","description":"d","parameters":{"type":"object"}}'
    assert found.tokens == 9 + 12 + openai(definition).tokens
    assert found.method == "estimate"


@pytest.mark.parametrize("character", ["a", "가", " ", "\n", "\u3000", "!", "1", "\ud800"])
@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4"])
def test_a_million_times_the_same_character_is_counted(character: str, model: str) -> None:
    """Such text overflows the stack of the regular expression that splits it into words."""
    found = openai(character * 1_000_000, model)
    assert 1_000_000 / 130 < found.tokens <= 3_000_000
    assert found.method == "estimate"


def test_long_text_is_cut_only_where_words_begin() -> None:
    text = "It's 42 o'clock,\r\n  said   Zoë:  «no»! " * 10_000
    assert len(text) > encodings.LONGEST_PIECE
    whole = len(encodings._load("o200k_base").encode_ordinary(text))
    assert openai(text) == Count(tokens=whole, method="exact", encoding="o200k_base")


@given(st.text())
def test_counting_is_deterministic_and_never_negative(text: str) -> None:
    found = openai(text)
    assert found == openai(text)
    assert 0 <= found.tokens <= len(text.encode(errors="surrogatepass")) * 3
    assert (found.tokens == 0) == (text == "")


@given(st.text(), st.text())
def test_two_texts_together_have_about_as_many_tokens_as_apart(one: str, other: str) -> None:
    apart = openai(one).tokens + openai(other).tokens
    assert openai(one + other).tokens <= apart + 8


@given(st.text(alphabet="ab1 .'é\n가", max_size=200), st.integers(10, 60))
def test_cutting_at_seams_changes_nothing(text: str, longest: int) -> None:
    encoding = encodings._load("cl100k_base")
    pieces: list[str] = []
    rest = text
    while len(rest) > longest and (seam := encodings._last_seam(rest, longest)):
        pieces.append(rest[:seam])
        rest = rest[seam:]
    pieces.append(rest)
    apart = [token for piece in pieces for token in encoding.encode_ordinary(piece)]
    assert apart == encoding.encode_ordinary(text)


@given(
    st.one_of(st.text(alphabet="aB1 .'/_-<[{\t\r\n\u2028é가", max_size=200), st.text()),
    st.sampled_from(["o200k_base", "cl100k_base"]),
)
def test_tokens_of_lines_add_up(text: str, name: encodings.EncodingName) -> None:
    encoding = encodings._load(name)
    parts = encodings.split_at_lines(text)
    assert "".join(parts) == text
    apart = [token for part in parts for token in encoding.encode_ordinary(part)]
    assert apart == encoding.encode_ordinary(text)


@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_every_number_of_up_to_three_digits_is_a_token(name: encodings.EncodingName) -> None:
    encoding = encodings._load(name)
    numbers = [f"{number:0{digits}}" for digits in (1, 2, 3) for number in range(10**digits)]
    assert {len(encoding.encode_ordinary(number)) for number in numbers} == {1}


@given(
    st.text(alphabet="a0123456789 .-_\né²٣", max_size=60),
    st.sampled_from(["o200k_base", "cl100k_base"]),
)
def test_digits_do_not_change_a_count(text: str, name: encodings.EncodingName) -> None:
    same = encodings.without_digits(text)
    assert encodings.count_encoded(same, name) == encodings.count_encoded(text, name)


def test_a_prompt_is_split_into_its_lines() -> None:
    assert encodings.split_at_lines("Be brief.\n\nQ: why?\n  /* x\n/y\n{1}") == [
        "Be brief.\n\n",
        "Q: why?\n  /* x\n/y\n",
        "{1}",
    ]


def test_many_threads_load_an_encoding_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encodings, "_loaded", {})
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(encodings._load, ["cl100k_base"] * 16))
    assert all(encoding is found[0] for encoding in found)


def test_slow_libraries_are_imported_on_use_only() -> None:
    program = (
        "import sys; import edison.app.main, edison.pipeline.generate.tokens.count;"
        "print([name for name in ('tiktoken', 'genai_prices') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.decode().strip() == "[]"
