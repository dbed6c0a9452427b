// One component of a vector is out of range.
// run: --global 4 --local 4 --arg 'out:u8[16]=zero' --arg f32=256
kernel void k(global uchar4 *out, float x) {
  float4 v = (float4)(1, 2, x, 4);
  out[get_global_id(0)] = convert_uchar4(v); // expect: U15
}
