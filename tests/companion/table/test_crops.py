"""The photo's pieces on disk: those of the last games only."""

from pathlib import Path

from companion.table.crops import Crops


def test_the_crops_of_games_long_over_are_deleted(tmp_path: Path) -> None:
    """A club's box kept those of every game that it had ever seen: a card fills up some day."""
    crops = Crops(tmp_path)
    for game in range(1, 31):
        crops.renew(game, lambda route: b"cut", {"denver--omaha": b"%d" % game})
    kept = {place.name for place in tmp_path.iterdir()}
    assert kept == {f"game-{game}" for game in range(11, 31)}
    assert Crops(tmp_path).get(11, "denver--omaha") == b"11"
    assert Crops(tmp_path).get(10, "denver--omaha") is None
