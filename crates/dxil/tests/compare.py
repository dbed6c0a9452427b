#!/usr/bin/env python3
"""compare.py: the printer of reconverge-dxil beside the disassembler of Microsoft's compiler.

    compare.py DXC.PY PRINT FILE.dxil...            compares; prints the first difference of each file and a count
    compare.py DXC.PY --normalize FILE.dxil...      writes FILE.ll beside each file: the disassembly, normalized

DXC.PY is a driver module with `Dxc().disassemble(bytes)`; PRINT is the program `target/*/examples/print`.
Normalized: no comments but labels, no blank lines, structs sorted by name, of attributes only readnone and readonly,
of records for debuggers only their numbers.
"""
import importlib.util
import os
import re
import subprocess
import sys

# Attributes of parameters and results, which modules do not keep.
PARAMETER = re.compile(r"(?<!\)) (?:noalias|nocapture|nonnull|readnone|readonly|zeroext|signext|inreg|byval|sret|returned"
                       r"|dereferenceable\(\d+\)|dereferenceable_or_null\(\d+\)|align \d+)(?=[ ,)])")


def without_comment(line):
    """The line up to a semicolon outside of quotes."""
    quoted = False
    for place, letter in enumerate(line):
        if letter == '"':
            quoted = not quoted
        elif letter == ";" and not quoted:
            return line[:place]
    return line


def normalize(text):
    groups = {}
    for number, words in re.findall(r"^attributes #(\d+) = \{(.*)\}$", text, re.M):
        effect = [word for word in ("readnone", "readonly") if word in words.split()]
        groups[number] = "".join(" " + word for word in effect)
    lines = []
    for line in text.split("\n"):
        label = re.match(r"; <label>:\d+", line)
        line = label.group(0) if label else without_comment(line).rstrip()
        if not line or line.startswith("attributes #") or re.match(r"!\d+ = (distinct )?!DI", line):
            continue
        if re.match(r"(define|declare) ", line) or re.match(r"  (%\S+ = )?(tail )?call ", line):
            line = PARAMETER.sub("", line)
        if not line.startswith("!"):
            line = re.sub(r" #(\d+)(?= \{$|$|,| !)", lambda found: groups[found.group(1)], line)
        lines.append(line)
    structs = [line for line in lines if re.match(r"%.* = type ", line)]
    others = [line for line in lines if not re.match(r"%.* = type ", line)]
    return "\n".join(sorted(structs) + others) + "\n"


def main(words):
    spec = importlib.util.spec_from_file_location("driver", words[0])
    driver = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(driver)
    dxc = driver.Dxc()
    different = 0
    for path in words[2:]:
        with open(path, "rb") as file:
            expected = normalize(dxc.disassemble(file.read()))
        if words[1] == "--normalize":
            with open(os.path.splitext(path)[0] + ".ll", "w") as out:
                out.write(expected)
            continue
        run = subprocess.run([words[1], path], capture_output=True, text=True)
        found = normalize(run.stdout) if run.returncode == 0 else run.stderr
        if found != expected:
            different += 1
            pairs = zip(found.split("\n") + ["<end>"], expected.split("\n") + ["<end>"])
            line, (ours, theirs) = next((index, pair) for index, pair in enumerate(pairs) if pair[0] != pair[1])
            print(f"{path}: line {line + 1}\n  ours    {ours}\n  theirs  {theirs}")
    print(f"{len(words) - 2} files, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)  # the library's static destructors are not worth the wait
