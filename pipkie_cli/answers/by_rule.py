"""A runner-up in place of an answer with which the sums of a document do not fit together, where it makes them fit.

The second candidate often is the right one then: both were nearly as likely. Only equations over numbers that stand
once in a document choose. Rules over tables do not, for rows are missed or doubled more often than a total is misread;
nor do inequalities, which many wrong candidates keep. What was measured stands in docs/decisions/007-rules-choose.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipkie_cli.nouns import Answer, Key, Template, Value
from pipkie_cli.rules import Rule, check_rule, parsed_rules
from pipkie_cli.values import ValueContext, parse_value

FLAG = "chosen_by_rule"
CERTAIN = frozenset({"embedded_xml", "barcode"})  # sources of values that were not read off the page
LEAST_CONFIDENCE = 0.01  # of a runner-up; those that were right had 0.03 to 0.56
CLEARLY = 10  # times the confidence of the next best: of two that make the sums fit, neither may be nearly as likely


def choose_by_rules(
    template: Template, answers: Sequence[Answer], values: Mapping[str, Value], context: ValueContext
) -> tuple[tuple[Answer, ...], dict[str, Value]]:
    """The answers and values with at most one other in each: a runner-up with which an equation holds.

    It must break no other rule, and be clearly likelier than any other such runner-up: else the record tells of the
    broken rule, and a person decides. A chosen answer has the flag `chosen_by_rule`, its own confidence and place, and
    the one that it replaces as first runner-up. An absent key stays absent: a rule with a null in it is not checked.
    """
    rules = parsed_rules(template)
    typed = {key.name: values[key.name].value if key.name in values else None for key in template.keys}
    broken = _broken(rules, typed)
    names = {name for rule in broken if rule.is_sum for name, _ in rule.kinds}
    mending: dict[tuple[str, Any], tuple[Answer, Answer, Value]] = {}
    for answer, other, value in _others(template, answers, context, names):
        place = (answer.key, value.value)
        if place not in mending and _mends(rules, broken, typed | {answer.key: value.value}):
            mending[place] = (answer, other, value)  # of two prints of one value the likelier stands first
    ranked = sorted(mending.values(), key=lambda found: -found[1].confidence)
    if not ranked or (len(ranked) > 1 and ranked[1][1].confidence * CLEARLY > ranked[0][1].confidence):
        return tuple(answers), dict(values)
    answer, other, value = ranked[0]
    others = tuple(one for one in answer.runners_up if one is not other)
    chosen = replace(other, runners_up=(replace(answer, runners_up=()), *others), flags=(*other.flags, FLAG))
    return tuple(chosen if one is answer else one for one in answers), {**values, answer.key: value}


def _broken(rules: Sequence[Rule], typed: Mapping[str, Any]) -> list[Rule]:
    return [rule for rule in rules if check_rule(rule, typed).state == "broken"]


def _mends(rules: Sequence[Rule], broken: Sequence[Rule], typed: Mapping[str, Any]) -> bool:
    """Whether an equation holds that did not, and no rule is broken that was not."""
    still = _broken(rules, typed)
    return all(rule in broken for rule in still) and any(rule.is_sum and rule not in still for rule in broken)


def _others(
    template: Template, answers: Sequence[Answer], context: ValueContext, names: set[str]
) -> Iterator[tuple[Answer, Answer, Value]]:
    """Answer, runner-up and its value, for every key of `names` that was read off the page."""
    keys: dict[str, Key] = {key.name: key for key in template.keys}
    for answer in answers:
        if answer.key not in names or answer.text is None or answer.source in CERTAIN:
            continue
        key = keys[answer.key]
        for other in answer.runners_up:
            if other.text is not None and other.confidence >= LEAST_CONFIDENCE:
                value = parse_value(key.type, other.text, context, key.choices)
                if value.value is not None:
                    yield answer, other, value
