// Unsupported: a transcendental function in double, for which Vulkan has no instruction.
kernel void double_sine(global const double *in, global double *out)
{
    uint gid = get_global_id(0);
    out[gid] = sin(in[gid]) + pow(in[gid], 0.3);
}
