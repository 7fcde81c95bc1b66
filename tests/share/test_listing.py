"""What `reverie share` lists: every note that is there, and of those that went the first ones."""

from daemon.api.shared import GONE, TOLD, SharedNotes, SharedPage, SharedView


def note(number: int, *, by: str = "Bob", state: str = GONE) -> SharedView:
    return SharedView(id=f"m{number}", by=by, title=f"T{number}", file="t.md", state=state)


def test_notes_of_others_whose_files_went_are_counted_behind_the_first_ones() -> None:
    notes = [note(one) for one in range(TOLD + 3)]
    there = [note(90, state=""), note(91, by="")]
    page = SharedPage(remote="r", trusted="r", busy="", unread=0, notes=[*notes, *there], faults=[])

    lines = list(SharedNotes().lines(page))

    assert [line[0] for line in lines[:-1]] == [*(f"m{one}" for one in range(TOLD)), "m90", "m91"]
    assert lines[-1] == "and 3 notes of others whose file is gone"
