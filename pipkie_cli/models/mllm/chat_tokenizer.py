"""The tokenizer of a checkpoint in InternVL's chat format, as one `tokenizer.json` that needs no code of the folder's.

InternLM2's is a sentencepiece model read by a Python file in the folder, which is never run. Its pieces become a BPE
that falls back to bytes; whether both cut text alike is tried on PROBES before anything is written.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipkie_cli.errors import ModelError
from pipkie_cli.models.limits import read_json
from pipkie_cli.models.mllm.chat_config import Language

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor
    from tokenizers import AddedToken
    from transformers import PreTrainedTokenizerBase

LARGEST_PIECES = 32 * 2**20  # bytes of a vocabulary's file; Qwen2's has 2.8 MB
MOST_ADDED = 10_000
IMAGE, IMAGE_START, IMAGE_END, TURN_END = "<IMG_CONTEXT>", "<img>", "</img>", "<|im_end|>"
PROBES = (
    "Invoice number: INV-2024-00193", "Date: 2024-03-05 / 05.03.2024", "Total 1,234.56 EUR", "1.234,56 €",
    "DE89 3704 0044 0532 0130 00", "Müller & Söhne GmbH, Straße 12", "ACME Ltd.\nLine two\n\nline four",
    "  two blanks  ", "a\tb", "請求書番号 12345 合計 ¥1,980", "发票号码：０１２３", "Фактура № 17", "فاتورة",
    "naïve café, 50 % off", "x=<s>y</s>z", "<0x0A>", "e-mail: a.b@example.com",
    "https://example.com/?q=1&r=2", "🧾 receipt", "0123456789" * 3,
)  # fmt: skip


def native_tokenizer(folder: Path, language: Language) -> "PreTrainedTokenizerBase":
    """The tokenizer, with the ids of the folder. Raises ModelError for one that would cut text in another way."""
    added = added_tokens(folder)
    missing = [token for token in (IMAGE, IMAGE_START, IMAGE_END, TURN_END) if token not in added]
    if missing:
        raise ModelError(f"{folder} has no token {', '.join(missing)}", hint="fetch the checkpoint again")
    tokenizer = _from_pieces(folder, added) if language == "internlm2" else _from_merges(folder)
    known = tokenizer.get_vocab()
    for token, wanted in added.items():
        if known.get(token) != wanted:
            raise ModelError(
                f"the token {token[:40]} would be {known.get(token)}, not {wanted}",
                hint="the added tokens of this checkpoint leave gaps: it cannot be converted",
            )
    return tokenizer


def added_tokens(folder: Path) -> dict[str, int]:
    """What the folder adds to its vocabulary, by id: tokenizer_config.json and, of older folders, added_tokens.json."""
    found: dict[Any, Any] = {}
    config, older = folder / "tokenizer_config.json", folder / "added_tokens.json"
    listed = read_json(config).get("added_tokens_decoder") or {}
    try:
        found |= {about["content"]: int(number) for number, about in listed.items()}
        if older.is_file():
            found |= read_json(older)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{config} is damaged", hint="fetch the checkpoint again") from error
    if len(found) > MOST_ADDED or not all(
        isinstance(token, str) and isinstance(number, int) for token, number in found.items()
    ):
        raise ModelError(f"{config} is damaged", hint="fetch the checkpoint again")
    return dict(sorted(found.items(), key=lambda one: one[1]))


def _from_merges(folder: Path) -> "PreTrainedTokenizerBase":
    """Qwen2's: vocab.json and merges.txt."""
    from transformers import Qwen2Tokenizer

    for name in ("vocab.json", "merges.txt"):
        if not (folder / name).is_file():
            raise ModelError(f"{folder} has no {name}", hint="fetch the checkpoint again")
        if (folder / name).stat().st_size > LARGEST_PIECES:
            raise ModelError(f"{folder / name} is too large", hint="fetch the checkpoint again")
    tokenizer: PreTrainedTokenizerBase = Qwen2Tokenizer.from_pretrained(folder, local_files_only=True)
    return tokenizer


