"""The figures of a bench as lines for people."""

from typing import Any

from pipkie_cli.errors import ExitCode

Figures = dict[str, Any]


def bench_table(figures: Figures) -> list[str]:
    """One line a figure, what it is compared with beside it."""
    lines = [f"{figures['documents']} documents, CPU seconds of one thread"]
    if figures["pictures"]:
        lines += _pictures(figures["pictures"])
    texts = figures["text_pages"]
    if texts["failed"]:
        lines.append(f"{texts['failed']} of {texts['documents']} documents with a text layer failed")
    if texts["pages"]:
        lines.append(_line("page with text layer, file to record", texts["cpu_s_per_page"], f"{texts['pages']} pages"))
        lines.append(_line("  the costliest document, a page", texts["worst_cpu_s_per_page"], ""))
    lines += _stages(figures["stages"])
    if figures["decoding"]:
        lines += _decoding(figures["decoding"])
    lines.append(_line("pipkie --help", figures["help_cpu_s"], ""))
    if figures["memory"]:
        memory = figures["memory"]
        lines.append(f"{'peak memory of a long run':<40}{memory['peak_mib']:9.0f} MiB  {memory['pages']} pages")
        if memory["exit_code"] not in (ExitCode.OK, ExitCode.DOCUMENTS_FAILED):
            lines.append(f"  that run ended with exit code {memory['exit_code']}: its memory says nothing")
    if figures["wheel_bytes"] is not None:
        lines.append(f"{'wheel':<40}{figures['wheel_bytes'] / 1e6:9.1f} MB")
    return lines


def _pictures(row: Figures) -> list[str]:
    lines = [
        _line("OCR, engine defaults", row["default_cpu_s"], f"{row['pages']} pages"),
        _line("OCR, pipkie", row["tuned_cpu_s"], f"{100 * row['tuned_share_of_default']:.0f} % of the defaults"),
        _line("model, windows to answers", row["model_cpu_s"], f"{100 * row['model_share_of_ocr']:.0f} % of the OCR"),
    ]
    lines += [_line(f"  {part}", seconds, "") for part, seconds in row["model_parts_cpu_s"].items()]
    if row["transcribed_pages"]:
        recall = row["recall"]
        for kind in ("words", "numbers"):
            tuned, default = 100 * recall[f"tuned_{kind}"], 100 * recall[f"default_{kind}"]
            lines.append(f"{f'transcribed {kind} found':<40}{tuned:9.1f} %    engine defaults {default:.1f} %")
    keys = row["keys"]
    for count, seconds in keys["page_cpu_s"].items():
        lines.append(_line(f"page with {count} keys", seconds, f"model alone {keys['model_cpu_s'][count]:.3f} s"))
    growth = f"model alone {100 * keys['model_growth']:+.0f} %"
    lines.append(f"{'growth from fewest to most keys':<40}{100 * keys['page_growth']:+9.1f} %    {growth}")
    return lines


def _stages(kinds: Figures) -> list[str]:
    lines = []
    for name, title in (("pictures", "picture page"), ("text_pages", "page with text layer")):
        row = kinds[name]
        if row:
            lines.append(_line(f"{title}, all stages", sum(row["cpu_s"].values()), f"{row['pages']} pages"))
            for stage, spent in row["cpu_s"].items():
                lines.append(_line(f"  {stage}", spent, f"clock {row['wall_s'][stage]:.3f} s"))
    return lines


def _decoding(figures: Figures) -> list[str]:
    """Per number of keys: the one pass in seconds, then how much slower each way of word by word is."""
    words = f"{figures['words_per_page']:.0f} words a page"
    lines = [f"one pass against word by word, {figures['pages']} pages, {words}, fastest of {figures['rounds']} rounds"]
    ways = ("per_key", "text_kept", "page_kept", "batched")
    lines.append(f"{'keys':>6}{'steps':>8}{'one pass':>12}" + "".join(f"{way:>12}" for way in ways))
    for count, row in figures["keys"].items():
        ratios = "".join(f"{row['speed_up'][way]['cpu']:10.1f} x" for way in ways)
        lines.append(f"{count:>6}{row['steps']:8.1f}{row['seconds']['one_pass']['cpu_s']:10.3f} s{ratios}")
    return lines


def _line(what: str, seconds: float, beside: str) -> str:
    return f"{what:<40}{seconds:9.3f} s    {beside}".rstrip()
