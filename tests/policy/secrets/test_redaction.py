"""Secrets are taken out, and everything else stays.

Every secret here is synthetic and is put together when the test runs, so that a scanner of
repositories finds none in this file.
"""

import ast
import base64
import random
import string
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import actors.policy.secrets.redaction as redaction
from actors.policy.secrets.redaction import redacted
from actors.policy.secrets.secret_values import MARKER
from hooks.spool import REDACTION
from tests.patience import PATIENCE

ALNUM = string.ascii_letters + string.digits
LOWER = string.ascii_lowercase + string.digits
UPPER = string.ascii_uppercase + string.digits
BASE64 = ALNUM + "+/"
HEX = "0123456789abcdef"


def drawn(alphabet: str, length: int, seed: int) -> str:
    """`length` characters drawn from `alphabet`, the same for the same seed."""
    draw = random.Random(seed)
    return "".join(draw.choice(alphabet) for _ in range(length))


# What one provider issues, as it publishes it: a prefix, an alphabet and a length.
FAMILIES = {
    "openai": ("sk" + "-", ALNUM, 48),
    "openai-project": ("sk" + "-proj-", ALNUM + "-_", 120),
    "anthropic": ("sk" + "-ant-api03-", ALNUM + "-_", 95),
    "github": ("gh" + "p_", ALNUM, 36),
    "github-oauth": ("gh" + "o_", ALNUM, 36),
    "github-app": ("gh" + "s_", ALNUM, 36),
    "github-fine": ("github" + "_pat_", ALNUM + "_", 82),
    "gitlab": ("gl" + "pat-", ALNUM + "-_", 20),
    "gitlab-deploy": ("gl" + "dt-", ALNUM + "-_", 20),
    "slack-bot": ("xo" + "xb-123456789012-1234567890123-", ALNUM, 24),
    "slack-app": ("xa" + "pp-1-A0-12345678901-", HEX, 64),
    "aws": ("AK" + "IA", UPPER, 16),
    "aws-session": ("AS" + "IA", UPPER, 16),
    "google": ("AI" + "za", ALNUM + "-_", 35),
    "npm": ("np" + "m_", ALNUM, 36),
    "pypi": ("py" + "pi-AgEIcHlwaS5vcmc", ALNUM + "-_", 120),
    "rubygems": ("ruby" + "gems_", HEX, 48),
    "stripe": ("sk" + "_live_", ALNUM, 24),
    "stripe-restricted": ("rk" + "_test_", ALNUM, 24),
    "sendgrid": ("SG" + "." + "aB3dE6gH9jK2mN5pQ8sT1v.", ALNUM + "-_", 43),
    "twilio": ("SK", HEX, 32),
    "huggingface": ("hf" + "_", string.ascii_letters, 34),
    "digitalocean": ("do" + "p_v1_", HEX, 64),
    "databricks": ("da" + "pi", HEX, 32),
    "shopify": ("sh" + "pat_", HEX, 32),
    "linear": ("lin" + "_api_", ALNUM, 40),
    "grafana": ("gl" + "sa_", ALNUM, 41),
    "vault": ("hv" + "s.", ALNUM + "-_", 95),
    "1password": ("A3" + "-ABC123-", UPPER, 11 + 18),
    "doppler": ("dp" + ".pt.", LOWER, 43),
    "postman": ("PM" + "AK-", HEX, 59),
    "sentry": ("sn" + "tryu_", HEX, 64),
    "planetscale": ("ps" + "cale_tkn_", ALNUM, 40),
    "perplexity": ("pp" + "lx-", ALNUM, 48),
    "groq": ("gs" + "k_", ALNUM, 52),
    "age": ("AGE-SECRET" + "-KEY-1", UPPER, 58),
    "jwt": ("ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxIn0.", ALNUM + "-_", 43),
    "jwt-payload": ("ey" + "JhbGciOiJIUzI1NiJ9.ey" + "J", ALNUM + "-_", 60),
}
# Around a secret, directly: what does not itself belong to a token.
EDGES = st.sampled_from(
    [" ", "\n", '"', "'", "=", ": ", "`", "(", "\t", ">", "\\n", "%3D", "/", "\\u0022"]
)
TEXTS = st.text(max_size=60)


@given(family=st.sampled_from(sorted(FAMILIES)), seed=st.integers(0, 2**32), edge=EDGES,
       before=TEXTS, after=TEXTS)  # fmt: skip
