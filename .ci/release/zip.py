#!/usr/bin/env python3
"""zip.py DIRECTORY FILE: makes a zip of the directory, with its name as the first directory. The same files give the same bytes."""
import os
import pathlib
import sys
import time
import zipfile

directory, target = pathlib.Path(sys.argv[1]), sys.argv[2]
date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(directory.rglob("*")):
        if not path.is_file():
            continue
        entry = zipfile.ZipInfo(str(path.relative_to(directory.parent)), date)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o755 if path.suffix in (".exe", ".dll") else 0o644) << 16
        archive.writestr(entry, path.read_bytes())
