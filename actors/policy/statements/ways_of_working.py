"""Ways of working: rules of a person that bear on every session of a project, whatever it is about.

Who types "keep the padding for the play button" or "use this file for seeding" gives an order for one
feature. "Use the strong types wherever we can" and "never edit the seeds" hold for whoever works there
next, and these alone are told as a session starts (docs/adr/0018).
"""

from typing import Final

from actors.policy.text.words import caseless

LONGEST: Final = 160  # characters: a longer one tells of the work itself

# How and where work is done; a rule without any of these is about what is made.
_TRADE: Final = caseless(
    r"\b(?:cod(?:e|ing|ebase)|tests?|testing|commit\w*|branch\w*|docs?|document\w*|files?|filename|folders?"
    r"|review\w*|build\w*|plans?|types?|comments?|logg?(?:ing|s)?|console|terminal|naming|conventions?"
    r"|dependenc\w+|versions?|simpl(?:e|er|icity|if\w+)|maint(?:ain\w*|enance)|duplicat\w+|parallel|refactor\w*|mocks?|production"
    r"|secrets?|environment|errors?|lint\w*|scripts?|packages?|librar\w+|schema|migrations?|seeds?|features?"
    r"|modules?|components?|changes|prs?|pull requests?|issues?|tasks?|subagents?|rules?|skills?|models?|push\w*"
    r"|line endings?|diagrams?|services?|tools?|call sites?|interfaces?|ci)\b|\w\.\w{1,4}\b|\w:\w"
)
# What the product shows: a sentence about it specifies the product.
PRODUCT: Final = caseless(
    r"\b(?:click\w*|buttons?|dialogs?|modals?|pages?|screens?|tabs?|menus?|rows?|columns?|icons?|users?|popups?"
    r"|headers?|footers?|layouts?|padding|borders?|colou?r\w*|fonts?|themes?|charts?|circles?|nodes?|dropdowns?"
    r"|fields?|images?|box(?:es)?|display\w*|show\w*|views?|sidebar|labels?|text area|autocomplete|tables?|sections?)\b"
)
# What a sentence in passing has that says how to work.
_GENERAL: Final = caseless(
    r"\b(?:always|never|avoid|prefer|whenever|wherever|everywhere|as much as possible|if we can|by default|long-term"
    r"|consisten\w+|simpl(?:e|er|icity|ify)|maintainab\w+|duplicat\w+|instead of|rather than)\b"
    r"|^(?:please )?(?:don['’]?t|do not|use|using|keep|stick)\b|^(?:for|in|with) (?:all|every|each|any)\b|^when (?:you|we|\w+ing)\b"
    r"|\bshould(?:n['’]t| not)? be using\b|\b(?:shouldn['’]t|should not|don['’]t want to) (?:use|rely)\b"
)
# The rest of a sentence, without its subject or its end: "never executes the logic", "always in the
# .gitignore", "when adding items and when you need".
_FRAGMENT: Final = caseless(
    r"\A\W{0,9}(?:not|nor|but|and|or|then|using|going|to)\b"
    r"|\A(?:always|never) (?:\w+[^su\W]s|\w+ed|in|on|at|for|from|more|the|read|been)\b"
    r"|\A(?:when|whenever|if)\b[^,]*+\Z|[(\[][^()\[\]]*+\Z|\A[^()]*+\)"
)
# Of one task, one moment or one thing at hand.
_AT_HAND: Final = caseless(
    r"\b(?:plan (?:for|to|of)|in the plan|issue #?\d+|T\d+|step \d+|focus(?:ed|ing)?|until|existing|the new|as i said"
    r"|such|both|is too|are too|i (?:need|want) (?:an?|you to)|i(?:['’]d| would) (?:like|love) to|just(?! use))\b"
    r"|\bone [\w-]+ at a time\b|\bin the future, i\b"
)


def is_for_every_session(text: str, *, wish: bool) -> bool:
    """Tell whether a rule of the user is told at the start of any session of its project.

    A ``wish`` was said in passing: it must say besides that it holds in general.
    """
    if len(text) > LONGEST or any(one.search(text) for one in (PRODUCT, _FRAGMENT, _AT_HAND)):
        return False
    return _TRADE.search(text) is not None and (not wish or _GENERAL.search(text) is not None)
