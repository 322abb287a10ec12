"""What one document may cost. A file beyond these is refused or cut, and its record says so."""

MAX_FILE_BYTES = 256 * 1024 * 1024  # read into memory once, so that the hash and the reading see the same bytes
READ_BLOCK_BYTES = 1024 * 1024

MAX_PIXELS_DECODE = 150_000_000  # an A0 sheet at 300 dpi is 139 million; Pillow itself refuses above 178 million
MAX_FRAMES = 10_000  # of one TIFF; Pillow's time to find them grows as the square

RASTER_DPI = 200  # an A4 page is 1654 x 2339
MAX_RASTER_PX = 16_000_000  # pixels of a picture that leaves this room; an A2 page at 200 dpi is 15.5 million
MAX_RASTER_SIDE_PX = 16_000  # a receipt two metres long at 200 dpi
MIN_RASTER_SIDE_PX = 800  # longer side of tiny pages: some scanners write pages of 4 points
POPPLER_TIMEOUT_S = 30  # then pdfium draws the page

MIN_GLYPH_PT = 0.5  # smaller print is nothing that a person sees
MAX_GLYPHS = 100_000  # of one page; a dense newspaper page has 30,000
MAX_FORM_DEPTH = 4  # nested form XObjects searched for images
MAX_OBJECTS = 50_000  # page objects searched for images

PROBE_CPU_S = 15  # of loading one PDF page; drawings with 5 million lines take 5
PROBE_BYTES = 1536 * 1024 * 1024  # more than before that loading one PDF page may take
