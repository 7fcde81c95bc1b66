"""Plugin of mypy: ``msgspec.structs.replace`` is checked by the fields of its value.

As ``dataclasses.replace`` is, of which it has the meaning: a wrong name or type is an error of ``make types``.
"""

from collections.abc import Callable

from mypy.plugin import FunctionSigContext, Plugin
from mypy.plugins.dataclasses import replace_function_sig_callback
from mypy.types import FunctionLike


class Replacing(Plugin):
    """Plugin with this one function."""

    def get_function_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext], FunctionLike] | None:
        """Signature of ``replace`` at each of its calls."""
        return replace_function_sig_callback if fullname == "msgspec.structs.replace" else None


def plugin(_: str) -> type[Plugin]:
    """The plugin, for this version of mypy."""
    return Replacing
