"""``model``: fetch, add, list and choose the embedding model."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import click

from daemon.commands.local.config import loaded
from daemon.commands.local.config_file import set_value
from daemon.commands.terminal.output import print_found, say
from daemon.commands.terminal.progress import progress_line
from daemon.embedding import provision
from daemon.home import Home, current_home

MEGABYTE = 1_000_000
RESTART = "a running daemon takes it up when it starts again: 'reverie down', 'reverie up'"


@click.group()
def model() -> None:
    """Fetch, add and choose the embedding model.

    Without a model everything works by words; with one, also by meaning.
    """


@model.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def fetch(as_json: bool) -> None:
    """Fetch the default model.

    The one command that uses a network. Does nothing when the model is there and whole.
    """
    with _progress() as progress:
        record = provision.fetch(_folder(), progress=progress)
    _told(record, as_json)


@model.command()
@click.argument("source", metavar="FILE|URL")
@click.option("--sha256", help="The digest that the file of a URL must have.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def add(source: str, sha256: str | None, as_json: bool) -> None:
    """Add a GGUF file of a sentence-embedding model.

    From this machine, or from a URL with its digest. 'reverie model use' chooses it.
    """
    remote = source.startswith(("http://", "https://"))
    if remote and sha256 is None:
        raise click.UsageError("A URL needs --sha256.")
    with _progress() as progress:
        if remote and sha256 is not None:
            record = provision.add_url(_folder(), source, sha256, progress=progress)
        else:
            record = provision.add_file(_folder(), Path(source), progress=progress)
    _told(record, as_json)


@model.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_models(as_json: bool) -> None:
    """Show which models are here.

    The one in use has a star.
    """
    records = provision.installed(_folder())
    used = used_model(current_home())
    rows = [
        [
            "*" if used == _folder() / record.file else " ",
            record.name,
            f"{record.dimensions} dimensions",
            f"{record.size / MEGABYTE:.0f} MB",
            record.source,
        ]
        for record in records
    ]
    found = {"models": records, "used": str(used) if used else None}
    print_found(found, as_json, rows, "there is no model; 'reverie model fetch' fetches one")


@model.command()
@click.argument("name")
def use(name: str) -> None:
    """Choose the model.

    NAME is one that 'reverie model list' shows, or the path of a GGUF file. Memories get
    new vectors in the background, and are found by words meanwhile.
    """
    home = current_home()
    if Path(name).is_file():
        name = str(Path(name).absolute())
    if provision.located(home.models, name) is None:
        raise click.ClickException(f"there is no model {name!r}; see 'reverie model list'")
    home.prepare()
    set_value(home.config, "embedding", "model", name)
    click.echo(f"uses {name}; {RESTART}")


def _folder() -> Path:
    return current_home().models


def used_model(home: Home) -> Path | None:
    """The file of the model that the settings mean, if it is here.

    Raises ``SettingsError`` when a setting is wrong.
    """
    return provision.located(home.models, loaded(home).settings.embedding.model)


@contextmanager
def _progress() -> Generator[Callable[[str, int, int | None], None]]:
    """Progress of provisioning on standard error."""
    with progress_line() as show:

        def progress(stage: str, done: int, total: int | None) -> None:
            of = f" of {total / MEGABYTE:.0f}" if total else ""
            show(f"{stage} the model: {done / MEGABYTE:.0f}{of} MB")

        yield progress


def _told(record: provision.Record, as_json: bool) -> None:
    said = f"{record.name} is here ({record.file}, {record.source}); {RESTART}"
    say(record, as_json, said)
