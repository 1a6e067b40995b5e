# SPDX-License-Identifier: MIT
"""The words of spinlocks: unordered, in the order of requests, by priority."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from proof.memory_model.cases import Case, Fault, Needless, Proof
from proof.mutation import ByHand

SEEN, NOT_IN, IN = 1, 2, 3  # as in spinlock.h


@dataclass(frozen=True)
class Words:
    """The word when a user is inside, and when the second is inside and the first spins."""

    second_and_spins: int
    first: int = 1
    second: int = 2


def _cases(words: Words, leave_retries: int = 0) -> tuple[Case, ...]:
    """Return the cases of all locks: the second user leaves, the first comes.

    `leave_retries`: the retries of a holder that finds a spinning user, and hands over.
    """
    held, spun_for = {"word": words.second}, {"word": words.second_and_spins}
    either = (f"1:X0={SEEN}", f"1:X0={NOT_IN}")
    return (
        Case(
            "free",
            ("leaves", "tries"),
            "what a holder wrote, one sees that finds the lock free",
            "1:X0=0",
            either,
            held,
        ),
        # Only a user that finds the lock free looks at the data. Then the holder's first try
        # succeeded.
        Case(
            "joined",
            ("leaves", "joins"),
            "what a holder wrote, one sees that comes to spin, and finds the lock free",
            "1:X0=0",
            (f"1:X0={SEEN}",),
            held,
            tries={0: 1},
        ),
        Case(
            "spun",
            ("leaves", "turns"),
            "what a holder wrote, one sees that has been spinning",
            "1:X0=0",
            either,
            spun_for,
            retries={0: leave_retries},
        ),
        Case(
            "read",
            ("reads_and_leaves", "tries_and_writes"),
            "a holder does not see what the next one writes",
            f"0:X0={SEEN} /\\ 1:X0={IN}",
            (f"0:X0=0 /\\ 1:X0={IN}",),
            held,
        ),
        Case(
            "ended",
            ("ends", "turns"),
            "what a holder wrote that ends there, the next one sees",
            "1:X0=0",
            either,
            spun_for,
        ),
    )


def _both(words: Words, comes: str) -> Case:
    """Both users come. The first returns the data if it is inside, so the data is IN."""
    second = f"0:X0={IN} /\\ 1:X0={NOT_IN} /\\ word={words.second_and_spins:#x}"
    first = f"0:X0={NOT_IN} /\\ 1:X0={IN} /\\ word={words.first:#x}"
    return Case(
        "both",
        ("tries_second", comes),
        "of two that find the lock free one is inside",
        f"~({second} \\/ {first})",
        (second, first),
        {"data": IN},
    )


def _handed_over(words: Words) -> tuple[Case, ...]:
    """Return the cases of locks that a holder hands over."""
    return (
        # If the holder tries again, it has found the spinning user: that is the case "spun".
        Case(
            "met",
            ("leaves", "joins"),
            "a holder that finds none spinning, and leaves, does not forget one that comes then",
            f"~word={words.first:#x}",
            (f"1:X0={SEEN}",),
            {"word": words.second},
            tries={0: 1},
        ),
        Case(
            "passed on",
            ("ends", "joins_behind", "turns"),
            "what a holder wrote, the next one sees, also where a third one wrote the word since",
            "2:X0=0",
            (f"1:X0={IN} /\\ 2:X0={SEEN}",),
            {"word": words.second_and_spins},
        ),
    )


@dataclass(frozen=True)
class Swap:
    """A compare-and-swap of a header, and the text before it."""

    before: str
    seen: str
    desired: str

    @property
    def text(self) -> str:
        """The text in the header."""
        return f"{self.before}plf_shared_cas64(word, {self.seen}, {self.desired})"

    def ordered(self, orders: str) -> str:
        """Return the text with these orders for success and for failure."""
        arguments = f"word, {self.seen}, {self.desired}, false, {orders}"
        return f"{self.before}__atomic_compare_exchange_n({arguments})"

    @property
    def in_steps(self) -> str:
        """The text with a look and a separate store."""
        return (
            f"{self.before}({{ uint64_t found = plf_load_acquire64(word);"
            f" bool is_same = found == *{self.seen}; *{self.seen} = found;"
            f" if (is_same) plf_store_release64(word, {self.desired}); is_same; }})"
        )


_NO_ACQUIRE, _NO_RELEASE = "no acquire", "no release"
_ORDERS = {
    _NO_ACQUIRE: "__ATOMIC_RELEASE, __ATOMIC_RELAXED",
    _NO_RELEASE: "__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE",
}
_NEEDLESS = {
    _NO_ACQUIRE: "what a task does behind its section, the lock does not protect",
    _NO_RELEASE: "what a task did before it came, the lock does not protect",
}


@dataclass(frozen=True)
class Header:
    """The header of a lock, with the compare-and-swap of each function."""

    file: str
    swaps: Mapping[str, Swap]

    def fault(self, case: str, name: str, text: str, instead: str) -> Fault:
        """Return a fault that the case must find."""
        return Fault(ByHand(name, self.file, text, instead), case)

    def in_steps(self, case: str, function: str) -> Fault:
        """Return a fault: a look and a store, between which another core may write."""
        swap = self.swaps[function]
        return self.fault(case, f"{function}: a look and a store", swap.text, swap.in_steps)

    def weaker(self, case: str, function: str, lack: str, so: str = "") -> Fault:
        """Return a fault: the function's swap lacks an order."""
        return Fault(self._lacks(function, lack, so), case)

    def needless(self, function: str, lack: str, *cases: str) -> Needless:
        """Return an order that the function's swap does not need for these cases."""
        return Needless(self._lacks(function, lack), cases, _NEEDLESS[lack])

    def _lacks(self, function: str, lack: str, so: str = "") -> ByHand:
        swap = self.swaps[function]
        name = f"{function}: {lack}{so}"
        return ByHand(name, self.file, swap.text, swap.ordered(_ORDERS[lack]))


