# table.py - results as text: one line of a row, and tables in Markdown.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import math

HEAD = ["operator", "shape", "type", "us", "TB/s", "of copy", "goal", "best peer", "us", "of peer"]
LONG = {"softmax": [0.93, 0.93, 0.92, 0.84], "layernorm": [0.95, 0.95, 0.92, 0.85], "rmsnorm": [0.95, 0.95, 0.92, 0.85]}
SAME = {
    "row product": 0.97,
    "row sum": 0.97,
    "row prefix product": 0.94,
    "cumsum": 0.94,
    "transpose": 0.92,
    "gelu": 0.96,
    "gelu tanh": 0.96,
    "silu*w": 0.96,
    "add": 0.96,
    "column sum": 0.95,
    "argmax": 0.95,
}
COLUMNS = [4096, 8192, 32768, 131072]
PEER_GOAL = 0.98


def goal(row):
    """The part of the copy rate to reach, or nothing where only peers count."""
    columns = int(row["shape"].split("x")[1])
    if row["op"].startswith(("copy ", "cast ")):
        return 0.95
    if columns in (1152, 3000, 4097, 5120):
        return 0.90
    if columns not in COLUMNS or int(row["shape"].split("x")[0]) < 4096:
        return None
    return LONG[row["op"]][COLUMNS.index(columns)] if row["op"] in LONG else SAME.get(row["op"])


def name_of(row):
    return f"{row['op']}, {row['seed_threads']} threads" if row.get("seed_threads") else row["op"]


def cells(row):
    start = [name_of(row), row["shape"], row["dtype"]]
    if "error" in row:
        return start + [f"error: {row['error']}"[:120].replace("|", "/")] + [""] * (len(HEAD) - 4)
    wanted = goal(row)
    peer = [row["peer"], f"{row['peer_us']:.1f}", f"{row['peer_ratio']:.2f}"] if row["peer"] else ["", "", ""]
    if row["peer"] and row["peer_ratio"] < PEER_GOAL:
        peer[2] += " (!)"
    reached = f"{row['copy_ratio']:.3f}" + (" (!)" if wanted and row["copy_ratio"] < wanted else "")
    return start + [
        f"{row['ours_us']:.1f}",
        f"{row['ours_tbs']:.2f}",
        reached,
        f"{wanted:.2f}" if wanted else "",
        *peer,
    ]


def line_of(row):
    """One line of progress."""
    text = " ".join(cells(row)[:3]) + ": "
    if "error" in row:
        return text + row["error"]
    ratios = f"{row['copy_ratio']:.3f} of copy, {row['peer_ratio']} of {row['peer']}"
    return f"{text}{row['ours_us']:.1f} us, {ratios} ({row['program']})"


def summary(rows):
    ratios = [row["peer_ratio"] for row in rows if row.get("peer_ratio")]
    against = [row for row in rows if "error" not in row and goal(row)]
    reached = sum(row["copy_ratio"] >= goal(row) for row in against)
    mean = math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios)) if ratios else 0
    failed = sum("error" in row for row in rows)
    return (
        f"{reached} of {len(against)} rows reach their part of the copy rate; "
        f"{sum(ratio >= PEER_GOAL for ratio in ratios)} of {len(ratios)} reach {PEER_GOAL} of the best peer, "
        f"{mean:.2f} in the geometric mean; {failed} failed."
    )


def markdown(rows):
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    return "\n".join([*lines, "", summary(rows)])
