"""One script for one page, joined from its ES modules when the server starts.

The modules stay plain files that node tests as they lie and that need no tool to build. A phone on a weak link would
need a round trip a module, so the server hands out a page's modules in one answer: imports of neighbours fall away,
`export`, comments and needless space are dropped, the vendored file stays an import of its own. Top-level names must
therefore differ between a page's modules; a repeated one is a syntax error that the tests find.
"""

import re
from pathlib import Path

_STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import\s+\{[^}]*\}\s+from\s+"(\./[\w/-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const|let)\b)", re.MULTILINE)
_NAMES = re.compile(r"^export\s+(?:async\s+)?(?:function|class|const|let)\s+(\w+)", re.MULTILINE)
_NEEDLESS_END = re.compile(r"(?<=[{(,;:?=&|])\n|\n(?=[}).?:&|])")
_SPACE = re.compile(r" ?([{}(),;:=<>?&|]|!==?) ?| ([*/]) |(?<!\+) (\+) (?!\+)|(?<!-) (-) (?!-)")


def join(entry: str, static: Path = _STATIC, exporting: bool = False) -> str:
    """The modules that `entry` needs, in order of need, as one module. Raises ValueError where one cannot be joined.

    exporting: what `entry` itself exports is still exported, for a page that imports the joined module.
    """
    seen: list[str] = []
    texts: list[str] = []
    vendored: dict[str, dict[str, None]] = {}  # vendored file -> the names that are imported from it

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.append(name)
        text = (static / name).read_text("utf-8")
        for found in _IMPORT.finditer(text):
            target = found.group(1)[2:]
            if target.startswith("vendor/"):
                names = found.group(0).partition("{")[2].partition("}")[0].split(",")
                vendored.setdefault(target, {}).update(dict.fromkeys(name.strip() for name in names))
            else:
                visit(target)
        text = _EXPORT.sub("", _IMPORT.sub("", text))
        left = re.search(r"^(?:import|export)\b.*", text, re.MULTILINE)
        if left:
            raise ValueError(f"{name}: cannot join {left.group(0)!r}")
        texts.append(tighten(text))

    visit(entry)
    own = _NAMES.findall((static / entry).read_text("utf-8")) if exporting else []
    exports = f"export{{{','.join(own)}}};\n" if own else ""
    imports = "".join(f'import {{ {", ".join(names)} }} from "/static/{file}";\n' for file, names in vendored.items())
    return imports + "".join(texts) + exports


def tighten(script: str) -> str:
    """A script without line comments and without the space that code does not need; texts and templates stay.

    Line ends stay too where a statement may end with one.
    """
    code, kept = [], []  # code with a mark for every text; the texts
    at = start = 0

    def keep(end: int) -> None:
        nonlocal start
        code.append(script[start:at])
        kept.append(script[at:end])
        code.append("\0")
        start = end

    while at < len(script):
        if script[at] in "\"'`":
            end = _end_of_text(script, at)
            keep(end)
            at = end
        elif script.startswith("//", at):
            code.append(script[start:at])
            at = start = (script + "\n").index("\n", at)
        else:
            at += 1
    code.append(script[start:])
    lines = (_SPACE.sub(r"\1\2\3\4", line.strip()) for line in "".join(code).split("\n"))
    tight = _NEEDLESS_END.sub("", "\n".join(line for line in lines if line) + "\n")
    texts = iter(kept)
    return re.sub("\0", lambda mark: next(texts), tight)


def _end_of_text(script: str, at: int) -> int:
    """Behind the text that begins at `at`; a template's ${...} may hold further texts."""
    quote, at = script[at], at + 1
    while script[at] != quote:
        if script[at] == "\\":
            at += 2
        elif quote == "`" and script.startswith("${", at):
            depth, at = 1, at + 2
            while depth:
                if script[at] in "\"'`":
                    at = _end_of_text(script, at)
                    continue
                depth += {"{": 1, "}": -1}.get(script[at], 0)
                at += 1
        else:
            at += 1
    return at + 1


def join_styles(*names: str, static: Path = _STATIC) -> str:
    """Style sheets in one, without comments and needless space."""
    text = "".join((static / name).read_text("utf-8") for name in names)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"\s*([{};,>])\s*", r"\1", re.sub(r"\s+", " ", text)).replace(": ", ":").replace(";}", "}")
