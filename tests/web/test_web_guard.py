"""Who may read and who may act."""

import pytest
from flask.testing import FlaskClient

from companion.views.naming import NAME_LENGTH
from tests.web.scenes import game
from tests.web.scripted import CODE, ScriptedReferee
from web.app import create_app
from web.guard import host_is_ours

PRESS = {"id": "press-0001", "name": "placed", "version": 7, "args": {}}


@pytest.fixture
def client(referee: ScriptedReferee) -> FlaskClient:
    referee.show(game())
    return create_app(referee, names=["mesa.local"]).test_client()


def with_code(client: FlaskClient) -> FlaskClient:
    client.set_cookie("table_code", CODE)
    return client


@pytest.mark.parametrize(
    "host", ["192.168.1.20", "192.168.1.20:8080", "[fe80::1]:8080", "MESA.local:80", "mesa.local."]
)
def test_literal_addresses_and_our_names_are_ours(host: str) -> None:
    assert host_is_ours(host, frozenset({"mesa.local"}))


@pytest.mark.parametrize(
    "host", ["evil.example", "192.168.1.20.evil.example", "", "mesa.local:80:80", "[fe80::1]x", "1.2.3.4:a"]
)
def test_other_hosts_are_not(host: str) -> None:
    assert not host_is_ours(host, frozenset({"mesa.local"}))


def test_a_rebound_name_is_refused_for_reading_and_acting(client: FlaskClient) -> None:
    for answer in (
        client.get("/g/g1/view", headers={"Host": "evil.example"}),
        with_code(client).post("/g/g1/commands", json=PRESS, headers={"Host": "evil.example"}),
    ):
        assert answer.status_code == 421


def test_reading_is_open_and_acting_needs_the_code(client: FlaskClient, referee: ScriptedReferee) -> None:
    assert client.get("/g/g1/view").status_code == 200
    refused = client.post("/g/g1/commands", json=PRESS)
    assert (refused.status_code, refused.json["code"]) == (403, "no_code")
    assert with_code(client).post("/g/g1/commands", json=PRESS).json["status"] == "applied"
    referee.code = "another-code"
    assert client.post("/g/g1/commands", json=PRESS | {"id": "press-0002"}).status_code == 403
    assert [command["id"] for command in referee.posted] == ["press-0001"]


def test_only_json_of_our_own_pages_is_taken(client: FlaskClient, referee: ScriptedReferee) -> None:
    post = with_code(client).post
    assert post("/g/g1/commands", data="{}", content_type="text/plain").status_code == 415
    assert post("/g/g1/commands", data={"id": "press-0001"}).status_code == 415
    assert post("/g/g1/commands", json=PRESS, headers={"Origin": "http://evil.example"}).status_code == 403
    assert post("/g/g1/commands", json=PRESS, headers={"Origin": "null"}).status_code == 403
    assert post("/g/g1/commands", json=PRESS, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert referee.posted == []
    assert post("/g/g1/commands", json=PRESS, headers={"Origin": "http://localhost"}).status_code == 200


def test_the_qr_path_sets_a_cookie_that_scripts_cannot_read_and_leaves_the_address(client: FlaskClient) -> None:
    answer = client.get(f"/j?c={CODE}")
    assert answer.headers["Location"] == "/join"
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    assert client.post("/g/g1/commands", json=PRESS).status_code == 200


def test_an_old_qr_sets_nothing_and_says_so(client: FlaskClient) -> None:
    answer = client.get("/j?c=old", follow_redirects=True, headers={"Accept-Language": "en"})
    assert "Set-Cookie" not in answer.headers
    assert "old one" in answer.text


def test_the_code_is_shown_only_to_who_has_it(client: FlaskClient) -> None:
    far = {"REMOTE_ADDR": "192.168.1.77"}
    assert "<svg" not in client.get("/qr", environ_overrides=far).text
    assert "<svg" in with_code(client).get("/qr", environ_overrides=far).text


def test_every_answer_has_the_strict_headers(client: FlaskClient) -> None:
    for path in ("/", "/g/g1", "/clock", "/nowhere", "/js/yikerz.js"):
        headers = client.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_names_are_text_everywhere(client: FlaskClient, referee: ScriptedReferee) -> None:
    nasty = "</script><img src=x onerror=alert(1)>"
    view = game()
    view["players"][0]["name"] = nasty
    referee.show(view)
    page = client.get("/g/g1").text
    assert "<img" not in page
    assert page.count("</script>") == 2


@pytest.mark.parametrize(
    "path", ["/g/none/view", "/g/none/events", "/locale/fr/live.json", "/locale/en/..%2f..%2fapp.json"]
)
def test_unknown_things_are_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_an_old_link_leads_to_the_list_of_games(client: FlaskClient) -> None:
    for path, leads in (("/g/none", "/?gone"), ("/none", "/")):
        assert client.get(path, headers={"Accept": "text/html"}).headers["Location"] == leads


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": "short"}, "id"),
        ({"id": 5}, "id"),
        ({"name": "Rm -rf"}, "name"),
        ({"version": -1}, "version"),
        ({"version": True}, "version"),
        ({"player": "0"}, "player"),
        ({"args": [1]}, "args"),
        ({"args": {"name": "half a pair \ud83e"}}, "args"),
        ({"args": {"tiles": [{"\udd13": 1}]}}, "args"),
    ],
)
def test_a_malformed_command_is_named_and_not_handed_on(
    client: FlaskClient, referee: ScriptedReferee, change: dict[str, object], field: str
) -> None:
    answer = with_code(client).post("/g/g1/commands", json=PRESS | change)
    assert (answer.status_code, answer.json["body"]) == (400, {"field": field})
    assert referee.posted == []


