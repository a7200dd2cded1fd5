"""Many broken inputs through all readers: python tests/fuzz/run.py [INPUTS] [SEED].

Prints what became of them, the slowest, and the growth of memory; what went wrong is kept in results/fuzz.
"""

import hashlib
import random
import resource
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.fuzz.mutate import mutated, seeds  # noqa: E402
from tests.fuzz.probe import probe  # noqa: E402

MEMORY_CAP = 1 << 30


def main(count: int, seed: int) -> int:
    """Run `count` inputs; the number of those that went wrong."""
    warnings.simplefilter("error")
    resource.setrlimit(resource.RLIMIT_AS, (_address_space() + MEMORY_CAP, resource.RLIM_INFINITY))
    rng, pool = random.Random(seed), seeds(ROOT.parent / "shared")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcomes, slowest, wrong, start = Counter[str](), 0.0, 0, time.process_time()
    for k in range(count):
        data = mutated(pool, rng)
        found = probe(data, rng.randrange(10_000))
        outcomes[found.outcome] += 1
        slowest = max(slowest, found.seconds)
        if found.trouble:
            wrong += 1
            _keep(data, found.trouble)
        if (k + 1) % 10_000 == 0:
            print(f"{k + 1:,} inputs: {dict(outcomes)}, {wrong} wrong, slowest {slowest:.2f} s", flush=True)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    seconds = time.process_time() - start
    print(
        f"{count:,} inputs (seed {seed}, {len(pool)} seeds) in {seconds:.0f} s of CPU: {dict(outcomes)}, "
        f"{wrong} wrong, slowest {slowest:.2f} s, memory grown by {grown:.0f} MB"
    )
    return wrong


def _address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def _keep(data: bytes, trouble: str) -> None:
    folder = ROOT / "results" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(data).hexdigest()[:12]
    (folder / name).write_bytes(data)
    print(f"{name}: {trouble[:300]}", flush=True)


if __name__ == "__main__":
    given = [int(value) for value in sys.argv[1:]]
    sys.exit(bool(main(*(given + [200_000, 0][len(given) :]))))
