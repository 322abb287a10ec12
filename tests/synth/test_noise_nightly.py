"""The imitation of OCR beside OCR itself, on pages drawn from made-up documents. `-s` shows the table."""

import pytest
from measure_noise import measured_on_pages, show

pytestmark = pytest.mark.nightly
N_PAGES = 6


def test_the_imitation_reads_about_as_badly_as_ocr() -> None:
    """Imitated pages lie between crisp and worn ones, give or take, in wrong characters and lost blanks."""
    tallies = measured_on_pages(N_PAGES)
    show(tallies)
    tables = {name: tally.table() for name, tally in tallies.items()}
    for figure in ("wrong characters", "blanks lost"):
        low, high = sorted((tables["read, clean print"][figure], tables["read, worn print"][figure]))
        assert low / 3 - 0.002 < tables["imitated"][figure] < 3 * high + 0.01, figure
    assert (
        abs(tables["imitated"]["height of a box, median"] - tables["read, clean print"]["height of a box, median"])
        < 0.6
    )
