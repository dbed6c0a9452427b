// Unsupported: a function that calls itself, and two that call each other; OpenCL C forbids both.
__attribute__((noinline)) static uint ackermann(uint m, uint n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}
kernel void recursion(global const uint *in, global uint *out)
{
    uint gid = get_global_id(0);
    out[gid] = ackermann(in[gid] & 3, in[gid] & 7);
}
