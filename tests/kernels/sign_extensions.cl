// Signed numbers of 32 bits as longs: compared with constants, clamped, made floats; stresses drivers that take them for unsigned.
kernel void sign_extensions(global const int *in, global int *out)
{
    size_t i = get_global_id(0);
    long x = in[i];
    long y = -in[i];
    global int *mine = out + i * 8;
    mine[0] = x < 0;
    mine[1] = x > 48;
    mine[2] = (int)max(x, 3L);
    mine[3] = (int)min(x, -7L);
    mine[4] = (int)abs(x);
    mine[5] = (int)((float)x / 4.0f);
    mine[6] = (int)clamp(y, -100L, 100L);
    mine[7] = (x >= -2147483648L) + 2 * (x < 4294967296L) + 4 * (y <= -1);
}
