"""The expression language of templates: `sum(line_items.amount) == net_total`.

In: the text of a rule and the keys of its template; later the typed values of a record. Out: a `Rule`, or a `RuleError`
that says what is wrong and what to write; an `Outcome`: holds, broken and by how much, or not checked.
Never: runs Python, reads a file, changes a value, depends on the clock.
"""

from pipkie_cli.rules.check import Outcome, check_rule
from pipkie_cli.rules.kinds import parse_rule, parsed_rules
from pipkie_cli.rules.tree import Rule, RuleError

__all__ = ["Outcome", "Rule", "RuleError", "check_rule", "parse_rule", "parsed_rules"]
