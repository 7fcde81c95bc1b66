"""Which file of a project defines what a text names."""

import re
from collections.abc import Mapping

from actors.policy.references.naming import Named, is_source, named, references
from actors.policy.references.places import RARE, Places, missing, place, searched
from actors.policy.references.references import Reference
from actors.policy.references.symbols import parts

PROJECT = "/home/ada/shop"
TRANSPORT = "class HTTPTransport:\n    def send(self):\n        pass\n\n\nclass Proxy:\n    pass\n"
OTHER = "class Retry:\n    def send(self):\n        pass\n"
TESTS = "class HTTPTransport:\n    pass\n"


def known(what: Named, files: Mapping[str, str]) -> tuple[Reference, ...]:
    """Search these files for what is missing."""
    places: dict[str, Places] = {}
    for name in missing(what, ()):
        there = filter(None, (place(name, path, source) for path, source in files.items()))
        having = [one for one in files.values() if parts(name)[-1] in re.findall(r"\w+", one)]
        places[name] = Places(tuple(there), len(having))
    return references(what, {}, searched(what, places, files.__getitem__))


def found(text: str, **files: str) -> list[tuple[str, str]]:
    """Search these files, named as modules, for what a text names."""
    sources = {f"{name}.py".replace("__", "/"): source for name, source in files.items()}
    return [(one.path, one.symbol) for one in known(named(text, PROJECT), sources) if one.symbol]


def place_of(text: str, files: dict[str, str]) -> list[str]:
    """Search these files, named by their paths, for what a text names."""
    return [one.path for one in known(named(text, PROJECT), files)]


def test_a_symbol_is_tied_to_the_file_that_defines_it() -> None:
    assert found("HTTPTransport pools", transport=TRANSPORT, other=OTHER) == [
        ("transport.py", "HTTPTransport")
    ]


def test_the_program_goes_before_its_tests() -> None:
    assert found("HTTPTransport pools", tests__fakes=TESTS, transport=TRANSPORT) == [
        ("transport.py", "HTTPTransport")
    ]


def test_the_program_goes_before_what_declares_it_and_a_body_before_a_prototype() -> None:
    script = {"send.js": "class Retry {\n  send(x) {\n    go(x);\n  }\n}\n"}
    beside = {"types/send.d.ts": "class Retry {\n  send(x: string): void;\n}\n"}
    tests = {"tests/send.test.js": "function send(x) {\n  go(x);\n}\n"}
    c = {"send.h": "int sent(int x);\n", "send.c": "int sent(int x) {\n  go(x);\n}\n"}

    assert place_of("Retry.send", script | beside) == ["send.js"]
    assert place_of("send()", script | tests) == ["send.js"]
    assert place_of("sent()", c) == ["send.c"]
    assert place_of("send()", script | {"a.js": "export const send = pay.send;\n"}) == ["send.js"]
    assert place_of("sent()", c | {"perf-tests/a.js": "function sent() {\n}\n"}) == ["send.c"]


def test_a_method_is_looked_for_in_its_class() -> None:
    both = {"transport": TRANSPORT, "other": OTHER}

    assert found("Retry.send may block", **both) == [("other.py", "Retry.send")]
    assert found("call `send` once", **both) == []  # either may be meant


def test_a_go_method_is_found_beside_its_type() -> None:
    method = "func (c *Command) Find(args []string) error {\n\treturn nil\n}\n"
    namesake = "func (f *Finder) Find() {\n}\n"

    assert found("Command.Find strips flags", a=method, b=namesake) == [("a.py", "Command.Find")]


def test_a_mark_belongs_to_a_name_where_a_method_of_ruby_has_it() -> None:
    both = {"pay.rb": "def charge_all(x)\n  go\nend\n", "bill.rb": "def charge_all!\n  go\nend\n"}

    assert place_of("charge_all! is slow", both) == ["bill.rb"]
    assert place_of("Is it charge_all?", {"pay.rb": both["pay.rb"]}) == ["pay.rb"]


def test_a_plain_word_is_a_class_where_the_text_begins_with_it_or_names_nothing_else() -> None:
    assert found("Proxy reads its password", transport=TRANSPORT) == [("transport.py", "Proxy")]
    assert found("The Proxy is slow", transport=TRANSPORT) == [("transport.py", "Proxy")]
    assert found("HTTPTransport of a Proxy", transport=TRANSPORT) == [
        ("transport.py", "HTTPTransport")
    ]
    assert found("Proxy", transport="Proxy = None\n") == []


def test_a_call_with_arguments_is_a_symbol_and_a_plural_is_none() -> None:
    assert named("Timeout(5.0) and the file(s)", PROJECT).symbols == ("Timeout",)


def test_a_small_word_that_a_text_begins_with_is_a_function_when_few_files_have_it() -> None:
    pad = {"words": "def rpad(words):\n    return words\n"}
    users = {f"use{n}": "rpad()\n" for n in range(RARE)}

    assert found("rpad builds its format at run time", **pad) == [("words.py", "rpad")]
    assert found("rpad builds its format at run time", **pad, **users) == []
    assert found("we call rpad at run time", **pad) == []
    assert found("rpad builds it", words="rpad = 3\n") == []


