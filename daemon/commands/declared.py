"""Commands that are operations: where each is, and its line of help; made by scripts/pages.py."""

DECLARED: dict[str, tuple[str, str]] = {
    "about": ("api.about:about", "Find what bears on a file."),
    "confirm": ("api.claims:confirm", "Say that something supposed or noticed is so."),
    "refute": ("api.claims:refute", "Say that something is not so."),
    "edit": ("api.edit:edit", "Change the text of a memory, its tier or its strength."),
    "episodes": ("api.episodes:episodes", "Show which moments kept the turns around them."),
    "backfill": ("api.episodes:backfill", "Find what may explain a failure."),
    "forget": ("api.forget:forget", "Take memories out of recall."),
    "unforget": ("api.forget:unforget", "Bring forgotten or archived memories back."),
    "purge": ("api.forget:purge", "Erase memories for good."),
    "inbox": ("api.inbox:inbox", "Show what the reader wrote since you looked."),
    "injections": (
        "api.injections:injections",
        "Show what a session's prompts were told, and why.",
    ),
    "intend": ("api.intentions:intend", "Be reminded of something when it is time."),
    "link": ("api.link:link", "Say how one memory stands to another."),
    "unlink": ("api.link:unlink", "Take a link between two memories out."),
    "plans": ("api.plans:plans", "Show what reverie would tidy up, and has not."),
    "plan": ("api.plans:plan", "Look at one plan, do it, take it back, or leave it."),
    "reader": (
        "api.reader:reader",
        "Show the reader: its engine, what it read, and what comes next.",
    ),
    "recall": ("api.recall:recall", "Find what is known about something."),
    "remember": ("api.remember:remember", "Keep a text."),
    "session": ("api.sessions:session", "Show, and empty, the sessions of agents."),
    "start-page": (
        "api.start_page:start-page",
        "Show what a session that starts now would be told, and why each note stands there.",
    ),
    "stats": ("api.stats:stats", "Show how much of what there is."),
    "useful": ("api.strength:useful", "Say that a memory helped."),
    "useless": ("api.strength:useless", "Say that a memory did not help."),
    "pin": ("api.strength:pin", "Keep memories from fading."),
    "timeline": ("api.timeline:timeline", "Show what was remembered when."),
}
