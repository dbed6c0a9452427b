// A sampler as an argument: the lines of a 1D array, between texels, beyond the end.
kernel void sampler_argument(read_only image1d_array_t lines, sampler_t how, global float *out)
{
    int x = get_global_id(0);
    out[x] = read_imagef(lines, how, (float2)((float)x * 0.5f, 1.0f)).x;
}
