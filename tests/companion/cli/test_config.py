"""Which folder, which board, which pins: what a command line and a data folder may say."""

import errno
import json
import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from companion.cli.commands.boards import list_games
from companion.cli.main import main
from companion.config import SECTIONS, BoxConfig, data_folder, read_config
from companion.errors import UnusableInputError, UsageError
from companion.studio.boards import TaughtBoards
from companion.user_files.board_choice import (
    boards_here,
    choose_board,
    choose_board_to_read,
    game_called,
    games_here,
)
from hardware.console.console import Button
from hardware.console.pins import PinMap


def test_the_data_folder_is_the_option_s_then_the_environment_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COMPANION_DATA", "/from/environment")
    assert data_folder("/from/option") == Path("/from/option")
    assert data_folder(None) == Path("/from/environment")
    monkeypatch.delenv("COMPANION_DATA")
    assert data_folder(None).parts[-3:] == (".local", "share", "companion")


def own_board(folder: Path, name: str, **changes: object) -> Path:
    """The USA board under another name, as a table's own file."""
    usa = json.loads((resources.files("scoring.board") / "data" / "usa.json").read_text("utf-8"))
    path = folder / "boards" / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**usa, "id": name, **changes}), "utf-8")
    return path


def test_boards_come_from_the_program_the_data_folder_and_files(tmp_path: Path) -> None:
    path = own_board(tmp_path, "atlantis")
    assert choose_board("usa", tmp_path).id == "usa"
    assert choose_board("atlantis", tmp_path).id == "atlantis"
    assert choose_board(str(path), Path("/nowhere")).id == "atlantis"
    assert [board.id for board in boards_here(tmp_path)[0]] == [
        "usa",
        "germany",
        "france",
        "atlantis",
    ]


def test_a_table_s_own_file_of_a_known_board_comes_first(tmp_path: Path) -> None:
    own_board(tmp_path, "usa", title="Our own copy")
    assert choose_board("usa", tmp_path).title == "Our own copy"
    assert boards_here(tmp_path)[0][0].title == "Our own copy"


def test_of_two_files_of_one_board_the_first_counts_everywhere_and_the_other_is_told(
    tmp_path: Path,
) -> None:
    """The panel took the last one: a board that was saved anew, which goes into the first file, was
    the old one again after the next start."""
    own_board(tmp_path, "atlantis")
    own_board(tmp_path, "backup", id="atlantis", title="Of last year")
    TaughtBoards(tmp_path).bring_in(
        json.dumps({**json.loads(read(tmp_path, "atlantis")), "title": "Of today"}).encode()
    )
    boards, (problem,) = boards_here(tmp_path)
    assert [one.title for one in boards if one.id == "atlantis"] == ["Of today"]
    assert "backup.json is not used: atlantis.json beside it is the file" in str(problem)
    assert choose_board("atlantis", tmp_path).title == "Of today"
    listed = {row["id"]: row["title"] for row in list_games(tmp_path, "en")}
    assert listed["atlantis"] == "Of today"


def read(folder: Path, name: str) -> str:
    return (folder / "boards" / f"{name}.json").read_text("utf-8")


def test_an_unknown_board_is_wrong_usage_and_names_the_known(tmp_path: Path) -> None:
    own_board(tmp_path, "atlantis")
    with pytest.raises(UsageError, match="usa, germany, france, atlantis"):
        choose_board("lemuria", tmp_path)


def test_a_broken_board_file_is_named_and_leaves_the_others(tmp_path: Path) -> None:
    own_board(tmp_path, "atlantis", format=99)
    with pytest.raises(UnusableInputError, match="not 99"):
        choose_board("atlantis", tmp_path)
    boards, problems = boards_here(tmp_path)
    assert len(boards) == 3
    assert len(problems) == 1
    assert "atlantis.json" in str(problems[0])


