"""Events whose command or tool reads a secret."""

import string
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.cutting import Json
from actors.policy.secrets.secret_commands import (
    ASSIGNMENTS,
    NOTHING,
    SECRET,
    masked,
    printed,
)
from actors.policy.secrets.secret_values import MARKER
from tests.costs import ratio

READING = r"""
printenv DEPLOY_TOKEN
printenv HOME GITHUB_TOKEN
echo $GITHUB_TOKEN
echo "token is ${NPM_TOKEN}"
echo "it's $TOKEN"
printf '%s' "$dbPassword"
echo "$SECRET" | base64
echo %API_KEY%
cd infra && terraform output -raw admin_password
terraform output -raw generated
terraform -chdir=infra output db_password
tofu output -json
kubectl get secret app -o yaml
kubectl -n prod get secret/app -ojson | jq -r '.data.url'
kubectl get secret app --template='{{.data.x}}' | base64 --decode
sudo kubectl create token builder
op read op://vault/item/field
op item get Login --fields password
pass show servers/db
pass servers/db
pass show -c servers/db | head -1
gopass show -o infra/root
bw get password example.org
vault kv get -field=value secret/app
VAULT_ADDR=http://v:8200 vault read secret/data/app
gcloud secrets versions access latest --secret=app
gcloud --project p auth print-access-token
aws --profile prod secretsmanager get-secret-value --secret-id app
aws ssm get-parameters-by-path --path /app --with-decryption
az keyvault secret show --name a --vault-name b
az storage account keys list -n acme
gh auth token
gh auth status --show-token
heroku config:get DATABASE_URL -a shop
heroku config:get SOME_SETTING
doppler secrets get X --plain
git credential fill <<< "host=example.org"
git config --get sendemail.smtpPass
npm config get //registry.npmjs.org/:_authToken
cat password.txt
cat /etc/shadow
cat .env
cat .env.local | grep -v '^#'
sed -n 1,5p config/.env
head -n 20 ~/.netrc
tail -1 < db_password.txt
cat /run/secrets/db
cat "$HOME/.aws/credentials"
grep DB .env
jq -r .client_secret oauth.json
jq '.accounts[0].password' dump.json
bash -lc 'cat .env'
ssh deploy@10.0.0.5 'cat /srv/app/.env'
ssh deploy@10.0.0.5 printenv API_TOKEN
docker exec -it web sh -c 'echo $SECRET_KEY'
docker compose exec web printenv SECRET_KEY
kubectl exec deploy/api -- cat /var/secrets/token
sudo -u app cat /home/app/.pgpass
timeout 5 cat .vault-token
for f in a b; do cat secrets.json; done
T=$(op read op://a/b/c); echo $T
export T=`vault kv get -field=x secret/y` && echo "$T"
echo "pw: $(pass show web/db)"
python3 -c 'import os; print(os.environ["API_TOKEN"])'
node -e "console.log(process.env.SECRET_KEY)"
node -p process.env.SECRET_KEY
ruby -e 'puts ENV.fetch("DB_PASSWORD")'
python -c 'import secrets; print(secrets.token_urlsafe(32))'
openssl rand -base64 32
pwgen 20 1
wg genkey | tee private
security find-generic-password -a me -s x -w
sops -d prod.enc.yaml
ansible-vault view group_vars/all/vault.yml
cat .env 2>/dev/null
cat .env 2>&1 | head -3
docker swarm join-token -q worker
type C:\keys\password.txt
Get-Content .\secrets.json
$env:API_TOKEN
powershell -Command "echo $env:API_TOKEN"
eval "echo \$TOKEN"
[Environment]::GetEnvironmentVariable("API_TOKEN")
source .env && echo $SMTP_HOST
set -a; . ./.env.local; set +a; echo "$ANYTHING"
awk 'BEGIN { print ENVIRON["API_TOKEN"] }'
curl -s http://169.254.169.254/latest/meta-data/iam/security-credentials/web
curl -H "X-Vault-Token: $T" $VAULT_ADDR/v1/secret/data/app
consul kv get app/db_password
bin/rails credentials:show
cat keys.txt
cat /srv/app/secrets/smtp
cat deploy/secrets/db.yaml
echo $CONNECTION_STRING
git show HEAD~2:.env
git diff -- config/.env
diff .env .env.production
while read line; do echo $line; done < .env
xargs -n1 < .env
python -c "print(open('.env').read())"
node -e "console.log(require('fs').readFileSync('secrets.json', 'utf8'))"
""".strip().splitlines()

