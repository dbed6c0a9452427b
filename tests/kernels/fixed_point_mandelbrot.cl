// Mandelbrot iterations in 64-bit fixed point, two pixels an item by long2, with an early leave of the loop by each pixel.
kernel void fixed_point_mandelbrot(global uchar *out, long step, uint width)
{
    uint gid = get_global_id(0), row = gid / (width / 2), column = gid % (width / 2) * 2;
    long2 cx = (long2)((long)column, (long)column + 1) * step - (2L << 28), cy = (long2)((long)row * step - (5L << 26));
    long2 x = 0, y = 0;
    uint2 rounds = 0;
    for (uint k = 0; k < 60; ++k) {
        long2 xx = (x * x) >> 28, yy = (y * y) >> 28;
        long2 inside = xx + yy < (4L << 28);
        if (!(inside.x | inside.y))
            break;
        long2 ny = ((x * y) >> 27) + cy, nx = xx - yy + cx;
        x = select(x, nx, inside);
        y = select(y, ny, inside);
        rounds -= (uint2)((uint)inside.x, (uint)inside.y);
    }
    vstore2((uchar2)((uchar)rounds.x, (uchar)rounds.y), gid, out);
}
