"""What the exact statements of one document may cost: attachments, XML, codes. Beyond these they are not read."""

MAX_ATTACHMENTS = 100  # looked at; a portfolio of a thousand files is no invoice
MAX_XML_BYTES = 16 * 1024 * 1024  # of one attachment; invoices with 10,000 lines have 10 MiB
MAX_ATTACHED_BYTES = 64 * 1024 * 1024  # of all attachments that were unpacked
CHILD_CPU_S = 10  # of unpacking them; 64 MiB take half a second
CHILD_BYTES = 384 * 1024 * 1024  # more than before that unpacking them may take

MAX_DEPTH = 64  # nested elements; CII needs 9
MAX_ELEMENTS = 1_000_000  # of one XML
MAX_LINES = 10_000  # invoice lines that become rows
MAX_PLACES = 30_000  # of such lines, with those that hold only a text or the sum of others
MAX_FACTS = 200  # of one business term: notes repeat
MAX_FACT_CHARS = 10_000  # of one statement

MAX_CODES = 100  # of one page: a sheet of labels has 40
MAX_CODE_CHARS = 8_000  # of one code; a QR code holds 7,089 digits
