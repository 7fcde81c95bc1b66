"""Names that ask for secrecy: words, and identifiers that hold one, in nine languages.

How much a name says: 3 a password, which people choose; 2 a secret; 1 a key or a token, whose
value must look drawn. English, German, Czech, French, Spanish, Polish, Russian, Portuguese and Dutch. Loaded by the
hook by its path: see `redaction`.
"""

from __future__ import annotations

from actors.policy.secrets.secret_values import PART, compiled

SAYS = {
    **dict.fromkeys(
        "password passwords passwd passphrase passcode pass pword passw pswd pwd pw pgpass psk otp totp mfa"
        " passwort kennwort zugangscode passworte authtok pincode heslo hesla heslem mdp passe contrasena contraseña"
        " contrasenya clave haslo hasło hasła hasłem senha wachtwoord пароль пароля паролем паролю".split(), 3),
    **dict.fromkeys(
        "secret secrets credential credentials cred creds unseal signing jwt mnemonic seed pepper"
        " secreto geheimnis tajemstvi tajemství sekret секрет".split(), 2),
    **dict.fromkeys(
        "token tokens key keys auth authorization pat jeton schlüssel klíč klíče klucz clé clef llave"
        " токен токена ключ ключа contribsys__com".split(), 1),
}  # fmt: skip
# Stems by which a name is found in lower-cased text; the ones of other alphabets apart, so that a
# text in ASCII is not searched for them.
# Stems behind which a passphrase may stand, without a name for it.
OPENERS = (
    "phrase", "frase", "code word", "codeword", "watchword", "words are", "unlock", "decrypt", "encrypted", "protected",
    "opens", "locked", "secured", "sealed", "entsperr", "verrouill", "desbloque",
)  # fmt: skip
STEMS = (
    *OPENERS,
    "pass", "pw", "secret", "token", "cred", "auth", "key", "psk", "otp", "jwt", "_pat", "mdp",
    "kennwort", "hesl", "haslo", "clave", "contrase", "signing", "unseal", "mnemonic", "seed", "pepper", "jeton",
    "bearer", "basic", "new one", "pincode", "klucz", "sekret", "geheimnis", "einloggen", "logging in", "authenticate", "inicia ses",
    "acceso:", "connexion :", "login", "log in", "logged in", "sign in", "zugang",
    "identifiants", "connecte-toi", "zaloguj", "logowania", "entra con", "melde dich", "anmeld", "senha", "wachtwoord",
)  # fmt: skip
STEMS_OUTSIDE_ASCII = tuple(
    "hasł парол токен ключ секрет schlüssel klíč clé tajemstv логин údaje přihlá".split()
)
# Stems behind which a name and a password may stand together: `log in with admin / x`.
LOGINS = frozenset(
    ("login", "log in", "logged in", "sign in", "cred", "zugang", "identifiants", "connecte-toi", "zaloguj", "logowania", "entra con",
     "melde dich", "anmeld", "einloggen", "logging in", "authenticate", "inicia ses", "acceso:", "connexion :", "входа", "логин", "údaje", "přihlá")
)  # fmt: skip
# `dbpassword`, `rootpw`: a lower-case word that ends in one of these.
_ENDINGS = (
    ("password", 3), ("passwd", 3), ("passphrase", 3), ("passwort", 3), ("kennwort", 3), ("pwd", 3),
    ("pw", 3), ("pass", 3), ("secret", 2), ("token", 1), ("creds", 2), ("key", 1), ("keys", 1),
)  # fmt: skip
# Words before a key or token whose value is public.
PUBLIC = frozenset(
    "public pub publishable primary foreign partition sort sorting cache bucket schema sequence index"
    " idempotency csrf xsrf authenticity page next prev cursor continuation translation message dict"
    " lookup group row object routing issue project metric hot host shortcut unique lock redis map"
    " natural surrogate config fingerprint cancellation issuer sample blind query integrity web"
    " haystack color colour design syntax semantic arrow answer low high lex parse peek".split()
)
# Words before it that ask or act rather than name.
_ACTS = frozenset(
    "hash hashed forgot reset change toggle show hide has is no require requires validate check verify"
    " invalid wrong missing min max empty without get fetch find test expected got encrypted".split()
)
# Words after it that make the name one of something about a secret.
ABOUT = frozenset(
    "id ids name names type kind url uri path file files filename dir len length size count hash sum"
    " field fields col column label title expiry expires expiration expire ttl version alg algorithm"
    " format prefix suffix pattern regex limit usage manager provider source store storage location"
    " endpoint chars str set selector pair vault var variable env index map mapping func function"
    " handler class service header headers param params policy rule rules required enabled disabled"
    " valid invalid reset changed event events down up press pressed code codes frame frames spec schema"
    " bits bytes placeholder hint text help error errors message msg input box form page view screen"
    " strength score min max visible hidden visibility toggle rotation rotated age salt encoder encoding"
    " encryption validator validation validate check checker verify verifier generator factory"
    " repository controller middleware filter interceptor test tests spec module ref reference refs"
    " arn selector scope scopes scheme schemes method methods flow server client user username email"
    " domain level mode state status result response request callback redirect group groups role roles"
    " node nodes position pos start end line color colour stream buffer lexer parser list array words"
    " iterations rounds budget usage used cost price per rate ring board boards stroke point points"
    " value_from from code library lib framework agent forward forwarding socket sock account accounts"
    " only based driven style bindings binding binds note notes doc docs docstring section".split()
) - {"text"}
# What stands beside users in a map or below a heading, and names a setting.
SETTINGS = ABOUT | frozenset(
    "region zone issuer audience realm backend driver engine timeout dialect tenant cluster grant"
    " profile provider enabled default protocol locale lang date since plan sku tier".split()
)
# `apikey`, `secretkey`, written as one word; other letters make another word, such as `monkey`.
KEYS_OF = frozenset(
    "api access secret private auth account master license licence encryption signing shared service"
    " client app deploy user admin session server rsa ssh aes hmac jwt root preshared storage unseal"
    " recovery webhook integration ingest write wrapping host enc db".split()
)


