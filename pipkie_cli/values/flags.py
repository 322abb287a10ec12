"""The doubts that this room states. They stand in records: names do not change."""

from typing import Final

from pipkie_cli.nouns import Value

AMBIGUOUS_NUMBER: Final = "ambiguous_number"  # value null, every reading is kept
AMBIGUOUS_DATE: Final = "ambiguous_date"
AMBIGUOUS_CURRENCY: Final = "ambiguous_currency"
AMBIGUOUS_TIME: Final = "ambiguous_time"  # value null: several times of the day are printed
AMBIGUOUS_VALUE: Final = "ambiguous_value"  # value null: several values are printed, or a text means several
UNPARSABLE: Final = "unparsable"  # value null: no reading at all
TOO_MANY_DIGITS: Final = "too_many_digits"  # value null: a JSON number would not hold it exactly
UNSUPPORTED_ERA: Final = "unsupported_era"  # value null: a calendar that pipkie does not count in
BAD_CHECKSUM: Final = "bad_checksum"  # value null: right in form, but its check digits say that it was misread
UNCHECKED: Final = "unchecked"  # value given: no check digit says that it was read rightly
REPAIRED_DIGITS: Final = "repaired_digits"  # value given: letters were read as the digits they look like
REPAIRED_MONTH: Final = "repaired_month"  # value given: a month name was misread by one letter
EXTRA_TEXT: Final = "extra_text"  # value given: something beside it was not understood

MAX_CHARS = 200  # no printed date, number, currency or code is longer; keeps every pattern cheap on hostile text

NOT_READ: Final = Value(None, (UNPARSABLE,))
