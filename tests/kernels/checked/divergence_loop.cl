// A barrier in a loop whose trips differ.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  for (uint i = 0; i <= get_local_id(0); ++i)
    barrier(CLK_LOCAL_MEM_FENCE); // expect: U12
  out[get_global_id(0)] = 1;
}
