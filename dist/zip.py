"""Packs a folder as a zip file with the times of SOURCE_DATE_EPOCH: zip.py FOLDER FILE."""

import os
import sys
import time
import zipfile
from pathlib import Path

folder, file = Path(sys.argv[1]), sys.argv[2]
when = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(path.as_posix(), when)
        entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
        packed.writestr(entry, path.read_bytes())
