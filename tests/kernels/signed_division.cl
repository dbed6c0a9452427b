// Division and remainder with all signs for all widths, floor division and Euclid's algorithm on top of them.
static int floor_divide(int a, int b)
{
    int q = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}
static long greatest_common(long a, long b)
{
    while (b) {
        long t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}
kernel void signed_division(global const int *a, global const int *b, global int *out, global long *wide)
{
    uint gid = get_global_id(0);
    int x = a[gid], y = b[gid] ? b[gid] : 1;
    if (y == -1)
        y = -3;
    char cx = (char)x, cy = (char)(y | 2);
    short sx = (short)x, sy = (short)(y | 4);
    out[gid * 4] = x / y ^ x % y;
    out[gid * 4 + 1] = floor_divide(x, y);
    out[gid * 4 + 2] = cx / (cy == -1 ? 5 : cy) * 256 + cx % (cy == -1 ? 5 : cy);
    out[gid * 4 + 3] = sx / (sy == -1 ? 9 : sy) * 65536 + sx % (sy == -1 ? 9 : sy);
    int4 v = (int4)(x, -x / 2, x / 3, y) / (int4)(y, 7, -7, 10);
    wide[gid * 2] = greatest_common((long)x * 210, (long)y * 330);
    wide[gid * 2 + 1] = (long)v.x * v.y - v.z + v.w % (int)(gid + 1);
}
