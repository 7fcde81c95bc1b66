"""A symbol's own lines, by the layout of the common languages."""

import pytest

from actors.policy.references.symbols import Definition, definition, digest, renamed


def own_lines(text: str, symbol: str) -> tuple[str, ...]:
    found = definition(text, symbol)
    return found.lines if found else ()


def defined(text: str, symbol: str) -> Definition:
    """The definition that there is."""
    found = definition(text, symbol)
    assert found is not None
    return found


PYTHON = """\
LIMIT = 3


class Pay:
    rate: int = 1

    def charge(self, times: int) -> int:
        # twice at most
        total = times

        return total

    def refund(self):
        return charge(1)


def charge_all(
    bills,
) -> None:
    charge(bills)
"""
GO = """\
func (s *Service) Charge(times int) error {
	return nil
}

type Service struct {
	rate int
}

var limit = 3
"""
TYPESCRIPT = """\
import { charge } from './pay';
export const chargeAll = async (bills: Bill[]) => {
  return bills.map(charge);
};
export class Pay {
  private rate = 1;
  refund(bill) {
    if (bill) {
      return 1;
    }
  }
}
"""
C = """\
#define LIMIT 3
static int
charge(int times)
{
    return times;
}
int pay(int bill) {
    charge(bill);
}
"""


@pytest.mark.parametrize(
    ("text", "symbol", "lines"),
    [
        (PYTHON, "LIMIT", ("LIMIT = 3",)),
        (PYTHON, "charge",
         ("def charge(self, times: int) -> int:", "# twice at most", "total = times",
          "return total")),
        (PYTHON, "charge_all()", ("def charge_all(", "bills,", ") -> None:", "charge(bills)")),
        (PYTHON, "rate", ("rate: int = 1",)),
        (PYTHON, "shop.charge_all", ("def charge_all(", "bills,", ") -> None:", "charge(bills)")),
        (GO, "Service", ("type Service struct {", "rate int", "}")),
        (GO, "Service.Charge",
         ("func (s *Service) Charge(times int) error {", "return nil", "}")),
        (GO, "limit", ("var limit = 3",)),
        (TYPESCRIPT, "chargeAll",
         ("export const chargeAll = async (bills: Bill[]) => {", "return bills.map(charge);",
          "};")),
        (C, "charge", ("charge(int times)", "{", "return times;", "}")),
        (C, "pay", ("int pay(int bill) {", "charge(bill);", "}")),
        (C, "LIMIT", ("#define LIMIT 3",)),
        ("pub(crate) fn charge(x: u8) {\n    go();\n}\n", "charge",
         ("pub(crate) fn charge(x: u8) {", "go();", "}")),
        ("  public int charge(int x) {\n    return x;\n  }\n", "charge",
         ("public int charge(int x) {", "return x;", "}")),
        ("def charge(x)\n  x\nend\nputs 1\n", "charge", ("def charge(x)", "x", "end")),
        (".PHONY: lint\nlint: deps\n\truff check\n\ntest:\n\tpytest\n", "lint",
         ("lint: deps", "ruff check")),
        ("class Pay(Base):\n    charge: int = 1\n", "charge", ("charge: int = 1",)),
        ("const LIMITS = {\n  charge: 3,\n};\n", "charge", ("charge: 3,",)),
        ("class Pay\n{\n  int charge = 3;\n}\n", "charge", ("int charge = 3;",)),
        ('{\n  "scripts": {\n    "build": "tsc",\n    "test": "jest"\n  }\n}', "build",
         ('"build": "tsc",',)),
        ("CREATE TABLE IF NOT EXISTS bill (\n  id INT\n);\n", "bill",
         ("CREATE TABLE IF NOT EXISTS bill (", "id INT", ");")),
        # A prototype defines what has no body.
        ("int charge(int x);\n", "charge", ("int charge(int x);",)),
        ("int charge(int x);\nint charge(int x) {\n  go();\n}\n", "charge",
         ("int charge(int x) {", "go();", "}")),
    ],
)  # fmt: skip
def test_a_symbol_has_the_lines_of_its_block(
    text: str, symbol: str, lines: tuple[str, ...]
) -> None:
    assert own_lines(text, symbol) == lines


