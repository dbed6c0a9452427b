// Eight and sixteen-bit scalars: promotion, wrap-around on store, signed shifts and division, comparisons, loops over a char.
kernel void narrow_integers(global const char *a, global const short *b, global int *out, global char *c, global ushort *d)
{
    uint gid = get_global_id(0);
    char x = a[gid];
    short y = b[gid];
    uchar ux = (uchar)x;
    ushort uy = (ushort)y;
    int r = x * y + (ux << 3) + (uy >> 3) + (y >> 2);
    char q = (char)(x / 3 + y % 7);
    q += 100;
    ux -= 77;
    if ((uchar)q > ux)
        r += 100000;
    if (q > (char)ux)
        r += 200000;
    uchar steps = 0;
    for (uchar k = ux; k >= 3; k -= k / 3 + 1)
        ++steps;
    for (signed char k = 120; k > 0; k += 3)
        ++steps;
    short s = (short)(y << 3);
    s ^= (short)-x;
    s = (short)(s >> (ux & 7));
    out[gid] = r * 64 + steps;
    c[gid * 2] = q;
    c[gid * 2 + 1] = (char)(-y);
    d[gid * 2] = (ushort)s;
    d[gid * 2 + 1] = (ushort)(uy * uy + ~uy) / 3;
}
