// A barrier that only some work-items reach.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  if (get_local_id(0) < 2)
    barrier(CLK_LOCAL_MEM_FENCE); // expect: U12
  out[get_global_id(0)] = 1;
}
