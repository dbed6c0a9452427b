// Copies with vload and vstore of 2, 3, 4, 8 and 16, at unaligned places, in global, local, private and constant memory.
constant ushort table[20] = {1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400};
kernel void vector_loads(global const uint *in, global uint *out, global short *halves, global uchar *bytes, constant int *given, global uint *wide)
{
    local uint line[16 * 5];
    uint gid = get_global_id(0), lid = get_local_id(0);
    uint own[19];
    for (uint k = 0; k < 19; ++k)
        own[k] = k * gid;
    uint16 whole = vload16(0, in + gid);
    vstore8(whole.hi, 0, own + 1);
    vstore8(whole.lo, 1, own + 1);
    vstore16(whole.sfedcba9876543210 + gid, gid, wide);
    vstore3(vload3(gid & 3, own + (gid & 1)), 5, own);
    vstore3(vload3(gid, in + 1), lid, line);
    vstore2((uint2)(gid, ~gid), lid, line + 48);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint8 v = vload8(lid % 9, line) + vload8(1, own);
    uint4 q = vload4((gid & 3), (local uint *)line + (lid & 1)) ^ vload4(0, own + 3);
    vstore8(v, 0, out + gid * 15);
    vstore4(q, 2, out + gid * 15);
    vstore3((uint3)(own[17], own[16], own[18]), 0, out + gid * 15 + 12);
    ushort8 t = vload8(0, table + (gid % 13));
    vstore4(as_short4(t.lo) - as_short4(t.hi), gid * 2, halves + 1);
    vstore2(convert_short2(vload2(gid & 3, given)), gid * 4 + 2, halves + 1);
    vstore2((short2)((short)gid, -5), gid * 4 + 3, halves + 1);
    char16 c = as_char16(q);
    vstore3(c.s2a7, gid, (global char *)bytes);
}
