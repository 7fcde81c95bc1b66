"""Projects, on repositories that the real git made."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from daemon.projects import place_in, project_root


@pytest.fixture(autouse=True)
def _plain_git(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction]
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    allowed = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")
    subprocess.run(
        ["git", *identity, *allowed, *arguments], cwd=folder, check=True, capture_output=True
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init")
    git(root, "commit", "--allow-empty", "-m", "first")
    return root


def test_a_repository_is_the_project_of_its_folders(repository: Path) -> None:
    deep = repository / "src" / "deep"
    deep.mkdir(parents=True)

    assert project_root(repository) == repository
    assert project_root(deep) == repository


def test_a_worktree_belongs_to_the_main_checkout(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", str(tmp_path / "beside"))
    git(repository, "worktree", "add", str(repository / "inside"))
    folder = tmp_path / "beside" / "src"
    folder.mkdir()

    assert project_root(folder) == repository
    assert project_root(repository / "inside") == repository


def test_a_worktree_with_relative_links_belongs_to_the_main_checkout(
    repository: Path, tmp_path: Path
) -> None:
    git(repository, "worktree", "add", str(tmp_path / "beside"))
    (tmp_path / "beside" / ".git").write_text("gitdir: ../repository/.git/worktrees/beside\n")

    assert project_root(tmp_path / "beside") == repository


def test_a_submodule_is_its_own_project(repository: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init")
    git(outer, "submodule", "add", str(repository), "inner")

    assert project_root(outer / "inner") == outer / "inner"
    assert project_root(outer) == outer


def test_a_worktree_of_a_submodule_belongs_to_the_submodule(
    repository: Path, tmp_path: Path
) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init")
    git(outer, "submodule", "add", str(repository), "inner")
    git(outer / "inner", "worktree", "add", str(tmp_path / "beside"))

    assert project_root(tmp_path / "beside") == outer / "inner"


def test_the_worktrees_of_a_bare_repository_are_one_project(
    repository: Path, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "--bare", str(repository), str(bare))
    git(bare, "worktree", "add", "-b", "one", str(tmp_path / "one"))
    git(bare, "worktree", "add", "-b", "two", str(tmp_path / "two"))

    assert project_root(tmp_path / "one") == bare
    assert project_root(tmp_path / "two") == bare
    assert project_root(bare / "refs") == bare


def test_a_moved_git_directory_still_folds_its_worktrees(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    git(tmp_path, "init", "--separate-git-dir", str(tmp_path / "elsewhere"), str(checkout))
    git(checkout, "commit", "--allow-empty", "-m", "first")
    git(checkout, "worktree", "add", str(tmp_path / "beside"))

    assert project_root(tmp_path / "beside") == project_root(checkout)


def test_a_folder_inside_the_git_directory_belongs_to_the_checkout(repository: Path) -> None:
    assert project_root(repository / ".git" / "hooks") == repository


def test_a_link_to_a_repository_is_the_repository(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository)

    assert project_root(tmp_path / "link") == repository


def test_a_folder_outside_git_is_its_own_project(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()

    assert project_root(folder) == folder


@pytest.mark.parametrize("content", [b"", b"gitdir: /nowhere/at/all", b"\xff\xfe\x00", b"gitdir:"])
def test_a_broken_git_file_is_as_if_there_were_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".git").write_bytes(content)

    assert project_root(tmp_path) == tmp_path


def test_an_empty_git_folder_is_as_if_there_were_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()

    assert project_root(tmp_path) == tmp_path


def test_a_folder_that_is_gone_is_its_own_project(tmp_path: Path) -> None:
    assert project_root(tmp_path / "gone" / "deep") == tmp_path / "gone" / "deep"


def test_a_folder_that_is_gone_still_belongs_to_the_repository_above(repository: Path) -> None:
    assert project_root(repository / "gone") == repository


def test_a_loop_of_links_does_not_raise(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    assert project_root(tmp_path / "loop") == tmp_path / "loop"


def test_a_name_with_a_nul_does_not_raise() -> None:
    assert project_root(Path("/x\0y")) == Path("/x\0y")


def test_a_file_has_the_same_place_in_every_checkout(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", str(tmp_path / "beside"))
    git(repository, "worktree", "add", str(repository / "inside"))
    checkouts = (repository, tmp_path / "beside", repository / "inside")

    places = {place_in(str(repository), str(root / "src" / "cart.go")) for root in checkouts}

    assert places == {"src/cart.go"}


def test_a_file_of_another_project_has_no_place(repository: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"

    assert place_in(str(repository), str(tmp_path / "cart.go")) is None
    assert place_in(str(tmp_path), str(repository / "cart.go")) is None
    assert place_in(str(alone), str(alone / "src" / "cart.go")) == "src/cart.go"
    assert place_in(str(alone), "/\0") is None
