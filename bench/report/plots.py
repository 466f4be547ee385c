"""Plots of ratios to Files, by matplotlib where it is installed."""
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
    "libulhff-buffered": "#5b8ec1", "ffslim": "#9467bd", "ffslim-direct": "#c5b0d5", "ffrecord": "#c77dba",
    "tdp": "#8c6d5a", "squashfs": "#d1495b", "squashfuse_ll": "#e88a95", "erofs": "#a63446",
    "ratarmount": "#7a5195", "mds": "#577590", "mindrecord": "#90a8b8", "arrow": "#c9ada7",
    "webdataset": "#9a8c98",
}  # fmt: skip
MOST_CLUSTERS = 6  # with more memory limits than this, curves read better than bars
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
    """Bars of one pass: a cluster per memory limit, a bar per layout, whiskers from quartile to quartile."""
    width = 0.84 / len(layouts)
    for index, layout in enumerate(layouts):
        for cluster, group in enumerate(groups):
            ratio = group.ratio(layout, "files", name)
            if not ratio:
                continue
            x = cluster - 0.42 + (index + 0.5) * width
            spread = [[ratio.median - ratio.low], [ratio.high - ratio.median]]
            axes.bar(x, ratio.median, width * 0.92, color=colour(layout, mounts), zorder=2)
            axes.errorbar(x, ratio.median, yerr=spread, color="#333333", linewidth=0.8, zorder=3)
            axes.annotate(
                f"{ratio.median:.1f}", (x, ratio.high), (0, 2), textcoords="offset points",
                ha="center", va="bottom", fontsize=6.5 if len(layouts) > 5 else 8,
            )  # fmt: skip


def finish(axes, groups, name):
    axes.axhline(1, color="#333333", linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    axes.set_xticks(range(len(groups)), [memory_label(g.condition.memory) for g in groups])
    axes.set_xlabel("memory for loader and daemon, share of the de-duplicated size")
    axes.set_title(f"{name} pass")
    axes.grid(axis="y", color="#e5e7eb", zorder=0)
    axes.margins(y=0.12)


def lines(axes, groups, name, layouts, mounts):
    """The same as curves over the memory limit, where there are many of them (the paper's Figure 12)."""
    for layout in layouts:
        points = [(i, g.ratio(layout, "files", name)) for i, g in enumerate(groups)]
        points = [(i, ratio) for i, ratio in points if ratio]
        if not points:
            continue
        x = [i for i, _ in points]
        own = layout in mounts
        axes.plot(
            x, [r.median for _, r in points], color=colour(layout, mounts), marker="o", markersize=4,
            linewidth=2.2 if own else 1.4, zorder=3 if own else 2,
        )  # fmt: skip
        low, high = [r.low for _, r in points], [r.high for _, r in points]
        axes.fill_between(x, low, high, color=colour(layout, mounts), alpha=0.15, linewidth=0)


def plot_family(groups, path, mounts):
    """One picture: groups that differ in the memory limit only."""
    names = dict.fromkeys(layout for group in groups for layout in group.layouts())
    layouts = [x for x in names if x != "files"]
    layouts.sort(key=lambda x: (x not in mounts, x != "linked", x != "floor"))
    figure, both = pyplot.subplots(1, 2, figsize=(11, 4.3), sharey=True)
    for axes, name in zip(both, ("first", "steady")):
        (lines if len(groups) > MOST_CLUSTERS else bars)(axes, groups, name, layouts, mounts)
        finish(axes, groups, name)
    both[0].set_ylabel("samples/s, times Files")
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=colour(x, mounts)) for x in layouts]
    figure.legend(handles, layouts, loc="lower center", ncols=min(9, len(layouts)), fontsize=8.5)
    title = describe(groups[0].condition).split(", memory")[0]
    figure.suptitle(f"{title}: {rest_of(groups[0].condition)} (dashed: Files = 1)", fontsize=11)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path)
    pyplot.close(figure)


def rest_of(condition):
    return ", ".join(describe(condition).split(", ")[3:])


def family_of(condition):
    """All that groups of one picture share."""
    return (condition.shape, condition.disk, condition.loader, condition.workers, condition.user)


def write_plots(folder, groups, mounts):
    """Writes a PNG per family that has something to compare; returns their names."""
    if pyplot is None:
        return []
    families = {}
    for group in groups.values():
        if group.get("files", "first") and len(group.layouts()) > 1:
            families.setdefault(family_of(group.condition), []).append(group)
    names = []
    with pyplot.rc_context(STYLE):
        for key, members in families.items():
            members.sort(key=lambda group: group.condition.memory or 1000)
            name = f"{'-'.join(str(part) for part in key)}.png"
            plot_family(members, os.path.join(folder, name), mounts)
            names.append(name)
    return names
