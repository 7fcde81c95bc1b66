"""Whether a path may be trusted: one policy, asked of Python, C and the shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from hooks import ownership
from tests.patience import HOOKS
from tests.strangers import ADA, MALLORY, file, folder, given, link, only_root, open_ground, run_as

pytestmark = only_root

Asked = Callable[..., str]

IN_PYTHON = """
import os, sys
sys.path.insert(0, sys.argv[1])
import ownership
os.setgroups([]), os.setgid(int(sys.argv[3])), os.setuid(int(sys.argv[2]))
print(ownership.reason_against(os.fsencode(sys.argv[4]), int(sys.argv[5])))
"""

IN_C = """
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "ownership.h"
int main(int count, char **words) {
    (void)trusts_peer;
    puts(trusts(words[count - 2], atoi(words[count - 1])) ? "" : distrusted);
    return 0;
}
"""

IN_SHELL = f"""
{(HOOKS / "ownership.sh").read_text()}
me=$(id -u) group=$(id -g)
trusts_path "$1" || echo "$why"
"""  # whole, because another user may not be able to enter the folder of this checkout


@pytest.fixture
def ground() -> Generator[Path]:
    with open_ground() as here:
        yield here


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Generator[Path]:
    """The C module behind a program that every user may run."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("NOT TESTED: no C compiler, the native client is not built")
    with open_ground() as here:
        source = here / "asked.c"
        source.write_text(IN_C)
        program = here / "asked"
        words = [compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{HOOKS}"]
        subprocess.run([*words, "-o", program, source], check=True)
        yield given(program, 0, 0o755)


def in_python(path: Path, user: int = ADA, group: int | None = None) -> str:
    """Why a path is not trusted by a user; empty when it is."""
    numbers = [str(user), str(user if group is None else group)]
    words = [sys.executable, "-I", "-S", "-c", IN_PYTHON, str(HOOKS), *numbers, str(path)]
    strict = "1" if path.is_dir() else "2"
    done = subprocess.run([*words, strict], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def in_shell(path: Path, user: int = ADA, group: int | None = None) -> str:
    return run_as(user, ["/bin/sh", "-c", IN_SHELL, "sh", str(path)], group).strip()


@pytest.fixture
def in_c(compiled: Path) -> Asked:
    def ask(path: Path, user: int = ADA, group: int | None = None) -> str:
        return run_as(
            user, [str(compiled), str(path), "1" if path.is_dir() else "2"], group
        ).strip()

    return ask


@pytest.fixture(params=["python", "c", "shell"])
def asked(request: pytest.FixtureRequest) -> Asked:
    """Each language in turn."""
    in_turn: Asked
    if request.param == "c":
        in_turn = request.getfixturevalue("in_c")
    else:
        in_turn = in_python if request.param == "python" else in_shell
    return in_turn


def test_what_is_the_users_own_or_roots_is_trusted(asked: Asked, ground: Path) -> None:
    own = folder(ground / "own", ADA)
    assert asked(own) == ""
    assert asked(folder(ground / "roots", 0, 0o755)) == ""
    assert asked(folder(own / "with space", ADA)) == ""
    assert asked(own / ".." / "." / "own") == ""
    assert asked(Path("/usr/bin/env")) == ""
    assert asked(own, user=0) != ""  # root does not trust ada
    assert asked(ground, user=0) == ""


def test_what_belongs_to_somebody_else_is_not(asked: Asked, ground: Path) -> None:
    theirs = folder(ground / "theirs", MALLORY, 0o755)

    assert asked(theirs) == f"{theirs} belongs to user {MALLORY}"
    assert asked(folder(theirs / "own", ADA)) == f"{theirs} belongs to user {MALLORY}"


@pytest.mark.parametrize("mode", [0o777, 0o702, 0o1777])
def test_what_the_world_may_write_is_not(asked: Asked, ground: Path, mode: int) -> None:
    open_to_all = folder(ground / "open", ADA, mode)

    assert asked(open_to_all) == f"everybody may write {open_to_all}"


def test_only_the_users_private_group_may_write(asked: Asked, ground: Path) -> None:
    private = folder(ground / "private", ADA, 0o775)
    shared = folder(ground / "shared", ADA, 0o775, MALLORY)

    assert asked(private) == ""
    assert asked(shared) == f"group {MALLORY} may write {shared}"
    assert asked(shared, group=MALLORY) == f"group {MALLORY} may write {shared}"


def test_a_folder_above_may_be_open_only_with_the_sticky_bit(asked: Asked, ground: Path) -> None:
    sticky = folder(ground / "sticky", 0, 0o1777)
    open_to_all = folder(ground / "open", 0, 0o777)

    assert asked(folder(sticky / "own", ADA)) == ""
    assert asked(folder(open_to_all / "own", ADA)) == f"everybody may write {open_to_all}"


def test_a_link_is_trusted_as_whoever_laid_it(asked: Asked, ground: Path) -> None:
    sticky = folder(ground / "sticky", 0, 0o1777)
    own = folder(ground / "own", ADA)
    theirs = folder(ground / "theirs", MALLORY, 0o755)
    folder(theirs / "ours", ADA)

    assert asked(link(sticky / "mine", own, ADA)) == ""
    assert asked(link(sticky / "near", "../own", ADA)) == ""
    laid = link(sticky / "laid", own, MALLORY)
    assert asked(laid) == f"{laid} belongs to user {MALLORY}"
    within = folder(own / "within", ADA)
    assert asked(laid / within.name) == f"{laid} belongs to user {MALLORY}"
    into = link(own / "into", theirs / "ours", ADA)
    assert asked(into) == f"{theirs} belongs to user {MALLORY}"


def test_a_program_has_no_excuse_for_its_folder(asked: Asked, ground: Path) -> None:
    sticky = folder(ground / "sticky", 0, 0o1777)
    own = folder(ground / "own", ADA, 0o755)
    program = file(own / "program", "", ADA, 0o755)

    assert asked(program) == ""
    assert asked(link(own / "link", "program", ADA)) == ""
    assert asked(file(own / "private group", "", ADA, 0o775)) == ""
    for name, user, mode, group in (
        ("of another", MALLORY, 0o755, MALLORY),
        ("for all", ADA, 0o777, ADA),
        ("for a group", ADA, 0o775, MALLORY),
    ):
        assert name in asked(file(own / name, "", user, mode, group))
    assert asked(file(sticky / "program", "", ADA, 0o755)) == f"everybody may write {sticky}"
    assert asked(link(sticky / "link", program, ADA)) == f"everybody may write {sticky}"


SANDBOX = """
system = ctypes.CDLL(None)
assert (system.unshare(0x10000000), system.prctl(4, 1)) == (0, 0)  # the map may be written
open("/proc/self/uid_map", "w").write(sys.argv[2] + " " + sys.argv[2] + " 1")
print(ownership"""


def no_sandbox() -> str:
    """Why no user can make a user namespace here; nothing where users can."""
    try:
        inside = run_as(ADA, ["unshare", "-U", "--map-current-user", "id", "-u"])
    except OSError as error:
        return f"unshare cannot be run: {error.strerror}"
    except subprocess.CalledProcessError as error:
        return str(error.stderr).strip()
    return "" if inside == f"{ADA}\n" else "unshare maps to another user"


def test_a_sandbox_without_root_trusts_roots_folders_above_and_nothing_else(
    ground: Path, request: pytest.FixtureRequest
) -> None:
    if why := no_sandbox():
        pytest.skip(f"NOT TESTED: no user namespaces here: {why}")
    program = str(request.getfixturevalue("compiled"))
    # Loaded while root may still enter the folder of the interpreter.
    sandboxed = "import ctypes" + IN_PYTHON.replace("print(ownership", SANDBOX)
    inside = ["unshare", "-U", "--map-current-user"]

    def answers(path: Path, strict: str) -> set[str]:
        words = [sys.executable, "-I", "-c", sandboxed, str(HOOKS), str(ADA), str(ADA)]
        done = subprocess.run([*words, str(path), strict], capture_output=True, text=True)
        return {
            done.stdout.strip() if done.returncode == 0 else done.stderr,
            run_as(ADA, [*inside, program, str(path), strict]).strip(),
            run_as(ADA, [*inside, "/bin/sh", "-c", IN_SHELL, "sh", str(path)]).strip(),
        }

    own = folder(ground / "own", ADA, 0o755)
    open_to_all = folder(ground / "open", 0, 0o777)
    assert answers(own, "1") == {""}
    assert answers(file(own / "program", "", ADA, 0o755), "2") == {""}
    assert answers(folder(ground / "roots", 0, 0o755), "1") == {
        f"{ground}/roots belongs to user 65534"
    }
    assert answers(folder(open_to_all / "own", ADA), "1") == {f"everybody may write {open_to_all}"}


def test_nobody_is_somebody_else_where_root_is_a_user(asked: Asked, ground: Path) -> None:
    nobodys = folder(ground / "nobody", 65_534, 0o755)

    assert asked(folder(nobodys / "own", ADA)) == f"{nobodys} belongs to user 65534"


@pytest.mark.slow
def test_every_user_of_this_machine_is_judged_alike(ground: Path, in_c: Asked) -> None:
    differing: list[str] = []
    for row in Path("/etc/passwd").read_text().splitlines():
        user, group = (int(number) for number in row.split(":")[2:4])
        home = folder(ground / f"home-{user}", user, 0o775, group)
        answers = [ask(home, user, group) for ask in (in_c, in_shell, in_python)]
        if len(set(answers)) > 1:
            differing.append(f"{row}: {answers}")

    assert differing == []


def test_a_link_that_leads_round_and_a_path_that_ends_early(ground: Path) -> None:
    own = folder(ground / "own")
    link(own / "one", "two")
    link(own / "two", "one")

    assert "leads in a circle" in ownership.reason_against(os.fsencode(own / "one"))
    assert ownership.reason_against(os.fsencode(own / "not" / "there")) == ""
    assert "cannot be looked at" in ownership.reason_against(os.fsencode(file(own / "f", "") / "x"))
