"""One script for one page, joined from its ES modules when the server starts.

The modules stay plain files that node tests as they lie and that need no tool to build. A phone on a weak link would
need a round trip a module, so the server hands out a page's modules in one answer: imports of neighbours fall away,
`export` is dropped, the vendored file stays an import of its own. Top-level names must therefore differ between a
page's modules; a repeated one is a syntax error that the tests find.
"""

import re
from pathlib import Path

_STATIC = Path(__file__).parent / "static"
_IMPORT = re.compile(r'^import\s+\{[^}]*\}\s+from\s+"(\./[\w/-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const|let)\b)", re.MULTILINE)
_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)


def join(entry: str, static: Path = _STATIC) -> str:
    """The modules that `entry` needs, in order of need, as one module. Raises ValueError where one cannot be joined."""
    seen: list[str] = []
    texts: list[str] = []
    vendored: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in seen:
            return
        seen.append(name)
        text = (static / name).read_text("utf-8")
        for found in _IMPORT.finditer(text):
            target = found.group(1)[2:]
            if target.startswith("vendor/"):
                vendored[found.group(0)] = None
            else:
                visit(target)
        text = _COMMENT.sub("", _EXPORT.sub("", _IMPORT.sub("", text)))
        left = re.search(r"^(?:import|export)\b.*", text, re.MULTILINE)
        if left:
            raise ValueError(f"{name}: cannot join {left.group(0)!r}")
        texts.append(text)

    visit(entry)
    return "".join(vendored).replace('"./', '"/static/') + "".join(texts)
