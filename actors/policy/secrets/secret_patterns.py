"""Forms in which a secret stands without a name, each a pattern whose first group is the secret.

By a literal that must occur in the lower-cased text: the kind, how the value is judged (see
`is_secret`; "" is not at all, "strong" as a word among others), and the pattern. Loaded by the hook
by its path: see `redaction`.
"""

from __future__ import annotations

_DOMAIN_USER = (
    r"[\"']?(?:[\w.\-]{1,40}[/\\]){0,2}[\w.\-$]{1,40}:[\"']?([^\s\"'@/:]{4,64})(?=[\"']?@|[\"']? -)"
)

_HANDED_OVER = r"(?: ?/ ?|:| with | and |, | \| )[\"'`]?([^\s\"'`<>()\[\]{};:/=]{7,64})"

# What is opened by a code of digits: `door code`, `2FA code`.
_CODES = "|".join(
    f"(?<={word} code)"
    for word in "time cation 2fa 2FA mfa MFA otp OTP totp TOTP sms SMS rity door gate larm ypad ntry access lock safe rage iring login".split()
)

SHAPES = {
    # headers, and tokens in addresses
    "cookie": (
        ("cookie", "", r"ookie[\"']?[ \t]{0,4}:[ \t]{0,4}[\"']?([^\s\"'\\=;\[]{1,64}=[^\r\n\"'\\\[]{8,2000})"),
    ),
    "q~": (("azure", "", r"(?<![\w~.])([\w~.]{3}\dQ~[\w~.\-]{31,64})"),),
    "sig=": (("signed-url", "", r"[?&;]sig=([\w%+/=\-]{16,1024})"),),
    "ignature=": (
        ("signed-url", "", r"[?&;](?:X-Amz-Signature|X-Goog-Signature|Signature)=([\w%+/=\-]{16,1024})"),
    ),
    "signtool": (("password", "flag", r"signtool[^\n]{1,160} /p [\"']?([^\s\"'$]{4,128})"),),
    "hooks.slack": (("webhook", "", r"(hooks.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_\-]{20,})"),),
    "api/webhooks": (("webhook", "", r"(discord(?:app)?\.com/api/webhooks/[\w/\-]{30,})"),),
    "webhookb2": (("webhook", "", r"(webhook\.office\.com/webhookb2/[\w@/\-]{60,})"),),
    # SQL
    "identified": (
        ("password", "sql",
         (r"(?i:identified\s{1,8}(?:with\s{1,8}['\"`]?\w{1,40}['\"`]?\s{1,8})?(?:by|as)(?:\s{1,8}password)?"
         r"(?:\s{1,8}values)?)\s{1,8}['\"]([^'\"\r\n]{4,128})['\"]")),
        ("password", "prose", r"(?i:identified\s{1,8}by)\s{1,8}([^\s'\";]{4,64})"),
    ),
    "sp_addlogin": (
        ("password", "sql", r"sp_addlogin\s{1,8}N?'[^']{1,64}',\s{0,8}N?'([^']{4,128})'"),
    ),
    # code
    "getconnection": (
        ("password", "cell",
         r"(?i:getconnection)\([\w.+\"':/ ]{1,160},\s{0,8}\"[^\"\r\n]{1,64}\",\s{0,8}\"([^\"\r\n]{4,128})\""),
    ),
    "securestring": (
        ("password", "cell",
         r"(?i:ConvertTo-SecureString)\s{1,4}(?:-String\s{1,4})?[\"']([^\"'\r\n]{4,128})[\"']"),
    ),
    "hmac": (
        ("key", "cell",
         r"(?:hmac\.new\(\s{0,4}|createHmac\(['\"]\w{2,12}['\"],\s{0,4})b?[\"']([^\"'\r\n]{8,128})[\"']"),
    ),
    **dict.fromkeys(
        (".type(", ".fill(", "fill_in", "sendkeys(", "setvalue("),
        (
            ("password", "cell",
             (r"(?:\.type|\.fill|fill_in|sendKeys|setValue)[( ][^\n]{0,80}?ass(?:word|phrase|code)[^\n]{0,40}?, ?(?:with: ?)?"
             r"[\"']([^\"'\s]{4,128})[\"']")),
        ),
    ),
    "cipheriv(": (("key", "cell", r"ipheriv\([\"'][\w\-]{2,24}[\"'], ?[\"']([^\"'\s]{8,128})[\"']"),),
    "tochararray": (("password", "cell", r"\"([^\"\s]{4,128})\"\.toCharArray\("),),
    **dict.fromkeys(
        ("userpassword(", "set_password("),
        (("password", "cell", r"(?:UserPassword|set_password)\((?:[\"'][^\"'\n]{0,64}[\"'], ?){1,2}[\"']([^\"'\s]{4,128})[\"']"),),
    ),
    **dict.fromkeys(
        ("password_hash(", "passwordhash(", "hash::make(", "fernet(", "hmac256(", "hmacshakeyfor(", "secretkeyspec(", "secret::new("),
        (
            ("password", "cell",
             (r"(?:password_hash|passwordHash|Hash::make|Fernet|HMAC256|hmacShaKeyFor|SecretKeySpec|Secret::new)\(b?"
             r"[\"']([^\"'\s]{4,128})[\"']")),
        ),
    ),
    "crypt(": (
        ("password", "cell", r"crypt\('([^'\n]{4,128})', ?gen_salt"),
        ("password", "cell", r"pgp_sym_(?:en|de)crypt\([^,\n]{1,80}, ?'([^'\n]{4,128})'"),
    ),
    "secretstr(": (("secret", "cell", r"SecretStr\([\"']([^\"'\r\n]{4,128})[\"']"),),
    "encoder": (("password", "cell", r"ncoder(?:\(\))?\.encode\(\"([^\"\s]{4,128})\"\)"),),
    "accounts{": (("password", "cell", r"Accounts\{\s{0,8}\"[\w.@\-]{1,40}\":\s{0,4}\"([^\"\s]{4,128})\""),),
    "client(": (("password", "strong", r"[cC]lient\([\"'][\w.@\-]{1,40}[\"'], ?[\"']([^\"'\s]{7,64})[\"']\)"),),
    # command lines
    "-command": (("password", "flag", r"-command[ =][\"']echo ([^\s\"'$]{4,128})[\"']"),),
    **dict.fromkeys(("secret set", "secrets set", "secret put", "secrets put"), (
        ("token", "flag",
         r"secrets? (?:set|put) \S{1,64}(?: --?\w{1,12}[ =]\S{1,40}){0,2} (?:--?b(?:ody)?|--value|-v)[ =][\"']?([^\s\"'$]{4,128})"),
    )),
    "/p:": (("password", "flag", r" /p:[\"']?([^\s\"'/$*][^\s\"']{3,128})"),),
    "/user:": (("password", "flag", r"/user:\S{1,64} [\"']?([^\s\"'/$*][^\s\"']{3,128})"),),
    "net user ": (("password", "flag", r"net user \S{1,64} [\"']?([^\s\"'/$*][^\s\"']{3,128})"),),
    "vault ": (
        ("token", "token", r"vault (?:login|operator unseal|unseal)(?: -\S{1,40}){0,3} [\"']?([^\s\"'$\-]\S{7,128})"),
    ),
    "bw ": (("password", "flag", r"\bbw (?:login \S{3,80}|unlock) [\"']?([^\s\"'$\-][^\s\"']{5,128})"),),
    "obscure": (("password", "flag", r"rclone obscure [\"']?([^\s\"'$]{4,128})"),),
    "mc alias": (("key", "flag", r"mc alias set \S{1,40} \S{6,120} \S{3,64} [\"']?([^\s\"'$]{8,128})"),),
    **dict.fromkeys(
        "sqlplus expdp impdp sqlldr userid=".split(),
        (
            ("password", "flag",
             (r"(?:(?:sqlplus|expdp|impdp|sqlldr)(?: -\w{1,6}){0,3} |userid=)[\"']?[\w$#]{1,40}/\"?([^\s@/\"']{4,128})"
             r"\"?(?=[@\s\"']|\Z)")),
        ),
    ),
    "net use ": (("password", "flag", r"net use(?: \S{1,120}){1,2} ([^\s/\\*][^\s\"']{3,128}) /user:"),),
    "qpdf": (
        ("password", "flag", r"qpdf[^\n]{0,120}? --encrypt [\"']?([^\s\"'$\-]{4,128})"),
        ("password", "flag", r"qpdf[^\n]{0,120}? --encrypt \S{1,128} [\"']?([^\s\"'$\-]{4,128})"),
    ),
    "openssl passwd": (
        ("password", "flag", r"openssl passwd(?: -salt \S{1,32}| -\w{1,12}){0,4} [\"']?([^\s\"'$\-][^\s\"']{3,128})"),
    ),
    "radtest": (
        ("password", "flag", r"radtest(?: -\w \w{1,9})?(?: -\w)? \S{1,64} [\"']?([^\s\"'$]{4,128})"),
        ("password", "flag", r"radtest \S{1,64} \S{1,64} \S{1,64} \d{1,5} [\"']?([^\s\"'$]{4,128})"),
    ),
    "identify ": (("password", "flag", r"(?i:nickserv identify) (?:\w{1,32} )?([^\s\"'$]{4,128})"),),
    "/oper ": (("password", "flag", r"(?m)^/oper \S{1,32} ([^\s\"'$]{4,128})"),),
    "put-parameter": (
        ("password", "flag", r"put-parameter[^\n]{1,200}SecureString[^\n]{1,120}--value[= ][\"']?([^\s\"'$]{4,128})"),
        ("password", "flag", r"put-parameter[^\n]{1,200}--value[= ][\"']?([^\s\"'$]{4,128})[^\n]{1,120}SecureString"),
    ),
    "db2 ": (("password", "flag", r"(?i:db2 connect to) \S{1,64} (?i:user) \S{1,64} (?i:using) [\"']?([^\s\"'$]{4,128})"),),
    "networksetup": (("password", "flag", r"-setairportnetwork \w{1,9} (?:\"[^\"\n]{1,40}\"|\S{1,40}) [\"']?([^\s\"'$]{8,63})"),),
    "impacket": (("password", "flag", r"impacket-\w{1,24} " + _DOMAIN_USER),),
    ".py ": (("password", "flag", r"\w\.py " + _DOMAIN_USER),),
    "-passwd /users": (("password", "flag", r"-passwd /Users/\S{1,40} [\"']?([^\s\"'$]{4,128})"),),
    "http-basic": (("password", "flag", r"http-basic\.\S{1,40} \S{1,40} [\"']?([^\s\"'$]{4,128})"),),
    "cargo login": (("token", "token", r"cargo login [\"']?([^\s\"'$\-]{16,128})"),),
    "<(echo": (
        ("password", "flag",
         r"(?:pass|key)[^\n<]{0,60}<\(echo(?: -n)? (?:[\w.\-]{1,40}; ?echo )?[\"']?([^\s\"'$)]{4,128})[\"']?\)"),
    ),
    "ejabberdctl": (("password", "flag", r"ejabberdctl \w{1,20} \S{1,40} \S{1,60} [\"']?([^\s\"'$]{4,128})"),),
    "drush user": (("password", "flag", r"drush user:password \S{1,40} [\"']?([^\s\"'$]{4,128})"),),
    "admin user add": (("password", "flag", r"admin user add \S{1,40} \S{1,40} [\"']?([^\s\"'$]{4,128})"),),
    "shadow.set_": (("password", "flag", r"shadow\.set_password \S{1,40} [\"']?([^\s\"'$]{4,128})"),),
    "encrypt_string": (("password", "flag", r"encrypt_string [\"']([^\"'\n$]{4,128})"),),
    "rman target": (("password", "flag", r"rman target [\"']?[\w$#]{1,40}/([^\s@/\"']{4,128})"),),
    # code whose arguments are known by their place
    **dict.fromkeys(
        ("bcrypt", "scrypt", "pbkdf2"),
        (
            ("password", "cell",
             (r"(?:bcrypt(?:js)?\.(?:hash|hashSync|hashpw|compare)|scrypt(?:Sync)?|pbkdf2(?:Sync|_hmac)?)\(\s?(?:[\"']\w{2,12}[\"'], ?)?"
             r"b?[\"']([^\"'\s]{4,128})[\"']")),
        ),
    ),
    **dict.fromkeys(
        ("btoa(", "buffer.from(", "userpwd", "b64encode("),
        (
            ("password", "cell",
             (r"(?:btoa\(|Buffer\.from\(|USERPWD,? ?(?:=> ?)?|b64encode\(b?)[\"'`][\w.@\-]{1,64}:([^\s\"'`:$]{4,128})[\"'`]")),
        ),
    ),
    **dict.fromkeys(
        ("sequelize(", "pdo(", "mysqli(", "create_user(", "create_superuser("),
        (
            ("password", "cell",
             (r"(?:Sequelize|PDO|mysqli|create_user|create_superuser)\([^,()\n]{1,80}, ?[^,()\n]{1,80}, ?[\"']"
             r"([^\"'\s]{4,128})[\"']")),
        ),
    ),
    "wifi.begin(": (("password", "cell", r"WiFi\.begin\(\"[^\"\n]{1,32}\", ?\"([^\"\n]{8,63})\""),),
    "{noop}": (("password", "cell", r"\{noop\}([^\s\"'<]{4,128})"),),
    "chpasswd:": (
        ("password", "flag",
         (r"chpasswd:[^\n]{0,60}(?:\n[ \t]{1,12}[^\n]{0,80}){0,6}?\n[ \t]{1,12}(?:- )?[a-z_][\w\-]{0,31}:([^\s:\"']{4,128})"
         r"[ \t]{0,4}(?=\n|\Z)")),
        ("password", "flag", r"chpasswd:[^\n]{0,80}[\"'][a-z_][\w\-]{0,31}:([^\s:\"']{4,128})[\"']"),
    ),
    "snmp-agent": (("password", "flag", r"snmp-agent community (?:read|write)(?: simple| cipher)? ([^\s]{4,64})"),),
    "snmp-server user": (
        ("password", "flag", r"snmp-server user [^\n]{1,80}? auth (?:md5|sha)(?:-?\d{1,3})? ([^\s]{4,64})"),
        ("password", "flag", r"snmp-server user [^\n]{1,160}? priv (?:des|3des|aes) ?(?:\d{3} )?([^\s]{4,64})"),
    ),
    # hand-overs
    "admin": (("password", "strong", r"dmin(?<=[Aa]dmin)(?<![\w.\-/@].dmin)(?:istrator)?" + _HANDED_OVER),),
    "root": (("password", "strong", r"root(?<![\w.\-/@]root)" + _HANDED_OVER),),
    **dict.fromkeys(
        ("u/p", "user/p", "name/p"),
        (
            ("password", "prose",
             (r"(?i:\b(?:u|user(?:name)?|login)/p(?:w|wd|ass(?:word)?)?)(?i: is| are)?[: =]{1,3}[\w.@\-]{2,40} ?[/:|,] ?"
             r"[\"'`]?([^\s\"'`]{6,64})")),
        ),
    ),
    **dict.fromkeys(
        (" p:", " p=", "\np:", "\np="),
        (("password", "prose", r"[uU](?:ser|SER)?[:=] ?\S{1,40}[\s,;/|]{1,4}[pP][:=] ?[\"'`]?([^\s\"'`]{6,64})"),),
    ),
    "p/w": (("password", "prose", r"[pP]/[wW](?<![\w\-]...)(?: is |[:=] ?| )[\"'`]?([^\s\"'`]{6,64})"),),
    **dict.fromkeys(
        (" code:", " code is", " code to", " code for", " code ="),
        (
            ("otp", "",
             (r" code(?:" + _CODES + r")(?: for(?: \w{1,16}){1,3})?(?: \w{1,16})?(?: ?[:=]| is| to)(?: now| still)? (\d{3}[ \-]\d{3}|\d{4,8})\b")),
        ),
    ),
    # What one password opens, alone on its line.
    **dict.fromkeys(
        ("wifi:", "wi-fi:", "wlan:", "sudo:", "luks:", "vnc:", "wpa2:"),
        (
            ("password", "", r"WIFI:[^\n]{0,80}?P:([^;\n]{4,63});"),
            ("password", "strong", r"(?m)^[ \t>*\-]{0,6}(?i:wi-?fi|wlan|sudo|luks|vnc|wpa2):[ \t]{1,8}([^\s\"'`]{8,63})[ \t]{0,4}$"),
        ),
    ),
    **dict.fromkeys(
        ("connect as", "ssh in as", "auth with", "auth is", "auth:"),
        (
            ("password", "strong",
             (r"(?:connect as|in as|auth(?: with| is|:)) [\w.@\-]{2,32}(?: ?[/:] ?|,? (?:with|using|and|mit) )[\"'`]?([^\s\"'`]{6,64})")),
        ),
    ),
    **dict.fromkeys(
        ("code wifi", "wifi code", "code wi-fi", "wi-fi code"),
        (("password", "prose", r"(?i:code wi-?fi|wi-?fi code)(?: \w{1,16}){0,3}?(?::| is| est| es| ist) [\"'`«]?([^\s\"'`]{6,63})"),),
    ),
    # lines of configuration without a name for the secret
    **dict.fromkeys(
        ("basicauth", "basic_auth", "credentials"),
        (
            ("password", "cell",
             r"(?:asic_?[aA]uth|redentials)[\w.\-]{0,24}[\"']?[ ]?[=:][ ]?[\"']?[\w.@\-]{1,40}:(?!\d{2,5}\b)([^\s\"'$:,{}/]{4,128})"),
        ),
    ),
    **dict.fromkeys(
        ("{plain}", "{crypt}", "{cleartext}", "{ssha", "{sha", "{md5}", "{smd5}", "{argon2", "{pbkdf2"),
        (
            ("password-hash", "",
             r"\{(?:PLAIN|CLEARTEXT|CRYPT|S?SHA\d{0,3}|S?MD5|ARGON2\w{0,2}|PBKDF2[\w\-]{0,12})\}([^\s\"',<]{4,200})"),
        ),
    ),
    **dict.fromkeys((": xauth", ": eap"), (("password", "flag", r": (?:XAUTH|EAP|NTLM) \"([^\"\n]{4,128})\""),)),
    "user =": (("password", "flag", r"user = \"[^\s:\"]{1,64}:([^\s\"]{4,128})\""),),
    "smtp": (("password", "flag", r"(?m)\](?::\d{2,5})?[ \t]{1,8}[\w.@\-]{1,64}:([^\s:]{4,128})$"),),
    "\"md5": (("password-hash", "", r"\"(md5[0-9a-f]{32})\""),),
    "scram-sha": (("password-hash", "", r"(SCRAM-SHA-(?:1|256|512)\$[\w+/=$:]{40,256})"),),
    "_pass ": (("password", "flag", r"(?m)_pass [\w.@\-]{1,40} ([^\s\"']{6,128})$"),),
    "stats auth": (("password", "flag", r"stats auth {1,4}[^\s:]{1,64}:([^\s]{4,128})"),),
    "default on": (("password", "flag", r"(?m)^user \S{1,64} [^\n]{0,40}?>([^\s]{4,128})"),),
    "createuser": (
        ("password", "flag", r"createUser \S{1,64} (?:MD5|SHA(?:-?\d{1,3})?) [\"']?([^\s\"']{4,128})"),
        ("password", "flag", r"createUser \S{1,64} \S{1,9} \S{1,128} (?:DES|AES\w{0,5}) [\"']?([^\s\"']{4,128})"),
    ),
    "com2sec": (("password", "flag", r"com2sec6? {1,8}\S{1,64} {1,8}\S{1,64} {1,8}([^\s]{4,64})"),),
    ":thin:": (("password", "flag", r":thin:[\w$#]{1,40}/\"?([^\s@/\"']{4,128})\"?@"),),
    "<<<": (
        ("password", "flag",
         (r"(?:passwd|kinit|login|-S|secret|cryptsetup|stdin|keyring|pass insert|pw usermod)[^\n<]{0,80}<<< ?[\"']?(?:[\w.\-]{1,32}:)?"
         r"([^\s\"'$]{4,128})")),
    ),
    # What is piped to a command. Each begins with what prints it.
    **dict.fromkeys(
        ("echo ", "printf ", "yes "),
        (
            ("password", "flag",
             (r"(?:echo|printf|yes)(?: -\w{1,3}| ['\"][\w.\-]{0,32}:?%s(?:\\n)?['\"]){0,2} {1,4}[\"']?(?:[\w.\-]{1,32}:)?"
             r"([^\s\"'|$:][^\s\"'|]{3,128})[\"']? {0,4}\| {0,4}(?:sudo (?:-\w )?)?(?:chpasswd|-S|passwd|kinit|base64|kubectl create secret"
             r"|cryptsetup|vncpasswd|docker secret|gh secret|wrangler secret|(?:docker|podman|helm|oras|crane|gh"
             r"|bw|az|npm)\b[^\n|]{0,80}(?:stdin|with-token)|openconnect|smbpasswd|vpnc|gpg[^\n|]{0,80}passphrase-fd"
             r"|openssl[^\n|]{0,80}stdin|gcloud secrets)")),
        ),
    ),
    "unix(": (("password", "flag", r"[\w.\-]{1,64}:([^\s:@\"'`]{4,128})@unix\("),),
    "tcp(": (("password", "flag", r"[\w.\-]{1,64}:([^\s:@\"'`]{4,128})@tcp\("),),
    "expect": (
        ("password", "flag",
         r"expect[^\n]{0,60}ass(?:word|phrase)[^\n]{0,40}\n?\s{0,8}[\w.]{0,16}send(?:line)?(?: --)?[ (][\"']([^\"'\\\n]{4,64})"),
    ),
    "phrase": (
        ("seed-phrase", "",
         r"(?i:(?:seed|recovery|secret|backup)[ _]phrase)[^\n]{0,24}?[:=\"'\s]{1,6}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"),
    ),
    "mnemonic": (
        ("seed-phrase", "", r"(?i:mnemonic)[^\n]{0,24}?[:=\"'\s]{1,6}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})"),
    ),
    "rabbitmqctl": (("password", "flag", r"rabbitmqctl (?:add_user|change_password) \S{1,60} [\"']?([^\s\"'$]{4,128})"),),
    "samba-tool": (("password", "flag", r"samba-tool user (?:create|add) \S{1,60} [\"']?([^\s\"'$\-][^\s\"']{3,128})"),),
    "mosquitto_passwd": (("password", "flag", r"mosquitto_passwd -\w{1,4} \S{1,120} \S{1,60} [\"']?([^\s\"'$]{4,128})"),),
    "schtasks": (("password", "flag", r"schtasks[^\n]{1,200} /rp [\"']?([^\s\"'$]{4,128})"),),
    "keyvault": (("password", "flag", r"keyvault secret set[^\n]{0,160}--value[= ][\"']?([^\s\"'$]{4,128})"),),
    "auth ": (("password", "flag", r"(?m)AUTH (?:\w{1,32} )?([^\s\"'$]{6,64})$"),),
    ".auth(": (("password", "cell", r"\.(?:auth|AUTH)\([\"']([^\"'\s]{4,128})[\"']\)"),),
    "masterauth": (("password", "flag", r"(?m)^masterauth {1,4}[\"']?([^\s\"']{4,128})"),),
    "community": (
        ("password", "flag", r"(?:snmp-server (?:community|host [^\n]{1,60}? version \w{1,3})|snmp community|community) \"?([^\s\";{]{4,64})\"?(?= (?:ro|rw|RO|RW|view|authorization)\b| \{)"),
        ("password", "flag", r"snmp-server (?:community|host \S{1,60}(?: traps| informs)?(?: version \w{1,3})?) ([^\s]{4,64})"),
        ("password", "flag", r"(?m)^[ \t]{0,8}(?:ro|rw|trap)community6? {1,4}\"?([^\s\"]{4,64})"),
    ),
    "_pw": (("password", "flag", r"(?:input|user|owner)_pw [\"']?([^\s\"'$]{4,128})"),),
    "option key": (("password", "flag", r"option key [\"']?([^\s\"']{8,63})"),),
    "uci set": (("password", "flag", r"uci set wireless[^=\n]{1,60}\.key=[\"']?([^\s\"']{8,63})"),),
    "--secret-string": (("password", "flag", r"--secret-string [\"']?([^\s\"'${]{4,128})"),),
    **dict.fromkeys(
        ("admin-password", "encrypt-password", "encrypt-master-password"),
        (("password", "flag", r"(?:reset-admin-password|--encrypt-(?:master-)?password) [\"']?([^\s\"'$\-][^\s\"']{3,128})"),),
    ),
    "pass:": (("password", "flag", r"-pass(?:in|out|word)?[ =]pass:[\"']?([^\s\"'$]{4,128})"),),
    "wpa_passphrase": (
        ("password", "flag", r"wpa_passphrase (?:\"[^\"\n]{1,40}\"|'[^'\n]{1,40}'|\S{1,40}) [\"']?([^\s\"'$]{8,63})"),
    ),
    "htpasswd": (
        ("password", "flag",
         r"htpasswd -\w{0,6}b\w{0,6} (?:-\S{1,9} )?(?:\S{1,120} )?[^\s\-]\S{0,64} [\"']?([^\s\"'$|>&;]{4,128})"),
    ),
    "passport": (("person-number", "", r"assport[^\n\d]{0,24}?\b([A-Z]?\d{8,9})(?!\w)"),),
    "set password for": (
        ("password", "sql",
         r"(?:SET PASSWORD FOR|set password for)\s{1,4}\S{1,80}\s{0,4}(?:=|to)\s{0,4}(?i:password\()?['\"]([^'\"\r\n]{4,128})"),
    ),
    "random_password": (("password", "cell", r"random_password[^\r\n]{0,400}\"result\":\s{0,4}\"([^\"\r\n]{6,200})\""),),
    "jwt.": (
        ("key", "cell",
         r"jwt\.(?:sign|verify|encode|decode)\([^\"'\r\n]{1,80},\s{0,4}b?[\"']([^\"'\r\n]{8,128})[\"']"),
    ),
    "&secret=": (("otp", "", r"[?&]secret=([A-Za-z2-7]{12,})"),),
    "?secret=": (("otp", "", r"[?&]secret=([A-Za-z2-7]{12,})"),),
    **dict.fromkeys(
        (":$", ":!$"),
        (("password-hash", "", r":!?(\$(?:1|2[abxy]|5|6|7|y|gy|apr1|argon2\w{1,2})\$[^\s:\"']{12,256})"),),
    ),
    "@": (
        ("password", "flag", r"MONITOR \S{1,64} \d \S{1,40} ([^\s]{4,128}) (?:master|slave|primary|secondary)"),
        ("password", "prose", r"@[\w\-]{1,40}(?:\.[\w\-]{1,40}){1,4} [/|] ([^\s\"'`]{6,64})(?=[\s.,)]|\Z)"),
        ("password", "prose",
         (r":([^\s:@/\"'<>,;()\[\]{}]{6,64})@(?!sha\d)(?=[A-Za-z][\w\-]{0,40}(?:[.:/ \n]|\Z)|localhost"
         r"|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d)")),
    ),
    ":": (("password", "flag", r"(?m):(?:\d{4,5}|\*):[\w*.\-]{1,64}:[\w*.\-]{1,64}:([^\s:]{4,128})$"),),
}  # fmt: skip
