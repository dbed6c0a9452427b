// Filters, reverses and measures a slice; loops whose variable is a pointer (up, down, strided, two at once).
kernel void pointer_walk(global const uint *in, global uint *out, uint slice)
{
    uint gid = get_global_id(0);
    global const uint *begin = in + gid * slice, *end = begin + slice, *p, *q;
    global uint *w = out + gid * (slice + 4), *start = w;
    for (p = begin; p != end; ++p)
        if (*p % 3 != gid % 3)
            *w++ = *p;
    uint kept = (uint)(w - start);
    p = end;
    while (p-- != begin)
        if (*p % 3 == gid % 3)
            *w++ = *p + 1000000;
    uint strided = 0;
    for (p = begin + gid % 3; p < end; p += 3)
        strided += *p;
    uint matches = 0;
    for (p = begin, q = end - 1; p < q; ++p, --q)
        matches += ((*p ^ *q) & 1) ? 1 : 0;
    start[slice] = kept;
    start[slice + 1] = strided;
    start[slice + 2] = matches;
    *(end - in + gid * 4 + out + 3) = (uint)((global const char *)end - (global const char *)begin);
}
