// The last vector is inside.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg 'in:u32[32]=lcg(1)'
kernel void k(global uint *out, global const uint *in) {
  uint4 v = vload4(get_global_id(0), in);
  out[get_global_id(0)] = v.x + v.y + v.z + v.w;
}
