"""The options of `pipkie train`: those of every training, those of the embedded model, those of multimodal models."""

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    list[Path],
    typer.Option(
        "--data",
        metavar="DIR|FILE",
        help="A folder with documents/ and labels.jsonl, or a JSONL of records that a person corrected. With --stage "
        "mask pictures with their texts, repeatable: page.png beside page.txt, a JSONL, WebDataset tars.",
    ),
]
Output = Annotated[
    Path, typer.Option("-o", "--output", metavar="DIR", help="A new folder for the model, to be given to --model.")
]
Templates = Annotated[
    list[str] | None,
    typer.Option(
        "--template",
        "-t",
        metavar="NAME|FILE",
        help="The template whose keys are learnt. With --model repeatable, one for every type of document.",
    ),
]
Part = Annotated[
    str | None,
    typer.Option("--split", metavar="PART", help="The part of split.json to learn from (default: all documents)."),
]
HeldOut = Annotated[
    str | None,
    typer.Option(
        "--held-out",
        metavar="PART",
        help="The part of split.json that is only measured on (default: a tenth to a fifth, drawn by --seed).",
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", min=0, show_default=False, help="Of everything drawn by chance (default: 0)."),
]
Init = Annotated[
    str | None,
    typer.Option(
        "--init",
        metavar="mini|DIR",
        help="The embedded model's weights to start from: those that come along, or a folder that training wrote "
        "(default: mini).",
    ),
]
Minutes = Annotated[
    float | None,
    typer.Option(
        "--minutes",
        metavar="M",
        min=0.01,
        max=1000,
        help="Clock time of the embedded model's learning, after the documents are read (default: 10). It ends earlier "
        "where nothing improves any more.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="DIR|ORG/NAME",
        help="Train this multimodal checkpoint (Qwen2-VL, Qwen2.5-VL, Qwen3-VL, InternVL), not the embedded model.",
    ),
]
StageName = Annotated[
    str | None,
    typer.Option(
        "--stage",
        metavar="mask|kv",
        help="Of --model: first mask (fill in masked texts of pictures), then kv (the values of keys).",
    ),
]
RecipeName = Annotated[
    str | None,
    typer.Option(
        "--recipe",
        metavar="NAME|FILE",
        help="How --model is trained: a name such as qwen2-vl-7b, or a .yaml file (default: 1000 steps, all weights).",
    ),
]
AttentionName = Annotated[
    str,
    typer.Option(
        "--attention",
        metavar="bidirectional|causal",
        show_default=False,
        help="How --model attends; causal trains the autoregressive twin, to compare with (default: bidirectional).",
    ),
]
Device = Annotated[
    str,
    typer.Option(
        "--device", metavar="auto|cpu|cuda", show_default=False, help="Where --model learns (default: a GPU if any)."
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Count samples, parameters and memory of --model's training; learn and write nothing."
    ),
]