def no_folder(path: Path, kind: str) -> None:
    """What not even root can read as a folder: a link to itself, or a file."""
    if kind == "link":
        path.symlink_to(path.name)
    else:
        path.write_text("usa")


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_folder_of_boards_that_cannot_be_read_is_one_sentence(tmp_path: Path, kind: str) -> None:
    no_folder(tmp_path / "boards", kind)
    boards, (problem,) = boards_here(tmp_path)
    assert [board.id for board in boards] == ["usa", "germany", "france"]
    assert re.search(r"the folder .*/boards, which holds .* cannot be read", str(problem))
    with pytest.raises(UsageError, match=r"the folder .*/boards, which holds .* cannot be read"):
        choose_board("usa", tmp_path)  # perhaps there is a copy of one's own


def test_no_data_folder_at_all_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert boards_here(tmp_path / "none")[1] == []
    assert boards_here(tmp_path / "data")[1] == []


def usa_routes() -> list[dict[str, Any]]:
    usa = json.loads((resources.files("scoring.board") / "data" / "usa.json").read_text("utf-8"))
    return list(usa["routes"])


def placed(routes: list[dict[str, Any]], count: int, at: object = None) -> list[dict[str, Any]]:
    """The routes, so many of them with their spaces (all of these `at` one point if that's given),
    the others without."""
    return [
        {**route, "spaces": [at or space for space in route["spaces"]] if number < count else []}
        for number, route in enumerate(routes)
    ]


