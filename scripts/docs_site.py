"""Builds the documentation as a site that needs no server and no other host: `make docs`.

The pages are docs/**/*.md, CHANGELOG.md and CONTRIBUTING.md, in the order of docs/README.md, and
the API reference, which `api_pages.py` writes from the OpenAPI document. A link to a page, heading
or picture that does not exist fails the build. Used by the build hook and the Makefile; needs
markdown-it-py, and Edison's dependencies for the OpenAPI document.
"""

import hashlib
import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

# The build hook loads this file by its path.
sys.path.insert(0, str(Path(__file__).resolve().parent))
from api_pages import TITLE, ApiPages
from openapi_document import DocumentError, read_document

from edison.app.openapi_file import fingerprint_sources

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LOOK = DOCS / "site"
PALETTE = ROOT / "frontend" / "src" / "styles.css"
SHARED = tuple(ROOT / "frontend" / "public" / name for name in ("favicon.svg", "theme.js"))
SOURCE = ROOT / "src"
VERSION = SOURCE / "edison" / "__init__.py"
TARGET = SOURCE / "edison" / "app" / "docs"
# Where the pages of the API reference would be if they were files.
API = DOCS / "reference"
STAMP = ".fingerprint"
RENDERER = "markdown-it-py>=4.3,<5"

HOME = DOCS / "README.md"
# Pages that are not in docs/.
FURTHER_PAGES = (ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md")
# Where Edison serves the site. Only the page for missing ones needs to know.
ADDRESS = "/docs"
MISSING = "<h1>There is no such page</h1><p>Search for it, or choose a page of the list.</p>"


class DocsError(Exception):
    """The site cannot be built; the message says why."""


@dataclass(kw_only=True)
class Section:
    """A heading with the text below it, as the search finds it."""

    heading: str
    anchor: str
    level: int
    text: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class Document:
    source: Path
    address: str
    tokens: "list[Token]"
    sections: list[Section]

    @property
    def title(self) -> str:
        return self.sections[0].heading


def list_sources() -> list[Path]:
    """The pages, the home page first."""
    pages = sorted(path for path in DOCS.rglob("*.md") if path != HOME)
    return [HOME, *pages, *FURTHER_PAGES]


def fingerprint() -> str:
    """Hashes everything the site is made from."""
    # The sources make the OpenAPI document.
    digest = hashlib.sha256(fingerprint_sources().encode())
    scripts = (Path(__file__).resolve(), Path(__file__).resolve().with_name("api_pages.py"))
    others = (PALETTE, *SHARED, *FURTHER_PAGES, *scripts)
    for path in sorted({path for path in DOCS.rglob("*") if path.is_file()} | set(others)):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(ROOT).as_posix()} {content}\n".encode())
    return digest.hexdigest()


def needs_build(target: Path = TARGET) -> bool:
    """Whether the site is missing or out of date; a source distribution has it without sources."""
    if not (target / "index.html").is_file():
        return True
    stamp = target / STAMP
    return DOCS.is_dir() and not (stamp.is_file() and stamp.read_text() == fingerprint())


def requirements() -> list[str]:
    return [RENDERER]


def address_of(source: Path) -> str:
    if source in FURTHER_PAGES:
        return f"{source.stem.lower()}.html"
    page = source.relative_to(DOCS).as_posix().removesuffix(".md")
    return re.sub(r"README$", "index", page) + ".html"


def slug_of(heading: str, taken: Counter[str]) -> str:
    """The anchor that GitHub gives a heading, so that links work in both places."""
    slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    count = taken[slug]
    taken[slug] += 1
    return f"{slug}-{count}" if count else slug


def plain(token: "Token") -> str:
    """The visible text of an inline token."""
    kept = ("text", "code_inline")
    return "".join(
        child.content if child.type in kept else " " if child.type == "softbreak" else ""
        for child in token.children or ()
    )


