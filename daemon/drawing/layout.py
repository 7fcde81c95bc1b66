"""Layout of a graph of memories: clusters beside each other, forces inside them.

Pure and deterministic: the same graph is always drawn alike. Memories that are joined most
strongly make clusters of at most ``CLUSTER``; the clusters, and then the memories in each, are
laid out by forces (Fruchterman and Reingold, Graph drawing by force-directed placement, 1991),
so that the cost grows with the sizes of clusters and not with the square of the whole.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

CLUSTER: Final = 40  # memories
DRAWN_BY_FORCE: Final = 600  # clusters; further ones, the smallest, are wound around these
STEPS: Final = 60
APART: Final = 200  # times at most that overlapping clusters are pushed apart
SOFTLY: Final = 0.4  # share of a push that is given at once: a crowd is not blown apart
ROOM: Final = 16.0  # radius that one memory takes
GOLDEN: Final = math.pi * (3.0 - math.sqrt(5.0))  # the angle by which a sunflower grows


def placed(count: int, edges: Sequence[tuple[int, int, float]]) -> Points:
    """A point for each of ``count`` nodes; an edge has two of them and a strength."""
    if count == 0:
        return np.zeros((0, 2))
    of = clusters(count, edges)
    members: dict[int, list[int]] = defaultdict(list)
    for node, cluster in enumerate(of):
        members[cluster].append(node)
    order = sorted(members, key=lambda one: (-len(members[one]), one))
    number = {cluster: place for place, cluster in enumerate(order)}
    sizes = np.array([len(members[cluster]) for cluster in order], dtype=np.float64)
    radii = ROOM * np.sqrt(sizes) + ROOM / 2
    centres = _centres(radii, _between(edges, [number[cluster] for cluster in of]))
    points = np.zeros((count, 2))
    inside = _within(order, members, edges)
    for place, cluster in enumerate(order):
        points[members[cluster]] = centres[place] + inside[cluster] * (radii[place] - ROOM / 2)
    return points


def clusters(count: int, edges: Sequence[tuple[int, int, float]]) -> list[int]:
    """Smallest node of its cluster, for each node: the strongest edges join first."""
    above, size = list(range(count)), [1] * count

    def top(node: int) -> int:
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    for one, other, _ in sorted(edges, key=lambda edge: (-edge[2], edge[0], edge[1])):
        first, second = sorted((top(one), top(other)))
        if first != second and size[first] + size[second] <= CLUSTER:
            above[second] = first
            size[first] += size[second]
    return [top(node) for node in range(count)]


def sunflower(count: int) -> Points:
    """Points that fill a disc of radius 1 evenly."""
    place = np.arange(count, dtype=np.float64)
    radius, angle = np.sqrt((place + 0.5) / max(1, count)), place * GOLDEN
    return np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1)


def _between(
    edges: Sequence[tuple[int, int, float]], number: Sequence[int]
) -> dict[tuple[int, int], float]:
    """How strongly clusters are joined."""
    drawn: dict[tuple[int, int], float] = defaultdict(float)
    for one, other, strength in edges:
        pair = (number[one], number[other])
        if pair[0] != pair[1]:
            drawn[min(pair), max(pair)] += strength
    return drawn


def _centres(radii: Points, between: dict[tuple[int, int], float]) -> Points:
    count = min(len(radii), DRAWN_BY_FORCE)
    pulls = np.zeros((1, count, count))
    for (one, other), strength in between.items():
        if other < count:
            pulls[0, one, other] = pulls[0, other, one] = min(2.0, strength)
    wanted = 1.3 * math.sqrt(float((radii[:count] ** 2).sum()))
    centres = _pushed_apart(_settled(pulls)[0] * wanted, radii[:count])
    if count < len(radii):
        reach = float((np.hypot(*centres.T) + radii[:count]).max())
        centres = np.concatenate((centres, _around(radii[count:], reach)))
    return centres


def _around(radii: Points, reach: float) -> Points:
    """Circles beside each other on rings outside ``reach``; the widest is the first."""
    found: list[tuple[float, float]] = []
    while len(found) < len(radii):
        widest = float(radii[len(found)])
        ring = reach + widest
        room = max(1, math.floor(math.pi / math.asin(min(1.0, widest / ring))))
        for place in range(min(room, len(radii) - len(found))):
            angle = 2 * math.pi * place / room
            found.append((ring * math.cos(angle), ring * math.sin(angle)))
        reach = ring + widest
    return np.array(found, dtype=np.float64)


def _pushed_apart(centres: Points, radii: Points) -> Points:
    """The same, with no circle over another one, as far as ``APART`` pushes do that."""
    least = radii[:, None] + radii[None, :]
    for _ in range(APART):
        away = centres[:, None] - centres[None, :]
        distance = np.hypot(away[..., 0], away[..., 1])
        np.fill_diagonal(distance, np.inf)
        lack = np.maximum(0.0, least - distance)
        if not lack.any():
            break
        push = away / np.maximum(distance, 1e-9)[..., None] * (lack / 2)[..., None]
        centres = centres + SOFTLY * push.sum(axis=1)
    return centres


def _within(
    order: Sequence[int],
    members: dict[int, list[int]],
    edges: Sequence[tuple[int, int, float]],
) -> dict[int, Points]:
    """The nodes of each cluster in a disc of radius 1; those of about one size are done at once."""
    place = {node: (cluster, n) for cluster in order for n, node in enumerate(members[cluster])}
    inner: dict[int, list[tuple[int, int, float]]] = defaultdict(list)
    for one, other, strength in edges:
        (first, i), (second, j) = place[one], place[other]
        if first == second:
            inner[first].append((i, j, strength))
    found: dict[int, Points] = {}
    for low, high in ((0, 3), (3, 8), (8, 16), (16, CLUSTER)):
        some = [cluster for cluster in order if low < len(members[cluster]) <= high]
        if not some:
            continue
        pulls = np.zeros((len(some), high, high))
        there = np.zeros((len(some), high), dtype=np.bool_)
        for n, cluster in enumerate(some):
            there[n, : len(members[cluster])] = True
            for i, j, strength in inner[cluster]:
                pulls[n, i, j] = pulls[n, j, i] = max(pulls[n, i, j], min(2.0, strength))
        settled = _settled(pulls, there)
        found |= {cluster: settled[n, : len(members[cluster])] for n, cluster in enumerate(some)}
    return found


def _settled(pulls: Points, there: NDArray[np.bool_] | None = None) -> Points:
    """Some graphs at once, each in a disc of radius 1, by what pulls and what pushes."""
    graphs, count, _ = pulls.shape
    alive = np.ones((graphs, count), dtype=np.bool_) if there is None else there
    pairs = (alive[:, :, None] & alive[:, None, :]).astype(np.float64)
    points = np.repeat(sunflower(count)[None], graphs, axis=0)
    ideal = 1.0 / math.sqrt(count)
    for step in range(STEPS):
        away = points[:, :, None] - points[:, None, :]
        distance = np.maximum(np.sqrt((away**2).sum(axis=-1)), 0.01 * ideal)
        force = pairs * ideal**2 / distance - pulls * distance**2 / ideal
        moved = (away / distance[..., None] * force[..., None]).sum(axis=2)
        moved -= 0.1 * points * alive[..., None]  # all of it hangs together
        length = np.maximum(np.sqrt((moved**2).sum(axis=-1)), 1e-9)
        heat = 0.2 * (1.0 - step / STEPS)
        points = points + moved / length[..., None] * np.minimum(length, heat)[..., None]
    centre = (points * alive[..., None]).sum(axis=1) / alive.sum(axis=1)[:, None]
    points = points - centre[:, None]
    reach = (np.sqrt((points**2).sum(axis=-1)) * alive).max(axis=1)
    scaled: Points = points / np.where(reach > 0.0, reach, 1.0)[:, None, None]
    return scaled
