"""Measure anew what networks that may hear each other have in ns-3: ns3/sharing.json, beside which a test holds ours.

Part of `make bench`; ten minutes of one core. Each cell is described twice: in ns3/sharing.cc, and here as a scenario.
"""

import itertools
import json
import subprocess
import sys
from dataclasses import dataclass

from beside import compiled
from instructions import HERE

SOURCE = HERE / "ns3" / "sharing.cc"
FILE = SOURCE.with_suffix(".json")
SEEDS = (1, 2, 3)


@dataclass(frozen=True)
class Cell:
    """Networks of an access point and a station each, to which a server always has something to send."""

    standard: str
    channels: tuple[int, ...]
    tcp: bool = False
    widths: tuple[int, ...] = ()
    rates: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    """Where the access points are, in metres along a line; each station is a metre further. All hear all if empty."""

    @property
    def seconds(self) -> int:
        """How long a run is, of which the first two seconds are left out."""
        return 22 if self.standard == "802.11n" else 10

    def alike(self) -> bool:
        """Whether its networks differ in nothing that matters."""
        return not (self.widths or self.rates) and not self.places[2:]

    def scenario(self) -> str:
        """The text of its scenario file."""
        fast = self.standard == "802.11ac"
        width = self.widths or (80 if fast else 20,) * len(self.channels)
        radio = f'adapter = {{ profile = "edca-ac", evm = "-60 dB", driver_limit = "1000 packets", streams = {1 + fast}'
        radio += ", short_gi = false, ldpc = false }\n"
        text = f'duration = "{self.seconds} s"\nwarm_up = "2 s"\n[air]\nstandard = "{self.standard}"\n'
        text += f'band = "5 GHz"\nwidth = "{width[0]} MHz"\n'
        for i, channel in enumerate(self.channels):
            here, there = "", 'snr = "60 dB"\n'
            if self.places:
                here, there = (f'position = ["{x} m", "0.0{i} m"]\n' for x in (self.places[i], self.places[i] + 1))
            own = f'width = "{width[i]} MHz"\n' if width[i] != width[0] else ""
            rate = self.rates[i] if self.rates else f"MCS {9 if fast else 7}"
            text += f'[[ap]]\nname = "ap{i}"\nchannel = {channel}\n{radio}{QUEUE}{here}{own}'
            text += f'[[station]]\nname = "sta{i}"\nap = "ap{i}"\n{radio}{there}'
            text += f'rate = "{rate}"\n[station.host]\n{HOST}{QUEUE}'
            text += (
                f'[[server]]\nname = "server{i}"\nlink = {{ rate = "1 Gbit/s", delay = "1 ms" }}\n[server.host]\n{HOST}'
            )
            text += f'[[flow]]\nfrom = "server{i}"\nto = "sta{i}"\nstart = "{1 + 0.1 * i:.1f} s"\n'
            sent = f'kind = "udp"\nrate = "{800 if fast else 75} Mbit/s"\npayload = "1472 B"\n'
            text += 'tcp = { congestion = "cubic" }\n' if self.tcp else sent
        return text


QUEUE = 'queue = { discipline = "fifo", limit = "1 packets" }\n'
WIRE = 'link = { rate = "1 Gbit/s", delay = "1 ms" }\n'
# TCP as ns-3 has it, as in the scenarios of ns3/; a window of 500 segments, so that no queue overflows: all of the
# buffer, which newer kernels do not offer whatever `receive_window_share` is, since they count its memory.
HOST = """\
profile = "linux-6.18"
small_queue = "off"
small_queue_shift = "off"
window_validation = "none"
quick_acks = 0
rto_min = "1 s"
send_buffer_initial = "16 MiB"
send_buffer_max = "16 MiB"
receive_buffer_initial = "724000 B"
receive_buffer_max = "724000 B"
right_sizing = "twice-read"
receive_window_share = 0
initial_receive_window = 500
recovery.detection = "sacks"
recovery.tail_loss_probe = false
recovery.frto = false
recovery.timestamp_undo = false
recovery.duplicate_sack_undo = false
"""

N, AC = "802.11n", "802.11ac"
CELLS = {
    "n-1-udp": Cell(N, (36,)),
    "n-2-udp": Cell(N, (36, 36)),
    "n-3-udp": Cell(N, (36, 36, 36)),
    "n-1-tcp": Cell(N, (36,), tcp=True),
    "n-2-tcp": Cell(N, (36, 36), tcp=True),
    "ac-1-udp": Cell(AC, (36,)),
    "ac-2-udp": Cell(AC, (36, 36)),
    "ac-3-udp": Cell(AC, (36, 36, 36)),
    "ac-1-tcp": Cell(AC, (36,), tcp=True),
    "ac-2-tcp": Cell(AC, (36, 36), tcp=True),
    "apart-udp": Cell(N, (36, 44)),
    "apart-tcp": Cell(N, (36, 44), tcp=True),
    "weak-udp": Cell(N, (36, 36), places=(0, 26)),
    "weak-tcp": Cell(N, (36, 36), tcp=True, places=(0, 26)),
    "hidden-udp": Cell(N, (36, 36), places=(0, 80)),
    "row-udp": Cell(N, (36, 36, 36), places=(0, 40, 80)),
    "two-rates-udp": Cell(N, (36, 36), rates=("MCS 7", "MCS 0")),
    "wide-udp": Cell(N, (36, 36), widths=(40, 20)),
    "upper-udp": Cell(N, (36, 40), widths=(40, 20), places=(0, 5)),
    "upper-changed-udp": Cell(N, (36, 40), widths=(40, 20), places=(0, 5)),
}


def ran(program: str, name: str, seed: int) -> list[float]:
    """Return what each network of a cell has in ns-3 in Mbit/s."""
    command = [program, name, f"--duration={CELLS[name].seconds}", f"--RngRun={seed}"]
    return [float(mbps) for mbps in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()]


def measured(program: str, name: str) -> list[float]:
    """Return the mean over as many seeds.

    A seed with a network that has nothing at all is passed over: an agreement that is asked for as others send may
    deliver nothing for good in ns-3 3.37, though what goes under it is acknowledged.
    """
    whole = (found for seed in itertools.count(1) if all(found := ran(program, name, seed)))
    runs = itertools.islice(whole, len(SEEDS))
    return [round(sum(of) / len(of), 2) for of in zip(*runs, strict=True)]


def main() -> None:
    """Measure each cell and write the file."""
    program = compiled(SOURCE)
    rows = [f"{json.dumps(name)}: {json.dumps(measured(program, name))}" for name in CELLS]
    FILE.write_text("{\n  " + ",\n  ".join(rows) + "\n}\n", encoding="utf-8")
    sys.stdout.write(f"{FILE.relative_to(HERE.parent)} written\n")


if __name__ == "__main__":
    main()
