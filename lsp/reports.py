"""Reports: a dream, a plan, and the plans that wait, as read-only documents.

Pure. Their addresses are ``reverie://dream/3.md``, ``reverie://plan/7.md`` and
``reverie://plans/open.md``; ``lsp.pages`` says why such pages are no files. Titles and
insights are data: what Markdown would read as markup is escaped.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from daemon.requests.dreams import DreamReport, InsightView
from daemon.requests.plans import PlanView, StepView
from daemon.requests.wording import (
    ACTS,
    KINDS,
    MEANING,
    STATES,
    connected_line,
    counted,
    dream_line,
    proposed_by,
    stage_lines,
    step_words,
    title_of,
)
from lsp.hovers import age, literal
from lsp.pages import SCHEME

WAITING = f"{SCHEME}://plans/open.md"
_NUMBERED = re.compile(rf"{SCHEME}://(dream|plan)/(\d{{1,18}})\.md")
STEPS = 200  # of a plan that a page has


def address(kind: Literal["dream", "plan"], number: int) -> str:
    """Address at which an editor finds this dream or plan."""
    return f"{SCHEME}://{kind}/{number}.md"


def report_at(uri: str) -> tuple[str, int] | None:
    """Tell which dream or plan is at this address; ``None`` for another address."""
    found = _NUMBERED.fullmatch(uri)
    return (found[1], int(found[2])) if found else None


# ---- dreams


def dream_page(report: DreamReport, now: float) -> str:
    """Page of what was replayed, connected and why, noticed and proposed."""
    one = report.dream
    parts = [
        f"# Dream {one.id}",
        f"{dream_line(one)}. It began {age(now - one.began_at)}, for {literal(one.why)}.",
    ]
    if stages := list(stage_lines(one)):
        parts.append("\n".join(f"- {line}" for line in stages))
    if report.insights:
        parts += ["## Noticed", "\n".join(map(_insight, report.insights))]
    if report.connections:
        parts += [
            "## Connected most strongly",
            "\n".join(
                f"- {literal(pair.one_title)} ({pair.one}) and {literal(pair.other_title)}"
                f" ({pair.other}): {connected_line(pair)}: {literal(pair.evidence)}"
                for pair in report.connections
            ),
        ]
    if report.proposed:
        parts += [
            "## Proposed",
            "\n".join(
                f"- Plan {plan.id} ({STATES.get(plan.state, plan.state)}):"
                f" {ACTS.get(plan.act, plan.act)}"
                f" {counted(plan.memories, 'memory', 'memories')}, {literal(plan.reason)}"
                for plan in report.proposed
            ),
        ]
        if any(plan.state == "open" for plan in report.proposed):
            parts.append("Nothing of this is done before you agree.")
    return "\n\n".join(parts) + "\n"


def _insight(one: InsightView) -> str:
    label = KINDS.get(one.kind, one.kind)
    seen = [f"from {', '.join(one.sources[:8])}"] if one.sources else []
    return (
        f"- **{label}** ({one.id}): {literal(one.text)}"
        f" — {literal('; '.join([*seen, *one.evidence]))}"
    )


# ---- plans


def plans_page(plans: Sequence[PlanView], now: float) -> str:
    """Everything that waits for a person."""
    if not plans:
        return "# Plans\n\nNo plan waits.\n"
    said = "Nothing of this is done before you agree, and all of it can be taken back."
    return "\n".join(["# Plans", "", said, "", *(plan_page(one, now, "##", 20) for one in plans)])


def plan_page(one: PlanView, now: float, heading: str = "#", most: int = STEPS) -> str:
    """One plan: what, why, to which memories, and what came of it."""
    facts = [
        f"- Why: {literal(one.reason)}",
        f"- From: {proposed_by(one)}, {age(now - one.proposed_at)}",
        f"- Means: {MEANING.get(one.act, one.act)}",
        *([f"- Result: {literal(one.note)}"] if one.note else []),
        f"- {_next(one)}",
    ]
    parts = [
        f"{heading} Plan {one.id}: {title_of(one)} ({STATES[one.state]})",
        "\n".join(facts),
        *([f"> {literal(one.summary)}"] if one.summary else []),
        f"{heading}# Step by step",
        "\n".join(_steps(one.steps, most)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _next(one: PlanView) -> str:
    match one.state:
        case "open":
            return "It waits: it can be applied, or dismissed"
        case "applied":
            return "It can be undone"
        case "undone" | "dismissed":
            return "It can be applied after all"
        case "stale":
            return "It would be proposed anew"


def _steps(steps: Sequence[StepView], most: int) -> Iterable[str]:
    for step in steps[:most]:
        what = step_words(step.act, step.argument)
        said = "; ".join(literal(words) for words in (step.evidence, step.outcome) if words)
        yield f"- {what} {step.memory} {literal(step.title)}" + (f" — {said}" if said else "")
    if len(steps) > most:
        yield f"- and {len(steps) - most} more"
