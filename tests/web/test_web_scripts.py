"""The page modules under node, and joined as the server hands them out."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.web.scripted import ScriptedReferee
from web import modules
from web.app import create_app
from web.assets import LATER_MODULES, PAGE_MODULES

TESTS = Path(__file__).parent / "js"
STATIC = Path(modules.__file__).parent / "static"


def node(*args: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which("node")
    assert program, "node is needed for the tests of the page modules"
    return subprocess.run([program, *args], capture_output=True, text=True, check=False)


@pytest.mark.failure("H1", "H3", "H8", "H9", "H10", "H13")
def test_the_page_modules_pass_their_own_tests() -> None:
    ran = node("--test", *sorted(map(str, TESTS.glob("*.test.mjs"))))
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr


@pytest.mark.parametrize("page", [*PAGE_MODULES, *LATER_MODULES])
def test_joined_modules_are_one_sound_module(page: str, tmp_path: Path) -> None:
    joined = tmp_path / f"{page}.mjs"
    joined.write_text(modules.join(f"{page}.js"), "utf-8")
    checked = node("--check", str(joined))
    assert checked.returncode == 0, checked.stderr
    assert "\nexport " not in joined.read_text()
    assert "./" not in joined.read_text()


def test_tightening_leaves_texts_alone_and_keeps_the_meaning(tmp_path: Path) -> None:
    source = """
    // a comment
    const a = { x : 1 };  // another; with "quotes"
    const b = `one ${ a.x > 0 ? `in { ${ "{ }" } }` : "no" } // stays`;
    const c = "it's , ( so )" + 'a \\' , b';
    const d = "http://x";
    console.log(JSON.stringify([a, b, c, d, a.x - -1, a.x + +1]));
    """
    tight = modules.tighten(source)
    assert "comment" not in tight
    assert "another" not in tight
    outputs = []
    for name, text in (("long.mjs", source), ("tight.mjs", tight)):
        (tmp_path / name).write_text(text, "utf-8")
        outputs.append(node(str(tmp_path / name)).stdout)
    assert outputs[0] == outputs[1] != ""


def test_a_module_that_cannot_be_joined_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import x from "./b.js";\n')
    with pytest.raises(ValueError, match=r"a\.js"):
        modules.join("a.js", tmp_path)


def test_no_module_uses_what_old_phones_lack() -> None:
    for path in STATIC.rglob("*.js"):
        text = path.read_text("utf-8")
        assert "this.#" not in text, path
        assert "importmap" not in text, path
        for line in text.splitlines():
            assert not line.startswith("await "), f"{path}: top-level await"


def test_what_the_phone_keeps_is_asked_for_again_only_by_its_tag(referee: ScriptedReferee) -> None:
    client = create_app(referee).test_client()
    for path in ("/js/yikerz.js", "/css/yikerz.css", "/static/vendor/lit-html.js", "/locale/es/live.json"):
        first = client.get(path)
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (first.status_code, again.status_code) == (200, 304)
