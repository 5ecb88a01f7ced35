"""The words of CirKis: every code of the rules, every clause, every key that its pages ask for, in both languages."""

import re
from pathlib import Path

import pytest

from companion.games.cirkis.names import REFUSALS, RULINGS
from companion.games.cirkis.pieces import ASSUMED_SET
from companion.games.cirkis.settings import CHOICES as RULES
from companion.games.cirkis.state import End
from companion.games.cirkis.statistics import Figures
from companion.process.kinds.cirkis import CHOICES
from web import language
from web.language import catalogue, texts_of

WEB = Path(language.__file__).parent
FIRST = ("common", "cirkis")
BEHIND = (*FIRST, "cirkis_play")
ALL = (*BEHIND, "cirkis_more")
FIRST_MODULES = ("cirkis.js", "cirkis-words.js", "cirkis-board.js", "cirkis-spaces.js")
SHEET_MODULES = ("cirkis-sheets.js", "cirkis-panel.js", "cirkis-quick.js", "cirkis-set.js")
BEHIND_MODULES = ("cirkis-play.js", "cirkis-fingers.js", "cirkis-actions.js")


def asked(name: str) -> set[str]:
    return set(re.findall(r"\bt\(\"(\w+)\"[,)]", (WEB / "static" / name).read_text("utf-8")))


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_code_of_cirkis_has_words(tongue: str) -> None:
    words = texts_of(tongue, *ALL)
    silent = {"unknown_command", "bad_args"}
    assert [code for code in REFUSALS if f"refused_{code}" not in words and code not in silent] == []
    assert [end for end in End if f"end_{end}" not in words] == []
    assert [end for end in ("forty", "out", "stuck", "hundred") if f"ends_{end}" not in words] == []
    assert [code for code in ("hole", "centre_star", "first_sliver") if f"free_{code}" not in words] == []
    assert [clause for clause in ("C15", "C27", "C30", "C34") if f"won_by_{clause}" not in words] == []
    assert [piece.name for piece in ASSUMED_SET if f"piece_{piece.name}" not in words] == []


@pytest.mark.failure("I4")
@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_ruling_of_a_game_that_was_played_has_words(tongue: str) -> None:
    said = {key.removeprefix("ruling_") for key in catalogue(tongue, "cirkis_record") if key.startswith("ruling_")}
    assert said == {*RULINGS, "begun", "other"}


@pytest.mark.parametrize("tongue", language.LANGUAGES)
@pytest.mark.rule("C06", "C16", "C17", "C19", "C20", "C27", "C30")
def test_every_setting_is_on_the_page_before_the_start_in_words(tongue: str) -> None:
    words = texts_of(tongue, "setup", "cirkis_setup")
    for name, values in CHOICES.values.items():
        assert f"set_{name}" in words
        assert [value for value in values if f"set_{name}_{str(value).lower()}" not in words] == []
    assert {*RULES, "ring", "pieces"} == set(CHOICES.values)
    assert "how_cirkis" in words
    assert "kind_cirkis" in words


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_every_clause_of_cirkis_has_its_text(tongue: str) -> None:
    rules = WEB.parent / "docs" / "rules" / "cirkis.md"
    clauses = re.findall(r"^\| (C\d\d) \|", rules.read_text("utf-8"), re.MULTILINE)
    assert list(catalogue(tongue, "cirkis_clauses")) == clauses


@pytest.mark.parametrize("tongue", language.LANGUAGES)
def test_the_figures_of_cirkis_have_words(tongue: str) -> None:
    words = catalogue(tongue, "history")
    shown = set(Figures.__dataclass_fields__) - {"went_out", "best_game"}
    assert {name for name in shown if f"fig_{name}" not in words} == set()


def test_what_a_script_says_has_come_before_it() -> None:
    for modules, parts in ((FIRST_MODULES, FIRST), (BEHIND_MODULES, BEHIND), (SHEET_MODULES, ALL)):
        for name in modules:
            assert asked(name) - texts_of("en", *parts).keys() == set(), name


def test_no_text_of_cirkis_is_for_nobody() -> None:
    scripts = "".join(path.read_text("utf-8") for path in (WEB / "static").glob("*.js"))
    scripts += (WEB / "templates" / "cirkis.html").read_text("utf-8")
    made = ("refused_", "end_", "ends_", "free_", "won_by_", "piece_", "shape_", "hint_", "do_", "note_", "choice_")
    for key in (key for part in ("cirkis", "cirkis_play", "cirkis_more") for key in catalogue("en", part)):
        assert f'"{key}"' in scripts or key.startswith(made), key
