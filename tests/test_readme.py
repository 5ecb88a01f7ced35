"""The two READMEs: the same commands for those who use it, each linked from the other, no link or page that is none."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXTS = {name: (ROOT / name).read_text("utf-8") for name in ("README.md", "README.es.md")}
DEVELOPERS = "## The way of the data"
TYPED = re.compile(r"^(?:\./|\.venv/|companion |python )")
TONGUES = {"README.md": "en", "README.es.md": "es"}


def commands(text: str) -> set[str]:
    """What is to be typed: in backquotes, or indented up to the words about it."""
    indented = re.findall(r"^    (\S+(?: \S+)*)", text, re.MULTILINE)
    return {each for each in (*re.findall(r"`([^`\n]+)`", text), *indented) if TYPED.match(each)}


def test_both_languages_have_the_same_commands() -> None:
    english = TEXTS["README.md"].partition(DEVELOPERS)[0]
    english = re.sub(r"\n\nWhat is installed: .*?\n\n", "\n\n", english, flags=re.DOTALL)  # how, not what to type
    ours, theirs = commands(english), commands(TEXTS["README.es.md"])
    assert {"./run", "./test", "companion diagnose --source serial", "./run --new-code"} <= ours
    assert ours - {"./test all"} == theirs


@pytest.mark.parametrize(("name", "other"), [("README.md", "README.es.md"), ("README.es.md", "README.md")])
def test_each_is_linked_from_the_other_and_every_link_leads_somewhere(name: str, other: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXTS[name])
    assert other in links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_quoted_of_the_pages_stands_on_them(name: str) -> None:
    """Buttons and sentences by their own words, as far as they are told: what follows a colon need not be."""
    quoted = re.findall(
        r"«([^»]+)»" if name == "README.es.md" else r'"([^"\n]+)"', TEXTS[name].partition(DEVELOPERS)[0]
    )
    catalogues = [ROOT / "web" / "locale" / TONGUES[name], ROOT / "drivers" / "virtual" / "page"]
    texts = [file.read_text("utf-8") for folder in catalogues for file in sorted(folder.glob("*.json"))]
    said = json.dumps([json.loads(text) for text in texts], ensure_ascii=False).replace("’", "'")
    assert [words for words in quoted if words not in said] == []
