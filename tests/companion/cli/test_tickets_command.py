"""`companion tickets` and the evaluation of hands, and wrong things given to both."""

import json
from pathlib import Path

import cv2
import pytest

from companion.cli.main import main
from tests.support.disk_room import room_for
from tests.support.drawn_hand import DrawnCard, draw_hand
from tests.support.ticket_networks import needs_networks
from vision.evaluate.__main__ import main as evaluate
from vision.tickets import networks

HAND = [
    DrawnCard(("BOSTON - MIAMI",), 12, 350, 350),
    DrawnCard(("DENVER - EL PASO",), 4, 1000, 800, 180),
]


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of two cards."""
    path = tmp_path_factory.mktemp("hand") / "hand.png"
    cv2.imwrite(str(path), draw_hand(HAND))
    return path


@needs_networks
def test_json_is_one_document_in_the_shape_of_the_contracts(
    hand: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overlay = tmp_path / "overlay.png"
    command = ["tickets", str(hand), "--board", "usa", "--json", "--overlay", str(overlay)]
    assert main(command) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["board"], document["cards"], document["unread"]) == ("usa", 2, 0)
    assert document["warnings"] == []
    by_ticket = {tuple(entry["ticket"]): entry for entry in document["tickets"]}
    assert set(by_ticket) == {("boston", "miami"), ("denver", "el-paso")}
    entry = by_ticket["boston", "miami"]
    assert (entry["points"], entry["review"], entry["alternatives"]) == (12, False, [])
    assert 0.95 < entry["confidence"] <= 1
    assert [len(corner) for corner in entry["corners"]] == [2, 2, 2, 2]
    assert cv2.imread(str(overlay)) is not None


@needs_networks
@pytest.mark.parametrize("labelled", [["seattle", "new-york"], ["new-york", "seattle"]])
def test_the_place_that_stands_first_on_the_card_and_in_the_board_file_comes_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], labelled: list[str]
) -> None:
    photo = tmp_path / "hand.png"
    cv2.imwrite(str(photo), draw_hand([DrawnCard(("SEATTLE", "NEW YORK"), 20, 500, 400)]))
    assert main(["tickets", str(photo), "--board", "usa", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["tickets"]
    assert entry["ticket"] == ["seattle", "new-york"]
    labels = {photo.name: {"board": "usa", "tickets": [[*labelled, 20]]}}
    (tmp_path / "labels.json").write_text(json.dumps(labels), "utf-8")
    assert evaluate(["--tickets", str(tmp_path)]) == 0
    assert "tickets read 1 of 1" in capsys.readouterr().out


@needs_networks
def test_a_picture_that_finds_no_room_takes_no_ticket_away(
    hand: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overlay = tmp_path / "overlay.png"
    with room_for(1000):
        assert main(["tickets", str(hand), "--board", "usa", "--overlay", str(overlay)]) == 2
    printed = capsys.readouterr()
    assert "Boston – Miami (12)" in printed.out
    (told,) = printed.err.splitlines()
    assert told.startswith(f"companion tickets: {overlay} cannot be written: ")


@needs_networks
def test_people_get_the_tickets_in_their_language(
    hand: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tickets", str(hand), "--board", "usa", "--language", "it"]) == 0
    told = capsys.readouterr().out
    assert "carte lette: 2 su 2" in told
    assert "Boston – Miami (12)" in told


@needs_networks
def test_warnings_for_programs_are_told_in_the_language_that_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "hand.png"
    cv2.imwrite(str(photo), draw_hand([HAND[0], DrawnCard((), 4, 1000, 800)]))
    assert main(["tickets", str(photo), "--board", "usa", "--json", "--language", "it"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["warnings"]
    assert told["text"].startswith("Una carta su 2 non mostra nomi")


@needs_networks
def test_a_table_without_cards_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), draw_hand([]))
    assert main(["tickets", str(tmp_path / "table.png"), "--board", "usa", "--json"]) == 3
    out, told = capsys.readouterr()
    assert out == ""
    assert told.startswith("companion tickets: No ticket card was found in the photo;")
    assert told.count("\n") == 1


@needs_networks
def test_of_two_photos_the_one_without_cards_is_named(
    hand: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), draw_hand([]))
    assert main(["tickets", str(hand), str(tmp_path / "table.png"), "--board", "usa"]) == 3
    assert "table.png" in capsys.readouterr().err


def test_without_the_networks_the_way_to_get_them_is_said(
    hand: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(networks, "PACKAGE", "no-such-package-anywhere")
    networks.load_text_networks.cache_clear()
    assert main(["tickets", str(hand), "--board", "usa"]) == 3
    networks.load_text_networks.cache_clear()
    told = capsys.readouterr().err
    assert "rapidocr, which is not installed; run `make tickets`" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tickets", "nowhere.jpg", "--board", "usa"], 2, "nowhere.jpg"),
        (["tickets", "HAND", "--board", "atlantis"], 2, "unknown board"),
        (["tickets", "HAND", "--board", "usa", "--overlay", "out.txt"], 2, "out.txt"),
    ],
)
def test_wrong_usage(
    words: list[str], code: int, said: str, hand: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(hand) if word == "HAND" else word for word in words]) == code
    assert said in capsys.readouterr().err


@needs_networks
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "hand.png is damaged: copy or send it again, or take another photo"),
        ("it", "hand.png è danneggiato: copialo o invialo di nuovo, o fai un'altra foto"),
    ],
)
def test_a_damaged_photo_of_cards_is_asked_for_no_corners_of_the_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, sentence: str
) -> None:
    data = bytearray(cv2.imencode(".png", draw_hand(HAND))[1].tobytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "hand.png").write_bytes(data)
    assert (
        main(["tickets", str(tmp_path / "hand.png"), "--board", "usa", "--language", language]) == 3
    )
    assert capsys.readouterr().err.strip().endswith(sentence)


@needs_networks
def test_evaluation_counts_what_was_read_wrong_asked_and_counted(
    hand: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The labels claim a third card and another ticket than the photo shows.
    tickets = [["miami", "boston", 12], ["dallas", "new-york", 11], ["chicago", "santa-fe", 9]]
    labels = {hand.name: {"board": "usa", "tickets": tickets}}
    (hand.parent / "labels.json").write_text(json.dumps(labels), "utf-8")
    assert evaluate(["--tickets", str(hand.parent)]) == 0
    told = capsys.readouterr().out
    assert "tickets read 1 of 3" in told
    assert "wrong unasked 1" in told
    assert "asked 0 of 3" in told
    assert "cards counted right in 0 of 1" in told


def test_labels_of_another_kind_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "labels.json").write_text('{"hand.png": {"board": "usa"}}', "utf-8")
    with pytest.raises(SystemExit) as ended:
        evaluate(["--tickets", str(tmp_path)])
    assert ended.value.code == 3
    assert "needs `board` and `tickets`" in capsys.readouterr().err
