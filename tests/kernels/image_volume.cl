// A ray through a volume, as renderers do: trilinear reads, and an end that depends on what was read.
constant sampler_t smooth_ = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void image_volume(read_only image3d_t volume, global float *out)
{
    float2 at = (float2)(get_global_id(0) + 0.5f, get_global_id(1) + 0.5f) / 16.0f;
    float light = 0.0f, left = 1.0f;
    for (int step = 0; step < 24; step++) {
        float density = read_imagef(volume, smooth_, (float4)(at, (step + 0.5f) / 24.0f, 0.0f)).x;
        light += left * density * 0.2f;
        left *= 1.0f - density * 0.2f;
        if (left < 0.25f)
            break;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = light;
}