HARMLESS = r"""
printenv HOME
echo $HOME $PATH
echo '$GITHUB_TOKEN'
echo "${#TOKEN}"
echo "${TOKEN:+set}"
echo "the token is refreshed"
[ -n "$TOKEN" ] && echo yes
curl -s -H "Authorization: Bearer $TOKEN" https://api.example.com/items
echo "$PASSWORD" | docker login -u me --password-stdin
echo "$TOKEN" | gh auth login --with-token
echo "$TOKEN" > token.txt
echo "$TOKEN" | wc -c
docker login -u me -p "$(op read op://a/b/c)"
PGPASSWORD=$(pass show db) psql -c 'select 1'
T=$(op read op://a/b/c)
export TOKEN=$(gh auth token)
terraform output
terraform output -raw region
terraform output -raw vpc_id
terraform apply
kubectl get secrets
kubectl get secret app
kubectl get secrets -o name
kubectl get pods -o yaml
kubectl describe secret app
kubectl get deploy/secret-service -o yaml
op item list
op vault list
pass
pass ls
pass git push
pass insert web/db
vault status
vault kv list secret/
gcloud secrets list
aws secretsmanager list-secrets
aws ssm get-parameter --name /app/region
gh auth status
gh secret list
heroku config:get NODE_ENV
git config --get user.name
git log --oneline -- secrets.py
cat README.md
cat src/secrets.py
cat /etc/passwd
cat .env.example
cat docs/passwords.md
cat ~/.ssh/id_ed25519.pub
cut -d= -f1 .env
cat .env | cut -d= -f1
cat .env | wc -l
cat .env > /dev/null
grep -c . .env
grep -rn password src
grep -rn token src/secret
ls -la secrets/
stat .env
cp .env.example .env
rm -f password.txt
source .env
wc -l tokens.txt
jq .version package.json
jq '.token_type' response.json
pytest tests/test_password.py
go test ./secret/...
git commit -m "cat .env is masked"
echo "run: op read op://a/b"
rg "printenv TOKEN" docs
for key in a b; do echo $key; done
echo $MAX_TOKENS $TOKEN_URL $SSH_AUTH_SOCK $PWD
openssl x509 -in site.pem -noout -subject
python3 -c 'print(1)'
python3 -c 'import os; os.environ["API_TOKEN"]'
docker ps
ssh host uptime
make secrets
source .env && echo $HOME
source venv/bin/activate && echo $ANYTHING
consul kv get app/region
curl -s https://api.example.com/v1/items
cat docs/secrets/README.txt
cat src/secrets/store.py
cat monkeys.txt
git diff --stat .env
git diff src/secrets.py
git show HEAD:README.md
python -c "print(open('README.md').read())"
python -c "import dotenv; dotenv.load_dotenv('.env')"
while read line; do echo $line; done < hosts.txt
docker compose --env-file .env up -d
export $(grep -v '^#' .env | xargs) && npm test
""".strip().splitlines()

IN_A_DOCUMENT = "cat <<EOF\necho $TOKEN\nEOF"  # a text, not a command


def ran(command: str, output: str) -> dict[str, Json]:
    """The event of a shell tool."""
    return {
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_response": {"stdout": output, "stderr": "", "interrupted": False},
    }


@pytest.mark.parametrize("line", READING)
def test_a_command_that_reads_a_secret_prints_one(line: str) -> None:
    assert printed(line) == SECRET


@pytest.mark.parametrize("line", [*HARMLESS, IN_A_DOCUMENT])
def test_a_command_that_only_looks_like_it_prints_none(line: str) -> None:
    assert printed(line) == NOTHING


@pytest.mark.parametrize("line", ["env", "printenv | sort", "export -p", "sudo env | grep -i to"])
def test_a_listing_of_the_environment_prints_assignments(line: str) -> None:
    assert printed(line) == ASSIGNMENTS


def test_the_output_is_masked_and_the_command_stays() -> None:
    event = masked(ran("op read op://infra/db/password", "velvet crow"))

    assert event["tool_response"] == {"stdout": MARKER, "stderr": "", "interrupted": False}
    assert event["tool_input"] == {"command": "op read op://infra/db/password"}


def test_an_event_that_reads_no_secret_is_the_same_object() -> None:
    event = ran("cat README.md", "password: hunter2")

    assert masked(event) is event


def test_of_a_listing_only_the_secret_values_are_masked() -> None:
    event = masked(ran("env", "HOME=/home/anna\nDB_PASS=marmalade\nLANG=C"))

    assert event["tool_response"] == {
        "stdout": f"HOME=/home/anna\nDB_PASS={MARKER}\nLANG=C",
        "stderr": "",
        "interrupted": False,
    }


