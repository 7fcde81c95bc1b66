"""No text makes redaction slow: its cost beside that of one pattern tried at each character.

Beside `test_growth.py` and not in the policy's room: the measurement of coverage, under which `make test-all`
runs that room, slows Python and leaves the yardstick as it is.
"""

import math
import random
import re
import string
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import actors.policy.secrets.redaction as redaction
from actors.policy.events import cutting
from actors.policy.secrets.named_secrets import name_scan
from actors.policy.secrets.redaction import personal_scan, redacted
from actors.policy.secrets.secret_shapes import LITERALS, shape_scan
from actors.policy.secrets.secret_tokens import run_scan
from actors.policy.secrets.secret_words import STEMS, Literals
from tests.costs import ratio

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
    "unlock a ", "phrase aa bb cc dd ", "pin: ", "password aaa bbb ccc ", "password | a ", "password a'b ",
    "use aaa bbb ccc ddd as the password ", "| password | x\n", "name: token\n value: ", "&sig=", "1Q~", ".atlasv1.", "s.", '{"', "[REDACTED]", "auth", "Secret",
)  # fmt: skip


ALL = Literals((*STEMS, *LITERALS))
NAMES = Literals(STEMS)
RULES: tuple[tuple[str, Callable[[str, list[tuple[int, int, str]]], None]], ...] = (
    (
        "literals",
        lambda text, spans: spans.extend((at, at, "") for at, _ in ALL.hits(text.lower())),
    ),
    ("runs", lambda text, spans: run_scan(text, text.encode("ascii", "replace"), spans)),
    ("names", lambda text, spans: name_scan(text, NAMES.hits(text.lower()), spans)),
    ("shapes", lambda text, spans: shape_scan(text, ALL.hits(text.lower()), spans)),
    (
        "personal data",
        lambda text, spans: personal_scan(text, text.encode("ascii", "replace"), spans),
    ),
)


_TRIED = re.compile(r"[a-z]{1,8}=")
_WORDS = ("ab " * SIZE)[:SIZE]


def yardstick() -> None:
    """Try a pattern at each character of 16 KiB, by a call each, as the rules do (3 ms here).

    One scan within the engine of patterns was a worse unit: a neighbour on the same core slows calls of
    Python by two and such a scan by less, and the same rule cost from 18 to 41 of them, but 11 to 17 of these.
    """
    for at in range(SIZE):
        _tried(at)


def _tried(at: int) -> bool:
    return _TRIED.match(_WORDS, at) is not None


def in_yardsticks(work: Callable[[], object], enough: float = math.inf) -> float:
    """Cost of the work, in turn with the yardstick."""
    return ratio(work, yardstick, enough)


def filled(filler: str, size: int) -> str:
    return (filler * (size // len(filler) + 1))[:size]


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_no_filler_makes_a_rule_slow(
    name: str, rule: Callable[[str, list[tuple[int, int, str]]], None]
) -> None:
    for filler in FILLERS:
        cost = in_yardsticks(partial(rule, filled(filler, SIZE), []), 18)

        assert cost < 18, f"{name} on {filler!r}: {cost:.1f} yardsticks"


def test_random_mixtures_of_fillers_are_not_slow_either() -> None:
    """In the mean: which names of secrecy lie side by side decides between 6 and 18."""
    scan = redaction._spans  # pyright: ignore[reportPrivateUsage]
    mixtures: list[str] = []
    for seed in range(8):
        draw = random.Random(seed)
        chosen = draw.sample(FILLERS, 12)
        mixtures.append("".join(draw.choice(chosen) for _ in range(SIZE))[:SIZE])

    cost = in_yardsticks(lambda: [scan(text) for text in mixtures], 8 * 13.7)

    assert cost < 8 * 13.7


@pytest.mark.slow
def test_the_cost_grows_with_the_length_and_not_with_its_square() -> None:
    for filler in FILLERS:
        small, large = (partial(redacted, filled(filler, SIZE * n // 2)) for n in (1, 4))

        # Four times the text; sixteen times would be its square.
        allowed = 8 * in_yardsticks(small) + 1
        cost = in_yardsticks(large, allowed)

        assert cost < allowed, f"{filler!r}: {cost:.1f} yardsticks instead of {allowed:.1f}"


def test_ordinary_text_costs_about_one_pattern_tried_at_each_character() -> None:
    source = Path(cutting.__file__).read_text(encoding="utf-8")
    texts = [source[at : at + 1024] for at in range(0, 4096, 1024)] * 4
    redacted(source)  # patterns compiled

    assert in_yardsticks(lambda: [redacted(text) for text in texts], 1.14) < 1.14
