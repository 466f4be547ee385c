#!/usr/bin/env python3
"""Lists the skipped tests of a ctest --output-junit file, each with the reason that it printed.

Usage: skipped_tests.py TESTS_XML
"""
import re
import sys
import xml.etree.ElementTree as ElementTree


def reason(output):
    """What GTEST_SKIP() was given, or the last line of a script that exited with 77."""
    found = re.search(r"(?:: Skipped|^\[  SKIPPED \].*)\n(.+)", output)
    if found:
        return found.group(1).strip()
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1].strip() if lines else "no reason given"


def main():
    skipped = {}
    for case in ElementTree.parse(sys.argv[1]).iter("testcase"):
        if case.find("skipped") is not None:
            text = reason(case.findtext("system-out") or "")
            skipped.setdefault(text, []).append(case.get("name"))
    for text, names in skipped.items():
        print(f"Skipped {len(names)}: {text}")
        for name in names:
            print(f"    {name}")


if __name__ == "__main__":
    main()