def test_a_file_that_holds_secrets_is_masked_by_whatever_tool_reads_it() -> None:
    event = masked(
        {
            "tool_name": "Read",
            "tool_input": {"file_path": "/srv/app/.env"},
            "tool_response": {
                "type": "text",
                "file": {"filePath": "/srv/app/.env", "content": "1→NAME=juniper", "numLines": 1},
            },
        }
    )

    assert event["tool_response"] == {
        "type": "text",
        "file": {"filePath": "/srv/app/.env", "content": MARKER, "numLines": 1},
    }


def test_what_is_written_into_such_a_file_is_masked_in_the_call_as_well() -> None:
    event = masked(
        {
            "tool_name": "Edit",
            "tool_input": {"file_path": ".env", "old_string": "A=juniper", "new_string": "A=oak"},
            "tool_response": "done: A=oak",
        }
    )

    assert event["tool_input"] == {
        "file_path": ".env",
        "old_string": MARKER,
        "new_string": MARKER,
    }
    assert event["tool_response"] == MARKER


def test_a_folder_that_is_called_like_a_secret_may_be_searched() -> None:
    event: dict[str, Json] = {
        "tool_name": "Grep",
        "tool_input": {"pattern": "def", "path": "src/secret"},
        "tool_response": {"content": "src/secret/store.py:1:def a(): ..."},
    }

    assert masked(event) is event


@pytest.mark.parametrize("tool", ["mcp__vault__read_secret", "get_secret_value", "revealPassword"])
def test_a_tool_that_hands_over_secrets_is_known_by_its_name(tool: str) -> None:
    event = masked({"tool_name": tool, "tool_response": [{"type": "text", "text": "oak"}]})

    assert event["tool_response"] == [{"type": "text", "text": MARKER}]


@pytest.mark.parametrize("tool", ["list_secrets", "get_secret_scanning_alert", "Read", "WebFetch"])
def test_a_tool_that_tells_about_secrets_is_not(tool: str) -> None:
    event: dict[str, Json] = {"tool_name": tool, "tool_response": "a, b"}

    assert masked(event) is event


def test_a_failed_command_and_a_command_as_words_are_known_too() -> None:
    event = masked(
        {
            "tool_name": "shell",
            "tool_input": {"command": ["bash", "-lc", "cat .env; false"]},
            "error": "Exit code 1\nNAME=juniper",
        }
    )

    assert event["error"] == MARKER


def test_a_response_that_is_nested_too_deeply_is_masked_whole() -> None:
    response: Json = "oak"
    for _ in range(100):
        response = [response]

    event = masked({"tool_name": "get_secret", "tool_response": response})

    assert "oak" not in str(event)


def test_masking_twice_changes_nothing() -> None:
    lines = (*READING, *HARMLESS, "env")
    once = {line: masked(ran(line, "HOME=/root\nDB_PASS=oak")) for line in lines}

    assert {line: masked(event) for line, event in once.items()} == once


@given(st.text(alphabet=string.ascii_letters + " $(){}'\"`|&;<>\\\n=-./", max_size=200))
def test_no_command_line_is_too_odd(line: str) -> None:
    assert printed(line) in (NOTHING, ASSIGNMENTS, SECRET)


@pytest.mark.parametrize(
    "seed",
    ["$(", "`", "'", '"', "<<A ", "<<A\n", "a=", "$X ", "${", ".a", "-", "env ", "\\", "(", "| ",
     "$($(a)", "s/=.*", "-c ", "cat .env ", "_a", "aA", "sudo -u ", "A=b\n", "$(echo ", "sh -c "],
)  # fmt: skip
def test_long_command_lines_cost_in_proportion(seed: str) -> None:
    def event(size: int) -> dict[str, Json]:
        text = (seed * size)[:size]
        return {
            **ran(f"env; {text}", text),
            "tool_input": {"command": f"env; {text}", "path": text},
        }

    small, large = (partial(masked, event(size)) for size in (16_000, 64_000))

    assert ratio(large, small, 10, least=0.002) < 10


def test_the_modules_import_re_and_one_another_alone() -> None:
    code = (
        "import sys, re; before = set(sys.modules); sys.path.insert(0, sys.argv[1])\n"
        "import actors.policy.secrets.secret_commands\n"
        "print(sorted(n for n in set(sys.modules) - before if not n.startswith('actors')))"
    )
    root = Path(__file__).resolve().parents[3]

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(root)],
        check=True,
        capture_output=True,
        text=True,
    )

    assert done.stdout.strip() == "['__future__']"
