"""Passphrases without quotes: words in a row that no sentence would hold.

People draw them from a list (Diceware, Reinhold 1995) and write them among other words. A sentence
has a word of grammar among any four; drawn words seldom do, and where one stands the phrase is
over. Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.secrets.secret_values import PLAIN, compiled

# Words of grammar, and those by which a sentence about a password goes on.
_GRAMMAR = PLAIN | frozenset(
    "about above across after again against ago ahead all along already also although always among and any"
    " anybody anymore anyone anything anyway around aside away back because before behind below beneath beside"
    " besides between beyond both but by can cannot did does doing done down during each either else ever every"
    " everybody everyone everything few first from further goes going gone had has have having he hence her here"
    " hers him his how however i if in inside instead into is its itself just last later less like likely lives"
    " made many may maybe me meanwhile might mine more most much must my near nearly need needs neither never"
    " next nobody nor nothing now of off often on once one only onto or other others ought our out outside over"
    " own per perhaps quite rather really same she should since so some somebody someone something sometimes"
    " somewhere soon still such than that the their them themselves then there these they thing things this those"
    " though through throughout thus till to together too toward towards two under unless until up upon us"
    " usually very via was we well were what whatever when whenever where whereas wherever whether which while"
    " who whoever whole whom whose why will with within without works would yet you yours yourself"
    " comes contains depends exists expires fails gets holds keeps leaks looks makes means points reads resides"
    " seems sits stays takes wants changes works lasts requires allows uses asks"
    " days hours minutes weeks months years digits letters symbols uppercase lowercase special daily weekly monthly"
    " yearly quarterly annually enforced disabled enabled mixed case complexity unique reuse history per parts"
    " allowed asked called compromised copied derived done found generated hashed injected kept known leaked"
    " left logged lost made mandatory managed masked needed overwritten printed prompted protected public recorded"
    " rejected retrieved rotated safe saved secure sent shown signed split stretched stripped"
    " aber als am an auf aus bei beim bis da damit dann dass dem den denn des dich dir doch du durch ein eine"
    " einem einen einer er es falls gegen hat hier ich ihr im in ins ja kann kein keine man mehr mein mit muss nach"
    " noch nur ob oder ohne schon sehr sein sich sie sind so soll über um und uns unter vom von vor war weil wenn"
    " werden wie wieder wird wo wurde zu zum zur gerade geändert gespeichert"
    " au aux avec car ce ces cette chez comme contre dans de depuis doit doivent donc du elle en entre et été être"
    " il ils je leur lui mais même mes moi mon ne nos nous on ou où par pas plus pour quand que qui sa sans se"
    " ses si son sont sous sur ta te toi ton tous tout trop tu un vos vous y connu contenir facultative"
    " al como con contra cuando de debe del desde donde el ella ellos en entre era esa ese eso esta este está han"
    " hasta hay la las lo los más mi mientras muy ni no nos o para pero por porque que se según ser si sido sin"
    " sobre solo son su sus también te tiene todo todos tu un una y ya conocida guardada"
    " bez do jak jako jej jen jsem jsou která které který na nebo nie od po pod pro przez się są tak też ve"
    " více v w z za ze že"
    " без был была были быть в во для до его ее если же за и из или их к как когда на нас не но о от по под"
    " при с со так также то только у уже хранится что эта это этот должен должна"
    .split()
)  # fmt: skip
_WORD = r"(?:[^\W\d_]{2,14}|\d{1,4})[!?]?"
_WORDS = r"[^\W\d_]{3,14}(?: (?:[^\W\d_]{2,14}|\d{1,4})[!?]?){2,24}"
_STOPS = r"[.,;:]?(?:[ \t\r\n]|\Z)| ?[)\]\"'`”»]|[ ]?[–—-][ ]"
_MOST = 25  # words, as a seed phrase has
# What asks for a phrase right before it: `use … as the password`.
_ORDERS = frozenset(
    "use using type enter try put set make with is as it's give say nimm benutze verwende nutze gib mit utilise"
    " utilisez mets mis tape avec usa use pon puse escribe con użyj wpisz użyjcie použij zadej s z используй введи с"
    " gebruik met com".split()
)


def phrase_end(text: str, at: int, whole: bool, least: int = 4) -> int:
    """Return where a passphrase of `least` words that begins at `at` ends, 0 if none does.

    `whole`: the phrase must go on to the end of its clause; else a word of grammar may follow. Where
    it goes on so, three words are enough if one is a number.
    """
    found = compiled(_WORDS).match(text, at)
    if found is None:
        return 0
    end, words = at, 0
    for word in found.group().split(" "):
        if word.rstrip("!?").lower() in _GRAMMAR:
            break
        end += len(word) + (words > 0)
        words += 1
    stopped = end < found.end()
    numbered = not stopped and compiled(r" \d").search(text, at, end) is not None
    if words < (3 if numbered else 4 if stopped else least) or (whole and stopped):
        return 0
    return end if stopped or compiled(_STOPS).match(text, end) is not None else 0


_AS = (" as ", " als ", " comme ", " como ", " jako ", " как ")


def phrase_start(text: str, end: int) -> int:
    """Return where a passphrase that ends at `end` begins behind an order to use it, -1 if none does."""
    first = text.rfind("\n", max(0, end - 160), end) + 1
    words = text[max(first, end - 160) : end].split(" ")
    start, at = end, len(words)
    while at and compiled(_WORD + r"\Z").match(words[at - 1]) is not None:
        word = words[at - 1].rstrip("!?").lower()
        if word in _GRAMMAR or word in _ORDERS or len(words) - at >= _MOST:
            break
        at -= 1
        start -= len(words[at]) + 1
    if len(words) - at < 4:
        return -1
    before = words[at - 1].lower() if at else ""
    asked = before in _ORDERS or before.endswith((":", "=", ","))
    asked = asked or (before in _GRAMMAR and text.startswith(_AS, end))
    return start + 1 if asked or (at == 0 and start + 1 == first) else -1
