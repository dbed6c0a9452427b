// All read the same element.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg 'in:u32[1]=list(3)'
kernel void k(global uint *out, global const uint *in) {
  out[get_global_id(0)] = in[0];
}
