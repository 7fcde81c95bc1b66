"""What follows from a folder for what is held: the same in every home, whatever came between."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct, field

from actors.policy.statements.sources import Act, HeldCopy, steps
from daemon.share.folder import seen, take_out, write
from daemon.share.note import FOLDER, Note, written
from tests.repositories import git
from tests.share.test_note import NOTE

HISTORIES: Final = 1_000
MOVES: Final = 30  # of one history
Files = dict[str, bytes]  # what each note says


class House(Struct):
    """A home with a clone: what it shares itself, and what it holds of others."""

    files: Files = field(default_factory=Files)
    own: Files = field(default_factory=Files)
    held: dict[str, HeldCopy] = field(default_factory=dict[str, HeldCopy])

    def look(self, files: Files | None = None, unreadable: Collection[str] = ()) -> None:
        """Look at the folder, or at one that git has only just begun to write."""
        there = {
            one: said
            for one, said in (self.files if files is None else files).items()
            if one not in unreadable
        }
        for act, note in list(steps(there, self.held, self.own, unreadable)):
            self.held[note] = (
                HeldCopy(self.held[note].digest, is_gone=True)
                if act is Act.END
                else HeldCopy(there[note])
            )

    @property
    def known(self) -> Files:
        """Notes with what each says, as this home knows them: its own, and what is told of others."""
        mine = {one: said for one, said in self.own.items() if self.files.get(one) == said}
        return mine | {one: it.digest for one, it in self.held.items() if not it.is_gone}


def merged(base: Files, ours: Files, theirs: Files, chance: random.Random) -> Files:
    """Merge as git does, file by file; a person decides a conflict one way or the other."""
    found: Files = {}
    for one in {*base, *ours, *theirs}:
        mine, other, before = ours.get(one), theirs.get(one), base.get(one)
        if mine != other:
            mine = (
                other
                if mine == before
                else mine
                if other == before
                else chance.choice((mine, other))
            )
        if mine is not None:
            found[one] = mine
    return found


def said(chance: random.Random) -> bytes:
    """What a note may say; of few, so that one comes back."""
    return bytes([chance.randrange(4)])


def test_a_thousand_random_histories_of_two_clones_end_in_one_state() -> None:
    for seed in range(HISTORIES):
        chance = random.Random(seed)
        houses, base, number = (House(), House()), Files(), 0
        for _ in range(MOVES):
            house = chance.choice(houses)
            there = sorted(house.files)
            match chance.choice("share edit change delete look look half branch merge".split()):
                case "share":
                    number += 1
                    house.own[f"note-{number}"] = house.files[f"note-{number}"] = said(chance)
                case "edit" if house.own:
                    one = chance.choice(sorted(house.own))
                    house.own[one] = house.files[one] = said(chance)
                case "change" if there:
                    house.files[chance.choice(there)] = said(chance)
                case "delete" if there:
                    del house.files[chance.choice(there)]
                case "half":
                    house.look(unreadable=chance.sample(there, len(there) // 2))
                case "branch":
                    house.look(base)
                case "merge":
                    base = merged(base, houses[0].files, houses[1].files, chance)
                    for each in houses:
                        each.files = dict(base)
                case _:
                    house.look()
        last = merged(base, houses[0].files, houses[1].files, chance)
        for each in houses:
            each.files = dict(last)
            each.look()

        assert houses[0].known == houses[1].known == last, seed


FILES: Final = {"a": b"1", "b": b"2"}


@pytest.mark.parametrize(
    ("held", "own", "unreadable", "expected"),
    [
        ({}, {}, (), [(Act.TAKE, "a"), (Act.TAKE, "b")]),
        ({"a": HeldCopy(b"1"), "b": HeldCopy(b"1")}, {}, (), [(Act.TAKE, "b")]),
        ({"a": HeldCopy(b"1", is_gone=True)}, {"b": b"2"}, (), [(Act.BACK, "a")]),
        ({"a": HeldCopy(b"1"), "b": HeldCopy(b"2"), "c": HeldCopy(b"3")}, {}, (), [(Act.END, "c")]),
        ({"a": HeldCopy(b"1"), "b": HeldCopy(b"2"), "c": HeldCopy(b"3")}, {}, ("c",), []),
        ({"a": HeldCopy(b"1"), "b": HeldCopy(b"9")}, {"b": b"2"}, (), [(Act.END, "b")]),
        ({"a": HeldCopy(b"1")}, {"b": b"1"}, (), [(Act.TAKE, "b")]),
    ],
    ids=[
        "new",
        "changed",
        "back",
        "gone",
        "unreadable",
        "own again",
        "own, made another by others",
    ],
)
def test_a_step_follows_from_the_folder_and_what_is_held(
    held: Mapping[str, HeldCopy],
    own: Files,
    unreadable: Collection[str],
    expected: list[tuple[Act, str]],
) -> None:
    assert list(steps(FILES, held, own, unreadable)) == expected


# ---- with git itself


def clone(folder: Path, name: str) -> Path:
    git(folder, "clone", "--quiet", "origin.git", name)
    return folder / name


def note(number: int, text: str) -> Note:
    return Note(
        id=f"note-{number:04}", kind="decision", title=f"Note {number}", text=text, by="Ada",
        when=NOTE.when,
    )  # fmt: skip


def synchronised(root: Path, *, rebase: bool) -> None:
    """Commit, pull with one side of each conflict, and push."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "notes")
    how = ["--rebase", "-X", "ours"] if rebase else ["--no-rebase", "--no-edit", "-X", "ours"]
    try:
        git(root, "pull", "--quiet", *how)
    except subprocess.CalledProcessError:  # one changed what the other took out: it stays
        while seen(root).busy:
            git(root, "add", "--all")
            git(root, "-c", "core.editor=true", *(["rebase", "--continue"] if rebase else ["commit", "--no-edit"]))  # fmt: skip
    git(root, "push", "--quiet")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_two_clones_of_git_end_in_one_state_by_merges_and_rebases(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    roots = clone(tmp_path, "ada"), clone(tmp_path, "bob")
    git(roots[0], "commit", "--quiet", "--allow-empty", "--message", "first")
    git(roots[0], "push", "--quiet", "--set-upstream", "origin", "HEAD")
    git(roots[1], "pull", "--quiet")
    houses = House(), House()
    for number in range(12):
        place = chance.randrange(2)
        root, house = roots[place], houses[place]
        there = seen(root)
        if there.notes and chance.random() < 0.4:
            take_out(root, [chance.choice(sorted(there.files.values()))])
        elif there.notes and chance.random() < 0.5:
            one = chance.choice(sorted(there.notes))
            file, anew = there.files[one], note(int(one[-4:]), f"anew {number}")
            write(root, {file: written(anew)})
        else:
            write(root, {f"{number}.md": written(note(number, f"said {number}"))})
        house.look(seen(root).digests)
        if chance.random() < 0.5:
            synchronised(root, rebase=chance.random() < 0.5)
            house.look(seen(root).digests)
    for root in (*roots, roots[0]):
        synchronised(root, rebase=False)
    for house, root in zip(houses, roots, strict=True):
        house.files = seen(root).digests
        house.look()

    assert houses[0].known == houses[1].known == seen(roots[0]).digests
    assert seen(roots[0]).digests == seen(roots[1]).digests
    assert (roots[0] / FOLDER).exists() == bool(houses[0].known)