def _from_pieces(folder: Path, added: dict[str, int]) -> "PreTrainedTokenizerBase":
    """InternLM2's: tokenizer.model, with pieces renamed and others added behind them."""
    from tokenizers import Tokenizer, decoders, models, normalizers
    from transformers import PreTrainedTokenizerFast

    pieces = _pieces(folder / "tokenizer.model")
    n = pieces.get_piece_size()
    names = [pieces.id_to_piece(number) for number in range(n)]
    for token, number in added.items():
        if number < n:
            names[number] = token  # an unused piece that the checkpoint gave a meaning: <|im_end|> is one
    tokenizer = Tokenizer(
        models.BPE(
            vocab={name: number for number, name in enumerate(names)},
            merges=_merges(pieces, names),
            unk_token=pieces.id_to_piece(pieces.unk_id()),
            fuse_unk=True,
            byte_fallback=True,
        )
    )
    begins = pieces.encode("a", out_type=str)[0].startswith("▁")  # a blank is set before every text
    blanks = normalizers.Replace(" ", "▁")
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), blanks]) if begins else blanks
    back = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence([*back, decoders.Strip(" ", 1, 0)] if begins else back)
    tokenizer.add_special_tokens([_special(token) for token in added])
    _compare(pieces, tokenizer, folder)
    bos, eos, unknown = (pieces.id_to_piece(one) for one in (pieces.bos_id(), pieces.eos_id(), pieces.unk_id()))
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        bos_token=bos,
        eos_token=eos,
        pad_token=eos,
        unk_token=unknown,
        clean_up_tokenization_spaces=False,
        extra_special_tokens={
            "start_image_token": IMAGE_START,
            "end_image_token": IMAGE_END,
            "context_image_token": IMAGE,
        },
    )


def _pieces(path: Path) -> "SentencePieceProcessor":
    try:
        import sentencepiece
    except ImportError as error:
        raise ModelError("sentencepiece is not installed", hint='pip install "pipkie[mllm]"') from error
    try:
        if path.stat().st_size > LARGEST_PIECES:
            raise ModelError(f"{path} is too large", hint="fetch the checkpoint again")
        pieces = sentencepiece.SentencePieceProcessor(model_proto=path.read_bytes())
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}", hint="fetch the checkpoint again") from error
    except (RuntimeError, ValueError) as error:
        raise ModelError(f"{path} is no sentencepiece model", hint="fetch the checkpoint again") from error
    return pieces


def _merges(pieces: "SentencePieceProcessor", names: list[str]) -> list[tuple[str, str]]:
    """The merges that a BPE model of sentencepiece makes, best first: every pair that gives a piece, by its score.

    Pieces that text never becomes (control, byte, unused or renamed ones) take no part, or "<s>" in a text would turn
    into the beginning of a document.
    """
    scores, ids = {}, {}
    for number, name in enumerate(names):
        special = pieces.is_control(number) or pieces.is_unknown(number) or pieces.is_byte(number)
        if not special and not pieces.is_unused(number) and name == pieces.id_to_piece(number):
            scores[name], ids[name] = pieces.get_score(number), number
    found = [
        (-score, ids[name[:at]], ids[name[at:]], name[:at], name[at:])
        for name, score in scores.items()
        for at in range(1, len(name))
        if name[:at] in ids and name[at:] in ids
    ]
    return [(left, right) for *_, left, right in sorted(found)]


def _special(token: str) -> "AddedToken":
    from tokenizers import AddedToken

    return AddedToken(token, special=True, normalized=False)


def _compare(pieces: "SentencePieceProcessor", tokenizer: Any, folder: Path) -> None:
    """Both cut every probe into the same ids. Raises ModelError."""
    for text in PROBES:
        tokenizer.encode_special_tokens = True  # text of documents, in which "<s>" is three letters
        if tokenizer.encode(text, add_special_tokens=False).ids != pieces.encode(text):
            raise ModelError(
                f"the tokenizer of {folder} cannot be converted", hint="its sentencepiece model is no plain BPE"
            )
    tokenizer.encode_special_tokens = False
