"""The empirical likelihood of a mean score, for the other programs here."""
import numpy as np
from scipy.optimize import brentq


def lattice(counts):
    return np.arange(len(counts)) / (len(counts) - 1)


def deviance(counts, score):
    """Twice the loss of likelihood of the best law with this mean: the tilt is the root of a falling function."""
    distance = lattice(counts) - score
    shares = counts / counts.sum()
    excess = lambda t: (shares * distance / (1 + t * distance)).sum()
    ends = -1 / distance.max(), -1 / distance.min()
    width = ends[1] - ends[0]
    low, high = ends[0] + 1e-12 * width, ends[1] - 1e-12 * width
    # Without a root the best law puts what is left on an end of the scale that was not observed.
    if excess(low) <= 0:
        tilt = low
    elif excess(high) >= 0:
        tilt = high
    else:
        tilt = brentq(excess, low, high, xtol=1e-15)
    return 2 * counts.sum() * (shares * np.log1p(tilt * distance))[shares > 0].sum()
