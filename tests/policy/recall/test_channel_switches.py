"""Which of recall's channels are on (K01)."""

from __future__ import annotations

from actors.policy.recall.channel_switches import Settings


def test_what_did_not_help_is_off() -> None:
    assert Settings() == Settings(
        graph=True,
        degree=False,
        causes=False,
        spelling=True,
        anchors=True,
        expansion=False,
        hyde=False,
        routing=False,
        intent=False,
    )