def test_a_planted_token_never_survives(
    family: str, seed: int, edge: str, before: str, after: str
) -> None:
    prefix, alphabet, length = FAMILIES[family]
    body = drawn(alphabet, length, seed)

    cleaned, kinds = redacted(f"{before}{edge}{prefix}{body} {after}")

    assert body[: length - 6] not in cleaned
    assert kinds


def test_a_short_web_token_is_known_by_its_form() -> None:
    token = "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxIn0.c2lnbmF0dXJl"

    assert redacted(f"sent {token} there") == (f"sent {MARKER} there", ["jwt"])


ASSIGNMENTS = (
    "ACME_TOKEN={}",
    "export ACME_SECRET={}",
    "acme_api_key: {}",
    '"acme_access_token": "{}",',
    '\\"client_secret\\": \\"{}\\"',
    'const acmeKey = "{}";',
    "os.environ['ACME_TOKEN'] = '{}'",
    'curl -H "X-Acme-Token: {}" https://api.example.test',
    "ERROR config: acme_secret={} rejected by server",
    "- name: ACME_TOKEN\n  value: {}",
    '<add key="acme_api_key" value="{}" />',
    "https://api.example.test/v1?api_key={}&x=1",
    "tool --auth-token {} --verbose",
    'acme_access_token := "{}"',
    "[tool] $ ACME_API_KEY={} make",
    "Authorization: Bearer {}",
    "Authorization: token {}",
)


@given(
    shape=st.sampled_from(ASSIGNMENTS),
    alphabet=st.sampled_from([LOWER, HEX]),
    seed=st.integers(0, 2**32),
)
def test_a_value_given_to_a_credential_never_survives(shape: str, alphabet: str, seed: int) -> None:
    secret = drawn(alphabet, 40, seed)

    assert secret not in redacted(shape.format(secret))[0]


PASSWORDS = (
    "DB_PASSWORD={}",
    "export PGPASSWORD={} && psql",
    'password = "{}"',
    "{{'password': '{}'}}",
    "password: {}",
    "pwd => `{}`",
    "postgres://app:{}@db.example.test:5432/app",
    "redis://:{}@cache:6379/0",
    "git remote add o https://bot:{}@git.example.test/a.git",
    "mysql -u root -p{} app",
    "sshpass -p {} ssh host",
    "curl -u admin:{} https://example.test",
    "machine example.test login me password {}",
    "--password={}",
    "--password {}",
    "my password is {}, use it",
    "the password for staging is {}",
    "the password of our replica user is now {}.",
    "Server=db;User Id=sa;Password={};",
    "<password>{}</password>",
)


@pytest.mark.parametrize("shape", PASSWORDS)
@pytest.mark.parametrize("password", ["hunter22", "S3cret!pass", "tr0ub4dor"])
def test_a_password_never_survives(shape: str, password: str) -> None:
    assert password not in redacted(shape.format(password))[0]


# The forms of the issue of 2026-11, each with a passphrase, a word with digits and a drawn value.
SYNTAXES = (
    "password={}", 'password: "{}"', "pw: {}", "DB_PW={}", "PGPASS={}", "WIFI_PSK={}",
    "ALTER USER app PASSWORD '{}'", "CREATE USER 'a'@'%' IDENTIFIED BY '{}';",
    "SET PASSWORD FOR 'a'@'%' = '{}';", "INSERT INTO users (name, password) VALUES ('b', '{}');",
    '{{"Key":"db-password","Value":"{}"}}', '{{"value":"{}","key":"db-password"}}',
    '{{"Name":"/prod/db/password","Type":"SecureString","Value":"{}","Version":3}}',
    '<property name="password" value="{}"/>', "db.internal:5432:app:app:{}",
    "keytool -list -storepass {}", "zip -P {} out.zip a", "7z a -p{} out.7z dir",
    "smbclient //srv/share -U bob%{}", "az login -u a -p {}", "echo 'bob:{}' | chpasswd",
    "echo {} | sudo -S true", "jdbc:oracle:thin:scott/{}@//db/orcl", "app:{}@tcp(db:3306)/app",
    'requests.get(u, auth=("bob", "{}"))', 'new NetworkCredential("bob", "{}")',
    'let password: &str = "{}";', 'user.setPassword("{}")', 'os.getenv("DB_PASS", "{}")',
    "| user | password |\n|---|---|\n| bob | {} |\n", "user,password,role\nbob,{},admin\n",
    "NAME     PASSWORD                         ROLE\nbob      {}   admin\n",
    "use {} as the password", "log in with admin / {}", "Das Passwort lautet {}", "heslo je {}",
    "le mot de passe est {}", "la contraseña es {}", "hasło to {}", "пароль: {}",
)  # fmt: skip


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_chosen_password_never_survives_its_syntax(syntax: str) -> None:
    for password in ("velvet-granite-lantern-maple", "thunder3795", drawn(ALNUM, 15, 3) + "7xQ"):
        assert password not in redacted(syntax.format(password))[0]


