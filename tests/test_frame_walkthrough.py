"""Which node sent a frame that names its receiver alone."""

from __future__ import annotations

from airloom.report.frame_walkthrough import Nodes, ends
from airloom.results.frames import AirFrame

AP, LAPTOP = "02:00:00:00:00:00", "02:00:00:00:00:01"
OTHER, PHONE = "02:00:00:00:00:02", "02:00:00:00:00:03"
NODES = Nodes(
    {AP: "attic", LAPTOP: "ap", OTHER: "cellar", PHONE: "phone"},
    access_points={"ap": "attic", "phone": "cellar"},
)


def ack(receiver: str) -> AirFrame:
    return AirFrame(1_000, 0, "ack", None, receiver, None, False, False, None, False, 14, 5180)


def test_an_ack_to_a_station_is_the_access_points_whatever_their_names() -> None:
    assert ends(ack(LAPTOP), NODES) == ("attic", "ap")


def test_an_ack_is_sent_by_the_access_point_at_which_its_receiver_is() -> None:
    assert ends(ack(PHONE), NODES) == ("cellar", "phone")
    assert ends(ack(OTHER), NODES) == ("", "cellar")


def test_an_ack_to_the_access_point_names_no_sender() -> None:
    assert ends(ack(AP), NODES) == ("", "attic")
