"""Files of a project, read for what memories are about: inside it, bounded, and with git's moves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from daemon.sources import LARGE, DiskFolder, ProjectSources
from daemon.supervisor import Here
from tests.repositories import git

PAY = "def charge(bill):\n    return bill\n\n\ndef refund(bill):\n    return -bill\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with one file."""
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / "src/pay.py").write_text(PAY)
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "begin")
    return folder


def test_a_file_has_a_text_and_a_stamp_that_follows_it(shop: Path) -> None:
    before = DiskFolder(shop).stamp("src/pay.py")
    (shop / "src/pay.py").write_text("x")

    assert before is not None
    assert before[1] == len(PAY)
    assert DiskFolder(shop).stamp("src/pay.py") != before
    assert DiskFolder(shop).read("src/pay.py") == "x"


@pytest.mark.parametrize("path", ["src/none.py", "src", "../outside.py", "linked.py", "far/out.py"])
def test_what_is_no_file_of_the_project_is_not_there(shop: Path, path: str) -> None:
    outside = shop.parent / "outside.py"
    outside.write_text(PAY)
    (shop.parent / "out").mkdir()
    (shop.parent / "out/out.py").write_text(PAY)
    (shop / "linked.py").symlink_to(outside)
    (shop / "far").symlink_to(shop.parent / "out")

    assert DiskFolder(shop).stamp(path) is None
    assert DiskFolder(shop).read(path) is None


@pytest.mark.trio
@pytest.mark.parametrize(
    "project", ["/" + "x" * 300, "/a\0b", "not/from/the/root", "none", "/no/such/folder"]
)
async def test_a_project_that_is_away_or_that_no_folder_can_be_is_not_visited(project: str) -> None:
    assert await ProjectSources(Here()).visit(project, lambda _: True) is None


def test_a_link_within_the_project_is_followed(shop: Path) -> None:
    (shop / "pay.py").symlink_to("src/pay.py")

    assert DiskFolder(shop).read("pay.py") == PAY


def test_a_repository_within_the_project_is_another_project(shop: Path) -> None:
    git(shop, "worktree", "add", "-q", "trees/one")

    assert DiskFolder(shop).stamp("trees/one/src/pay.py") is None


def test_a_pipe_is_no_file(shop: Path) -> None:
    os.mkfifo(shop / "pipe.py")

    assert DiskFolder(shop).stamp("pipe.py") is None


def test_of_a_large_file_and_of_secrets_it_is_only_known_that_they_are_there(shop: Path) -> None:
    (shop / "large.py").write_text("x" * (LARGE + 1))
    (shop / ".env.local").write_text("API_TOKEN=1")

    for path in ("large.py", ".env.local"):
        assert DiskFolder(shop).stamp(path) is not None
        assert DiskFolder(shop).read(path) is None


def test_git_tells_where_a_file_went_by_commits_and_by_the_index(shop: Path) -> None:
    git(shop, "mv", "src/pay.py", "src/money.py")
    git(shop, "commit", "-q", "-m", "one")
    (shop / "lib").mkdir()
    git(shop, "mv", "src/money.py", "lib/money.py")
    (shop / "lib/money.py").write_text(f"import os\n{PAY}")
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", "two")
    git(shop, "mv", "lib/money.py", "lib/pay.py")

    assert DiskFolder(shop).moved(["src/pay.py", "src/none.py"]) == {"src/pay.py": "lib/pay.py"}


def test_a_folder_without_git_tells_of_no_move(tmp_path: Path) -> None:
    assert DiskFolder(tmp_path).moved(["src/pay.py"]) == {}


def test_a_branch_tells_which_files_it_changes_committed_or_not(shop: Path) -> None:
    git(shop, "branch", "-M", "main")
    git(shop, "checkout", "-q", "-b", "cache")
    (shop / "src/cache.py").write_text("x\n")
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", "cache")
    on_branch = DiskFolder(shop).changed()
    (shop / "src/pay.py").write_text("y\n")
    git(shop, "checkout", "-q", "main")

    assert on_branch == ["src/cache.py"]
    assert DiskFolder(shop).changed() == ["src/pay.py"]
    assert DiskFolder(shop / "src").changed() == []
    (shop / ".git").chmod(0o777)
    assert DiskFolder(shop).changed() == []


def test_a_repository_that_others_may_write_is_not_asked(shop: Path) -> None:
    git(shop, "mv", "src/pay.py", "src/money.py")
    (shop / ".git").chmod(0o777)

    assert DiskFolder(shop).moved(["src/pay.py"]) == {}


@pytest.mark.trio
async def test_one_file_is_read_wherever_its_link_leads_unless_it_may_hold_secrets(
    shop: Path, tmp_path: Path
) -> None:
    sources, link, secret = ProjectSources(Here()), tmp_path / "CLAUDE.md", tmp_path / ".env"
    link.symlink_to(shop / "src/pay.py")
    secret.write_text("x")
    loop = tmp_path / "loop.md"
    loop.symlink_to(loop)

    assert await sources.read(str(link), str.upper) == PAY.upper()
    for other in (secret, loop, tmp_path / "none.md", Path("src/pay.py"), Path("/a\0b")):
        assert await sources.read(str(other), str.upper) is None


def test_files_are_listed_but_for_what_git_ignores_and_other_repositories(shop: Path) -> None:
    (shop / ".gitignore").write_text("private/\n")
    for place in ("docs/new.md", "private/own.md", "inner/other.md"):
        (shop / place).parent.mkdir(exist_ok=True)
        (shop / place).write_text("text")
    git(shop / "inner", "init", "-q")

    assert DiskFolder(shop).files(".", lambda path: path.endswith(".md")) == ["docs/new.md"]
    assert DiskFolder(shop).files("src", lambda path: path.endswith(".py")) != []


def test_without_git_no_more_is_looked_at_than_was_asked_for_the_nearest_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        (tmp_path / f"home/{number:02}/deep").mkdir(parents=True)
        (tmp_path / f"home/{number:02}/deep/a.py").write_text("x")
    (tmp_path / "home/top.py").write_text("x")
    looked = list[str]()
    scandir = os.scandir

    def counted(path: Path) -> object:
        looked.append(str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counted)

    home = DiskFolder(tmp_path / "home")

    assert home.files(".", bool, 30) is None
    assert len(looked) < 30
    assert len(home.files(".", bool, 100) or ()) == 21


@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("name", ["paint", "paint=1.a b"])
def test_what_a_branch_changes_is_told_without_a_program_of_the_repository(
    shop: Path, key: str, name: str
) -> None:
    ran = shop.parent / "ran"
    (shop / ".gitattributes").write_text("* filter=paint\n")
    git(shop, "add", ".")
    git(shop, "commit", "-q", "-m", "attributes")
    git(shop, "config", f"filter.{name}.{key}", f"touch {ran}; cat")
    if name != "paint":
        git(shop, "config", f"filter.paint.{key}", f"touch {ran}; cat")
    (shop / "src/pay.py").write_text(PAY.replace("bill", "fine"))
    index = (shop / ".git/index").stat()
    os.utime(shop / "src/pay.py", ns=(index.st_mtime_ns, index.st_mtime_ns))

    assert DiskFolder(shop).changed() == ["src/pay.py"]
    assert not ran.exists()