# What tools and their files take a password in, each with a plain word: their syntax says enough.
HANDED_ON = (
    "mysql --user=root --password={} shop", "docker run -e MYSQL_ROOT_PASSWORD={} mysql",
    "curl -sSku admin:{} https://x", "curl -d 'user=bob&password={}' https://x",
    "mount -o username=bob,password={} //srv/s /mnt", "psql 'host=db user=app password={}'",
    "kubectl create secret generic s --from-literal=password={}", "cmdkey /add:h /user:b /pass:{}",
    "helm install x y --set auth.rootPassword={},replicas=2", "java -Dkey.storePassword={} -jar a",
    "net use Z: //srv/share {} /user:bob", "snmpwalk -v2c -c {} host", "plink -pw {} bob@host ls",
    "psexec.py CORP/bob:{}@10.0.0.5", "expdp scott/{} schemas=x", "openssl passwd -6 {}",
    "qpdf --encrypt {} {} 256 -- a b", "pdftk a.pdf input_pw {} output b", "gbak -user S -pas {} a",
    "sometool -u bob -p {} host", "skopeo inspect --creds=bob:{} docker://a", "radtest bob {} h 0 s",
    "grafana-cli admin reset-admin-password {}", "aws x create-secret --secret-string {}",
    "ldappasswd -D cn=a -s {} uid=b", "swaks -au bob -ap {}", "/msg NickServ IDENTIFY bob {}",
    "rootpw {}", "bindpw {};", "  auth_pass {}  # shared", "masterauth {}", "stats auth ops:{}",
    "user default on >{} ~* +@all", "<password>{}</password>", '<entry key="db.password">{}</entry>',
    "MONITOR ups@localhost 1 mon {} primary", "createUser snmp SHA {} AES x", "rocommunity {} default",
    "com2sec ro default {}",
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "docker run --user www-data:www-data -u 1000 -p 8080:80 nginx",
        "sudo -u postgres mkdir -p build && ssh -l bob -p 2222 host",
        '<label for="password">Password</label><div class="password">Strength</div>',
        "connect(user=user, password=passwd) or Foo(user=user,password=passwd)",
        "password-auth    include\nauth required pam_unix.so\npassword required",
        "git add -p; cargo test -p crate; mkdir -p build",
    ],
)
def test_the_flags_of_other_tools_and_the_names_of_code_stay(text: str) -> None:
    assert redacted(text) == (text, [])


# Lines of network devices, answers of installers, and code that knows a password by its place.
SET_UP = (
    "enable secret {}", "username bob privilege 15 secret {}", "tacacs-server host 10.0.0.5 key {}",
    "crypto isakmp key {} address 10.0.0.5", " pre-shared-key local {}", "  key-string {}",
    "snmp-server user bob grp v3 auth sha {} priv aes 128 x", "local-user bob password simple {}",
    "set vpn ipsec site-to-site peer X authentication pre-shared-secret '{}'",
    'set security ike policy P pre-shared-key ascii-text "{}"', "snmp-agent community read {}",
    "/radius add address=10.0.0.5 secret={} service=login", "    option key '{}'",
    "d-i passwd/root-password password {}", "slapd slapd/internal/adminpw password {}",
    "rootpw --plaintext {}", "chpasswd:\n  list: |\n    root:{}\n",
    "<key>Password</key>\n<string>{}</string>", "variable \"db_password\" {\n  default     = \"{}\"\n}",
    "page.fill('input[name=\"password\"]', '{}')", "form.append('password', '{}')",
    'env::var("DB_PASSWORD").unwrap_or_else(|_| "{}".to_string())', "btoa('bob:{}')",
    'public string Password { get; set; } = "{}";', "curl_setopt(c, CURLOPT_PASSWORD, '{}')",
    "new PDO($dsn, 'bob', '{}')", "bcrypt.hash('{}', 10)", 'WiFi.begin("Home", "{}")',
    'User.objects.create_user("bob", "b", "{}")',
)  # fmt: skip


