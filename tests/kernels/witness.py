#!/usr/bin/env python3
"""Runs the launches of this folder on OpenCL runtimes that share nothing with Reconverge.

    witness.py [--platform WORD]... [--write] [NAME.json ...]

For each launch and each OpenCL platform whose name contains WORD (default: all): builds NAME.cl and, where the
platform takes SPIR-V, each of the modules; runs it; compares the output buffers with NAME.expected. With --write,
and when all runs agree, NAME.expected is written from them (exact: any; tolerant: the first platform), and the keys
`expected_from` and `agreed` of the JSON name the runs. Needs Python 3.9 or later with pyopencl and numpy.
Not run by CI: the expected values are files.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FORMATS = {
    "i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8",
    "f16": "f2", "f32": "f4", "f64": "f8",
}
GUARD = 64  # bytes behind each buffer, which no kernel may write
ONE_RUN_SECONDS = 40


def element_type(name):
    import numpy
    return numpy.dtype("<" + FORMATS[name])


def generated(rule, count):
    """The elements of a buffer as Python numbers (README.md, section "Initial contents")."""
    kind = rule["rule"]
    if kind == "zero":
        return [0] * count
    if kind == "fill":
        return [rule["value"]] * count
    if kind == "list":
        return (list(rule["values"]) + [0] * count)[:count]
    if kind == "text":
        return (list(rule["text"].encode()) + [0] * count)[:count]
    if kind == "lcg":
        x, values = rule["seed"], []
        for _ in range(count):
            x = (x * 1664525 + 1013904223) % (1 << 32)
            if rule["mod"]:
                values.append(((x >> 8) % rule["mod"] + rule["add"]) * rule.get("scale", 1))
            else:
                values.append(x ^ (x >> 16))
        return values
    raise ValueError(f"unknown rule {kind}")


def as_bytes(type_name, values):
    import numpy
    dtype = element_type(type_name)
    if dtype.kind == "f":
        return numpy.array(values, dtype="f8").astype(dtype).tobytes()
    mask = (1 << (8 * dtype.itemsize)) - 1
    return b"".join((int(v) & mask).to_bytes(dtype.itemsize, "little") for v in values)


def value_bytes(argument):
    """The bytes of an argument that is passed by value."""
    if argument["kind"] == "scalar":
        return as_bytes(argument["type"], [argument["value"]])
    if argument["kind"] == "vector":
        values = list(argument["values"])
        if len(values) == 3:
            values.append(0)
        return as_bytes(argument["type"], values)
    return bytes.fromhex(argument["bytes"])


CHANNELS = {  # bits of the name of a format: channel type, element of the contents
    "8": ("UNORM_INT8", "u8"), "8s": ("SNORM_INT8", "i8"), "8i": ("SIGNED_INT8", "i8"), "8u": ("UNSIGNED_INT8", "u8"),
    "16": ("UNORM_INT16", "u16"), "16s": ("SNORM_INT16", "i16"), "16i": ("SIGNED_INT16", "i16"),
    "16u": ("UNSIGNED_INT16", "u16"), "16f": ("HALF_FLOAT", "f16"), "32i": ("SIGNED_INT32", "i32"),
    "32u": ("UNSIGNED_INT32", "u32"), "32f": ("FLOAT", "f32"),
}
ORDERS = {"r": ("R", 1), "rg": ("RG", 2), "rgba": ("RGBA", 4), "bgra": ("BGRA", 4), "depth": ("DEPTH", 1)}


def image_format(name):
    """Channel order, channel type, element and number of the channels of a format like rgba8."""
    order = name.rstrip("0123456789siuf")
    channel, element = CHANNELS[name[len(order):]]
    return (*ORDERS[order], channel, element)


def described(argument):
    """An image as the buffer that its texels are."""
    if argument["kind"] != "image":
        return argument
    _, channels, _, element = image_format(argument["format"])
    count = channels
    for size in argument["size"]:
        count *= size
    return {**argument, "type": element, "count": count}


def image(cl, context, argument, source, data):
    """An image of OpenCL with these texels; the source tells its dimensions."""
    import numpy
    import re
    kind = re.search(r"image(\w+)_t\s+" + argument["name"] + r"\b", source).group(1)
    order, _, channel, _ = image_format(argument["format"])
    form = cl.ImageFormat(getattr(cl.channel_order, order), getattr(cl.channel_type, channel))
    shape = tuple(argument["size"])
    description = cl.ImageDescriptor()
    description.image_type = getattr(cl.mem_object_type, "IMAGE" + kind.upper())
    description.shape = shape
    description.pitches = (0, 0)
    if kind == "1d_array":
        description.array_size = shape[1]
    made = cl.Image(context, cl.mem_flags.READ_WRITE, form, desc=description)
    region = (shape + (1, 1))[:3]
    queue = cl.CommandQueue(context)
    cl._enqueue_write_image(queue, made, (0, 0, 0), region, numpy.frombuffer(data, dtype="u1").copy(), is_blocking=True)
    return made, region


def sampler(cl, context, argument):
    modes = {"none": "NONE", "clamp": "CLAMP", "clamp_to_edge": "CLAMP_TO_EDGE", "repeat": "REPEAT",
             "mirrored_repeat": "MIRRORED_REPEAT"}
    mode = getattr(cl.addressing_mode, modes[argument.get("address", "clamp_to_edge")])
    chosen = getattr(cl.filter_mode, argument.get("filter", "nearest").upper())
    return cl.Sampler(context, argument.get("coordinates", "normalized") == "normalized", mode, chosen)


def run_one(path, platform_name, module):
    """Runs one launch in this process; returns the output bytes."""
    import numpy
    import pyopencl as cl
    launch = json.loads(path.read_text())
    platform = [p for p in cl.get_platforms() if platform_name in p.name][0]
    context = cl.Context(platform.get_devices()[:1])
    queue = cl.CommandQueue(context)
    if module.endswith(".cl"):
        standard = "-cl-std=" + ("CL2.0" if "Intel" in platform.name else "CL1.2")
        program = cl.Program(context, (path.parent / module).read_text()).build([standard])
    else:
        program = cl.Program(context, (path.parent / module).read_bytes()).build()
    kernel = cl.Kernel(program, launch["kernel"])
    outputs = []
    images = []
    for index, argument in enumerate(launch["args"]):
        argument = described(argument)
        if argument["kind"] == "image":
            data = as_bytes(argument["type"], generated(argument["init"], argument["count"]))
            made, region = image(cl, context, argument, (path.parent / launch["source"]).read_text(), data)
            images.append((argument, data, made, region))
            kernel.set_arg(index, made)
        elif argument["kind"] == "sampler":
            kernel.set_arg(index, sampler(cl, context, argument))
        elif argument["kind"] == "local":
            kernel.set_arg(index, cl.LocalMemory(argument["bytes"]))
        elif argument["kind"] == "buffer":
            data = as_bytes(argument["type"], generated(argument["init"], argument["count"]))
            padded = numpy.frombuffer(data + b"\xA5" * GUARD, dtype="u1").copy()
            flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
            buffer = cl.Buffer(context, flags, hostbuf=padded)
            outputs.append((argument, data, buffer))
            kernel.set_arg(index, buffer)
        else:
            kernel.set_arg(index, value_bytes(argument))
    dimensions = launch.get("dimensions", 3)
    cl.enqueue_nd_range_kernel(queue, kernel, launch["global"][:dimensions], launch["local"][:dimensions])
    queue.finish()
    result = b""
    contents = {}
    for argument, data, made, region in images:
        back = numpy.empty(len(data), dtype="u1")
        cl._enqueue_read_image(queue, made, (0, 0, 0), region, back, is_blocking=True)
        contents[argument["name"]] = back.tobytes()
    for argument, data, buffer in outputs:
        back = numpy.empty(len(data) + GUARD, dtype="u1")
        cl.enqueue_copy(queue, back, buffer)
        queue.finish()
        back = back.tobytes()
        if back[len(data):] != b"\xA5" * GUARD:
            raise SystemExit(f"writes behind {argument['name']}")
        if argument.get("output"):
            contents[argument["name"]] = back[:len(data)]
        elif not argument.get("scratch") and back[:len(data)] != data:
            raise SystemExit(f"writes {argument['name']}, which is marked neither output nor scratch")
    for argument in launch["args"]:
        result += contents[argument["name"]] if argument.get("output") else b""
    return result


def differences(launch, expected, got):
    """Lines that name the first elements outside of the tolerance."""
    import numpy
    lines, at = [], 0
    tolerance = launch["tolerance"]
    for argument in map(described, launch["args"]):
        if not argument.get("output"):
            continue
        dtype = element_type(argument["type"])
        end = at + dtype.itemsize * argument["count"]
        e, g = (numpy.frombuffer(data[at:end], dtype=dtype) for data in (expected, got))
        at = end
        if len(e) != len(g):
            return [f"{argument['name']}: {len(e)} and {len(g)} elements"]
        if dtype.kind == "f":
            with numpy.errstate(all="ignore"):
                e8, g8 = e.astype("f8"), g.astype("f8")
                near = numpy.abs(g8 - e8) <= tolerance["abs"] + tolerance["rel"] * numpy.abs(e8)
                near |= (e == g) | (numpy.isnan(e) & numpy.isnan(g))
        else:
            near = e == g
        for k in numpy.nonzero(~near)[0][:4]:
            lines.append(f"{argument['name']}[{k}]: {e[k]} and {g[k]}")
    return lines


def platforms():
    import pyopencl as cl
    names = []
    for platform in cl.get_platforms():
        if platform.name not in names:
            names.append(platform.name)
    return names


def runs_of(launch, names):
    """(label, platform, module) of each run."""
    without = launch.get("without", {})
    for name in names:
        label = "intel" if "Intel" in name else "pocl" if "Portable" in name else name.lower()
        if label not in without:
            yield label, name, launch["source"]
        if label == "intel":
            for module in launch["modules"]:
                label = "intel:" + module[module.index(".") + 1:]
                if label not in without:
                    yield label, name, module


def compact(value, indent=0):
    """JSON with one line for each argument."""
    if isinstance(value, dict) and indent == 0:
        body = ",\n".join(f" {json.dumps(k)}: {compact(v, 1)}" for k, v in value.items())
        return "{\n" + body + "\n}\n"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join("  " + json.dumps(v) for v in value) + "\n ]"
    return json.dumps(value)


def check(path, names, write):
    launch = json.loads(path.read_text())
    expected_path = path.parent / launch["expected"]
    results, failed = [], False
    for label, name, module in runs_of(launch, names):
        command = [sys.executable, __file__, "--one", str(path), name, module]
        try:
            run = subprocess.run(command, capture_output=True, timeout=ONE_RUN_SECONDS)
        except subprocess.TimeoutExpired:
            print(f"{path.stem}: {label}: timeout")
            failed = True
            continue
        if run.returncode != 0:
            print(f"{path.stem}: {label}: {run.stderr.decode(errors='replace')[-1500:]}")
            failed = True
            continue
        marked = run.stdout.rindex(b"RESULT ")
        results.append((label, bytes.fromhex(run.stdout[marked + 7:].decode().strip())))
    if not results:
        return False
    # With --write the most trusted run is the one from source on the platform that was named first.
    expected = results[0][1] if write else expected_path.read_bytes()
    for label, got in results:
        for line in differences(launch, expected, got):
            print(f"{path.stem}: {label}: {line}")
            failed = True
    if write and not failed:
        expected_path.write_bytes(expected)
        launch["expected_from"] = results[0][0]
        launch["agreed"] = [label for label, _ in results]
        path.write_text(compact(launch))
    print(f"{path.stem}: {'FAILED' if failed else 'ok'} {' '.join(label for label, _ in results)}")
    return not failed


def main():
    if sys.argv[1:2] == ["--one"]:
        print("RESULT " + run_one(pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]).hex())
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("--platform", action="append", default=[])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("launches", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    words = options.platform or [""]
    names = [n for word in words for n in platforms() if word in n]
    launches = options.launches or sorted(HERE.glob("*.json"))
    return 0 if all([check(path.resolve(), names, options.write) for path in launches]) else 1


if __name__ == "__main__":
    sys.exit(main())