def test_a_class_has_its_members_and_not_what_its_methods_do() -> None:
    assert own_lines(PYTHON, "Pay") == (
        "class Pay:", "rate: int = 1", "def charge(self, times: int) -> int:", "def refund(self):",
    )  # fmt: skip
    assert own_lines(TYPESCRIPT, "Pay") == (
        "export class Pay {", "private rate = 1;", "refund(bill) {", "}", "}",
    )  # fmt: skip


def test_a_method_is_looked_for_within_its_class() -> None:
    text = "class A:\n    def go(self):\n        a()\n\nclass B:\n    def go(self):\n        b()\n"

    assert own_lines(text, "B.go") == ("def go(self):", "b()")
    assert own_lines(text, "go") == ("def go(self):", "a()", "def go(self):", "b()")


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        (TYPESCRIPT, "charge"),  # imported, not defined
        ("x = charge(1)\nreturn charge(2)\nif charge(x) {\n}\n", "charge"),
        ("# the class Pay does it\n", "Pay"),
        ("charger = 1\n", "charge"),
        ("const charge = pay?.charge;\n", "pay.charge"),
        ("func pay() {\n\to := Options{\n\t\tcharge: 1,\n\t}\n}\n", "charge"),
        ("def pay():\n    charge = 1\n", "charge"),
        ("int pay(int bill) {\n    int charge = 3;\n}\n", "charge"),
        ("void pay()\n{\n    charge = 1;\n}\n", "charge"),
        ("func pay() {\n\to := Options{\n\t\tLong: `\nHelp\n`,\n\t\tcharge: 1,\n", "charge"),
        ("describe('pay', () => {\n  charge(\n    1,\n  );\n});\n", "charge"),
        ("charge(3);\n", "charge"),
        ("def pay(\n    bill,\n) -> int:\n    charge = 1\n", "charge"),
        ("pub mod charge;\n", "charge"),
        ("using charge;\n", "charge"),
        ("const struct charge *twice = 0;\nvoid pay(struct charge one);\n", "charge"),
        ("pay.charge = charge;\nother.charge = pay;\n", "charge"),
        ("#charge(1)\n", "charge"),
        ("impl Bill for Pay {\n    go()\n}\nimpl<T: Bill> Late for T {\n    go()\n}\n", "Bill"),
        ("impl<T> Bill<T> for Pay<T> {\n    go()\n}\n", "Bill"),
        ("begin\n  go\nrescue Late => late\n  pay(Bill => 1)\nend\n", "Late"),
        ("{\n  Bill => 3,\n}\n", "Bill"),
        ("for instance using `shop.Bill`. Ignored\nif late\n", "Bill"),
        ("test('bills are made using pay.charge', () => {\n});\n", "charge"),
        ("const pay = props => {\n  useCharge(() => {\n    go();\n  }, []);\n};\n", "useCharge"),
        ("const pay = props => {\n  charge = 1;\n};\n", "charge"),
        ("charge(x, () => {\n  go();\n});\n", "charge"),
        ("", "charge"),
    ],
)
def test_what_only_uses_a_name_does_not_define_it(text: str, symbol: str) -> None:
    assert own_lines(text, symbol) == ()


def test_a_hash_does_not_see_how_lines_are_indented() -> None:
    assert digest(["if  x:", "  y"]) == digest([" if x:", "y "])
    assert digest(["if x:"]) != digest(["if y:"])


def test_a_hostile_file_costs_its_length() -> None:
    calls = 4_000
    text = "charge charge = (" * 20 + "\n" + "charge(\n" * calls + "\tcharge {" * calls

    assert len(own_lines(text, "charge")) <= 2 * calls


