// Sines, cosines, tangents and their inverses over one turn, scalar and vector; sincos, sinpi, atan2 in all quadrants.
kernel void trigonometry(global const float *angles, global float *out, global float4 *vectors)
{
    uint gid = get_global_id(0);
    float x = angles[gid], c, s = sincos(x, &c), u = x * 0.31f;
    global float *o = out + gid * 12;
    o[0] = sin(x);
    o[1] = cos(x);
    o[2] = tan(u);
    o[3] = s * s + c * c;
    o[4] = asin(u);
    o[5] = acos(u);
    o[6] = atan(x * 4.0f);
    o[7] = atan2(s, c);
    o[8] = sinpi(u) + cospi(u);
    o[9] = atan2(x, -0.5f);
    o[10] = atanpi(x) + asinpi(u);
    o[11] = atan2pi(c, s);
    vectors[gid] = sin((float4)(x, u, -x, c)) + cos((float4)(u, s, c, -u)).wzyx;
}
