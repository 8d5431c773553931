#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/distribution/golden.json: small samples, and what scipy and numpy make of them.

Needs scipy and numpy; tests/golden/README.md names the versions it was made with.
"""

import json
import pathlib

import numpy as np
from scipy import stats

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests/golden/distribution/golden.json"
PROBABILITIES = [1e-300, 1e-100, 1e-16, 1e-5, 0.001, 0.02425, 0.1, 0.25, 0.4999, 0.5, 0.75, 0.975,
                 0.999, 1 - 1e-10]
AT = [0.0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.999, 1.0]


def numbers(values):
    return [float(v) for v in np.asarray(values)]


def case(a, b):
    """Samples in float32, sorted; every answer from the float32 values taken as float64."""
    a, b = (np.sort(np.asarray(v, dtype=np.float32)).astype(np.float64) for v in (a, b))
    mean, std = a.mean(), a.std()
    edges = np.linspace(-2.0, 2.0, 9)
    inside = a[(a >= edges[0]) & (a <= edges[-1])]
    return {
        "a": numbers(a),
        "b": numbers(b),
        "mean": mean,
        "std": std,
        "skewness": float(stats.skew(a)) if std > 0 else 0.0,
        "excess_kurtosis": float(stats.kurtosis(a)) if std > 0 else 0.0,
        "ks": float(stats.ks_2samp(a, b).statistic),
        "ks_gaussian": float(stats.kstest(a, "norm", args=(0.25, 1.5)).statistic),
        "wasserstein": float(stats.wasserstein_distance(a, b)),
        "quantiles": numbers(np.quantile(a, AT, method="hazen")),
        "edges": numbers(edges),
        "counts": [int(c) for c in np.histogram(inside, edges)[0]],
    }


def main():
    rng = np.random.default_rng(7)
    golden = {
        "probabilities": PROBABILITIES,
        "normal_quantiles": numbers(stats.norm.ppf(PROBABILITIES)),
        "quantile_at": AT,
        "cases": {
            "one_each": case([1.5], [-0.25]),
            "same": case(rng.normal(size=20), np.full(3, 0.5)),
            "unequal_sizes": case(rng.normal(size=97), rng.normal(0.3, 1.4, size=31)),
            "ties": case(rng.integers(-3, 4, size=64), rng.integers(-2, 5, size=50)),
            "apart": case(rng.normal(size=12), 10 + rng.normal(size=17)),
            "heavy_tails": case(rng.standard_t(3, size=80), rng.normal(size=80)),
            "large_mean": case(4096 + rng.normal(size=64), 4097 + rng.normal(size=50)),
        },
    }
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
