// A 5 by 5 box over an image, as video filters do: reads beyond the edges, and a write in the same format.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void image_blur(read_only image2d_t in, write_only image2d_t out, int radius)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -radius; y <= radius; y++)
        for (int x = -radius; x <= radius; x++)
            sum += read_imagef(in, edge, at + (int2)(x, y));
    write_imagef(out, at, sum / (float)((2 * radius + 1) * (2 * radius + 1)));
}