def test_a_body_that_is_no_json_or_too_long_is_refused(client: FlaskClient, referee: ScriptedReferee) -> None:
    post = with_code(client).post
    for body in ("{", "[" * 16_000, '{"args":' * 1_500):
        answer = post("/g/g1/commands", data=body, content_type="application/json")
        assert (answer.status_code, answer.json["code"]) == (400, "malformed")
    assert post("/g/g1/commands", json=PRESS | {"args": {"x": "y" * 20_000}}).status_code in (400, 413)
    assert referee.posted == []


@pytest.mark.parametrize(
    ("press", "expected"), [(None, 0), (-2_000_000, -2_000_000), (5_000_000, 0), (-60_000_000, 0), ("x", 0)]
)
def test_the_press_is_stamped_on_the_server_clock(
    client: FlaskClient, referee: ScriptedReferee, press: object, expected: int
) -> None:
    asked = referee.clock_us + press if isinstance(press, int) else press
    with_code(client).post("/g/g1/commands", json=PRESS | {"press_us": asked, "by": "Ana\n\u202e  Lu" + "x" * 40})
    assert referee.posted[0]["press_us"] == referee.clock_us + expected
    assert referee.posted[0]["by"].startswith("Ana Lux")
    assert len(referee.posted[0]["by"]) == NAME_LENGTH


@pytest.mark.rule("T18")
def test_a_phone_that_may_act_gets_one_key_unread_by_scripts(client: FlaskClient, referee: ScriptedReferee) -> None:
    assert client.get("/").headers.getlist("Set-Cookie") == []
    (cookie,) = with_code(client).get("/").headers.getlist("Set-Cookie")
    assert cookie.startswith("phone=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert client.get("/g/g1").headers.getlist("Set-Cookie") == []
    client.post("/g/g1/commands", json=PRESS)
    assert referee.posted[0]["phone"] == cookie.removeprefix("phone=").split(";")[0]


@pytest.mark.rule("T18")
def test_a_secret_is_in_the_answer_to_its_own_phone_alone_and_kept_nowhere(
    client: FlaskClient, referee: ScriptedReferee
) -> None:
    referee.privates["g1", 2, "its-key"] = {"tikis": ["nui"]}
    client.set_cookie("phone", "its-key")
    answer = client.get("/g/g1/mine/2")
    assert answer.json == {"tikis": ["nui"]}
    assert (answer.headers["Cache-Control"], answer.headers["Vary"]) == ("no-store", "Cookie")
    assert "ETag" not in answer.headers
    assert client.get("/g/g1/mine/1").json is None
    client.set_cookie("phone", "another")
    assert client.get("/g/g1/mine/2").json is None
    assert client.get("/g/none/mine/2").status_code == 404
