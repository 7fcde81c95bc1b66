"""Numbers as names of rows, as a person gives them."""

LARGEST = 2**63 - 1  # that a row of the store can have


def row_number(value: str) -> int:
    """Read the number of a plan, a proposal or a dream.

    Raises ``click.BadParameter`` for anything but a number, ``click.ClickException`` for an
    impossible one.
    """
    import click  # not before: the daemon reads this module as well

    try:
        number = int(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a valid integer.") from None
    if not 0 < number <= LARGEST:
        raise click.ClickException(f"nothing has the number {value}")
    return number