@pytest.mark.parametrize("syntax", [*HANDED_ON, *SET_UP])
def test_a_plain_word_in_the_place_of_a_password_never_survives(syntax: str) -> None:
    assert "gullwing" not in redacted(syntax.replace("{}", "gullwing"))[0]


# Code, settings and commands in which no name of a password stands right before it.
BY_THEIR_PLACE = (
    'new Credentials("bob", "{}")', 'creds = {{"bob": "{}"}}', "{{\"auth\": {{\"bob\": \"{}\"}}}}",
    'var key = Encoding.UTF8.GetBytes("{}");', 'const key = Buffer.from("{}", "utf8"); // key',
    "private readonly apiSecret: string = '{}';", "const pw = process.env.DB_PW ?? '{}';",
    "const passwords: Record<string, string> = {{ bob: '{}' }};", "const creds = {{ bob: '{}' }} as const;",
    "PASSWORD: z.string().default('{}')", "password!: string = '{}'", "this.password = <string>'{}';",
    "const [password, setPassword] = useState('{}')", "if (req.body.password !== '{}') throw x;",
    "await userEvent.type(passwordInput, '{}')", 'fill_in "Password", with: "{}"', "expect(pw).toEqual('{}')",
    "createCipheriv('aes-256-cbc', '{}', iv)", 'keyStore.load(in, "{}".toCharArray())',
    'keyring.set_password("svc", "bob", "{}")', 'Algorithm.HMAC256("{}")', 'SecretStr("{}")',
    'std::string password{{"{}"}};', 'Dim password As String = "{}"', 'local password <const> = "{}"',
    "password: ENV.fetch('PW') {{ '{}' }}", 'val password by lazy {{ "{}" }}', "CREATE LOGIN b WITH PASSWORD = N'{}';",
    "SELECT crypt('{}', gen_salt('bf'));", "[auth]\nbob = {}", "auth:\n  basic:\n    bob: {}", "[users]\nadmin = {}, admin",
    "# chap-secrets\nbob * {} *", '# userlist.txt\n"bob" "{}"', "bob:{{PLAIN}}{}", '%any : XAUTH "{}"', 'user = "bob:{}"',
    "HTTP_AUTH=bob:{}", 'basicAuth: "bob:{}"', "[smtp.test]:587 bob:{}", "dscl . -passwd /Users/bob {}",
    "poetry config http-basic.x bob {}", "keyring set x bob <<< {}", "openvpn --auth-user-pass <(echo bob; echo {})",
    "gh secret set X --body {}", "osql -U sa -P {}", "rman target sys/{}@x", "mc admin user add x bob {}",
)  # fmt: skip


@pytest.mark.parametrize("syntax", BY_THEIR_PLACE)
def test_a_password_known_by_its_place_never_survives(syntax: str) -> None:
    assert "ribbon7fish-Tarn" not in redacted(syntax.format("ribbon7fish-Tarn"))[0]


@pytest.mark.parametrize(
    "value", ["velvet-granite", "Velvet_Granite", "velvet.granite", "kXmQvLpRwZ"]
)
def test_words_with_a_sign_and_letters_of_both_cases_are_passwords_in_quotes(value: str) -> None:
    assert value not in redacted(f'password = "{value}"')[0]


@pytest.mark.parametrize("name", ["api_key", "accessToken", "encryption-key", "TOKEN"])
def test_what_opens_something_may_be_made_of_words(name: str) -> None:
    assert "ribbon7fish-otter" not in redacted(f'{name}: "ribbon7fish-otter"')[0]


# What people write to each other; the value of a sentence must not be a plain word.
SAID = (
    "the password, in case you need it, is {}", "if asked for the password, it's {}",
    "type {} at the password prompt", "the sudo password here is just {}", "the pass for it is {}",
    "enter {} when asked for the password", "creds: app {}", "user/pass: bob/{}", "u: bob p: {}",
    "ssh root@10.0.0.5 / {}", "staging: bob@example.org / {}", "admin panel: admin:{}",
    "what is the wifi password?\n{} (all lower case)", "admin password? It's {}.", "it leaked, the new one is {}",
    "the password of the router ({}) was never changed", "His password, {}, was in the dump.",
    "Use user bob and password {} to connect.", "it asks for a password; type {}", "WLAN-Schlüssel: {}",
    "my username is bob and my password is {}", "I changed the password from {} to another", "the api key is {}",
    "tape {} quand il demande le mot de passe", "la contraseña por defecto es {}", "staré heslo bylo {}",
    "le code wifi est {}", "pwd for the zip is {}", "authenticate as bob with {}", "sekret to {}",
    "log in as admin using {}", "le mot de passe, c'est {}", "le mot de passe devient {}",
    "cambié la contraseña por {}", "entra con admin y {}", "melde dich mit admin und {} an",
    "dane logowania: admin / {}", "пароль от сервера {}", "пароль теперь {}", "the secret is {}",
)  # fmt: skip


