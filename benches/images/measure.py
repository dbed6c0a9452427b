#!/usr/bin/env python3
"""Image kernels on this CPU: Reconverge beside the OpenCL runtimes that are installed.

    measure.py [--reconverge PROGRAM] [--rounds N]

For each kernel: the best time of some rounds on one core (`taskset`), and the largest difference of the results from those of the
other runtime. The report is Markdown. Needs clang-22, pyopencl and numpy; runtimes are found as OpenCL finds them
(OCL_ICD_VENDORS). Not run by CI.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SIDE = 1024
SMALL = 768
COSINE, SINE = 0.955336489125606, 0.2955202066613396
WEIGHTS = [0, -1, 0, -1, 5, -1, 0, -1, 0]

# Name, side of the result, arguments behind the images for Reconverge and for OpenCL.
KERNELS = [
    ("blur", SIDE, []),
    ("resize", SMALL, []),
    ("conv", SIDE, ["in:f32[]=list(" + ",".join(map(str, WEIGHTS)) + ")"]),
    ("warp", SIDE, [f"f32={COSINE}", f"f32={SINE}"]),
    ("color", SIDE, []),
]


def ours(program, folder, module, name, side, rounds, more):
    """The best time in milliseconds; the result is left in a file."""
    best = None
    size = f"--global={side},{side}" if side else "--global=4096"
    target = f"out:image:rgba8[{side},{side}]=zero" if side else "out:u32[256]=zero"
    source = "image:rgba8[]=@in.npy" if side else "image:rgba8u[]=@in.npy"
    local = "--local=64,1" if side else "--local=256"
    arguments = [f"--arg={argument}" for argument in [source, target, *more]]
    command = ["taskset", "-c", "0", program, "run", str(module), "--on=cpu", "--kernel", name, size, local, "--time", "-q"]
    for _ in range(rounds):
        run = subprocess.run([*command, *arguments, "--dump", f"{name}.npy"], cwd=folder, capture_output=True, text=True, check=True)
        time = float(re.search(r"([\d.]+) ms\s+execute", run.stderr + run.stdout).group(1))
        best = time if best is None else min(best, time)
    return best


def theirs(cl, numpy, platform, picture, rounds):
    """For each kernel the best time in milliseconds and the result."""
    context = cl.Context(platform.get_devices()[:1])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    standard = "-cl-std=CL1.2" if "Portable" in platform.name else "-cl-std=CL3.0"
    program = cl.Program(context, (HERE / "kernels.cl").read_text()).build([standard])
    unorm = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNORM_INT8)
    uint = cl.ImageFormat(cl.channel_order.RGBA, cl.channel_type.UNSIGNED_INT8)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR

    def image(form, side, data=None):
        given = {"hostbuf": data} if data is not None else {}
        return cl.create_image(context, flags if given else cl.mem_flags.READ_WRITE, form, shape=(side, side), **given)

    def timed(kernel, size, local, arguments):
        times = []
        for _ in range(rounds):
            event = kernel(queue, size, local, *arguments)
            event.wait()
            times.append((event.profile.end - event.profile.start) * 1e-6)
        return min(times)

    source, results = image(unorm, SIDE, picture), {}
    weights = cl.Buffer(context, flags, hostbuf=numpy.array(WEIGHTS, "f4"))
    more = {"conv": [weights], "warp": [numpy.float32(COSINE), numpy.float32(SINE)]}
    for name, side, _ in KERNELS:
        target = image(unorm, side)
        time = timed(cl.Kernel(program, name), (side, side), (64, 1), [source, target, *more.get(name, [])])
        back = numpy.empty((side, side, 4), "u1")
        cl.enqueue_copy(queue, back, target, origin=(0, 0), region=(side, side))
        results[name] = time, back
    kernel, bins = cl.Kernel(program, "hist"), cl.Buffer(context, cl.mem_flags.READ_WRITE, 1024)
    picture_of_numbers = image(uint, SIDE, picture)
    back = numpy.empty(256, "u4")
    cl.enqueue_fill_buffer(queue, bins, numpy.uint32(0), 0, 1024)
    kernel(queue, (4096,), (256,), picture_of_numbers, bins).wait()
    cl.enqueue_copy(queue, back, bins)
    results["hist"] = timed(kernel, (4096,), (256,), [picture_of_numbers, bins]), back
    return results


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reconverge", default="reconverge")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    import numpy
    import os
    import pyopencl as cl
    os.sched_setaffinity(0, {0})
    picture = numpy.random.RandomState(7).randint(0, 256, (SIDE, SIDE, 4)).astype("u1")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        numpy.save(folder / "in.npy", picture)
        module = folder / "kernels.spv"
        compiler = ["clang-22", "-x", "cl", "-cl-std=CL3.0", "-O2", "--target=spirv64", "-c", str(HERE / "kernels.cl"), "-o", str(module)]
        subprocess.run(compiler, check=True)
        times = {kernel: ours(options.reconverge, folder, module, kernel, side, options.rounds, more) for kernel, side, more in KERNELS}
        times["hist"] = ours(options.reconverge, folder, module, "hist", None, options.rounds, [])
        results = {kernel: numpy.load(folder / f"{kernel}.npy") for kernel in times}
    print("| runtime | kernel | theirs, ms | ours, ms | ratio | largest difference |\n|---|---|---|---|---|---|")
    for platform in cl.get_platforms():
        ratios = []
        for kernel, (time, back) in theirs(cl, numpy, platform, picture, options.rounds).items():
            difference = numpy.abs(back.astype("i8") - results[kernel].reshape(back.shape).astype("i8")).max()
            ratios.append(time / times[kernel])
            print(f"| {platform.name} | {kernel} | {time:.2f} | {times[kernel]:.2f} | {ratios[-1]:.2f} | {difference} |")
        print(f"| {platform.name} | geometric mean | | | {numpy.exp(numpy.log(ratios).mean()):.2f} | |")


if __name__ == "__main__":
    main()
