"""Checks a program for macOS without one: macho.py FILE. Its processor, the macOS that it needs, that it takes libraries of
the system alone, and that its signature is of these very bytes: Apple's processors run no program whose signature is not.

The formats: mach-o/loader.h, and cs_blobs.h of Apple's XNU.
"""

import hashlib
import struct
import sys
from pathlib import Path

PROCESSORS = {0x0100000C: "aarch64", 0x01000007: "x86_64"}
LOAD_DYLIB, CODE_SIGNATURE, BUILD_VERSION, VERSION_MIN = 0x0C, 0x1D, 0x32, 0x24
CODE_DIRECTORY, SHA256 = 0xFADE0C02, 2


def commands(data):
    """The load commands: kind and content."""
    place = 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        kind, size = struct.unpack_from("<II", data, place)
        yield kind & 0x7FFFFFFF, data[place:place + size]
        place += size


def signed(data, begin):
    """Whether every page of the program has the hash that its signature says."""
    count = struct.unpack_from(">I", data, begin + 8)[0]
    blobs = (struct.unpack_from(">II", data, begin + 12 + 8 * blob)[1] + begin for blob in range(count))
    directory = next(blob for blob in blobs if struct.unpack_from(">I", data, blob)[0] == CODE_DIRECTORY)
    hashes, _, _, pages, limit = struct.unpack_from(">5I", data, directory + 16)
    length, kind, _, page = struct.unpack_from(">4B", data, directory + 36)
    assert kind == SHA256 and limit == begin, "the signature is not of this program's whole content"
    for number in range(pages):
        said = data[directory + hashes + number * length:][:length]
        content = data[number << page:min((number + 1) << page, limit)]
        assert hashlib.sha256(content).digest() == said, f"page {number} is not the one that was signed"
    return pages


data = Path(sys.argv[1]).read_bytes()
magic, processor, _, kind = struct.unpack_from("<4I", data)
assert magic == 0xFEEDFACF and kind == 2, "it is no 64-bit program for macOS"
found = list(commands(data))
libraries = [content[struct.unpack_from("<I", content, 8)[0]:].split(b"\0")[0].decode()
             for kind, content in found if kind == LOAD_DYLIB]
assert all(name.startswith(("/usr/lib/", "/System/Library/")) for name in libraries), libraries
version = next(struct.unpack_from("<I", content, 12 if kind == BUILD_VERSION else 8)[0]
               for kind, content in found if kind in (BUILD_VERSION, VERSION_MIN))
places = [struct.unpack_from("<I", content, 8)[0] for kind, content in found if kind == CODE_SIGNATURE]
# Intel's processors run a program that is not signed.
pages = sum(signed(data, place) for place in places)
assert pages or PROCESSORS[processor] != "aarch64", "it is not signed"
print(f"{PROCESSORS[processor]}, macOS {version >> 16}.{version >> 8 & 255} or newer, libraries: {', '.join(libraries)}; "
      f"signature: {f'{pages} pages are as signed' if pages else 'none'}")
