// Counts in variables of program scope, with and without initial value; atomics upon them and upon an array (OpenCL 2.0).
global int counter = 5;
global uint bins[8];
global struct {
    uint high;
    ushort low;
    char sign;
} state = {7, 300, -4};
kernel void program_counter(global const uint *in, global int *out)
{
    uint lid = get_local_id(0), x = in[lid];
    atomic_add(&counter, (int)(x & 7));
    atomic_inc(&bins[x >> 29]);
    atomic_max(&state.high, x & 1023);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[lid] = counter + (int)bins[lid & 7] * 1000 + state.low * 100000 + state.sign;
    if (lid == 0)
        out[32] = (int)state.high;
}
