"""Commands that are operations: where each is, and its line of help; made by scripts/pages.py."""

DECLARED: dict[str, tuple[str, str]] = {
    "useful": ("api.strength:useful", "Say that a memory helped."),
    "useless": ("api.strength:useless", "Say that a memory did not help."),
    "pin": ("api.strength:pin", "Keep memories from fading."),
}