def read(source: Path, text: str, parser: "MarkdownIt") -> Document:
    tokens, taken = parser.parse(text), Counter[str]()
    sections: list[Section] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline" and before is not None and before.type == "heading_open":
            heading = plain(token)
            anchor = slug_of(heading, taken)
            before.attrSet("id", anchor)
            sections.append(Section(heading=heading, anchor=anchor, level=int(before.tag[1])))
        elif sections and token.type in ("inline", "fence"):
            text = plain(token) if token.type == "inline" else token.content
            sections[-1].text.append(" ".join(text.split()))
    if not sections or sections[0].level != 1:
        raise DocsError(f"{source.relative_to(ROOT)} does not begin with a title.")
    return Document(source=source, address=address_of(source), tokens=tokens, sections=sections)


def relative(target: str, page: Document) -> str:
    """The address of a file of the site, as seen from a page of it."""
    return os.path.relpath(target, Path(page.address).parent)


class Site:
    """All pages, with what links between them need."""

    def __init__(self, parser: "MarkdownIt", openapi: Mapping[str, Any]) -> None:
        self.parser = parser
        texts = {source: source.read_text() for source in list_sources()}
        reference = {API / f"{name}.md": text for name, text in ApiPages(openapi).texts()}
        self.pages = {
            source: read(source, text, parser) for source, text in (texts | reference).items()
        }
        self.problems: list[str] = []
        self.groups = self._read_order()
        self.groups[TITLE] = [self.pages[source] for source in reference]

    def _read_order(self) -> dict[str, list[Document]]:
        """The pages under each heading of docs/README.md."""
        groups: dict[str, list[Document]] = {}
        for before, token in zip(
            self.pages[HOME].tokens, self.pages[HOME].tokens[1:], strict=False
        ):
            if token.type == "inline" and before.tag == "h2":
                group = groups.setdefault(plain(token), [])
            for child in token.children or () if groups else ():
                path = self._file_of(str(child.attrGet("href") or ""), HOME)
                if child.type == "link_open" and path in self.pages:
                    group.append(self.pages[path])
        listed = {page.source for group in groups.values() for page in group}
        for source in self.pages.keys() - listed - {HOME}:
            if source.parent.name != "decisions" and source.parent != API:
                self.problems.append(f"{source.relative_to(ROOT)} is not in docs/README.md")
        return groups

    @staticmethod
    def _file_of(link: str, source: Path) -> Path:
        """The file in the repository that a relative link names."""
        path = (source.parent / unquote(urlsplit(link).path)).resolve()
        return path / "README.md" if path.is_dir() and path != source.parent else path

    def translate(self, link: str, page: Document) -> str | None:
        """The address of a link in the site; None for files that the site does not contain."""
        parts = urlsplit(link)
        if parts.scheme:
            return link
        target = self._file_of(link, page.source) if parts.path else page.source
        if target in self.pages:
            found = self.pages[target]
            if parts.fragment and parts.fragment not in {each.anchor for each in found.sections}:
                self._complain(link, page)
            address = "" if found is page else relative(found.address, page)
            return f"{address}#{parts.fragment}" if parts.fragment else address or "#"
        if target.is_file() and target.is_relative_to(DOCS / "images"):
            return relative(target.relative_to(DOCS).as_posix(), page)
        if not target.exists() or not target.is_relative_to(ROOT):
            self._complain(link, page)
        return None

    def _complain(self, link: str, page: Document) -> None:
        self.problems.append(f"{page.source.relative_to(ROOT)} links to {link}, which is missing")

    def render(self, page: Document) -> str:
        for token in page.tokens:
            for child in token.children or ():
                self._place(child, page)
        body: str = self.parser.renderer.render(page.tokens, self.parser.options, {})
        body = body.replace("<table>", '<div class="table" tabindex="0"><table>')
        body = body.replace("</table>", "</table></div>")
        # Tall pictures are cut off at the end; a click shows all.
        return re.sub(r'(<img src="([^"]+)"[^>]*>)', r'<a href="\2">\1</a>', body)

    def _place(self, child: "Token", page: Document) -> None:
        """Translates the address of a link or picture."""
        if child.type == "link_open":
            address = self.translate(str(child.attrGet("href")), page)
            if address is None:
                child.attrs.pop("href")
            else:
                child.attrSet("href", address)
        elif child.type == "image":
            child.attrSet("src", self.translate(str(child.attrGet("src")), page) or "")
            child.attrSet("loading", "lazy")

    def navigation(self, page: Document) -> str:
        lines = []
        for heading, pages in self.groups.items():
            lines.append(f"<div><h2>{escape(heading)}</h2><ul>")
            # The reference has many pages, which are listed only on its own.
            is_short = heading == TITLE and page not in pages
            for each in pages[:1] if is_short else pages:
                mark = ' aria-current="page"' if each is page else ""
                address = relative(each.address, page)
                lines.append(f'<li><a href="{address}"{mark}>{escape(each.title)}</a></li>')
            lines.append("</ul></div>")
        return "".join(lines)

    def search_entries(self) -> Iterator[tuple[str, str, str, str]]:
        """Address, page, heading and text of every section, but of those of the home page."""
        for page in self.pages.values():
            for section in page.sections if page.source != HOME else ():
                address = f"{page.address}#{section.anchor}" if section.level > 1 else page.address
                yield address, page.title, section.heading, " ".join(section.text)