@pytest.mark.parametrize(
    ("text", "is_data"),
    [
        ("LIMIT = 3\n", True),
        ("def LIMIT():\n    return 3\n", False),
        ("const LIMIT = {\n  a: 1,\n};\n", True),
        ("const LIMIT: Rule = ({\n  a,\n}) => {\n  return a;\n};\n", False),
        ("export const LIMIT = function () {\n  return 3;\n};\n", False),
        ("class A {\n  LIMIT(a) {\n    return a;\n  }\n}\n", False),
        ("class A {\n  LIMIT: number = 3;\n}\n", True),
        ("var LIMIT = 3\n", True),
        ("type LIMIT struct {\n\tn int\n}\n", False),
        ("class A {\n  int LIMIT = 3;\n  int LIMIT() {\n    return LIMIT;\n  }\n}\n", False),
        ("class A {\n  get LIMIT() {\n    return 3;\n  }\n}\n", True),  # of an option
        ("class A:\n    @property\n    def LIMIT(self):\n        return 3\n", True),
        ("enum A {\n  LIMIT {\n    void go() {\n    }\n  },\n}\n", False),
    ],
)
def test_a_definition_is_code_or_data(text: str, is_data: bool) -> None:
    assert defined(text, "LIMIT").is_data is is_data


@pytest.mark.parametrize(
    ("text", "is_brief"),
    [
        ('def charge():\n    """Charge it."""\n', True),
        ('def charge():\n    """Charge it."""\n    go()\n', False),
        ("def charge():\n    raise NotImplementedError\n", True),
        ("def charge(): ...\n", True),
        ("interface Pay {\n  charge(x: Bill): void;\n}\n", True),
    ],
)
def test_a_definition_is_brief_when_it_does_nothing(text: str, is_brief: bool) -> None:
    assert defined(text, "charge").is_brief is is_brief


def test_a_definition_stands_at_the_method_and_not_at_the_field_of_its_name() -> None:
    text = "class A {\n  int size = 0;\n  int size() {\n    return size;\n  }\n}\n"

    found = defined(text, "A.size")

    assert found.line == 2
    assert found.lines[0] == "int size = 0;"  # its change counts as well


def test_a_type_that_is_imported_by_its_name_is_not_defined() -> None:
    assert definition("import {\n\ttype Retry,\n\ttype Pay} from './pay';\n", "Retry") is None
    assert definition("type Retry = number;\n", "Retry") is not None


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (PYTHON, "Pay.refund", "repay"),
        (GO, "Service.Charge", "Bill"),
        (TYPESCRIPT, "Pay.refund", "repay"),
        (TYPESCRIPT, "chargeAll", "billAll"),
    ],
)
def test_a_symbol_is_known_again_by_its_lines(text: str, old: str, new: str) -> None:
    known, (*owner, last) = digest(defined(text, old).lines), old.split(".")

    assert renamed(text.replace(last, new), old, known) == ".".join([*owner, new])
    assert renamed(text.replace(last, new), old, b"other") == ""


RUST = """\
impl<'a, W: Write> Buffer<'a, W> {
    fn print(&mut self) -> io::Result<()> {
        let flush = flush(self);
    }
}

fn flush() {
    go()
}
"""


def test_a_method_of_a_generic_type_is_found_and_a_local_variable_is_not() -> None:
    assert own_lines(RUST, "Buffer::print")[0].startswith("fn print")
    assert own_lines(RUST, "flush")[0] == "fn flush() {"


SCRIPT = """\
class Pay {
  static create() {
    throw new Error(`Nothing to pay:
- say what (or when)
and whom`);
  }

  charge(times) {
    return times;
  }

  async #send(bill) {
    return bill;
  }

  get total() { return 3; }
}

res.status = function status(code) {
  return code;
};
Bill.prototype.split = (by) => {
  return by;
};
"""


