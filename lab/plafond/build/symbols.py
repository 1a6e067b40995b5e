# SPDX-License-Identifier: MIT
"""The symbols that an object file defines."""

from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection


def defined_in(file: Path) -> list[str]:
    """Return the global functions and data of an object."""
    with file.open("rb") as opened:
        tables = ELFFile(opened).iter_sections()
        return [
            symbol.name
            for table in tables
            if isinstance(table, SymbolTableSection)
            for symbol in table.iter_symbols()
            if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["bind"] == "STB_GLOBAL"
        ]
