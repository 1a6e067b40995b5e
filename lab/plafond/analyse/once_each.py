# SPDX-License-Identifier: MIT
"""The largest sum of a value from each row, if each name may be used a limited number of times."""

from collections.abc import Mapping, Sequence

MOST = 4_000  # steps of an exact search; a larger search takes the smaller of two upper bounds


def most_of(brought: Sequence[Mapping[str, int]], times: Mapping[str, int]) -> int:
    """Return the largest sum of at most one value from each row of `brought`.

    `times`: how often each name may be used. The sum may be too large after MOST steps.
    """
    rows = [{name: value for name, value in each.items() if value > 0} for each in brought]
    rows = [row for row in rows if row]
    best = [max(row, key=lambda name: row[name]) for row in rows]
    by_row = sum(row[name] for row, name in zip(rows, best, strict=True))
    if all(best.count(name) <= times.get(name, 0) for name in {*best}):
        return by_row
    names = sorted({name for row in rows for name in row})
    values = {name: sorted((row.get(name, 0) for row in rows), reverse=True) for name in names}
    by_name = sum(sum(values[name][: times.get(name, 0)]) for name in names)
    places = [name for name in names for _ in values[name][: times.get(name, 0)]]
    fewer, more = sorted((len(rows), len(places)))
    if fewer * fewer * more > MOST:
        return min(by_row, by_name)
    table = [[row.get(name, 0) for name in places] for row in rows]
    if len(rows) > len(places):
        table = [list(column) for column in zip(*table, strict=True)]
    return _assigned(table) if table else 0


def _assigned(table: Sequence[Sequence[int]]) -> int:
    """Return the largest sum of an entry of each row, all in different columns.

    The table must have at least as many columns as rows. This is the Hungarian method: it adds row
    after row, each by the shortest path over the prices of rows and columns.
    """
    columns = len(table[0])
    row_price, column_price = [0] * (len(table) + 1), [0] * (columns + 1)
    row_of = [0] * (columns + 1)  # the row of each column, from 1; 0: none
    for row in range(1, len(table) + 1):
        row_of[0] = row
        least: list[int | None] = [None] * (columns + 1)
        before, is_seen = [0] * (columns + 1), [False] * (columns + 1)
        column = 0
        while row_of[column]:
            is_seen[column] = True
            delta, following = None, 0
            here = row_of[column]
            for other in range(1, columns + 1):
                if is_seen[other]:
                    continue
                cost = -table[here - 1][other - 1] - row_price[here] - column_price[other]
                known = least[other]
                if known is None or cost < known:
                    least[other] = known = cost
                    before[other] = column
                if delta is None or known < delta:
                    delta, following = known, other
            assert delta is not None
            for other in range(columns + 1):
                known = least[other]
                if is_seen[other]:
                    row_price[row_of[other]] += delta
                    column_price[other] -= delta
                elif known is not None:
                    least[other] = known - delta
            column = following
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    return sum(table[row_of[n] - 1][n - 1] for n in range(1, columns + 1) if row_of[n])
