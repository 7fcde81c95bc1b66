"""``plans`` and ``plan``: what would be done to memories, and a person decides."""

from collections.abc import Iterator

import click

from daemon.commands.terminal.conversation import asked
from daemon.commands.terminal.numbers import row_number
from daemon.commands.terminal.output import (
    age,
    counted,
    now,
    one_line,
    page_width,
    print_found,
    print_json,
    printable,
    say,
    styled,
    table,
)
from daemon.requests.plans import (
    ApplyPlan,
    DismissPlan,
    Plans,
    PlanShown,
    PlanView,
    ShowPlan,
    StepView,
    UndoPlan,
)
from daemon.requests.wording import MEANING, OVER, STATES, acts_of, proposed_by, step_words

LEFT_OUT = 20  # steps shown before the rest is only counted


@click.command()
@click.option("--all", "every", is_flag=True, help="Also those that were decided.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def plans(every: bool, as_json: bool) -> None:
    """Show what reverie would tidy up, and has not.

    Nothing is re-tiered, archived or forgotten before somebody agrees,
    and all of it can be taken back.
    """
    page = asked(Plans(state=None if every else "open"))
    moment = now()
    rows = [
        [
            str(one.id),
            acts_of(one),
            one.reason,
            f"{proposed_by(one)}, {age(moment - one.proposed_at)}",
            "" if one.state == "open" else STATES[one.state],
        ]
        for one in page.plans
    ]
    none = "no plan waits" if not every else "there are no plans"
    is_open = any(one.state == "open" for one in page.plans)
    more = "look: reverie plan show ID; then reverie plan apply ID, or dismiss ID"
    print_found(page, as_json, rows, none, more=more if is_open else "")


@click.group()
def plan() -> None:
    """Look at one plan, do it, take it back, or leave it."""


@plan.command()
@click.argument("id_", metavar="ID", type=row_number)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def show(id_: int, as_json: bool) -> None:
    """Show what would happen, to what, and why."""
    shown = asked(ShowPlan(id=id_))
    say(shown, as_json, "\n".join(described(shown.plan, now(), page_width())))


@plan.command()
@click.argument("id_", metavar="ID", type=row_number)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def apply(id_: int, as_json: bool) -> None:
    """Do what a plan says, all of it at once."""
    shown = asked(ApplyPlan(id=id_))
    _tell(shown, as_json, applied_line(shown), failed=shown.plan.state != "applied")


@plan.command()
@click.argument("id_", metavar="ID", type=row_number)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def undo(id_: int, as_json: bool) -> None:
    """Take back what a plan did: everything is as it was."""
    shown = asked(UndoPlan(id=id_))
    _tell(shown, as_json, undone_line(shown), failed=shown.plan.state == "applied")


@plan.command()
@click.argument("id_", metavar="ID", type=row_number)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def dismiss(id_: int, as_json: bool) -> None:
    """Leave everything as it is; it is not proposed again for 90 days."""
    shown = asked(DismissPlan(id=id_))
    if shown.count:
        said = f"plan {id_} is left: nothing changes, and it is not proposed again for 90 days"
    elif shown.plan.state == "applied":
        said = f"plan {id_} is done already: reverie plan undo {id_} takes it back"
    else:
        said = f"plan {id_} is {STATES[shown.plan.state]} already"
    _tell(shown, as_json, said, failed=shown.plan.state == "applied")


def _tell(shown: PlanShown, as_json: bool, said: str, *, failed: bool) -> None:
    """Print what a decision came to; a failed one ends the command with 1."""
    if as_json:
        print_json(shown)
    else:
        click.echo(one_line(said))
        for step in shown.plan.steps if shown.count else ():
            if step.outcome not in ("", "done", "restored"):
                click.echo(one_line(f"  {step.memory}: {step.outcome}"))
    if failed:
        raise click.exceptions.Exit(1)


def applied_line(shown: PlanShown) -> str:
    """Outcome of applying, in a line."""
    one = shown.plan
    if one.state != "applied":
        return f"nothing was done: {one.note or 'the plan is out of date'}"
    undo_it = f"take it back: reverie plan undo {one.id}"
    if not shown.count:
        return f"plan {one.id} was done before; {undo_it}"
    return f"plan {one.id} is done ({acts_of(one, done=True)}); {undo_it}"


def undone_line(shown: PlanShown) -> str:
    """Outcome of undoing, in a line."""
    one = shown.plan
    if one.state == "applied":
        return one.note or "nothing could be taken back"
    if not shown.count:
        state = "was taken back before" if one.state == "undone" else "was not done"
        return f"plan {one.id} {state}: nothing changed"
    restored = sum(step.outcome == "restored" for step in one.steps)
    note = f" ({one.note})" if one.note else ""
    return f"taken back: {counted(restored, 'memory', 'memories')} as before{note}"


def described(one: PlanView, moment: float, width: int) -> Iterator[str]:
    """A plan in words: what, why, to which memories, and what to do about it."""
    proposed = f"{proposed_by(one)}, {age(moment - one.proposed_at)}"
    yield styled(f"plan {one.id}: {acts_of(one)}", bold=True) + f" ({STATES[one.state]})"
    yield from table(
        [
            ["why", one.reason],
            ["from", proposed],
            ["means", MEANING.get(one.act, OVER)],
            *([["result", one.note]] if one.note else []),
        ],
        width,
    )
    if one.summary:
        yield "\ntext"
        yield printable(one.summary)
    yield ""
    rows = [_step(step) for step in one.steps[:LEFT_OUT]]
    yield from (f"  {line}" for line in table(rows, width - 2))
    if len(one.steps) > LEFT_OUT:
        yield f"  and {len(one.steps) - LEFT_OUT} more (--json has all of them)"
    yield ""
    yield what_to_do(one)


def _step(step: StepView) -> list[str]:
    what = step_words(step.act, step.argument)
    return [step.memory, what, step.evidence, step.outcome, step.title]


def what_to_do(one: PlanView) -> str:
    """The commands that make sense now."""
    if one.act not in MEANING and one.state != "applied":
        return f"leave it: reverie plan dismiss {one.id}"
    match one.state:
        case "open":
            return f"do it: reverie plan apply {one.id}    leave it: reverie plan dismiss {one.id}"
        case "applied":
            return f"take it back: reverie plan undo {one.id}"
        case "undone" | "dismissed":
            return f"do it after all: reverie plan apply {one.id}"
        case "stale":
            return f"it would be proposed anew; forget about it: reverie plan dismiss {one.id}"
