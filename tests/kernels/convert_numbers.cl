// Conversions between float and integer types: truncating, each rounding, and saturating ones, also of values out of range.
kernel void convert_numbers(global const float *in, global int *out, global const int *numbers, global float *floats)
{
    uint gid = get_global_id(0);
    float x = in[gid], small = fmin(fmax(x, -100.0f), 100.0f);
    global int *o = out + gid * 16;
    o[0] = (int)small;
    o[1] = convert_int_rte(small);
    o[2] = convert_int_rtp(small);
    o[3] = convert_int_rtn(small);
    o[4] = convert_int_sat(x);
    o[5] = (int)convert_uint_sat(x);
    o[6] = convert_short_sat_rte(x);
    o[7] = convert_ushort_sat_rtp(x);
    o[8] = convert_char_sat(x);
    o[9] = convert_uchar_sat_rte(x);
    o[10] = (int)convert_long_sat(x * 65536.0f);
    o[11] = (int)(convert_ulong_sat_rtn(x * 65536.0f) >> 32);
    o[12] = convert_int_sat_rte(small * 0.25f);
    o[13] = (char)small + (int)(uchar)fabs(small) * 1000;
    o[14] = convert_short_rtz(small * 3.0f);
    o[15] = (int)(long)(small * 1e9f);
    int n = numbers[gid];
    floats[gid * 6] = (float)n;
    floats[gid * 6 + 1] = (float)(uint)n;
    floats[gid * 6 + 2] = (float)(short)n + (float)(uchar)n;
    floats[gid * 6 + 3] = (float)((long)n * 1024);
    floats[gid * 6 + 4] = convert_float_rtz(n);
    floats[gid * 6 + 5] = convert_float_rtp((uint)n);
}
