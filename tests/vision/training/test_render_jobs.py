"""Which renders are asked for again, by the names in a labels file."""

import pytest

from vision.training.render_jobs import render_jobs


def test_each_image_becomes_one_job_and_a_sequence_only_one() -> None:
    labels = {
        "usa-r11-empty.jpg": {"board": "usa", "kind": "empty", "rig": 11},
        "usa-s12-r11.jpg": {"board": "usa", "kind": "normal", "rig": 11},
        "usa-seq15-f0.jpg": {"board": "usa", "kind": "seq", "rig": 15},
        "usa-seq15-f1.jpg": {"board": "usa", "kind": "seq", "rig": 15},
    }
    assert list(render_jobs(labels)) == [
        ("usa", 11, 11, "empty"),
        ("usa", 12, 11, "normal"),
        ("usa", 15, 15, "seq"),
    ]


def test_a_name_without_a_seed_is_a_clear_error() -> None:
    with pytest.raises(ValueError, match="holiday"):
        list(render_jobs({"holiday.jpg": {"board": "usa", "kind": "normal", "rig": 1}}))
