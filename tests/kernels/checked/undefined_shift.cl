// OpenCL takes the low bits of a shift: none is too far.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_global_id(0);
  out[i] = 1u << (i + 32);
}