@pytest.mark.parametrize(
    ("count", "at", "reason"),
    [
        (0, None, "gives no positions of its printed spaces, so it can be scored but not read"),
        (99, None, "no positions of the printed spaces of sault-st-marie--winnipeg, so"),
        (100, [0.5, 0.5, 0], "in one place or line"),
    ],
)
@pytest.mark.parametrize(
    "command",
    ["scan none.jpg", "watch v4l2:98", "calibrate --empty none.jpg -o out", "scan none.jpg -it"],
)
def test_a_board_without_positions_is_not_read_from_photos(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: str,
    count: int,
    at: object,
    reason: str,
) -> None:
    routes = sorted(usa_routes(), key=lambda route: "winnipeg" in route["id"])
    path = own_board(tmp_path, "atlantis", routes=placed(routes, count, at), prints=[])
    assert choose_board(str(path), tmp_path).id == "atlantis"
    words = command.removesuffix(" -it").split()
    language = "it" if command.endswith("-it") else "en"
    assert main([*words, "--board", str(path), "--language", language]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert ("non si leggono le foto" if language == "it" else reason) in line


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("scan none.jpg --board paris", "Ticket to Ride Paris is not read from photos: count by "),
        ("watch v4l2:98 --board card-game", "The Card Game is not read from photos: count by "),
        ("tickets none.jpg --board any-map", "`companion serve --board any-map`"),
        ("calibrate --empty none.jpg -o out --board paris", "a file for `companion score`"),
        ("height --board paris-by-counts", "`companion serve --board paris-by-counts`"),
        ("scan none.jpg --board paris --language it", "Ticket to Ride Parigi non si legge dalle"),
    ],
)
def test_a_game_without_a_map_is_no_unknown_board(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    told: str,
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert main(command.split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_a_game_without_a_map_is_chosen_where_nothing_is_read(tmp_path: Path) -> None:
    def chosen(words: str) -> str | None:
        game = game_called(words, games_here(tmp_path)[0])
        return None if game is None else game.id

    names = ["usa", "paris", "card-game", "mars"]
    assert [chosen(name) for name in names] == ["usa", "paris-by-counts", "card-game", None]
    own_board(tmp_path, "paris")
    assert chosen("paris") == "paris", "a taught one comes first"
    assert choose_board("paris", tmp_path).id == "paris"


def test_a_board_of_one_route_is_not_read_from_photos(tmp_path: Path) -> None:
    usa = json.loads((resources.files("scoring.board") / "data" / "usa.json").read_text("utf-8"))
    ends = (usa["routes"][0]["from"], usa["routes"][0]["to"])
    places = [place for place in usa["places"] if place["id"] in ends]
    rest = {"routes": usa["routes"][:1], "places": places, "tickets": [], "prints": []}
    own_board(tmp_path, "atlantis", **rest)
    with pytest.raises(UnusableInputError, match="too few spaces"):
        choose_board_to_read("atlantis", tmp_path)


def wrong(folder: Path) -> list[str]:
    return [str(trouble) for trouble in read_config(folder).troubles]


def test_the_old_configuration_is_still_read(tmp_path: Path) -> None:
    assert read_config(tmp_path) == BoxConfig()
    box = tmp_path / "box.json"
    box.write_text('{"pins": {"scan": 20}, "hosts": ["pi.fritz.box", "Train.Example.org"]}')
    config = read_config(tmp_path)
    assert (config.pins, config.hosts) == (
        PinMap(scan=20),
        ("pi.fritz.box", "Train.Example.org"),
    )
    (tmp_path / "companion.toml").write_text("[pins]\nscan = 21\n")
    assert read_config(tmp_path).pins == PinMap(scan=21), "the new one counts"
    assert read_config(tmp_path).hosts == config.hosts


def test_one_file_says_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "etc.toml"
    path.write_text(
        """
        [serve]
        camera = "pi"
        port = 8100
        [panel]
        hosts = ["pi.fritz.box"]
        [pins]
        status = 25
        [keys]
        confirm = ["KEY_ENTER", 304]
        [power]
        off_by_buttons = false
        """
    )
    monkeypatch.setenv("COMPANION_CONFIG", str(path))
    config = read_config(tmp_path)
    assert config.troubles == ()
    assert config.serve == {"camera": "pi", "port": 8100}
    assert (config.hosts, config.power_off) == (("pi.fritz.box",), False)
    assert config.pins == PinMap(status=25)
    assert config.keys is not None
    assert config.keys.buttons[28] is Button.CONFIRM
    assert config.keys.buttons[304] is Button.CONFIRM
    assert config.keys.buttons[78] is Button.NEXT, "the others keep their usual keys"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[pins]\nscan = 6\n", "Pin 6 is given to both Scan button and Next button"),
        ("[pins]\nscan = 40\n", "pin 40, which is no GPIO"),
        ("[pins]\nscan = 5\n[panel]\nhosts = [", "cut off"),
        ("[pins\nscan = 5\n", "line 1 makes no sense"),
        ("[serve]\nport = 80\nport = 8100\n", "line 3 gives a name or a section a second time"),
        ("[pins]\nscan = 5\n[power]\n[pins]\nnext = 6\n", "line 4 gives a name or a section"),
        ("[pin]\nscan = 5\n", r"section \[pin\]"),
        ("[keys]\nscan = 'KEY_WHAT'\n", "No key is called KEY_WHAT"),
        ("[keys]\nscan = 28\nnext = 28\n", "KEY_ENTER is given to two"),
        ("[keys]\ndevice = 'keypad'\n", "a path under /dev/"),
        ("[serve]\nport = '8000'\n", 'port in .serve. cannot be "8000"'),
        ("[serve]\ncolour = 'red'\n", "takes host, port"),
        ("[power]\noff = true\n", "off_by_buttons"),
        ("[panel]\nhosts = 'pi'\n", "list of host names"),
        ("[keys]\nscan = '\xff'\n", "not text in UTF-8"),
        ("[pins]\nscan = 6\nbuzzer = 22\n", "Pin 6 is given to both .*Pin 22 is given to both"),
        ("[panel]\nhosts = ['a b', 'pi', 'c:1']\n", "not a b, c:1"),
        ("[copies]\nfolder = 'stick'\n", "with its whole path"),
        ("[copies]\nfolder = '/srv/copies'\nevery = 'hour'\n", "with its whole path"),
        (
            "[mqtt]\nadress = 'mqtt://pi'\nname = 'the salon'\ndiscovery = 'a/b'\n",
            'knows address, name.*mqtt://HOST.*"name" in the section.*"discovery" in the section',
        ),
        (
            "[hub]\naddress = 'mqtts://Table_1:secret@hub'\nname = 3\nport = 8883\n",
            r"the section \[hub\] may hold address, name; the user name .*; the table's name for",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_and_the_rest_counts(
    tmp_path: Path, content: str, sentence: str
) -> None:
    (tmp_path / "companion.toml").write_bytes(content.encode("latin-1"))
    (told,) = wrong(tmp_path)
    assert "companion.toml cannot be used as it is" in told
    assert re.search(sentence, told)
    assert "\n" not in told


@pytest.mark.parametrize("hosts", ["pi.fritz.box", ["http://pi"], ["pi:80"], [""], [7], {}, None])
def test_a_wrong_name_of_the_box_opens_the_panel_to_nobody(tmp_path: Path, hosts: object) -> None:
    (tmp_path / "box.json").write_text(json.dumps({"hosts": hosts, "pins": {"scan": 20}}))
    (told,) = wrong(tmp_path)
    assert "list of host names" in told
    assert read_config(tmp_path).hosts == ()
    assert read_config(tmp_path).pins == PinMap(scan=20)


@pytest.mark.parametrize("content", ["{", "[]", '{"pins": {"scan": 99}}', "{}"])
def test_a_broken_box_file_is_one_sentence_and_no_pin_is_driven(
    tmp_path: Path, content: str
) -> None:
    (tmp_path / "box.json").write_text(content)
    (told,) = wrong(tmp_path)
    assert "box.json cannot be used" in told
    assert read_config(tmp_path).pins is None


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'{"pins": {', "non si può leggere dalla riga 1, colonna 11"),
        (b"\xae\x01", "non è testo in UTF-8"),
    ],
)
def test_a_damaged_box_file_is_told_in_the_readers_language(
    tmp_path: Path, content: bytes, told: str
) -> None:
    (tmp_path / "box.json").write_bytes(content)
    (trouble,) = read_config(tmp_path).troubles
    assert trouble.sentence("it").endswith(told)


