# SPDX-License-Identifier: MIT
"""SplitMix64 (Steele, Lea, Flood 2014) with random access to its stream.

A draw depends only on the number of the activation, not on the history, so all protocols meet the
same load. protocol/splitmix.h is the same function for the programs that execute bodies.
"""

from hashlib import sha256

_WORD = (1 << 64) - 1


def key_of(*names: object) -> int:
    """Return the key of the stream with this name; equal names have equal streams."""
    digest = sha256(" ".join(map(str, names)).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def splitmix(key: int, number: int) -> int:
    """Return output `number` of a key's stream; outputs count from 0."""
    mixed = (key + (number + 1) * 0x9E3779B97F4A7C15) & _WORD
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
    return mixed ^ (mixed >> 31)


def drawn(least: int, most: int, key: int, number: int) -> int:
    """Return a value from `least` to `most`, both included."""
    return least + splitmix(key, number) % (most - least + 1)
