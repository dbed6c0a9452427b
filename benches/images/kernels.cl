// Kernels on images as video and photo tools have them, for measure.py.
const sampler_t EDGE = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t SMOOTH = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
const sampler_t BORDER = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
kernel void blur(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 s = 0;
  for (int y = -2; y <= 2; y++) for (int x = -2; x <= 2; x++) s += read_imagef(in, EDGE, p + (int2)(x, y));
  write_imagef(out, p, s * (1.0f / 25.0f));
}
kernel void resize(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 size = (float2)(get_global_size(0), get_global_size(1));
  write_imagef(out, p, read_imagef(in, SMOOTH, (convert_float2(p) + 0.5f) / size));
}
kernel void conv(read_only image2d_t in, write_only image2d_t out, constant float *w) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 s = 0;
  for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) s += w[3 * y + x] * read_imagef(in, EDGE, p + (int2)(x - 1, y - 1));
  write_imagef(out, p, s);
}
kernel void warp(read_only image2d_t in, write_only image2d_t out, float c, float sn) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 h = (float2)(get_global_size(0), get_global_size(1)) * 0.5f;
  float2 q = convert_float2(p) - h;
  float2 r = (float2)(c * q.x - sn * q.y, sn * q.x + c * q.y) + h + 0.5f;
  write_imagef(out, p, read_imagef(in, BORDER, r));
}
kernel void color(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 c = read_imagef(in, p);
  float y = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;
  write_imagef(out, p, (float4)(y, 0.5f + 0.564f * (c.z - y), 0.5f + 0.713f * (c.x - y), c.w));
}
kernel void hist(read_only image2d_t in, global uint *bins) {
  local uint l[256];
  int i = get_local_id(0);
  l[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int w = get_image_width(in), h = get_image_height(in);
  for (int n = get_global_id(0); n < w * h; n += get_global_size(0)) {
    uint4 c = read_imageui(in, (int2)(n % w, n / w));
    atomic_inc(&l[(c.x * 77 + c.y * 151 + c.z * 28) >> 8]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[i], l[i]);
}
