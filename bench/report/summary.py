"""The table and the picture that README.md carries: a row a condition and pass, ratios to Files."""
import os

from report.plots import STYLE, colour, pyplot
from report.tables import slow

# What stands beside the mounts.
OTHERS = ("linked", "squashfs", "squashfuse_ll", "erofs", "ratarmount")
NAMES = {
    "linked": "Files, hard-linked", "squashfs": "SquashFS", "squashfuse_ll": "squashfuse", "erofs": "EROFS",
    "ratarmount": "ratarmount", "mount": "ulhff-fuse", "mount-uring": "ulhff-fuse, io_uring",
}  # fmt: skip
DISKS = {"as-is": "fast disk", "sshfs": "sshfs"}
PASSES = {"first": "first pass", "steady": "later passes"}


def label(condition, name):
    disk = DISKS.get(condition.disk) or slow(condition) or f"disk of {condition.disk} reads/s"
    memory = f"memory {condition.memory} %" if condition.memory else "memory unlimited"
    loaders = f"{condition.workers} loader{'s' if condition.workers > 1 else ''}"
    return f"{disk}, {memory}, {loaders}, {PASSES[name]}"


def rows(groups, mounts):
    """(label, Files' rate, layout -> Ratio) for each condition and pass where Files and a mount were measured, as root."""
    for condition, group in groups.items():
        if condition.user != "root" or condition.loader == "python-list":
            continue
        for name in PASSES:
            if group.get("files", name) and any(group.get(mount, name) for mount in mounts):
                found = {x: group.ratio(x, "files", name) for x in (*mounts, *OTHERS)}
                yield label(condition, name), group.get("files", name).rate, {k: v for k, v in found.items() if v}


def table(found, mounts):
    shown = [x for x in (*mounts, *OTHERS) if any(x in ratios for _, _, ratios in found)]
    text = "| | Files, samples/s | " + " | ".join(f"{NAMES.get(x, x)}" for x in shown) + " |\n"
    text += "|---|--:|" + "--:|" * len(shown) + "\n"
    for name, rate, ratios in found:
        cells = (f"{ratios[x].median:.2f}x" if x in ratios else "" for x in shown)
        text += f"| {name} | {rate:,.0f} | " + " | ".join(cells) + " |\n"
    return text


def draw(found, mounts, path):
    """A row of dots per condition and pass, over a logarithmic axis of samples/s relative to Files."""
    shown = [x for x in (*OTHERS, *mounts) if any(x in ratios for _, _, ratios in found)]
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.34 * len(found)))
        for y, (_, _, ratios) in enumerate(reversed(found)):
            for layout in shown:
                if layout in ratios:
                    own = layout in mounts
                    axes.plot(
                        ratios[layout].median, y, "o", color=colour(layout, mounts), markersize=8 if own else 6,
                        zorder=3 if own else 2,
                    )  # fmt: skip
        axes.axvline(1, color="#333333", linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        axes.set_xscale("log")
        axes.set_xticks([0.25, 0.5, 1, 2, 4, 8, 16], ["1/4", "1/2", "1", "2x", "4x", "8x", "16x"])
        axes.minorticks_off()
        axes.set_yticks(range(len(found)), [name for name, _, _ in reversed(found)])
        axes.set_ylim(-0.6, len(found) - 0.4)
        axes.set_xlabel("samples/s relative to plain files (dashed)")
        axes.grid(color="#e5e7eb", zorder=0)
        handles = [
            pyplot.Line2D([], [], marker="o", linestyle="", markersize=7, color=colour(x, mounts)) for x in shown
        ]
        names = [NAMES.get(x, x) for x in shown]
        figure.legend(handles, names, loc="lower center", ncols=4, fontsize=8.5)
        figure.tight_layout(rect=(0, 0.45 / figure.get_figheight(), 1, 1))  # room for the legend
        figure.savefig(path)
        pyplot.close(figure)


def write_summary(folder, groups, mounts):
    """Writes summary.png; returns the Markdown of the section, empty where nothing can be compared."""
    found = list(rows(groups, mounts))
    if not found:
        return ""
    text = "## Summary\n\nSamples/s as multiples of those of plain files.\n\n" + table(found, mounts) + "\n"
    if pyplot is not None:
        draw(found, mounts, os.path.join(folder, "summary.png"))
        text += "![summary.png](summary.png)\n\n"
    return text
