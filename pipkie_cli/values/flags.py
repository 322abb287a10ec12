"""The doubts that this room states. They stand in records: names do not change."""

from typing import Final

from pipkie_cli.nouns import Value

AMBIGUOUS_NUMBER: Final = "ambiguous_number"  # value null, every reading is kept
AMBIGUOUS_DATE: Final = "ambiguous_date"
AMBIGUOUS_CURRENCY: Final = "ambiguous_currency"
UNPARSABLE: Final = "unparsable"  # value null: no reading at all
TOO_MANY_DIGITS: Final = "too_many_digits"  # value null: a JSON number would not hold it exactly
UNSUPPORTED_ERA: Final = "unsupported_era"  # value null: a calendar that pipkie does not count in
REPAIRED_DIGITS: Final = "repaired_digits"  # value given: letters were read as the digits they look like
REPAIRED_MONTH: Final = "repaired_month"  # value given: a month name was misread by one letter
EXTRA_TEXT: Final = "extra_text"  # value given: something beside it was not understood

MAX_CHARS = 200  # no printed date, number or currency is longer; keeps every pattern cheap on hostile text

NOT_READ: Final = Value(None, (UNPARSABLE,))
