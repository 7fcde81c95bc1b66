"""Secrets behind flags of command line tools: `mysql -p…`, `curl -u user:…`, as the tools document it.

Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re

from actors.policy.secrets.secret_values import compiled, is_secret

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    Span = tuple[int, int, str]  # start, end, kind

# What stands behind a flag of a command line tool, as the tools document it: the flags, the tools,
# and what stands between the flag and the secret.
_FLAGS = (
    ("p", "mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump", r""),
    ("p", "7z 7za 7zr rar unrar", r""),
    ("hp", "rar", r""),
    ("p", ("sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport nxc crackmapexec"
     " netexec evil-winrm psexec hydra oc az podman docker buildah skopeo helm nerdctl cf influx"
     " rabbitmqadmin useradd usermod ftp twine dotnet nuget"), r"[= ]?"),
    ("a", "redis-cli valkey-cli", r"[= ]?"),
    ("w", "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami security", r"[= ]?"),
    ("P", "zip unzip sqlcmd osql knife bcp tsql ipmitool mosquitto_pub mosquitto_sub isql", r"[= ]?"),
    ("U", "smbclient rpcclient smbget wmic winexe net smbmap", r"[= ]?[\"']?[^\s%\"']{1,64}%"),
    ("u a -user -auth -proxy-user U", "curl wget http https xh aria2c", r"[= ]?[\"']?[^\s:\"'$]{0,64}:"),
    ("u", "lftp", r" ?[\"']?[^\s,\"']{1,64},"),
    ("N P", "ssh-keygen", r"[= ]?"),
    ("p", ("cqlsh cypher-shell doveadm veracrypt ibmcloud mongostat mongotop snowsql nexus jfrog jf smbmap kubectl"
     " ncftp ncftpput ncftpget rdesktop steghide racadm beeline oras medusa certutil security mysql_config_editor"
     " elasticsearch-users bloodhound-python"), r"[= ]?"),
    ("w", "kadmin beeline ldapcompare", r"[= ]?"),
    ("A X", "snmpwalk snmpget snmpset", r" ?"),
    ("k K", "openssl", r" "),
    ("s", "ldappasswd", r" "),
    ("c", "snmpwalk snmpget snmpset snmpgetnext snmpbulkwalk snmpbulkget snmptable snmpstatus snmptrap", r" ?"),
    ("pw", "plink pscp psftp kadmin kadmin.local", r" "),
    ("pas", "gbak gfix gsec isql isql-fb nbackup", r" "),
    ("ap xp", "swaks sendemail", r" "),
    ("A P", "ab", r" ?[\"']?[^\s:\"'$]{1,64}:"),
    ("a", "hey httpie bombardier", r"[= ]?[\"']?[^\s:\"'$]{1,64}:"),
    ("-user -creds -src-creds -dest-creds -auth auth -uri -basic-auth",
     ("etcdctl skopeo crictl ctr podman buildah httpie mysqlsh jenkins-cli jenkins-cli.jar xh oras"), r"[= ]?[\"']?[^\s:\"'$]{1,64}:"),
)  # fmt: skip
_FLAG = re.compile(
    r" -(?:[sSkLfviI]{1,6}(?=u))?(-user|-auth|-proxy-user|-creds|-src-creds|-dest-creds|-uri|-basic-auth|auth|hp"
    r"|pas|pw|ap|xp|[paPwUuAXkKNsc])(?=[= \"'\w!@#%^&*+])"
)
# A user's name behind its own flag: what `-p` holds next is the password, whatever the tool.
_USER_FLAG = r" -(?:[uU]|-user(?:name)?)[= ][\"']?[\w.@\\\-]{1,64}[\"']?\Z"
_ARGUMENT = (
    r"(?:\"([^\"$\n]{4,128})\"|'([^'\n]{4,128})'|[\"']?([^\s\"'$\-\[<{|;&][^\s\"'|;&]{3,128}))"
)


def commands(text: str, spans: list[Span]) -> None:
    """Find what a command line tool is given behind a flag that has another sense elsewhere."""
    for found in _FLAG.finditer(text):
        head = text[max(0, found.start() - 200) : found.start()]
        command = compiled(r"[|;&\n]").split(head.replace("\\\n", " "))[-1]
        words = {word.rpartition("/")[2].lower() for word in command.strip("`$(\"'").split()}
        behind_user = found.group(1) == "p" and compiled(_USER_FLAG).search(command) is not None
        for tools, between in _ANY_TOOL if behind_user else _BY_FLAG[found.group(1)]:
            if words.isdisjoint(tools) and not behind_user:
                continue
            value = compiled(between + _ARGUMENT).match(text, found.end())
            group = 0 if value is None else value.lastindex or 0
            if value is not None and _is_argument_secret(value.group(group)):
                spans.append((value.start(group), value.end(group), "password"))
                break


def _by_flag() -> dict[str, list[tuple[frozenset[str], str]]]:
    """Return for each flag its tools, and what stands before the secret."""
    flags: dict[str, list[tuple[frozenset[str], str]]] = {}
    for names, tools, between in _FLAGS:
        for name in names.split():
            flags.setdefault(name, []).append((frozenset(tools.split()), between))
    return flags


_BY_FLAG = _by_flag()
_NO_TOOL: frozenset[str] = frozenset()
_ANY_TOOL = [(_NO_TOOL, r"[= ]?")]


def _is_argument_secret(value: str) -> bool:
    """Whether an argument is a secret: no reference, no placeholder, no port, no path."""
    if (
        compiled(r"\d{1,5}(?::\d{1,5})?(?:/\w+)?\Z|[./~]|[a-z]{1,24}:\w|\d+\.\d").match(value)
        is not None
    ):
        return False
    return is_secret(value, 3, "flag", True, False)
