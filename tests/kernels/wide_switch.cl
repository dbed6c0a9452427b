// Switches over long, char and ushort values with sparse, negative, dense and shared cases, nested in loops.
kernel void wide_switch(global const long *in, global int *out)
{
    uint gid = get_global_id(0);
    long x = in[gid];
    int sum = 0;
    for (int k = 0; k < 6; ++k) {
        switch (x) {
        case -5000000000L: sum += 1; x = 77; break;
        case 0x123456789L: sum += 2; x = -1; continue;
        case -1: sum += 4; x = 1L << 40; break;
        case 1L << 40: sum += 8; // fall through
        case 77: sum += 16; x += 3; break;
        default: sum += 32; x = x / 2 - 1;
        }
        switch ((char)x) {
        case -128: case -1: case 127: sum += 100; break;
        case 0: sum += 200; x ^= 0x55; break;
        case 10: case 11: case 12: case 13: sum += 300; break;
        case 80: sum += 400;
        }
        ushort part = (ushort)(x >> 3);
        switch (part) {
        case 0: sum += 10000; break;
        case 1: case 3: case 5: case 7: sum += 20000; break;
        case 10: sum *= 3; break;
        case 65535: sum += 40000; if (k > 3) goto leave; break;
        case 65534: return;
        default: sum ^= 5;
        }
    }
    sum = -sum;
leave:
    out[gid] = sum;
}