@pytest.mark.parametrize(
    ("symbol", "line"),
    [
        ("Pay.charge", "charge(times) {"),  # below a string that is not indented
        ("charge", "charge(times) {"),
        ("Pay.#send", "async #send(bill) {"),
        ("send", "async #send(bill) {"),
        ("Pay.total", "get total() { return 3; }"),
        ("res.status", "res.status = function status(code) {"),
        ("status", "res.status = function status(code) {"),
        ("Bill.split", "Bill.prototype.split = (by) => {"),
    ],
)
def test_a_member_is_found_however_it_is_given_to_its_owner(symbol: str, line: str) -> None:
    assert own_lines(SCRIPT, symbol)[0] == line


@pytest.mark.parametrize(
    ("text", "symbol", "line"),
    [
        ("template <typename T> struct Pay {\n  T x;\n};\n", "Pay",
         "template <typename T> struct Pay {"),
        ("void Pay::charge(int x) {\n  go();\n}\n", "Pay::charge", "void Pay::charge(int x) {"),
        ("using Bill = int;\n", "Bill", "using Bill = int;"),
        ("data class Bill(\n  val x: Int,\n)\n", "Bill", "data class Bill("),
        ("inline fun <S : Bill> S.charge(x: Int): S {\n  go()\n}\n", "charge",
         "inline fun <S : Bill> S.charge(x: Int): S {"),
        ("const (\n\tKeyUp = 3\n)\n", "KeyUp", "KeyUp = 3"),
        ("type (\n\tBill struct {\n\t\tx int\n\t}\n)\n", "Bill", "Bill struct {"),
        ("class A {\n  public int Rate { get; set; }\n}\n", "Rate", "public int Rate { get; set; }"),
        ("static int charge(int x) { return x; }\n", "charge",
         "static int charge(int x) { return x; }"),
        ("interface Pay {\n  Bill charge(int x) throws Late;\n}\n", "Pay.charge",
         "Bill charge(int x) throws Late;"),
        ("enum State {\n  Paid {\n    void go() {\n    }\n  },\n}\n", "State.Paid", "Paid {"),
        ("class Pay<\n  T,\n> {\n  charge<\n    S,\n  >(x: S) {\n    go()\n  }\n}\n",
         "Pay.charge", "charge<"),
    ],
)  # fmt: skip
def test_languages_say_in_many_ways_what_they_define(text: str, symbol: str, line: str) -> None:
    assert own_lines(text, symbol)[0] == line


def test_a_module_has_types_and_the_functions_that_are_in_no_class() -> None:
    text = "class Bill:\n    def charge(self):\n        pass\n\ndef charge():\n    go()\n"

    assert own_lines(text, "shop.Bill")[0] == "class Bill:"
    assert own_lines(text, "shop.charge") == ("def charge():", "go()")
    assert own_lines(text, "Shop.Bill") == ()


def test_quotes_that_nothing_closes_hide_nothing() -> None:
    text = "tick = '`'\nx = 1 // don't `\n  y = `\ndef charge():\n    go()\n"

    assert own_lines(text, "charge") == ("def charge():", "go()")


def test_what_only_calls_its_namesake_stands_behind_it() -> None:
    text = "func Charge(x int) { p.Charge(x) }\n\nfunc (p *Pay) Charge(x int) {\n\tgo()\n}\n"

    assert defined(text, "Charge").line == 2
    assert defined(text.split("\n\n")[0], "Charge").line == 0


def test_the_use_of_a_modules_function_is_no_definition_of_it() -> None:
    text = 'class Bill:\n    WAYS = {\n        "charge": shop.charge,\n    }\n'

    assert own_lines(text, "shop.charge") == ()
    assert own_lines("Pay.charge = function () {\n  go()\n}\n", "Pay.charge")[0].startswith("Pay.")


def test_a_body_stands_before_overloads_and_abstract_namesakes() -> None:
    abstract = "class Base:\n    def pay(self):\n        raise NotImplementedError()\n\n"
    overload = (
        "@overload\ndef pay(bill: int) -> int: ...\n@overload\ndef pay(bill: str) -> str: ...\n"
    )
    body = "def pay(bill):\n    return bill\n"

    for before in (abstract, overload):
        found = defined(before + body, "pay")
        assert (found.line, found.is_brief) == (before.count("\n"), False)