def test_a_word_with_a_capital_within_a_sentence_may_be_a_function() -> None:
    go = {"beat.go": "func Heartbeat() {\n\tgo()\n}\n", "put.go": "func Put() {\n\tgo()\n}\n"}
    users = {f"use{n}.go": "Heartbeat()\n" for n in range(RARE)}

    assert place_of("Put Heartbeat first.", go) == ["beat.go"]
    assert place_of("Put Heartbeat first.", go | users) == []


def test_of_namesakes_the_one_is_meant_whose_file_says_more_of_the_text() -> None:
    both = {
        "unix.py": "class Timer:\n    # of all children\n    pass\n",
        "windows.py": "class Timer:\n    pass\n",
    }

    assert place_of("Timer counts all children", both) == ["unix.py"]
    assert place_of("Timer counts seconds", both) == []


def test_of_namesakes_the_one_is_meant_whose_path_the_text_names() -> None:
    both = {"src/http2/pool.py": TRANSPORT, "src/contrib/pool.py": f"{TRANSPORT}# slow src pool\n"}

    assert place_of("HTTPTransport of http2 is a slow pool", both) == ["src/http2/pool.py"]
    assert place_of("HTTPTransport in src is slow", both) == ["src/contrib/pool.py"]


def test_a_member_of_what_no_file_has_stands_in_no_test_and_behind_what_is_sure() -> None:
    tests = {"tests/test_pay.py": "def exc_info():\n    pass\n"}
    module = {"bill.py": "def split():\n    pass\n", "pay.py": "def charge_all():\n    pass\n"}

    assert place_of("sys.exc_info is empty there", tests) == []
    assert place_of("text.split is slow in charge_all", module) == ["pay.py", "bill.py"]
    assert place_of("bill.split is slow in charge_all", module) == ["bill.py", "pay.py"]


def test_a_constant_is_found_by_its_module_or_its_package() -> None:
    go = {"errors.go": "package shop\n\nvar OsExiter = os.Exit\n"}
    python = {"limits.py": "RETRIES = 3\n", "bill.py": "RETRIES = 5\n"}

    assert place_of("Tests replace shop.OsExiter.", go) == ["errors.go"]
    assert place_of("Tests replace os.OsExiter.", go) == []
    assert place_of("limits.RETRIES is enough", python) == ["limits.py"]


def test_of_namesakes_the_one_goes_first_whose_module_is_called_so_and_no_header() -> None:
    script = "export const preload = (x) => {\n  go(x);\n};\n"
    c = "static inline int pay_all(int x) {\n  return x;\n}\n"

    both = {"server.ts": script, "preload.ts": script}

    assert place_of("`preload` is for clients", both) == ["preload.ts"]
    assert place_of("pay_all is slow", {"pay.h": c, "pay.c": c}) == ["pay.c"]


def test_a_name_without_an_owner_is_a_function_before_a_method_and_a_body_before_an_abstract_one() -> (
    None
):
    method = "class Pay:\n    def charge_all(self):\n        go()\n"
    abstract = 'class Base:\n    def charge_all(self):\n        """Charge."""\n'
    free = "def charge_all():\n    go()\n"

    assert place_of("charge_all is slow", {"pay.py": method, "all.py": free}) == ["all.py"]
    assert place_of("charge_all is slow", {"pay.py": method, "base.py": abstract}) == ["pay.py"]


def test_a_name_that_only_words_tell_apart_goes_behind_a_sure_one() -> None:
    files = {
        "a.py": "def charge_all():\n    go()\n",
        "b.py": "def charge_all():\n    stop(instances)\n",
        "bill.py": "class BillResult:\n    pass\n",
    }

    assert place_of("charge_all takes instances", files) == ["b.py"]
    assert place_of("charge_all takes instances of BillResult", files) == ["bill.py", "b.py"]


def test_what_only_a_test_defines_goes_last() -> None:
    files = {
        "pay.py": "def charge_all():\n    pass\n",
        "tests/test_pay.py": "def get_key():\n    pass\n",
    }

    assert place_of("A get_key that fails ends charge_all", files) == [
        "pay.py",
        "tests/test_pay.py",
    ]


def test_a_small_word_that_a_text_begins_with_is_a_function_of_c() -> None:
    c = {
        "sds.c": "sds *splitargs(const char *line) {\n  go();\n}\n",
        "sds.h": "sds *splitargs(const char *line);\n",
    }

    assert place_of("splitargs returns no quotes", c) == ["sds.c"]


def test_a_member_that_only_its_class_lists_is_about_the_class() -> None:
    codes = {"exits": "enum Exit {\n    Killed,\n    Error(u8),\n}\n"}

    assert found("Exit.Killed must leave at once", **codes) == [("exits.py", "Exit")]
    assert found("Exit.Stopped must leave at once", **codes) == []


def test_the_file_that_a_text_names_goes_before_others() -> None:
    both = {"lib__pay": "class Retry:\n    pass\n", "lib__net": "class Retry:\n    pass\n"}

    assert found("Retry(3) in net.py is too much", **both) == [("lib/net.py", "Retry")]


def test_code_is_searched_and_what_a_build_makes_is_not() -> None:
    assert is_source("src/pay.py")
    assert not is_source("node_modules/x/index.js")
    assert not is_source("README.md")