@pytest.mark.parametrize("syntax", SAID)
def test_a_password_that_people_hand_over_never_survives(syntax: str) -> None:
    assert "Gullwing-Tarn7" not in redacted(syntax.format("Gullwing-Tarn7"))[0]


@pytest.mark.parametrize(
    "text",
    [
        "the password is hashed with Argon2id, and signed with Ed25519",
        "log in as admin, then click settings; log in with github and approve",
        "the password field was renamed, see #1234 and ask @alice",
        "the pass over the list is O(n); first pass: 12.5s",
        "La contraseña es obligatoria. Le mot de passe est incorrect. Das Passwort ist abgelaufen.",
        "show the key, set the key of the row, username is required, user profile page",
        "set PASSWORD before running\npassword == password2\nthe credentials expire on 2026-01-01T00:00:00Z",
        "const passwords: Record<string, string> = {}; const creds = { provider: 'aws', region: 'eu-west-1' };",
        "[auth]\nprovider = github2\ntimeout = 30seconds\n[users]\ncount = 5000000\nsecrets:\n- uses: a/b@9af89fc7\n",
        "the password is case-sensitive, well-known or hard-coded; the new one is in src/new_password2.ts",
        "Passwort vergessen?\nurl with user:password part removed unless it is formed with a colon",
        "This is a one-time password from a two-factor authenticator; read the www-authenticate header",
        "self.num_pred_tokens = orig_pred_tokens; DEFAULT_SEED = 0xFFFFFFFF; ('Author', 'Author-email')",
        "const STORAGE_KEY = 'app:theme:v2'; fetch(u, { credentials: 'same-origin' })",
    ],
)
def test_sentences_about_passwords_stay(text: str) -> None:
    assert redacted(text) == (text, [])


# A phrase of drawn words without quotes, and where it stands in a sentence.
PHRASE_SAID = (
    "the wifi passphrase is {}", "The passphrase for Laura's ssh key is {}.", "the wifi password is {} by the way",
    "use {} as the db password", "unlock the vault with {}", "log in as root with {}", "wifi: {} is the password",
    "guest wifi: network cafe, password {}", "we changed the admin password to {} yesterday", "pw: {}", "pass = {}",
    "it wants a passphrase, give it {}", "type {} when it asks for the passphrase", "The passphrase is:\n\n    {}\n",
    "nimm {} als Passwort", "utilisateur bob, mot de passe {}", "usa {} como contraseña", "the unlock phrase is {}",
    "BORG_PASSPHRASE={}", "pass phrase: {}", "a senha é {}", "het wachtwoord is {}",
)  # fmt: skip


@pytest.mark.parametrize("syntax", PHRASE_SAID)
def test_a_phrase_of_drawn_words_never_survives_its_sentence(syntax: str) -> None:
    assert "otter dancing" not in redacted(syntax.format("purple otter dancing slowly"))[0]


# Labels as short as people make them, and cells beside or below a name.
SHORT = (
    "pw - {}", "root pw: {}", "/* pass: {} */", "* pass: {}", "nas (pass {})", "pass is {}", "u: bob\np: {}", "p/w: {}",
    "password......: {}", "PASSWORD          {}\nUSER              bob", "password,{}", "| password | {} |",
    "| key | value |\n|---|---|\n| password | {} |", "| Password (temp) | user |\n|---|---|\n| {} | bob |",
    "| box | creds |\n|---|---|\n| nas | bob / {} |", "│ user │ password │\n├──────┼──────────┤\n│ bob  │ {} │",
    "connect as postgres using {}", "auth with bob:{}", "wlan: {}", "creds for staging: admin {}",
)  # fmt: skip


@pytest.mark.parametrize("syntax", SHORT)
def test_a_password_behind_a_short_label_or_in_a_cell_never_survives(syntax: str) -> None:
    assert "Gullwing-Tarn7" not in redacted(syntax.format("Gullwing-Tarn7"))[0]


