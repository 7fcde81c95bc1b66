"""No text makes redaction slow: its cost beside that of the simplest scan there is.

Beside `test_growth.py` and not in the policy's room: the measurement of coverage, under which `make test-all`
runs that room, slows Python and leaves the yardstick as it is.
"""

import random
import re
import string
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import actors.policy.events.redaction as redaction
from actors.policy.events.literals import Literals
from actors.policy.events.named_secrets import name_scan
from actors.policy.events.personal_data import personal_scan
from actors.policy.events.redaction import redacted
from actors.policy.events.secret_shapes import LITERALS, shape_scan
from actors.policy.events.secret_tokens import run_scan
from actors.policy.events.secret_words import STEMS

SIZE = 16 * 1024
FILLERS = (
    "a", "=", " ", "sk" + "-", "password=", "password: a1!", "token:", 'token="', "key key ", "key",
    "-----BEGIN", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----",
    string.ascii_letters + string.digits + "+/", ".", '"', "'", "\\", "ey", "ey" + "J",
    "-ey" + "J", "-ey" + "J.", "@", "a@", "a@a.", "0", "1234567890", "1.", "1.1.1.", ":", "::", "a:",
    "\n", "\\n", "://", "://a:", "://a:b", "curl -u a:", "mysql -p", "ookie:a=", "kind: Secret ",
    "kind: Secret data:\n", "data:", "a: bbbb\n", "SG.", "hvs.", "Bearer ", "basic ", "passport1",
    "a/", "a_", "aB3", "authress_aaaaa.", "MAAA.", "%41sk" + "-", "\u0130", "|", "000-00-", "123-45-",
    "password 'a ", "пароль ", "pw,a\n", "password=correct horse ", 'key: "value ', "as the password ",
    "mysql -p a -p b ", "insert into a (password) values ('a'),", "user  password\nbob  x1\n",
    "-----BEGIN CERTIFICATE-----", "cGFzc3dvcmQ9", "<<< passwd ", "set password for ",
    "a,token,", '"token","', "A3-", "login password ", "--password ", "<password>", "token value=",
    "name: token\n value: ", "&sig=", "1Q~", ".atlasv1.", "s.", '{"', "[REDACTED]", "auth", "Secret",
)  # fmt: skip


ALL = Literals((*STEMS, *LITERALS))
RULES: tuple[tuple[str, Callable[[str, list[tuple[int, int, str]]], None]], ...] = (
    (
        "literals",
        lambda text, spans: spans.extend((at, at, "") for at, _ in ALL.hits(text.lower())),
    ),
    ("runs", lambda text, spans: run_scan(text, text.encode("ascii", "replace"), spans)),
    ("names", lambda text, spans: name_scan(text, Literals(STEMS).hits(text.lower()), spans)),
    ("shapes", lambda text, spans: shape_scan(text, ALL.hits(text.lower()), spans)),
    (
        "personal data",
        lambda text, spans: personal_scan(text, text.encode("ascii", "replace"), spans),
    ),
)


def cpu(work: Callable[[], object], enough: float = 0.0) -> float:
    """The least CPU of several goes, in seconds; another go is given until it is below `enough`."""
    best = float("inf")
    for go in range(12):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
        if best < enough or (go == 2 and not enough):
            break
    return best


@pytest.fixture(scope="module")
def yardstick() -> float:
    """CPU of the simplest scan there is: a match for each character of 16 KiB (2 ms here)."""
    text = "ab" * (SIZE // 2)
    return cpu(lambda: sum(1 for _ in re.finditer(".", text)))


def filled(filler: str, size: int) -> str:
    return (filler * (size // len(filler) + 1))[:size]


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_no_filler_makes_a_rule_slow(
    name: str, rule: Callable[[str, list[tuple[int, int, str]]], None], yardstick: float
) -> None:
    for filler in FILLERS:
        cost = cpu(partial(rule, filled(filler, SIZE), []), enough=32 * yardstick)

        assert cost < 32 * yardstick, f"{name} on {filler!r}: {cost * 1e3:.1f} ms"


def test_random_mixtures_of_fillers_are_not_slow_either(yardstick: float) -> None:
    scan = redaction._spans  # pyright: ignore[reportPrivateUsage]
    for seed in range(8):
        draw = random.Random(seed)
        chosen = draw.sample(FILLERS, 12)
        text = "".join(draw.choice(chosen) for _ in range(SIZE))[:SIZE]

        cost = cpu(partial(scan, text), enough=30 * yardstick)

        assert cost < 30 * yardstick, f"seed {seed}: {cost * 1e3:.1f} ms"


def test_the_cost_grows_with_the_length_and_not_with_its_square(yardstick: float) -> None:
    for filler in FILLERS:
        small = cpu(partial(redacted, filled(filler, SIZE // 2)))
        allowed = 8 * small + yardstick  # four times the text; sixteen times would be its square

        large = cpu(partial(redacted, filled(filler, SIZE * 2)), enough=allowed)

        assert large < allowed, f"{filler!r}: {small * 1e3:.1f} ms, then {large * 1e3:.1f} ms"


def test_ordinary_text_costs_less_than_looking_at_each_character(yardstick: float) -> None:
    source = Path(redaction.__file__).with_name("cutting.py").read_text(encoding="utf-8")
    texts = [source[at : at + 1024] for at in range(0, 4096, 1024)] * 4
    redacted(source)  # patterns compiled

    cost = cpu(lambda: [redacted(text) for text in texts], enough=2 * yardstick)

    assert cost < 2 * yardstick
