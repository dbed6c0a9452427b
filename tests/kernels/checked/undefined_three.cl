// A vector of three in memory has a fourth part without a value.
// run: --global 4 --local 4 --arg 'out:f32[16]=zero'
kernel void k(global float3 *out) {
  float3 v = (float3)(1, 2, 3), list[2];
  list[get_local_id(0) & 1] = v * 2;
  out[get_global_id(0)] = list[get_local_id(0) & 1];
}
