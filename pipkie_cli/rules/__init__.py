"""The expression language of templates: `sum(line_items.amount) == net_total`.

In: the text of a rule and the keys of its template. Out: a `Rule`, or a `RuleError` that says what is wrong and what to
write. Never: runs Python, reads a file, changes a value, depends on the clock.
"""

from pipkie_cli.rules.kinds import parse_rule
from pipkie_cli.rules.tree import Rule, RuleError

__all__ = ["Rule", "RuleError", "parse_rule"]
