"""Tiki Topple in words: every code of its rules in both languages, every clause with its text."""

import re
from pathlib import Path

import pytest

from companion.games.tiki import REFUSALS
from companion.process.kinds.tiki import CHOICES
from web import language
from web.language import catalogue, texts_of

ROOT = Path(language.__file__).parents[1]
RULES = (ROOT / "docs" / "rules" / "tiki.md").read_text("utf-8")
CODE = "".join(path.read_text("utf-8") for path in (ROOT / "companion" / "games" / "tiki").glob("*.py"))


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_refusal_and_every_ruling_has_words(tongue: str) -> None:
    texts = texts_of(tongue, "tiki", "tiki_second", "tiki_more")
    unsaid = {"unknown_command", "malformed"}  # only from a page that is not ours
    assert {code for code in REFUSALS if f"refused_{code}" not in texts} == unsaid
    kinds = set(re.findall(r'say\(\s*command,\s*"(\w+)"', CODE)) | {"begun"}
    assert {"played", "round_end", "points", "game_end", "same_cards", "tie"} <= kinds
    spelled = {"played": "up topple toast", "round_end": "six_toasted hands_empty told", "mode": "follow quick"}
    wanted = {f"{kind}_{way}" for kind, ways in spelled.items() for way in ways.split()} | (kinds - set(spelled))
    assert {key for key in wanted if f"ruling_{key}" not in texts} == set()
    given = {*wanted, "round_start_final", "other"}
    assert {key.removeprefix("ruling_") for key in texts if key.startswith("ruling_")} == given


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_a_refusal_names_the_clause_behind_it(tongue: str) -> None:
    texts = texts_of(tongue, "tiki", "tiki_second", "tiki_more")
    for code, clause in REFUSALS.items():
        said = str(texts.get(f"refused_{code}", ""))
        assert not clause or code in ("unknown_player", "game_over") or f"({clause})" in said, code


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_clause_has_its_text(tongue: str) -> None:
    assert set(catalogue(tongue, "tiki_clauses")) == set(re.findall(r"^\| (T\d\d) \|", RULES, re.MULTILINE))


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_choice_before_the_start_has_words(tongue: str) -> None:
    texts = texts_of(tongue, "setup", "tiki_setup")
    for name, values in CHOICES.values.items():
        assert f"set_{name}" in texts
        for value in values:
            key = f"set_{name}_{str(value).lower() if isinstance(value, bool) else value}"
            assert key in texts or (f"set_{name}_n" in texts and str(value).isdigit()), key