def contents_of(page: Document) -> str:
    """Links to the parts of a page, if it has several."""
    parts = [section for section in page.sections if section.level == 2]
    links = (f'<li><a href="#{each.anchor}">{escape(each.heading)}</a></li>' for each in parts)
    return f"<h2>On this page</h2><ul>{''.join(links)}</ul>" if len(parts) > 1 else ""


def write(target: Path) -> None:
    """Writes the site. Raises DocsError with all broken links."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - only where something is built

    try:
        openapi = read_document()
    except DocumentError as error:
        raise DocsError(str(error)) from error
    site = Site(MarkdownIt("commonmark").enable("table"), openapi)
    template = Template((LOOK / "page.html").read_text())
    version = re.findall(r'__version__ = "([^"]+)"', VERSION.read_text())[0]
    texts = {
        page.address: template.substitute(
            title=escape(page.title),
            root=relative(".", page),
            navigation=site.navigation(page),
            body=site.render(page),
            contents=contents_of(page),
            version=version,
        )
        for page in site.pages.values()
    }
    texts["404.html"] = template.substitute(
        title="Not found",
        root=ADDRESS,
        navigation=site.navigation(site.pages[HOME]).replace('href="', f'href="{ADDRESS}/'),
        body=MISSING,
        contents="",
        version=version,
    )
    if site.problems:
        raise DocsError("\n".join(sorted(site.problems)))
    shutil.rmtree(target, ignore_errors=True)
    for address, text in texts.items():
        (target / address).parent.mkdir(parents=True, exist_ok=True)
        (target / address).write_text(text)
    shutil.copytree(DOCS / "images", target / "images")
    for file in (*SHARED, LOOK / "site.js"):
        shutil.copy(file, target / file.name)
    colours = re.findall(r"(?sm)^(?::root|\.dark) \{.*?^\}", PALETTE.read_text())
    look = (LOOK / "site.css").read_text()
    (target / "site.css").write_text("\n\n".join([*colours, look]))
    index = json.dumps(list(site.search_entries()), ensure_ascii=False)
    (target / "search-index.js").write_text(f"window.searchEntries = {index};\n")


def build(target: Path = TARGET) -> bool:
    """Builds the site if it is out of date. Returns whether it was."""
    if not needs_build(target):
        return False
    # Computed before the build: a file saved during it must make the result stale.
    wanted = fingerprint()
    write(target)
    (target / STAMP).write_text(wanted)
    return True


if __name__ == "__main__":
    try:
        print("Documentation built." if build() else "Documentation is current.")
    except DocsError as error:
        sys.exit(f"The documentation cannot be built.\n{error}")
