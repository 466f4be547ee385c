"""Writes report.md and its plots from the CSV of runs."""
import os

import environment
from report import plots, summary, tables, targets
from report.compare import group_rows


def listed(title, lines):
    return f"## {title}\n\n" + "".join(f"- {line}\n" for line in lines) + "\n" if lines else ""


def write_report(folder, results, lab, skipped, repository):
    """`skipped`: what could not be run here, by name."""
    groups = group_rows(results.measured())
    mounts = list(lab.tools.daemons)
    pictures = plots.write_plots(folder, groups, mounts)
    text = "# Benchmark\n\n"
    text += "Ratios are medians of runs of the same round (in brackets the lower quartile).\n\n"
    text += "| | |\n|---|---|\n"
    text += "".join(f"| {k} | {v} |\n" for k, v in environment.describe(lab, repository)) + "\n"
    text += listed("Skipped", skipped)
    text += listed("Did not finish", tables.failures(results.rows))
    text += summary.write_summary(folder, groups, mounts)
    text += "## Targets\n\n" + targets.verdict_table(groups, mounts)
    text += targets.reads_table(groups, mounts, lab)
    text += "## Plots\n\n" + "".join(f"![{name}]({name})\n\n" for name in pictures)
    text += "## Runs\n\n" + "".join(tables.table(group) for group in groups.values())
    path = os.path.join(folder, "report.md")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    why = "python3-matplotlib is not installed" if plots.pyplot is None else "nothing to compare"
    print(f"wrote {path}" + ("" if pictures else f" (no plots: {why})"))