def test_a_configuration_that_is_named_but_not_there_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "none.toml"))
    (told,) = wrong(tmp_path)
    assert "there is no file" in told


@pytest.mark.parametrize(
    ("said", "is_club"),
    [
        ("[panel]\nclub = true\n", True),
        ("[panel]\nclub = false\n", False),
        ("[panel]\nhosts = []\n", False),
        ("# club = true\n", False),
        ("# nothing\n", False),
        ("", False),
        ('[panel]\nclub = "yes"\n', True),
        ("[panel]\nclub = tru\n", True),
        ("[panel]\nhosts = oops\n[keys]\n", False),
        ("[serve]\nclub = true\n", True),
        ("club = true\n", True),
        ("[[panel]]\nclub = true\n", True),
        ("[Panel]\nclub = true\n", True),
        ("[panel]\nClub = true\n", True),
        ("[panel]\nclub_mode = true\n", True),
        ("[panel]\nclub = false\n[serve]\nclub = true\n", False),
        ("[serve]\nclub = false\n", False),
        ('[hub]\nname = "club"\n', False),
        ("[panel]\nCLUB = tru\n", True),
    ],
)
def test_no_mistake_in_the_file_opens_a_clubs_table_to_everybody(
    tmp_path: Path, said: str, is_club: bool
) -> None:
    (tmp_path / "companion.toml").write_text(said)
    assert read_config(tmp_path).is_club is is_club


def test_a_clubs_file_that_windows_wrote_in_two_bytes_a_letter_opens_no_table(
    tmp_path: Path,
) -> None:
    (tmp_path / "companion.toml").write_bytes("[panel]\r\nclub = true\r\n".encode("utf-16"))
    assert read_config(tmp_path).is_club is True