@pytest.mark.parametrize(
    "syntax", ["pin: {}", "SIM PIN = {}", "user_pin={}", "devicePin: {}", "die PIN lautet {}", "the door code is {}"]
)  # fmt: skip
def test_a_pin_of_four_digits_never_survives(syntax: str) -> None:
    assert "4711" not in redacted(syntax.format("4711"))[0]


@pytest.mark.parametrize(
    "text",
    [
        "LED_PIN=13, pin: 7, pin numpy to 1.26, spin = 1000",
        "| step | pass |\n|---|---|\n| lint | v2.1.0 |\n| build | 2024-01-05 |",
        "| Option | Description |\n|---|---|\n| password | the one to connect with |\n| timeout | seconds |",
        "| Account | Password |\n|---|---|\n| human | 14+ |\n| service | rotated every ninety days |",
        "USER     PASSWORD STATUS\nbob      P (set)",
        "the password was rejected because somebody mistyped; le mot de passe doit contenir huit caractères",
        "password policy: min12-upper-digit; the password regex is ^[A-Za-z0-9]{8,}$",
        "see issue ABC-1234 for the password bug; it expires on 2025-01-31T12:00:00Z",
        'auth user=bob method=password result=ok; "GET /password HTTP/1.1" 200',
        "if text.startswith('-----BEGIN " + "PRIVATE KEY-----'):\n    raise ValueError(text)",
        "https://deploy@github.com/org/repo.git aes256-gcm@openssh.com 203.0.113.7",
        "OPENAI_API_KEY=sk" + "-your-api-key-here-1234",
        "sshpass -f pw.txt ssh build7-Runner; pass these arguments to `rimraf`",
        "mdp: Markov decision process; pass: everything builds cleanly now",
    ],
)
def test_lines_about_passwords_and_about_boards_stay(text: str) -> None:
    assert redacted(text) == (text, [])


def test_a_phrase_of_words_is_a_password_and_a_sentence_is_not() -> None:
    assert redacted('passphrase: "correct horse battery staple"')[0] == f'passphrase: "{MARKER}"'
    assert redacted('"password": "Enter your new password"')[1] == []


def test_a_secret_in_base64_goes_with_its_run() -> None:
    run = base64.b64encode(b'{"password":"thunder3795"}').decode().rstrip("=")

    assert redacted(f"echo {run} | base64 -d")[0] == f"echo {MARKER} | base64 -d"


SHAPES = {
    "discord": "MTA" + drawn(ALNUM, 21, 1) + "." + drawn(ALNUM, 6, 2) + "." + drawn(ALNUM, 38, 3),
    "mailchimp": drawn(HEX, 32, 4) + "-us12",
    "telegram": "123456789:AA" + drawn(ALNUM, 33, 5),
    "maxmind": drawn(ALNUM, 6, 6) + "_" + drawn(ALNUM, 29, 7) + "_mmk",
    "airtable": "pat" + drawn(ALNUM, 14, 8) + "." + drawn(HEX, 64, 9),
    "facebook": "1234567890123456|" + drawn(ALNUM, 27, 10),
    "terraform": drawn(ALNUM, 14, 11) + ".atlasv1." + drawn(ALNUM, 67, 12),
    "azure": "aB3" + "8Q~" + drawn(ALNUM, 34, 13),
    "artifactory": "AK" + "Cp8" + drawn(ALNUM, 68, 14),
    "webhook": "hooks.slack.com" + "/services/T0AB/B0CD/" + drawn(ALNUM, 24, 15),
    "encoded-json": "ey" + "JrIjoi" + drawn(ALNUM, 80, 16),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_tokens_known_by_their_shape_go_whole(kind: str) -> None:
    cleaned, kinds = redacted(f"use {SHAPES[kind]} here")

    assert cleaned.removeprefix("use 123456789:" if kind == "telegram" else "use ") == (
        f"{MARKER} here"
    )
    assert kinds == [kind]


def test_a_credential_longer_than_what_is_judged_goes_whole() -> None:
    assert redacted('secret = "' + drawn(LOWER + "!", 900, 1) + '" # end')[0] == (
        f'secret = "{MARKER}" # end'
    )


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("before\n-----BEGIN RSA KEY\nc2VjcmV0\n-----END RSA KEY\nafter", "before\n{}\nafter"),
        ("before -----BEGIN OPENSSH KEY\nc2Vj\nmore", "before {}"),
        ("(c2Vjc\nmV0==\n-----END KEY\nafter", "({}\nafter"),
    ],
    ids=["from begin to end", "without an end the rest", "without a beginning from its first line"],
)
def test_a_private_key_goes(text: str, cleaned: str) -> None:
    key = text.replace("KEY", "PRIVATE KEY-----")

    assert redacted(key) == (cleaned.format(MARKER), ["private-key"])


