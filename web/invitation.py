"""The code by which a phone joins: as a picture, and as an address to be typed where a phone cannot scan."""

import segno
from flask import request
from markupsafe import Markup

from web.address import base_url
from web.asking import the_port


def join_address() -> str:
    """What the QR says: the address with the table's code, to be typed where a phone cannot scan."""
    return base_url(request.host) + the_port().join_path()


def code_picture() -> Markup:
    """The QR of the join address as an SVG."""
    code = segno.make(join_address(), error="m")
    return Markup(code.svg_inline(scale=1, border=3, omitsize=True, dark="#000", light="#fff"))
