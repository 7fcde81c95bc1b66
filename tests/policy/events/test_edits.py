"""Files edited by a command line, by its own words, and files that an event tells of."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.events.edits import (
    FILES,
    files_named,
    files_touched,
    is_edit,
    shell_edits,
    shell_writes,
)
from actors.policy.events.events import Event, EventKind, Tool

ROOT = "/p"


def files(line: str) -> list[str]:
    return [path.removeprefix(f"{ROOT}/") for path in shell_edits(line, ROOT)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sed -i 's/a/b/' app.py", ["app.py"]),
        ("sed -i.bak -E 's/(x)/y/' a.py && pytest -q", ["a.py"]),
        ("sed -i '' -e 's/a/b/' -e 's/c/d/' src/a.py src/b.py", ["src/a.py", "src/b.py"]),
        ("sed -i .bak 's/a/b/' f.txt", ["f.txt"]),
        ("sed --in-place --expression='s/a;b/c|d/' q.py; make test", ["q.py"]),
        ("sed -i 's/x/y/' \\\n  a.py", ["a.py"]),
        ("perl -pi -e 's/a/b/' lib/x.rb", ["lib/x.rb"]),
        ("perl -0pi -e 's/a/b/g' a.c b.c", ["a.c", "b.c"]),
        ("cat > app/new.py <<'EOF'\ndef f():\n    return 1\nEOF\npytest -q", ["app/new.py"]),
        ("cat <<EOF > a.txt\nsed -i s/a/b/ other.txt\nEOF", ["a.txt"]),
        ("cat > empty <<EOF\nEOF", ["empty"]),
        ("cd api && cat >> conf/x.toml <<-END\na\n\tEND", ["api/conf/x.toml"]),
        ("sudo tee -a etc/hosts <<E\nx\nE", ["etc/hosts"]),
        ("echo 'A=1' | tee .env", [".env"]),
        ("echo 'A=1' >> .env", [".env"]),
        ("patch -p1 <<'P'\n--- a/x.py\n+++ b/x.py\n@@\nP", ["x.py"]),
        ("patch src/x.c < fix.diff", ["src/x.c"]),
        ("git apply <<'P'\n--- a/x.py\n+++ b/src/x.py\nP", ["src/x.py"]),
        ("apply_patch <<'E'\n*** Begin Patch\n*** Update File: a/b.py\nE", ["a/b.py"]),
        ("jq '.a=1' package.json > t.json && mv t.json package.json", ["package.json"]),
        ("jq . p.json > /tmp/t && mv /tmp/t p.json", ["p.json"]),
        ("FOO=1 sed -i s/a/b/ a.py a.py", ["a.py"]),
        ("cd sub/../lib && sed -i s/a/b/ ./a.py", ["lib/a.py"]),
    ],
)
def test_the_file_is_told_by_the_command(line: str, expected: list[str]) -> None:
    assert files(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "",
        "sed -n 1,3p a.py",
        "perl -Mstrict x.pl",
        "perl -ne 'print' a.txt",
        "pytest -q > report.txt",
        "pytest 2>&1 | tee report.txt",
        "echo done > /dev/null 2>&1",
        "echo x > /tmp/scratch.py",
        "echo hi 2> errors.txt",
        "echo 'a > b'",
        "cat a.py",
        "mv a.py b.py",
        "git checkout main",
        "git restore --staged a.py",
        "git restore -S a.py",
        "git apply fix.patch",
        'sed -i s/a/b/ "$FILE"',
        "for f in a b; do sed -i s/x/y/ $f; done",
        "grep -rl foo | xargs sed -i 's/a/b/'",
        "python3 - <<'E'\nopen('x', 'w')\nE",
        "echo it's > broken",
    ],
)
def test_what_edits_nothing_or_nothing_that_is_named_tells_no_file(line: str) -> None:
    assert files(line) == []


def test_what_stands_in_a_document_is_no_command_even_when_it_is_cut_off() -> None:
    body = "sed -i s/a/b/ other.py\n"

    assert files(f"cat > a.sh <<EOF\n{body}") == ["a.sh"]
    assert files(f"cat > a.sh <<ONE && cat > b.sh <<TWO\n{body}ONE\n{body}TWO\n") == [
        "a.sh",
        "b.sh",
    ]
    assert files(f"cat > a.sh <<A\n{body}A\ncat > b.sh <<A\n{body}A\n") == ["a.sh", "b.sh"]


def test_only_what_comes_before_a_command_may_have_helped_it() -> None:
    line = "sed -i s/a/b/ a.py && pytest -q && sed -i s/c/d/ b.py"

    assert shell_edits(line, before="pytest") == ("a.py",)
    assert shell_edits(line) == ("a.py", "b.py")


def test_a_project_below_the_scratch_folder_is_no_scratch() -> None:
    (edit,) = shell_edits("sed -i s/a/b/ app.py", folder="/tmp/shop")

    assert edit == "/tmp/shop/app.py"
    assert shell_edits("sed -i s/a/b/ /tmp/other.py", folder="/tmp/shop") == ()


def test_the_files_of_one_line_are_bounded() -> None:
    names = " ".join(f"f{i}.py" for i in range(3 * FILES))

    assert len(shell_edits(f"sed -i s/a/b/ {names}")) == FILES


@pytest.mark.parametrize(
    ("segment", "expected"),
    [
        ("perl -pi -e s/a/b/ x.py", True),
        ("patch -p1", True),
        ("git apply fix.patch", True),
        ("git checkout -- x.py", True),
        ("git checkout main", False),
        ("perl run.pl", False),
        ("pytest -q", False),
        ("git", False),
        ("", False),
    ],
)
def test_a_command_that_only_edits_is_known(segment: str, expected: bool) -> None:
    assert is_edit(segment) is expected


PIECES = st.sampled_from(
    [
        *("sed -i ", "perl -pi -e ", "cat > ", "<<EOF\n", "EOF\n", "'", '"', "\\", "a.py ", "&& "),
        *(
            "git checkout -- ",
            "patch ",
            "$X ",
            "> ",
            "2>&1 ",
            "mv ",
            "cd ",
            "../",
            "; ",
            "\n",
            "\0",
        ),
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=25).map("".join)))
def test_no_line_breaks_it_and_a_path_is_a_name(line: str) -> None:
    for edit in shell_edits(line, ROOT):
        assert edit
        assert not set("$`\0\n") & set(edit)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("sed -i 's/a/b/' a.py", ["a.py"]),
        ("sed -n 1,3p a.py", []),
        ("> a.py", ["a.py"]),
        ("cd src && pytest > out.txt 2> err.txt", ["src/out.txt"]),
        ("rm -rf build a.py", ["build", "a.py"]),
        ("git rm -f a.py", ["a.py"]),
        ("git mv a.py b.py; git add c.py", ["a.py", "b.py"]),
        ("mv a.py old/", ["a.py", "old"]),
        ("cp a.py b.py", ["b.py"]),
        ("sudo truncate -s0 a.log", ["a.log"]),
        ("rm $FILE ~ && echo x > /dev/null", []),
    ],
)
def test_what_a_command_writes_moves_or_removes_is_told_by_its_words(
    line: str, expected: list[str]
) -> None:
    assert [path.removeprefix(f"{ROOT}/") for path in shell_writes(line, ROOT)] == expected


def test_of_many_files_that_a_command_removes_the_first_are_told() -> None:
    assert len(shell_writes("rm " + " ".join(map(str, range(10 * FILES))))) == FILES


# ---- files that events tell of


def tool(name: str, kind: EventKind = EventKind.TOOL, output: str = "", **fields: Any) -> Event:
    return Event("claude", kind, "s1", tool=Tool(name, fields, output=output))


def test_a_tool_touches_the_file_it_was_given() -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: b.py\n+x\n"

    assert files_touched(tool("Edit", file_path="/p/a.py")) == ("/p/a.py",)
    assert files_touched(tool("apply_patch", patch=patch)) == ("src/a.py", "b.py")
    assert files_touched(tool("Edit", EventKind.TOOL_ERROR, file_path="/p/a.py")) == ()
    assert files_touched(tool("Bash", command="ls")) == ()
    assert files_touched(Event("claude", EventKind.TURN_END)) == ()


def test_a_prompt_names_files() -> None:
    prompt = "look at src/auth/login.py and `README.md`, then https://example.org/x.html or v1.2"

    assert files_named(prompt) == ("src/auth/login.py", "README.md")
    assert files_touched(Event("claude", EventKind.PROMPT, prompt=prompt)) == files_named(prompt)