_TRY = Swap("return ", "&seen", "me")
_LOOK = "\t*seen = plf_load_acquire64(word);\n"
_STORE = "\tplf_store_release64(word, 0);\n"
_STORED = _STORE.replace("_release", "")
_JOIN = "\treturn plf_spin_try(word, me);\n"
_JOINED = f"\tuint64_t seen = 0;\n\n\t{_TRY.ordered(_ORDERS[_NO_ACQUIRE])};\n"

_UNORDERED = Header("protocol/spin_unordered.h", {"try": _TRY, "turn": Swap("&& ", "seen", "me")})
_FIFO = Header(
    "protocol/spin_fifo.h",
    {
        "try": _TRY,
        "join": Swap("!", "&seen", "joined"),
        "leave": Swap("!", "&seen", "seen >> PLF_FIFO_BITS"),
        "end": Swap("|| ", "&seen", "without"),
    },
)
_PRIORITY = Header(
    "protocol/spin_priority.h",
    {
        "try": _TRY,
        "join": Swap("!", "&seen", "joined"),
        "leave": Swap("!", "&seen", "left"),
        "end": Swap("|| ", "&seen", "without"),
    },
)


def _faults_of_queue(header: Header) -> tuple[Fault, ...]:
    return (
        header.weaker("free", "try", _NO_ACQUIRE),
        header.weaker("joined", "join", _NO_ACQUIRE),
        header.fault("spun", "turn: no acquire", _LOOK, _LOOK.replace("_acquire", "")),
        header.weaker("spun", "leave", _NO_RELEASE),
        header.weaker("read", "leave", _NO_RELEASE, ", for what was read"),
        header.weaker("ended", "end", _NO_RELEASE),
        header.weaker("passed on", "end", _NO_RELEASE, ", and another core joins"),
        header.in_steps("both", "try"),
        header.in_steps("both", "join"),
        header.in_steps("met", "leave"),
    )


def _needless_of_queue(header: Header) -> tuple[Needless, ...]:
    return (
        header.needless("try", _NO_RELEASE, "free", "read", "both"),
        header.needless("join", _NO_RELEASE, "joined", "both", "met"),
        header.needless("leave", _NO_ACQUIRE, "free", "joined", "spun", "read", "met"),
        header.needless("end", _NO_ACQUIRE, "ended", "passed on"),
    )


def _proof(
    protocol: str,
    header: Header,
    cases: tuple[Case, ...],
    faults: tuple[Fault, ...],
    needless: tuple[Needless, ...],
) -> Proof:
    return Proof(
        protocol=protocol,
        header=header.file,
        threads=header.file.replace("protocol/", "proof/memory_model/").replace(".h", ".c"),
        what="2 and 3 cores" if any(len(case.threads) > 2 for case in cases) else "2 cores",
        shared={"word": "uint64_t", "data": "int"},
        cases=cases,
        faults=faults,
        needless=needless,
        has_halves=False,
        in_order=True,
    )


def _queue(protocol: str, header: Header, words: Words, leave_retries: int) -> Proof:
    """Return the proof of a lock that is handed over."""
    cases = (*_cases(words, leave_retries), _both(words, "joins"), *_handed_over(words))
    return _proof(protocol, header, cases, _faults_of_queue(header), _needless_of_queue(header))


_ALONE = Words(second_and_spins=2)  # spinning leaves the word unchanged

SPINLOCKS = (
    _proof(
        "spin-unordered",
        _UNORDERED,
        (*_cases(_ALONE), _both(_ALONE, "turns")),
        (
            _UNORDERED.weaker("free", "try", _NO_ACQUIRE),
            _UNORDERED.fault("joined", "join: no acquire", _JOIN, _JOINED),
            _UNORDERED.weaker("spun", "turn", _NO_ACQUIRE),
            _UNORDERED.fault("spun", "leave: no release", _STORE, _STORED),
            _UNORDERED.fault("read", "leave: no release, for what was read", _STORE, _STORED),
            _UNORDERED.fault("ended", "leave: no release, for an end", _STORE, _STORED),
            _UNORDERED.in_steps("both", "try"),
            _UNORDERED.in_steps("both", "turn"),
        ),
        (
            _UNORDERED.needless("try", _NO_RELEASE, "free", "joined", "read", "both"),
            _UNORDERED.needless("turn", _NO_RELEASE, "spun", "ended", "both"),
        ),
    ),
    _queue("msrp", _FIFO, Words(second_and_spins=0x102), leave_retries=1),
    _queue("spin-priority", _PRIORITY, Words(second_and_spins=0x1_0000_0002), leave_retries=0),
)
