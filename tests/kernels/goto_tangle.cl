// An irreducible walk with goto into the middle of loops, while local memory is used; two-level breaks; early returns.
kernel void goto_tangle(global const uint *in, global uint *out, uint limit)
{
    local uint notes[16];
    uint gid = get_global_id(0), lid = get_local_id(0), x = in[gid], n = 0, sum = 0;
    notes[lid] = x & 31;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x % 5 == 0)
        goto middle;
    if (x % 5 == 1)
        goto late;
top:
    if (++n > limit) {
        out[gid] = sum + 1000000;
        return;
    }
    sum += notes[(lid + n) & 15];
    if (sum & 1)
        goto late;
middle:
    sum = sum * 3 + 1;
    for (uint i = 0; i < 6; ++i) {
        for (uint j = i; j < 6; ++j) {
            sum += notes[(i + j) & 15] ^ j;
            if (sum % 11 == 4)
                goto top;
            if (sum % 13 == 6)
                goto leave;
            if (sum % 17 == 3)
                break;
        }
        if (sum % 19 == 5)
            goto middle_again;
    }
    goto late;
middle_again:
    ++n;
    if (n < limit)
        goto middle;
late:
    sum ^= n << 4;
    switch (sum & 3) {
    case 0:
        if (++n < limit)
            goto middle;
        break;
    case 1:
        sum += 7;
        // fall through
    case 2:
        if (n++ < limit)
            goto top;
        // fall through
    default:
        sum -= 3;
    }
leave:
    if (sum & 8)
        return;
    out[gid] = sum;
}