def test_every_value_of_a_kubernetes_secret_goes() -> None:
    manifest = "kind: Secret\ndata:\n  user: YWRhbQ==\n  plain: words\ntype: Opaque"

    cleaned, _ = redacted(manifest)

    assert "YWRhbQ" not in cleaned
    assert "words" not in cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("write to ada@example.org.", f"write to {MARKER}."),
        ("host 81.20.30.40:80", f"host {MARKER}:80"),
        ("at 2001:db8::8a2e:370:7334", f"at {MARKER}"),
        ("ssn 078-05-1123", f"ssn {MARKER}"),
        ("passport A12803456", f"passport {MARKER}"),
    ],
)
def test_personal_data_goes(text: str, cleaned: str) -> None:
    assert redacted(text)[0] == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "commit " + drawn(HEX, 40, 1),
        "sha256:" + drawn(HEX, 64, 2),
        '"integrity": "sha512-' + drawn(BASE64, 86, 3) + '=="',
        "example v1.2.3 h1:" + drawn(BASE64, 43, 4) + "=",
        "session_id: 0e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
        "data:image/png;base64," + drawn(BASE64, 200, 5),
        '"data": "iVBORw0KGgo' + drawn(BASE64, 200, 6) + '"',
        "tool_use_id toolu_" + drawn(ALNUM, 24, 7),
        "assets/photo-" + drawn(HEX, 64, 8) + ".png",
        "password: ${DB_PASSWORD}",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "api_key = os.environ['API_KEY']",
        'API_KEY="your-api-key"',
        'token = "<YOUR_TOKEN_HERE>"',
        "gh" + "p_" + "x" * 36,
        "password = get_password()",
        "def login(user, password=None): self.password = password",
        "the password is required",
        "the password for staging is rotated weekly",
        "the password for the vault is in 1Password, and the one of prod is on paper",
        "max_tokens=4096, token_count=118, tokenizer='bert-base-uncased'",
        'sort_key="created_at_desc", primary_key=True, "keyboard": "qwerty12345"',
        "test_the_weakest_trace_is_evicted_when_the_working_memory_is_full_2",
        "https://github.com/org/repo/blob/main/src/very/long/path/to/some_file_name.py",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        "git@github.com:org/repo.git icon@2x.png @app.route('/x') left-pad@1.3.0",
        "--- PASS: TestPasswordReset (0.01s)\n    --- PASS: TestAuth/user_token (0.00s)",
        "PASS src/auth/password2.test.ts\nAll tests pass: `TestExplainCmd_HasCheckpointFlag`",
        "db at 10.20.30.40:5432, 172.20.0.1, 192.168.1.20, fe80::1ff:fe23:4567:890a, fd00::1:2:3",
        "DB_PASSWORD=${DB_PASSWORD:?must be set} in postgres://app:${DB_PASSWORD:?x}@db/app",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + drawn(ALNUM, 43, 8) + " ada@host",
        "-----BEGIN CERTIFICATE-----\nMIID" + drawn(BASE64, 60, 9) + "\n-----END CERTIFICATE-----",
        "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz" + drawn(ALNUM, 80, 10),
        "contract 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed at 0x7ffd5e8c3a10",
        "password: SecretStr\n    password: string;\n    token: string | undefined;",
        "username,password,remember_me\n| password | string | none |",
        "    'AUTHORIZATION',\n    'CURRENT-WINDOW',\n    'BUFFER-2-COPY',\n",
        "_list_keys = ['packages', 'ext_modules']; pack(self.pw, NegotiateFlags)",
        "FROM debian:13.6-slim@sha256:" + drawn(HEX, 64, 11),
        "listen on 127.0.0.1:8080, 0.0.0.0 or ::1; version 10.2.3.4; apsw 3.54.1.0",
        "std::vector<int>::iterator f :: Int -> Int; rows[1::2]; 12:34:56",
        "Use Basic authentication_scheme_here or Bearer token_based_authentication",
        "docker run -p 8080:80; pytest -p no:cacheprovider",
        "ssn 000-12-3456, 666-12-3456, 078-00-1123, 078-05-0000, 911-89-1234; id 1078-05-1123",
        "256.10.10.10 192.168.1.256 2001:db8::256.1.1.1 12345:db8::1 2001::db8::1 ::ffff:10.0.1",
        "itin 911-66-1234",
        "postgres://user:password@db/app https://${USER}:${PASS}@example.test/",
        "https://some-organisation-of-ours@gitserver/",
        "secret_id: aB3dE6gH9jK2mN5pQ8; token_type=aB3dE6gH9jK2mN5pQ8",
        "x64.atlasv1." + "x" * 64,
        "b64/AK" + "Cp8" + "q1w2e3r4t5y6",
        "TOKEN_COUNT=1234567890123",
        "CACHE_KEY=users-v2-list-2024",
        'token = "lib-1.2.34"; secret = some_module.some_function; auth = SomeAuthClass(arg1)',
        "1234567890|" + drawn(ALNUM, 27, 10),
        "",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redacted(text) == (text, [])


