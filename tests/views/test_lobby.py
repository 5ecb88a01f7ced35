"""The list of games."""

from companion.views.lobby import game_entry, lobby


def test_the_list_says_who_plays_and_who_has_the_sensors() -> None:
    one = game_entry("g1", "yikerz", "turn", [(0, "Ana"), (3, "Beto")], holds_sensors=True)
    assert [(p["id"], p["name"], p["shape"]) for p in one["players"]] == [(0, "Ana", "circle"), (3, "Beto", "square")]
    assert "cut_off" not in one
    assert game_entry("g1", "yikerz", "turn", [], holds_sensors=False, cut_off=True)["cut_off"]
    assert "unattended" not in one
    assert game_entry("g1", "yikerz", "turn", [], holds_sensors=True, unattended=True)["unattended"]
    two = game_entry("g2", "yikerz", "lobby", [], holds_sensors=False)
    assert lobby("Mesa", True, [two, one], {})["sensors"] == "held"
    assert lobby("Mesa", True, [two], {})["sensors"] == "free"
    assert lobby("Mesa", False, [two], {})["sensors"] == "none"
