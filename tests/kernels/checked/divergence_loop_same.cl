// A barrier in a loop whose trips are the same.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  for (uint i = 0; i <= get_group_id(0); ++i)
    barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
