"""Gives a program for macOS an identity of its own bytes, and checks it without a Mac: macho.py FILE. The linker's UUID
depends on where the program was built. Checked are its processor, the macOS that it needs, that it takes libraries of the
system alone, and that its signature is of these very bytes: Apple's processors run no program whose signature is not.

The formats: mach-o/loader.h, and cs_blobs.h of Apple's XNU.
"""

import hashlib
import struct
import sys
from pathlib import Path

PROCESSORS = {0x0100000C: "aarch64", 0x01000007: "x86_64"}
LOAD_DYLIB, IDENTITY, CODE_SIGNATURE, BUILD_VERSION, VERSION_MIN = 0x0C, 0x1B, 0x1D, 0x32, 0x24
CODE_DIRECTORY, SHA256 = 0xFADE0C02, 2


def commands(data):
    """The load commands: kind, place and content."""
    place = 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        kind, size = struct.unpack_from("<II", data, place)
        yield kind & 0x7FFFFFFF, place, data[place:place + size]
        place += size


def pages_signed(data, begin):
    """The hash of every page of the program, and where the signature has it."""
    count = struct.unpack_from(">I", data, begin + 8)[0]
    blobs = (struct.unpack_from(">II", data, begin + 12 + 8 * blob)[1] + begin for blob in range(count))
    directory = next(blob for blob in blobs if struct.unpack_from(">I", data, blob)[0] == CODE_DIRECTORY)
    hashes, _, _, pages, limit = struct.unpack_from(">5I", data, directory + 16)
    length, kind, _, page = struct.unpack_from(">4B", data, directory + 36)
    assert kind == SHA256 and limit == begin, "the signature is not of this program's whole content"
    for number in range(pages):
        content = data[number << page:min((number + 1) << page, limit)]
        yield hashlib.sha256(content).digest(), directory + hashes + number * length


def identify(data):
    """The UUID becomes a hash of everything that is signed, and the signature is renewed. It must be right before."""
    begin = next((place for kind, place, _ in commands(data) if kind == IDENTITY), None)
    places = signatures(data)
    check(data)
    if begin is None:
        return
    uuid = slice(begin + 8, begin + 24)
    data[uuid] = bytes(16)
    content = hashlib.sha256(data[:places[0] if places else None]).digest()[:16]
    # As one of version 8 (RFC 9562): the maker's own.
    data[uuid] = content[:6] + bytes([content[6] & 0x0F | 0x80, content[7], content[8] & 0x3F | 0x80]) + content[9:]
    for place in places:
        for digest, said in list(pages_signed(data, place)):
            data[said:said + 32] = digest


def signatures(data):
    """Where the signature begins, if there is one."""
    return [struct.unpack_from("<I", content, 8)[0] for kind, _, content in commands(data) if kind == CODE_SIGNATURE]


def check(data):
    """The number of pages that are as they were signed: all."""
    pages = 0
    for place in signatures(data):
        for number, (digest, said) in enumerate(pages_signed(data, place)):
            assert data[said:said + 32] == digest, f"page {number} is not the one that was signed"
            pages += 1
    return pages


program = Path(sys.argv[1])
data = bytearray(program.read_bytes())
magic, processor, _, kind = struct.unpack_from("<4I", data)
assert magic == 0xFEEDFACF and kind == 2, "it is no 64-bit program for macOS"
identify(data)
program.write_bytes(data)
found = list(commands(data))
libraries = [content[struct.unpack_from("<I", content, 8)[0]:].split(b"\0")[0].decode()
             for kind, _, content in found if kind == LOAD_DYLIB]
assert all(name.startswith(("/usr/lib/", "/System/Library/")) for name in libraries), libraries
version = next(struct.unpack_from("<I", content, 12 if kind == BUILD_VERSION else 8)[0]
               for kind, _, content in found if kind in (BUILD_VERSION, VERSION_MIN))
# Intel's processors run a program that is not signed.
pages = check(data)
assert pages or PROCESSORS[processor] != "aarch64", "it is not signed"
print(f"{PROCESSORS[processor]}, macOS {version >> 16}.{version >> 8 & 255} or newer, libraries: {', '.join(libraries)}; "
      f"signature: {f'{pages} pages are as signed' if pages else 'none'}")
