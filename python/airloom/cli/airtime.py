"""`airloom airtime`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, cast

from airloom import _engine
from airloom.cli.common import AsJson, Whole
from airloom.cli.terminal import print_json
from airloom.errors import RunError

if TYPE_CHECKING:
    from airloom.api.printed import Airtime, Part
    from airloom.cli.screen import Screen


LARGEST = 2**63 - 1
"""The largest whole number that the engine reads."""


def airtime(
    *,
    standard: str,
    mpdu: Annotated[int, Whole] = 1540,
    count: Annotated[int, Whole] = 1,
    msdus_per_amsdu: Annotated[int, Whole] = 1,
    mcs: Annotated[int | None, Whole] = None,
    streams: Annotated[int | None, Whole] = None,
    width: str | None = None,
    guard_interval: str | None = None,
    ltf: str | None = None,
    packet_extension: str | None = None,
    padding: str | None = None,
    punctured: str | None = None,
    code: str | None = None,
    rate: str | None = None,
    preamble: str | None = None,
    band: str | None = None,
    rts: bool = False,
    aifsn: Annotated[int | None, Whole] = None,
    cw_min: Annotated[int | None, Whole] = None,
    as_json: AsJson = False,
) -> None:
    """Compute how long a PPDU and its exchange are on the air, piece by piece.

    The exchange is AIFS, the mean backoff, RTS and CTS if asked for, the data, SIFS and its Ack or BlockAck. The
    goodput is that of the IP packets in it, if one such exchange follows the other.

    Examples:
        airloom airtime --standard 802.11be --width 320 --mcs 13 --streams 2 --count 1024
        airloom airtime --standard 802.11ax --width 80 --mcs 11 --streams 2 --count 64
        airloom airtime --standard 802.11ac --width 80 --mcs 9 --streams 2 --guard-interval 0.4us --count 64
        airloom airtime --standard 802.11ac --width 80 --mcs 9 --count 64 --msdus-per-amsdu 3
        airloom airtime --standard 802.11n --width 40 --mcs 15 --guard-interval 0.4us --count 32
        airloom airtime --standard 802.11b --rate 11 --mpdu 1536 --preamble short

    Args:
        standard: 802.11a, b, g, n, ac, ax or be.
        mpdu: Bytes of an MPDU from its MAC header to its FCS; where MPDUs are aggregated, delimiters and padding come
            on top.
        count: MPDUs in the PPDU.
        msdus_per_amsdu: Packets in each MPDU, from 802.11n on: an A-MSDU if they are several. --mpdu is then the
            MPDU that each would have by itself.
        mcs: Modulation and coding scheme, from 802.11n on: 0 to 7 (to 31 with the streams in it), 9, 11 or 13.
        streams: Spatial streams, from 802.11n on: 1 to 4.
        width: Of the frame, in MHz: 20, 40, 80, 160 or 320.
        guard_interval: 0.4us or 0.8us; from 802.11ax on 0.8us, 1.6us or 3.2us.
        ltf: The size of long training fields from 802.11ax on: 1, 2 or 4. Without it, 4 with 3.2us and 2 otherwise.
        packet_extension: The packet extension from 802.11ax on: 0us, 4us, 8us, 12us, 16us, or 20us. Without it, the one
            that follows from --padding and from where the data end.
        padding: The receiver's nominal packet padding from 802.11ax on: 0us, 8us or 16us, in 802.11be also 20us.
        punctured: What of the width is left out in 802.11be, in MHz: 20 or 40 of 160, for example.
        code: Of 802.11ac: ldpc or bcc.
        rate: In Mbit/s, below 802.11n.
        preamble: Of 802.11b: long or short.
        band: 2.4 GHz, 5 GHz or 6 GHz.
        rts: RTS and CTS come first.
        aifsn: Slots after SIFS before the backoff: 3 for best effort, 2 below 802.11n.
        cw_min: The contention window in slots, of which the mean backoff is half.
        as_json: Print all of it as JSON.
    """
    ask = {
        "standard": standard,
        "band": spaced(band),
        "width": measured("--width", width, "MHz", "80"),
        "rate": measured("--rate", rate, "Mbit/s", "54"),
        "preamble": preamble,
        "mcs": mcs,
        "streams": streams,
        "guard_interval": measured("--guard-interval", guard_interval, "us", "0.8us"),
        "ltf": measured("--ltf", ltf, "x", "2"),
        "packet_extension": measured("--packet-extension", packet_extension, "us", "16us"),
        "padding": measured("--padding", padding, "us", "16us"),
        "punctured": measured("--punctured", punctured, "MHz", "40"),
        "code": code,
        "mpdu": mpdu,
        "count": count,
        "msdus_per_amsdu": msdus_per_amsdu,
        "rts": rts,
        "aifsn": aifsn,
        "cw_min": cw_min,
    }
    for key, value in ask.items():
        if isinstance(value, int) and abs(value) > LARGEST:
            raise RunError(f"--{key.replace('_', '-')} {str(value)[:30]}: is too large")
    told = cast("Airtime", json.loads(_engine.airtime(json.dumps(ask))))
    if as_json:
        print_json("airtime", told)
        return
    from airloom.cli.screen import Screen

    show(Screen(), told)


def measured(option: str, text: str | None, unit: str, example: str) -> float | int | None:
    """A number that may have its unit: `16us`, `16 us` and `16` are the same."""
    if text is None:
        return None
    match = re.fullmatch(rf"(\d+(?:\.\d+)?)\s*(?:{re.escape(unit)})?", text.strip(), re.ASCII | re.IGNORECASE)
    if match is None or len(match[1]) > len("6933.3333"):
        raise RunError(f"{option} cannot be {text!r}: write it in {unit}, such as {example}")
    value = float(match[1])
    return int(value) if value.is_integer() else value


def spaced(band: str | None) -> str | None:
    """A band as scenarios write it: `5` and `5GHz` are `5 GHz`."""
    if band is None:
        return None
    match = re.fullmatch(r"([\d.]+)\s*(?:ghz)?", band.strip(), re.ASCII | re.IGNORECASE)
    return f"{match[1]} GHz" if match else band


def show(screen: Screen, told: Airtime) -> None:
    """Prints what an exchange takes."""
    from airloom.cli.tables import pieces

    screen.say(f"{told['rate']}, {told['rate_mbps']:,.1f} Mbit/s: {told['psdu_bytes']:,} bytes of PSDU", style="bold")
    rows = [(one["name"], one["times"], one["each_us"], one["us"]) for one in told["ppdu"]]
    screen.table(pieces("PPDU", rows, told["ppdu_us"]))
    screen.say("")
    frames = [(named(part), 1, part["us"], part["us"]) for part in told["exchange"]]
    screen.table(pieces("exchange", frames, told["exchange_us"]))
    screen.say("")
    share = told["payload_bytes"] * 8 / told["rate_mbps"] / told["exchange_us"]
    screen.say(
        f"{told['payload_bytes']:,} bytes of IP packets in {told['exchange_us']:,.1f} us: "
        f"{told['goodput_mbps']:,.1f} Mbit/s, {share:.0%} of the rate"
    )


def named(part: Part) -> str:
    """A part, with the rate of a frame."""
    rate = part["rate_mbps"]
    return part["name"] if rate is None else f"{part['name']} at {rate:,.4g} Mbit/s"
