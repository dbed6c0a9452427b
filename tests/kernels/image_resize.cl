// Bilinear resizing with normalized coordinates, into floats.
kernel void image_resize(read_only image2d_t in, sampler_t how, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 size = (float2)(get_image_width(out), get_image_height(out));
    write_imagef(out, at, read_imagef(in, how, (convert_float2(at) + 0.5f) / size));
}