def strength(name: str) -> int:
    """Return how much secrecy `name`, an identifier or words, asks for: 0 none to 3 a password."""
    known = _KNOWN.get(name)
    if known is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        known = _KNOWN[name] = _judged(name)
    return known


# Names that were judged: a text repeats its own.
_KNOWN: dict[str, int] = {}
MOST_KNOWN = 4096


def _judged(name: str) -> int:
    words = [word.lower() for word in PART.findall(name)]
    says, at = 0, 0
    for at in range(len(words) - 1, -1, -1):
        says = says_of(words[at])
        if says:
            break
    if not says:
        return 0
    if any(word in ABOUT for word in words[at + 1 :]):
        return 0
    before = words[at - 1] if at else ""
    if (
        before in _ACTS
        or (says == 1 and before in PUBLIC)
        or compiled(_FILE).search(name) is not None
    ):
        return 0
    if says == 1 and before in ("wifi", "wlan", "wireless"):
        return 3
    return (
        2 if says == 1 and before in ("secret", "signing", "unseal", "encryption", "jwt") else says
    )


_FILE = r"\.(?:py|go|[jt]sx?|rs|md|json|ya?ml|toml|txt|html?|s?css|java|kt|rb|php|[ch](?:pp)?|cs|sh|sql|vue|svelte|log|lock)\Z"


def opens_something(name: str) -> bool:
    """Whether a name is one of a token, or of a key that people may have chosen: `api_key`."""
    plain = name.lower().replace("_", "").replace("-", "")
    return plain.endswith(("token", "tokens")) or (
        plain.endswith("key") and plain[:-3].endswith(tuple(KEYS_OF))
    )


def says_of(word: str) -> int:
    says = SAYS.get(word)
    if says is not None:
        return says
    for ending, strength in _ENDINGS:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if ending in ("key", "keys"):
                return 2 if stem in ("secret", "signing") else 1 if stem in KEYS_OF else 0
            if ending == "pass" and stem in ("by", "com", "tres", "sur", "over", "under", "en"):
                return 0
            return strength
    return 0


def kind_of(name: str) -> str:
    """Return the word of secrecy in a name: what `redact` and the counters show."""
    words = [str(word).lower() for word in PART.findall(name)]
    return next((word for word in reversed(words) if says_of(word)), "secret")
