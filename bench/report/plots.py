"""Plots of ratios to Files, by matplotlib where it is installed."""
import dataclasses
import os

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None

from report.tables import describe

MOUNTS = ("#0b7a5a", "#34c38f", "#1f9d8f")
COLOURS = {
    "linked": "#b0b7bf", "floor": "#f59f00", "floor-direct": "#ffd166", "libulhff": "#1c4e80",
    "libulhff-direct": "#5b8ec1", "ffslim": "#9467bd", "ffslim-direct": "#c5b0d5", "ffrecord": "#c77dba",
    "tdp": "#8c6d5a", "squashfs": "#d1495b", "squashfuse_ll": "#e88a95", "erofs": "#a63446",
    "ratarmount": "#7a5195", "mount-nopool": "#a8d5c2",
    "mount-buffered": "#7fb7a3", "mount-2-threads": "#d5e8df", "mds": "#577590", "mindrecord": "#90a8b8", "arrow": "#c9ada7",
    "webdataset": "#9a8c98",
}  # fmt: skip
# What one picture shows beside the mounts; `curves` for the paper's Figure 12.
THEMES = {
    "plain": ("linked", "floor", "tdp"),
    "peers": ("squashfs", "squashfuse_ll", "erofs", "ratarmount"),
    "changed-loader": ("libulhff", "ffslim", "mds", "mindrecord", "arrow", "webdataset"),
    "ablation": ("mount-nopool", "mount-buffered", "mount-2-threads", "linked"),
    "curves": ("linked", "ffslim"),
}
FEWEST_CURVE_POINTS = 7
UNLIMITED = ", memory unlimited"
STYLE = {
    "font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 10,
    "axes.titleweight": "bold", "legend.frameon": False, "figure.dpi": 130,
}  # fmt: skip


def colour(layout, mounts):
    if layout in mounts:
        return MOUNTS[mounts.index(layout) % len(MOUNTS)]
    return COLOURS.get(layout, "#444444")


def memory_label(memory):
    return f"{memory} %" if memory else "unlimited"


def bars(axes, groups, name, layouts, mounts):
    """A cluster per memory limit, a bar per layout that was measured there, whiskers from quartile to quartile."""
    width = 0.84 / len(layouts)
    for cluster, group in enumerate(groups):
        found = [(x, group.ratio(x, "files", name)) for x in layouts]
        found = [(x, ratio) for x, ratio in found if ratio]
        for index, (layout, ratio) in enumerate(found):
            x = cluster + (index - (len(found) - 1) / 2) * width
            spread = [[ratio.median - ratio.low], [ratio.high - ratio.median]]
            axes.bar(x, ratio.median, width * 0.92, color=colour(layout, mounts), zorder=2)
            axes.errorbar(x, ratio.median, yerr=spread, color="#333333", linewidth=0.8, zorder=3)
            axes.annotate(
                f"{ratio.median:.2g}" if ratio.median < 10 else f"{ratio.median:.0f}", (x, ratio.high),
                (0, 2), textcoords="offset points", ha="center", va="bottom", fontsize=7,
            )  # fmt: skip


def curves(axes, groups, name, layouts, mounts):
    """A line per layout over the memory limit, its quartiles as a band."""
    for layout in layouts:
        points = [(i, g.ratio(layout, "files", name)) for i, g in enumerate(groups)]
        points = [(i, ratio) for i, ratio in points if ratio]
        x = [i for i, _ in points]
        own = layout in mounts
        axes.plot(
            x, [r.median for _, r in points], color=colour(layout, mounts), marker="o", markersize=4,
            linewidth=2.2 if own else 1.4, zorder=3 if own else 2,
        )  # fmt: skip
        low, high = [r.low for _, r in points], [r.high for _, r in points]
        axes.fill_between(x, low, high, color=colour(layout, mounts), alpha=0.15, linewidth=0)
    axes.set_ylim(bottom=0)


def finish(axes, groups, name):
    axes.axhline(1, color="#333333", linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    axes.set_xticks(range(len(groups)), [memory_label(g.condition.memory) for g in groups])
    axes.set_xlim(-0.6, len(groups) - 0.4)
    axes.set_xlabel("memory limit, share of the de-duplicated size")
    axes.set_title(f"{name} pass")
    axes.grid(axis="y", color="#e5e7eb", zorder=0)
    axes.margins(y=0.12)


def draw(groups, layouts, path, mounts, painter):
    """One picture: the first and the steady pass of groups that differ in the memory limit only."""
    width = min(13, 6 + 0.14 * len(groups) * len(layouts))
    figure, both = pyplot.subplots(1, 2, figsize=(width, 4.2), sharey=True)
    for axes, name in zip(both, ("first", "steady")):
        painter(axes, groups, name, layouts, mounts)
        finish(axes, groups, name)
    both[0].set_ylabel("samples/s, times Files (dashed)")
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour(x, mounts)) for x in layouts]
    figure.legend(handles, layouts, loc="lower center", ncols=min(8, len(layouts)), fontsize=8.5)
    figure.suptitle(describe(dataclasses.replace(groups[0].condition, memory=0)).replace(UNLIMITED, ""))
    figure.tight_layout(rect=(0, 0.08, 1, 1))  # room for the legend; Debian 12's matplotlib has no "outside"
    figure.savefig(path)
    pyplot.close(figure)


def family_of(condition):
    """All that groups of one picture share."""
    return (condition.shape, condition.disk, condition.loader, condition.workers, condition.user)


def families_of(groups):
    families = {}
    for group in groups.values():
        if group.get("files", "first"):
            families.setdefault(family_of(group.condition), []).append(group)
    for members in families.values():
        members.sort(key=lambda group: group.condition.memory or 1000)
    return families


def pictures(members, mounts):
    """(theme, groups, layouts) of what these groups have to show."""
    for theme, others in THEMES.items():
        groups = [g for g in members if any(g.get(x, "first") for x in others)]
        if theme == "curves":
            groups = [g for g in groups if g.condition.memory]
        measured = {layout for group in groups for layout in group.layouts()}
        shown = [x for x in (*mounts, *others) if x in measured]
        enough = FEWEST_CURVE_POINTS if theme == "curves" else 1
        if len(groups) >= enough and (theme != "ablation" or others[0] in measured):
            yield theme, groups, shown


def write_plots(folder, groups, mounts):
    """Writes a PNG per family and theme that has something to compare; returns their names."""
    if pyplot is None:
        return []
    names = []
    with pyplot.rc_context(STYLE):
        for key, members in families_of(groups).items():
            for theme, chosen, layouts in pictures(members, mounts):
                name = f"{'-'.join(str(part) for part in key)}-{theme}.png"
                painter = curves if theme == "curves" else bars
                draw(chosen, layouts, os.path.join(folder, name), mounts, painter)
                names.append(name)
    return names