def test_a_key_of_the_panel_that_there_is_not_is_told(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text("[panel]\nclub_mode = true\n")
    (told,) = wrong(tmp_path)
    assert told.endswith("[panel] knows no option club_mode; it takes hosts, club, pin")


def test_a_club_that_is_neither_yes_nor_no_is_told(tmp_path: Path) -> None:
    """It lets nobody in, not even a family that wanted no club."""
    (tmp_path / "companion.toml").write_text('[panel]\nclub = "no"\n')
    (told,) = wrong(tmp_path)
    assert "[panel] takes club = true or false" in told


@pytest.mark.parametrize(
    ("said", "says_club"),
    [
        ("[panel]\nclub = true\n", True),
        ("[panel]\nclub = false\n", False),
        ("[panel]\n# club = true\n", None),
        ('[panel]\nclub = "no"\n', None),
        ("panel = 3\n", None),
        ("[panel]\nclub = fal", None),
    ],
)
def test_a_configuration_says_of_a_club_what_is_plainly_written(
    tmp_path: Path, said: str, says_club: bool | None
) -> None:
    (tmp_path / "companion.toml").write_text(said)
    assert read_config(tmp_path).says_club is says_club


@pytest.mark.parametrize("written", ['"482913"', "482913", '"482 913"'])
def test_a_host_may_have_a_pin_of_their_own(tmp_path: Path, written: str) -> None:
    (tmp_path / "companion.toml").write_text(f"[panel]\nclub = true\npin = {written}\n")
    config = read_config(tmp_path)
    assert (config.pin, config.is_club, config.troubles) == ("482913", True, ())


@pytest.mark.parametrize(
    "written",
    [
        *('"48291"', '"4829130000000"', '"777777"', '"123456"', '"654321"', '"48291a"', '"٤٨٢٩١٣"'),
        *("true", "[1]", "-482913", f"0x{'f' * 5000}"),
    ],
)
def test_a_pin_that_guests_would_try_is_told_and_not_repeated(tmp_path: Path, written: str) -> None:
    """The panel says what is wrong; the table stays a club's."""
    (tmp_path / "companion.toml").write_text(f"[panel]\nclub = true\npin = {written}\n")
    (told,) = wrong(tmp_path)
    assert "[panel] takes as pin 6 to 12 digits" in told
    assert written.strip('"')[:13] not in told.replace("such as 123456", "")
    config = read_config(tmp_path)
    assert (config.pin, config.is_club) == (None, True)


@pytest.mark.parametrize("page", ["box.md", "box.it.md"])
def test_the_example_in_the_docs_has_every_section_and_is_accepted(
    page: str, tmp_path: Path
) -> None:
    words = (Path(__file__).parents[3] / "docs" / page).read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", words, re.DOTALL)
    authority = tmp_path / "authority.pem"  # the club's own, made by its set-up
    authority.touch()
    (tmp_path / "companion.toml").write_text(
        example.replace("/etc/companion/authority.pem", str(authority)), "utf-8"
    )
    assert set(tomllib.loads(example)) == set(SECTIONS)
    assert read_config(tmp_path).troubles == ()


def test_a_file_that_cannot_be_read_opens_no_table_to_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, most_bytes: int) -> bytes:
        if path.exists():
            raise PermissionError(errno.EACCES, "Permission denied")  # written by another user
        raise FileNotFoundError(errno.ENOENT, "No such file")

    monkeypatch.setattr("companion.config.read_plain", refused)
    assert read_config(tmp_path).is_club is False
    (tmp_path / "companion.toml").write_text("[panel]\nclub = true\n")
    assert read_config(tmp_path).is_club is True
    (told,) = wrong(tmp_path)
    assert "companion.toml cannot be used" in told
    assert "there is no permission" in told