def test_long_random_strings_go_and_identifiers_stay() -> None:
    seeds = range(300)

    gone = sum(drawn(ALNUM, 48, seed) not in redacted(drawn(ALNUM, 48, seed))[0] for seed in seeds)

    assert gone >= 285  # 95 %: the rest happens to read like words


def test_kinds_come_in_the_order_of_the_text() -> None:
    key = "AK" + "IA" + drawn(UPPER, 16, 1)

    assert redacted(f"a@example.org {key} b@example.org")[1] == ["email", "aws", "email"]


PIECES = st.sampled_from(
    ["password=", "token: ", "key", '"', "'", "\\", " ", "\n", "=", ":", ",", "-", "hunter2", "@",
     "://", "a.b", "sk" + "-", "aB3dE6gH9jK2mN5pQ8", "ey" + "J", MARKER, "-----BEGIN PRIVATE KEY",
     "-----END PRIVATE KEY-----", "curl -u a:", "Cookie: a=", "kind: Secret data:\n", "1.2.3.44",
     "::", "%3D", "Bearer ", "SG" + ".", "é", "\u0130", "login ", "--"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)))
def test_redacting_twice_changes_nothing(text: str) -> None:
    once, _ = redacted(text)

    assert redacted(once) == (once, [])


@given(st.text(max_size=300))
def test_what_stays_is_in_the_text_and_in_order(text: str) -> None:
    cleaned, kinds = redacted(text)

    at = 0
    for piece in cleaned.split(MARKER) if kinds else [cleaned]:
        at = text.index(piece, at) + len(piece)
    assert bool(kinds) == (cleaned != text)


# -- how a hook loads it ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*REDACTION, "redaction"])
def test_it_imports_only_what_costs_nothing(name: str) -> None:
    source = Path(redaction.__file__).with_name(f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 8))
    run = [node for node in tree.body if not isinstance(node, ast.If)]  # else for types alone
    imported = {
        name
        for statement in run
        for node in ast.walk(statement)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }

    ours = {f"actors.policy.secrets.{name}" for name in REDACTION}
    assert "__future__" in imported
    assert imported - ours <= {
        "re", "binascii", "functools", "itertools", "__future__",
    }  # fmt: skip


def test_it_loads_by_file_path() -> None:
    """Without the packages of the product: a bare interpreter, and the folder of the hooks."""
    hooks = Path(redaction.__file__).parents[3] / "hooks"
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import spool;"
        "print(spool._policy()[0]('password=hunter2')[0])"
    )
    done = subprocess.run(
        (sys.executable, "-I", "-S", "-c", program, str(hooks)),
        capture_output=True, text=True, check=True, timeout=PATIENCE,
    )  # fmt: skip

    assert done.stdout == f"password={MARKER}\n"


@pytest.mark.parametrize(
    "line",
    [
        "API_TOKEN=" + "abcdEFGH" + "12345678zz",
        "SECRET_KEY=" + "planted" + "0123456789",
        "export TOKEN=" + "tok_" + "1234567890",
        "client_secret=" + "PLANTED_SECRET" + "_VALUE_123",
    ],
)
def test_a_chosen_value_set_in_an_environment_is_redacted(line: str) -> None:
    name, _, value = line.partition("=")

    assert value not in redacted(line)[0]
    assert redacted(line)[0].startswith(name)
