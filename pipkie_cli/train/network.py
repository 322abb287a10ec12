"""The mini network in torch (extraction runs its ONNX export).

A text stage reads segments, a page stage words and key slots.
The page attends to the page; the slots of a key attend to the page and to each other, never to other keys (PIP,
arXiv 2601.19613, section 2: all values are read from mask slots in one bidirectional forward). Slots point at words.
A cell of a table is a key that is asked of one printed row: its slots are told which words stand there, and point at
those alone.
Letters: B windows, N words, K keys and cells, S segments, T pieces, D width, H heads, F features of a place.
"""

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pipkie_cli.models.mini import KEY_TYPES, PLACE_FEATURES

WAVELENGTHS = (1.5, 3.0, 6.0, 12.0, 24.0, 48.0, 96.0, 192.0)  # line heights, of the relative 2-D bias
FAR = -1e4  # added to the score of what must not be attended to: exp gives an exact zero in float32


class TextLayer(nn.Module):
    """A BERT layer, normalised after each half, as multilingual-e5-small has it."""

    def __init__(self, width: int, heads: int, ffn: int) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, ffn), nn.Linear(ffn, width)
        self.norm_attention, self.norm_ffn = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """x (S, T, D), bias (S, 1, 1, T) added to the scores."""
        s, t, d = x.shape
        q, k, v = self.qkv(x).view(s, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)  # each (S, H, T, D/H)
        scores = (q * (d // self.heads) ** -0.5) @ k.transpose(-1, -2) + bias
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(s, t, d)
        x = self.norm_attention(x + self.out(mixed))
        done: Tensor = self.norm_ffn(x + self.down(F.gelu(self.up(x))))  # (S, T, D)
        return done


class TextStage(nn.Module):
    """Pieces of short segments -> contextual pieces."""

    def __init__(self, pieces: int, width: int = 384, heads: int = 12, ffn: int = 1536, layers: int = 4) -> None:
        super().__init__()
        self.embed = nn.Embedding(pieces, width)
        self.positions = nn.Parameter(torch.zeros(64, width))
        self.norm = nn.LayerNorm(width, 1e-12)
        self.layers = nn.ModuleList(TextLayer(width, heads, ffn) for _ in range(layers))

    def contextual(self, pieces: Tensor, is_piece: Tensor) -> Tensor:
        """pieces (S, T, D) as embedded, is_piece (S, T) 1 where a piece stands, 0 for padding -> (S, T, D)."""
        x = self.norm(pieces + self.positions[: pieces.shape[1]])
        bias = ((1 - is_piece) * FAR)[:, None, None, :].to(x.dtype)
        for layer in self.layers:
            x = layer(x, bias)
        contextual: Tensor = x
        return contextual

    def forward(self, ids: Tensor, is_piece: Tensor) -> Tensor:
        return self.contextual(self.embed(ids), is_piece)


class PageLayer(nn.Module):
    """Words attend to words with a relative 2-D bias; the two slots of each key to words and to each other."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm_attention, self.norm_ffn = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        bands = 2 * len(WAVELENGTHS)
        self.even, self.odd = nn.Parameter(torch.zeros(heads, bands)), nn.Parameter(torch.zeros(heads, bands))
        # weights of a printed label that matches the key, of what is right of one and below one
        self.label = nn.Parameter(torch.linspace(1, 5, heads))
        self.beside, self.below = nn.Parameter(torch.full((heads,), 2.0)), nn.Parameter(torch.full((heads,), 1.5))
        self.row = nn.Parameter(torch.full((heads,), 2.0))  # weight of a word in the cell's row
        for linear in (self.qkv, self.up):
            nn.init.normal_(linear.weight, 0, 0.02)
        for linear in (self.out, self.down):
            nn.init.normal_(linear.weight, 0, 0.008)
        for linear in (self.qkv, self.out, self.up, self.down):
            nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor, n: int, cos: Tensor, sin: Tensor, absent: Tensor, cues: Sequence[Tensor]) -> Tensor:
        """x (B, N + 2K, D): words, then two slots per key; n = N. cos, sin (B, 1, N, bands); absent (B, 1, 1, N)
        is added to the score of words that are padding; cues (B, 1, 2K, N): matches, beside, below, in_row."""
        b, t, d = x.shape
        heads, dim = self.heads, d // self.heads
        q, k, v = self.qkv(self.norm_attention(x)).view(b, t, 3, heads, dim).permute(2, 0, 3, 1, 4)  # (B, H, T, dim)
        q = q * dim**-0.5
        # cos(w(a - b)) = cos cos + sin sin: the bias is more dimensions of q and k, no (N, N) table
        even, odd = self.even[None, :, None], self.odd[None, :, None]
        q_words = torch.cat([q[:, :, :n], cos.expand(-1, heads, -1, -1), sin.expand(-1, heads, -1, -1)], -1)
        k_words = torch.cat([k[:, :, :n], even * cos - odd * sin, even * sin + odd * cos], -1)
        words = (q_words @ k_words.transpose(-1, -2) + absent).softmax(-1) @ v[:, :, :n]  # (B, H, N, dim)

        to_words = q[:, :, n:] @ k[:, :, :n].transpose(-1, -2)  # (B, H, 2K, N)
        to_words = to_words + absent
        for cue, weight in zip(cues, (self.label, self.beside, self.below, self.row), strict=True):
            to_words = to_words + cue * weight[None, :, None, None]
        q_pair, k_pair, v_pair = (a[:, :, n:].reshape(b, heads, -1, 2, dim) for a in (q, k, v))  # (B, H, K, 2, dim)
        to_pair = (q_pair @ k_pair.transpose(-1, -2)).reshape(b, heads, -1, 2)  # (B, H, 2K, 2)
        shares = torch.cat([to_words, to_pair], -1).softmax(-1)
        from_pair = (shares[..., n:].reshape(b, heads, -1, 2, 2) @ v_pair).reshape(b, heads, -1, dim)
        slots = shares[..., :n] @ v[:, :, :n] + from_pair  # (B, H, 2K, dim)

        mixed = torch.cat([words, slots], 2).transpose(1, 2).reshape(b, t, d)
        x = x + self.out(mixed)
        done: Tensor = x + self.down(F.gelu(self.up(self.norm_ffn(x))))
        return done


class PageStage(nn.Module):
    """Words and key slots -> scores of first word, last word and ABSENT for every key, in one forward."""

    def __init__(self, width: int = 384, heads: int = 6, layers: int = 6, pointer: int = 256) -> None:
        super().__init__()
        self.word_in, self.place_in = nn.Linear(width, width), nn.Linear(PLACE_FEATURES, width)
        self.prompt_in, self.alias_in = nn.Linear(width, 2 * width), nn.Linear(width, 2 * width)
        self.mask = nn.Parameter(torch.randn(2, width) * 0.3)  # the [mask] of the first and of the last word
        self.type_in = nn.Embedding(len(KEY_TYPES), width)
        self.cell_in = nn.Parameter(torch.zeros(2, width))  # added to the slots of a cell
        self.layers = nn.ModuleList(PageLayer(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.from_slot, self.from_word = nn.Linear(width, 2 * pointer), nn.Linear(width, 2 * pointer)
        self.absent = nn.Linear(2 * width, 1)
        # weights of a first word beside a label and below one, and of a last one
        self.begins, self.ends = nn.Parameter(torch.tensor([2.0, 1.0])), nn.Parameter(torch.tensor([1.5, 0.75]))
        self.pointer = pointer
        nn.init.normal_(self.place_in.weight, 0, 0.02)
        nn.init.normal_(self.type_in.weight, 0, 0.1)

    def forward(
        self,
        words: Tensor,
        places: Tensor,
        centres: Tensor,
        is_word: Tensor,
        prompts: Tensor,
        aliases: Tensor,
        types: Tensor,
        matches: Tensor,
        beside: Tensor,
        below: Tensor,
        in_row: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """words (B, N, D), places (B, N, F), centres (B, N, 2), is_word (B, N) 1 or 0; prompts, aliases (B, K, D),
        types (B, K) int64; matches, beside, below (B, K, N), where the key's labels stand and what is beside them;
        in_row (B, K, N) 1 or 0, all 0 for what is no cell. Returns first (B, K, N), last (B, K, N), absent (B, K); the
        scores of padding, and of words outside a cell's row, are FAR.
        """
        b, n, d = words.shape
        k = prompts.shape[1]
        page = self.word_in(words) + self.place_in(places)
        slots = self.mask + (self.prompt_in(prompts) + self.alias_in(aliases)).view(b, k, 2, d)
        is_cell = in_row.amax(-1, keepdim=True)  # (B, K, 1)
        slots = (
            slots
            + self.type_in(types)[:, :, None]
            + (is_cell.to(words.dtype) * self.cell_in.view(1, 1, -1)).view(b, k, 2, d)
        )
        slots = slots.reshape(b, 2 * k, d)
        x = torch.cat([page, slots], 1)  # (B, N + 2K, D)
        waves = torch.tensor([2 * math.pi / w for w in WAVELENGTHS], dtype=centres.dtype)
        angles = torch.cat([centres[..., :1] * waves, centres[..., 1:] * waves], -1)[:, None]  # (B, 1, N, bands)
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        far = (1 - is_word) * FAR  # (B, N)
        to_padding = far[:, None, None, :].to(x.dtype)
        of_slots = [
            of_key[:, None, :, None, :].expand(-1, -1, -1, 2, -1).reshape(b, 1, 2 * k, n).to(x.dtype)
            for of_key in (matches, beside, below, in_row)
        ]
        for layer in self.layers:
            x = layer(x, n, cos, sin, to_padding, of_slots)
        x = self.norm(x)
        asked = self.from_slot(x[:, n:]).view(b, k, 2, 2 * self.pointer)
        offered = self.from_word(x[:, :n])  # (B, N, 2 * pointer)
        scale = self.pointer**-0.5
        first = asked[:, :, 0, : self.pointer] @ offered[..., : self.pointer].transpose(-1, -2) * scale
        last = asked[:, :, 1, self.pointer :] @ offered[..., self.pointer :].transpose(-1, -2) * scale
        absent = self.absent(x[:, n:].reshape(b, k, 2 * d))[..., 0]
        elsewhere = (far[:, None] + is_cell * (1 - in_row) * FAR).float()  # (B, K, N)
        # a value begins beside its label, mostly, and ends with the print that stands there
        begins, ends = (beside * weights[0] + below * weights[1] for weights in (self.begins, self.ends))
        return first.float() + begins.float() + elsewhere, last.float() + ends.float() + elsewhere, absent.float()
