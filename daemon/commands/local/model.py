"""``model``: set up, list and choose the embedding model."""

import sys
from importlib.util import find_spec
from pathlib import Path

import click

from daemon.commands.local.config import loaded, set_value
from daemon.commands.terminal.output import ask_first, error_line, show
from daemon.embedding import build_llama, models, provision
from daemon.embedding.gguf import NotGguf
from daemon.embedding.models import MINILM, Unsuitable, described
from daemon.embedding.provision import installer
from daemon.home import Home, current_home
from daemon.launch import ensure_daemon, stop_daemon

MEGABYTE = 1_000_000
READY_WITHIN = 60.0  # seconds
PLAN = (
    "llama.cpp is fetched as source (77 MB) and built on this machine, which takes a C++ compiler and minutes,"
    " once; then the model is fetched (84 MB, 46 kept). Everything works by words meanwhile."
)


@click.group()
def model() -> None:
    """Set up and choose the embedding model.

    Without a model everything works by words; with one, also by meaning.
    """


@model.command()
@click.option("--yes", is_flag=True, help="Do not ask before llama.cpp is built.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def setup(yes: bool, as_json: bool) -> None:
    """Make llama.cpp and the default model ready.

    Builds llama.cpp if it is not here, after asking, and fetches the model. What is there and whole is
    not done again; what is interrupted leaves nothing half-made.
    """
    builds = find_spec(build_llama.MODULE) is None and not build_llama.site().is_dir()
    if builds:
        if not yes:
            ask_first(f"{PLAN} Go on?", "nothing was done")
        try:
            build_llama.make_ready(installer(sys.executable))
        except KeyboardInterrupt:
            error_line("stopped: nothing half-built is kept; the next run begins anew")
            raise
    folders = current_home().model_folders
    folder = next((one for one in folders if (one / MINILM.file).is_file()), folders[-1])
    was_here = (folder / MINILM.file).is_file()
    path = provision.fetch(folder)
    if builds or not was_here:
        _start_anew(current_home())
    found = described(path)
    show(found, as_json, [f"{found.name} is here ({path})"])


@model.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def list_models(as_json: bool) -> None:
    """Show which models are here.

    The one in use has a star.
    """
    home = current_home()
    here = [one for folder in home.model_folders for one in models.installed(folder)]
    used = used_model(home)
    rows = [
        [
            "*" if str(used) == one.path else " ",
            one.name,
            f"{one.dimensions} dimensions",
            f"{one.size / MEGABYTE:.0f} MB",
            Path(one.path).name,
        ]
        for one in here
    ]
    found = {"models": here, "used": str(used) if used else None}
    show(found, as_json, rows or ["there is no model; 'reverie model setup' brings one"])


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
    path = models.model_file(home, name)
    if path is None:
        raise click.ClickException(f"there is no model {name!r}; see 'reverie model list'")
    try:
        described(path)
    except (NotGguf, Unsuitable) as error:
        raise click.ClickException(f"{path.name} cannot be used: {error}") from None
    home.prepare()
    set_value(home.config, "embedding", "model", name)
    _start_anew(home)
    click.echo(f"uses {name}; 'reverie status' says how far its vectors are")


def _start_anew(home: Home) -> None:
    """Have a running daemon take up another model."""
    if stop_daemon(home) is not None:
        ensure_daemon(home, within=READY_WITHIN, say=error_line)


def used_model(home: Home) -> Path | None:
    """The file of the settings' model, if it is here. Raises ``SettingsError`` when a setting is wrong."""
    return models.model_file(home, loaded(home).settings.embedding.model)
