"""``view``: pages to look at in a browser."""

from importlib.util import find_spec

import click

from daemon.commands.terminal.question import READY_WITHIN, started
from daemon.home import current_home

PAGES = ("inbox", "today", "memories", "start", "health")


@click.command()
@click.option("--no-open", is_flag=True, help="Print the address and open no browser.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=0, help="Listen there, not anywhere free."
)
@click.option("--page", type=click.Choice(PAGES), help="Begin with this page.")
def view(no_open: bool, port: int, page: str | None) -> None:
    """Look at what was learnt and told, in a browser.

    Prints an address on this machine that works once and for your own user, opens it, and serves the pages
    until 15 minutes after the last one was closed. Ctrl-C ends it.
    """
    if find_spec("uvicorn") is None:
        raise click.ClickException(
            "the view is not installed: install reverie again with its extra, as in"
            " `uv tool install --force 'WHERE[view]'`"
        )
    home = current_home()
    started(home, READY_WITHIN)
    from viewer.serve import listener, serve

    try:
        listening = listener(port)
    except OSError as error:
        raise click.ClickException(f"port {port} cannot be had: {error.strerror}") from None
    serve(home, listening, page=page or "", opens=not no_open, say=click.echo)
