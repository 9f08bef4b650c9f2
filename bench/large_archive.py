"""Makes a .pt2 whose weights take gigabytes, and no room on disk: what `reinplace list` may not read.

    large_archive.py SMALL.pt2 LARGE.pt2 [GIGABYTES]
    /usr/bin/time -v reinplace list LARGE.pt2
"""

import struct
import sys
import zipfile
import zlib


def crc_of_zeros(count):
    crc, block = 0, bytes(1 << 24)
    while count > 0:
        step = min(count, len(block))
        crc = zlib.crc32(memoryview(block)[:step], crc)
        count -= step
    return crc


def main(small, large, gigabytes="2"):
    zeros = min(int(float(gigabytes) * (1 << 30)), (1 << 32) - 2)  # more would need ZIP64
    directory = b""
    entries = zipfile.ZipFile(small)
    with open(large, "wb") as file:
        for entry in entries.infolist():
            content = entries.read(entry)
            is_hole = entry.filename.endswith("weights/weight_0")
            size, crc = (zeros, crc_of_zeros(zeros)) if is_hole else (len(content), zlib.crc32(content))
            name, place = entry.filename.encode(), file.tell()
            fields = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0x21, crc, size, size, len(name), 0)
            file.write(b"PK\3\4" + fields + name)
            file.seek(size, 1) if is_hole else file.write(content)
            directory += b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, place) + name
        start, count = file.tell(), len(entries.infolist())
        file.write(directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(directory), start, 0))


if __name__ == "__main__":
    main(*sys.argv[1:])
