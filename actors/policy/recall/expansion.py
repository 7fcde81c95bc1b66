"""Query expansion: the query with one word exchanged for its synonym of the trade.

Only whole words of prose are exchanged: an identifier, a path or a quoted text means what it says. What
only a variant finds counts half of what the query itself would: a synonym in place of a person's
word is a guess (docs/recall-ablation.md).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

VARIANTS: Final = 2  # beside the query itself
READ: Final = 2_000  # characters of a query in which words are looked for
WORTH: Final = 0.5  # share of what a variant finds

# Word and synonym, in the words of authentication, errors, architecture, code and memory.
_PAIRS: Final = """
auth=authentication authentication=login authorization=permissions login=authentication
signin=login logout=session password=credential credential=password credentials=password token=jwt
jwt=token permission=authorization permissions=authorization sso=oauth oauth=sso roles=permissions
secrets=credentials error=exception errors=exceptions exception=error exceptions=errors bug=defect
crash=exception crashes=fails crashed=failed fails=error failing=broken failed=error failure=error
broken=failing fix=resolve fixed=resolved traceback=stacktrace hang=deadlock hangs=deadlock
flaky=intermittent slow=latency timeout=deadline outage=incident incident=outage api=endpoint
endpoint=route endpoints=routes route=endpoint database=db db=database cache=caching caching=cache
deploy=release deployed=released deployment=release release=deploy hosting=deployment queue=worker
jobs=worker background=async schema=migration migration=schema frontend=ui ui=frontend
backend=server architecture=design design=architecture monitoring=observability logging=logs
framework=library refactor=restructure rename=refactor function=method method=function test=spec
tests=specs testing=test config=configuration configuration=config settings=config environment=env
env=environment dependency=package dependencies=packages package=dependency library=package
lint=linter linter=lint linting=style formatting=formatter style=convention naming=convention
repo=repository repository=repo ci=pipeline pipeline=ci async=asynchronous concurrency=parallel
docs=documentation documentation=docs typed=types typing=types memory=note memories=notes
note=memory remember=recall recall=remember decided=chose decision=choice chose=decided
choose=decide reason=rationale why=because preference=prefer preferences=prefer prefer=preference
convention=rule rule=convention conventions=rules session=conversation conversation=session
embedding=vector embeddings=vectors search=retrieval plan=roadmap
"""
SYNONYMS: Final[Mapping[str, str]] = {
    word: other for word, _, other in (pair.partition("=") for pair in _PAIRS.split())
}
# A word that nothing joins to anything: `auth_token`, `src/auth` and `--cache` name one thing.
_WORD: Final = re.compile(r"(?<![\w./\\@:=#$`-])[A-Za-z]{2,}(?![\w/\\@=(`-]|[.:]+[\w/])")
_QUOTED: Final = re.compile(r'"[^"\n]*"|`[^`\n]*`')


def variants(query: str) -> list[tuple[str, str, str]]:
    """Two variants at most, each with the word that gave way and its synonym."""
    read = _QUOTED.sub(lambda run: '"' * len(run.group()), query[:READ])
    words: dict[str, re.Match[str]] = {}
    for match in _WORD.finditer(read):
        words.setdefault(match.group().lower(), match)
    found = [
        (query[: match.start()] + SYNONYMS[word] + query[match.end() :], word, SYNONYMS[word])
        for word, match in words.items()
        if word in SYNONYMS and SYNONYMS[word] not in words
    ]
    return found[:VARIANTS]


def joined(
    own: Mapping[int, float], others: Sequence[Mapping[int, float]], *, alike: bool
) -> dict[int, float]:
    """The query's scores with half of those of variants, where those are more.

    ``alike``: they have a common scale, as cosines. Scores of words have none, so that the best
    of another counts as half of the best of the query's own.
    """
    found = dict(own)
    for other in others:
        best = max(other.values(), default=0.0)
        scale = WORTH if alike else WORTH * max(own.values(), default=best) / (best or 1.0)
        better = {i: scale * score for i, score in other.items() if score > 0}
        found |= {i: max(score, found.get(i, score)) for i, score in better.items()}
    return found
