"""What the machine says of two uploads, read."""

from kernel.two_uploads import reaction

LINE = "trace 0 {at:.3f} {window} 2147483647 14.0 0 0 9 47200"


def said(*seen: tuple[float, int]) -> list[str]:
    return ["kernel 6.12", *(LINE.format(at=at, window=window) for at, window in seen), "trace 1 20.010 1 0 0 0 0 0 0"]


def test_the_time_to_half_the_window_counts_from_the_fall() -> None:
    assert reaction(said((19.99, 38), (20.0, 40), (20.01, 40), (20.05, 19), (20.06, 3), (21.01, 4))) == (40, 4, 50)


def test_a_window_that_stays_took_no_time() -> None:
    assert reaction(said((20.0, 40), (20.5, 20), (21.01, 40), (22.0, 3))) == (40, 40, None)
