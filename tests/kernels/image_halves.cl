// Halves in an image: a table between its entries, and results that round.
constant sampler_t table = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void image_halves(read_only image1d_t curve, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float x = (at.x + 16 * at.y) / 100.0f;
    write_imagef(out, at, read_imagef(curve, table, x) * 3.0f);
}
