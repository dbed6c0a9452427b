// Error and gamma functions, hyperbolic functions and their inverses.
kernel void special_functions(global const float *in, global float *out)
{
    uint gid = get_global_id(0);
    float x = in[gid], p = fabs(x) + 0.5f, t = x * 0.19f;
    global float *o = out + gid * 11;
    o[0] = erf(x);
    o[1] = erfc(t);
    o[2] = tgamma(p);
    o[3] = lgamma(p + 1.0f);
    o[4] = sinh(x);
    o[5] = cosh(x);
    o[6] = tanh(x);
    o[7] = asinh(x);
    o[8] = acosh(p + 1.0f);
    o[9] = atanh(t);
    int sign;
    o[10] = lgamma_r(p + 2.0f, &sign) + (float)sign;
}
