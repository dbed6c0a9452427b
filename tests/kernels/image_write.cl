// Writes an image of three dimensions: integers of 16 bits, which saturate.
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
kernel void image_write(write_only image3d_t volume, global const uint4 *in)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    write_imageui(volume, at, in[at.x + 4 * at.y]);
}
