// 64-bit atomics on global memory: sums with carries, minimum and maximum, bits, exchange by compare.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void atomics_wide(global const uint *in, volatile global ulong *state, volatile global long *signs)
{
    uint gid = get_global_id(0);
    ulong x = (ulong)in[gid] << 24 | gid;
    atom_add(&state[0], x);
    atom_sub(&state[1], x >> 3);
    atom_inc(&state[2]);
    atom_min(&state[3], x);
    atom_max(&state[4], x);
    atom_and(&state[5], ~(1UL << (x & 63)));
    atom_or(&state[6], 1UL << (x >> 50));
    atom_xor(&state[7], x);
    ulong old = atom_or(&state[8], 0), seen;
    for (int tries = 0; tries < 5000; ++tries) {
        seen = atom_cmpxchg(&state[8], old, old * 1UL + x * 3);
        if (seen == old)
            break;
        old = seen;
    }
    atom_min(&signs[0], (long)(x << 16));
    atom_max(&signs[1], (long)(x << 16));
    atom_dec(&signs[2]);
}
