"""The catalogues: the same keys and placeholders in both languages, every code in words, no prose elsewhere."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

from companion.games.yikerz.names import GIVEN_UP, QUESTIONS, REASONS, REFUSALS, RULINGS, Stage, Why
from companion.games.yikerz.settings import Settings
from companion.games.yikerz.state import State
from companion.process.referee.codes import REFUSALS as AROUND
from companion.table import Note
from companion.views.yikerz_choices import choices
from tests.web.scripted import ScriptedReferee
from web import language
from web.app import create_app
from web.language import PARTS, catalogue, choose, texts_of, translate

WEB = Path(language.__file__).parent
RULES = WEB.parent / "docs" / "rules" / "yikerz.md"


PAGE = ("common", "live", "calls", "sheet", "rulings")
"""The parts that the live page has when a ruling, a question or a refusal is put into words."""


def forms(text: language.Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


@pytest.mark.parametrize("part", PARTS)
def test_both_languages_have_the_same_keys_forms_and_placeholders(part: str) -> None:
    en, es = catalogue("en", part), catalogue("es", part)
    assert list(en) == list(es)
    for key in en:
        assert isinstance(en[key], str) == isinstance(es[key], str), key
        if isinstance(en[key], Mapping):
            assert set(en[key]) == set(es[key]) == {"one", "other"}, key
        for mine, theirs in zip(forms(en[key]), forms(es[key]), strict=True):
            assert sorted(re.findall(r"\{\w+\}", mine)) == sorted(re.findall(r"\{\w+\}", theirs)), key
            assert mine.strip(), key
            assert theirs.strip(), key


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_code_of_the_referee_has_words(tongue: str) -> None:
    live = texts_of(tongue, *PAGE)
    kinds = [*(kind for kind in RULINGS if kind != "turn_end"), "laid"] + [f"turn_end_{reason}" for reason in REASONS]
    assert [kind for kind in kinds if f"ruling_{kind}" not in live] == []
    assert [code for code in QUESTIONS if f"ask_{code}" not in live] == []
    assert {c for choices in QUESTIONS.values() for c in choices if f"choice_{c}" not in live} == set()
    phases = {str(stage) for stage in Stage} | {"unseen", "question", "miscount"}
    setup = texts_of(tongue, "common", "setup", "yikerz_setup")
    assert {phase for phase in phases if f"phase_{phase}" not in setup} == set()
    shown = phases - {"lobby", "round_end", "game_end"}
    assert {phase for phase in shown if f"line_{phase}" not in live} == set()
    silent = {"unknown_command", "bad_args", "no_such_player", "no_such_choice"}
    lobby = {code for code in REFUSALS if code.startswith(("name_", "not_enough", "too_many_p", "bad_setting"))}
    known = {key.removeprefix("refused_") for key in (*live, *setup)}
    assert set(REFUSALS) - silent - known == set()
    assert lobby - {key.removeprefix("refused_") for key in setup} == set()
    assert all(str(why) for why in Why)


def test_no_text_is_for_a_code_that_nobody_gives() -> None:
    live = texts_of("en", *PAGE)
    kinds = {*RULINGS, *(f"turn_end_{reason}" for reason in REASONS), *(f"round_abandoned_{why}" for why in GIVEN_UP)}
    given = {
        "ruling": {*kinds, *(f"{kind}_bag" for kind in kinds), "other", "laid", "laid_as_it_lies", "laid_insisted"},
        "early": {*REFUSALS, "not_in_turn"},
    }
    given["ruling"] |= {f"wait_{code}" for code in REFUSALS}
    given["refused"] = {*REFUSALS, *AROUND, "no_code", "link", "too_fast", "phone_locked"}  # pages' own
    given["ask"] = {*QUESTIONS, "dispute", "laying"}
    given["choice"] = {choice for choices in QUESTIONS.values() for choice in choices} | {
        "confirm",
        "reject",
        "laid",
        "as_it_lies",
    }
    for start, codes in given.items():
        keys = {key.removeprefix(f"{start}_") for key in live if key.startswith(f"{start}_")}
        assert keys - codes == set(), start


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_choice_of_a_game_has_words_so_that_a_new_one_appears_by_itself(tongue: str) -> None:
    texts = texts_of(tongue, "yikerz_setup")
    for choice in choices(State(Settings())):
        name = choice["name"]
        assert f"set_{name}" in texts
        for value in choice["values"]:
            assert f"set_{name}_{value}" in texts or f"set_{name}_n" in texts, (name, value)


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_clause_has_its_text(tongue: str) -> None:
    clauses = set(re.findall(r"^\| (Y\d\d) \|", RULES.read_text("utf-8"), re.MULTILINE))
    assert set(catalogue(tongue, "clauses")) == clauses


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_note_of_the_evidence_has_its_text_and_no_other_has_one(tongue: str) -> None:
    texts = {key.removeprefix("seen_note_") for key in texts_of(tongue, *PAGE) if key.startswith("seen_note_")}
    assert texts == set(get_args(Note)) - {""}


def test_templates_hold_no_prose() -> None:
    for path in (WEB / "templates").glob("*.html"):
        text = re.sub(r"\{% block kind %\}\w*|\{%.*?%\}|\{\{.*?\}\}", "", path.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"<[^>]*>", "", text)
        assert not re.search(r"[A-Za-zÀ-ÿ]{2,}", text), (path.name, text.strip())
        assert not re.search(r'(?:aria-label|title|alt|placeholder)="(?!\{\{|")', path.read_text("utf-8")), path.name


def test_scripts_hold_no_prose() -> None:
    spoken = re.compile(r"[\"'`>][^\"'`<>{}$\n]*[A-Za-zÀ-ÿ]{2,} [a-zà-ÿ]{2,} [a-zà-ÿ]{2,}[^\"'`<>{}\n]*[\"'`<]")
    for path in (WEB / "static").rglob("*.js"):
        if "vendor" in path.parts:
            continue
        for line in path.read_text("utf-8").splitlines():
            code = line.split("// ")[0]
            if "throw new Error" in code or "class=" in code:
                continue
            assert not spoken.search(code), (path.name, line)


def test_every_key_that_a_page_asks_for_exists() -> None:
    known = texts_of("en", *PARTS)
    for path in [*(WEB / "static").rglob("*.js"), *(WEB / "templates").glob("*.html")]:
        for key in re.findall(r"\bt\(\"(\w+)\"[,)]", path.read_text("utf-8")):
            assert key in known, (path.name, key)


@pytest.mark.parametrize(
    ("cookie", "accept", "chosen"),
    [
        ("en", "es", "en"),
        (None, "en-GB,en;q=0.9,es;q=0.8", "en"),
        (None, "fr;q=1, es;q=0.3, en;q=0.7", "en"),
        ("fr", "es-MX", "es"),
        (None, "de,;q=x", "es"),
        (None, "", "es"),
    ],
)
def test_the_language_is_the_phones_own_choice_first(cookie: str | None, accept: str, chosen: str) -> None:
    assert choose(cookie, accept) == chosen


def test_a_third_language_is_one_file(tmp_path: Path, referee: ScriptedReferee) -> None:
    texts = {"common": {"language_name": "Français"}, "setup": {"no_games": "Aucune partie."}}
    (tmp_path / "fr.json").write_text(json.dumps(texts), "utf-8")
    client = create_app(referee, catalogues=language.Catalogues(tmp_path)).test_client()
    english = client.get("/", headers={"Accept-Language": "en"}).get_data(as_text=True)
    assert '["fr","Français"]' in english  # offered as a button
    client.set_cookie("lang", "fr")
    page = client.get("/").get_data(as_text=True)
    assert '<html lang="fr">' in page
    assert "Aucune partie." in page
    assert str(catalogue("en", "setup")["new_game"]) in page  # what it does not say is said in English
    assert client.get("/locale/fr/live.json").json == dict(catalogue("en", "live"))


def test_a_phone_that_states_no_language_gets_the_households(referee: ScriptedReferee) -> None:
    for tongue in ("en", "es"):
        assert f'<html lang="{tongue}">' in create_app(referee, tongue=tongue).test_client().get("/").get_data(True)


def test_a_missing_text_is_an_error_not_a_bare_code() -> None:
    with pytest.raises(KeyError):
        translate(catalogue("en", "common"), "no_such_key")
    assert translate({"a": {"one": "{n} stone", "other": "{n} stones"}}, "a", n=1) == "1 stone"
    assert translate({"a": {"one": "{n} stone", "other": "{n} stones"}}, "a", n=3) == "3 stones"


@pytest.mark.parametrize("tongue", language.LANGUAGES)
@pytest.mark.parametrize("part", ["yikerz_help", "cirkis_help", "tiki_help"])
def test_what_the_help_calls_a_button_is_what_stands_on_it(tongue: str, part: str) -> None:
    """Of the same game: the menus of two games may call the same thing otherwise."""
    game = part.removesuffix("_help")
    parts = [each for each in PARTS if each.split("_")[0] == game or each in PAGE + ("menu",) * (game == "yikerz")]
    shown = {
        form for each in parts if each != part for text in catalogue(tongue, each).values() for form in forms(text)
    }
    told = [form for text in catalogue(tongue, part).values() for form in forms(text)]
    named = [name for text in told for name in re.findall(r"[«“](.+?)[»”]", text)]
    assert [name for name in named if name not in shown] == []
    assert named
