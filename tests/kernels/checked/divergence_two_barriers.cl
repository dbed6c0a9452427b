// Work-items wait at two different barriers.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  if (get_local_id(0) < 2) {
    out[get_global_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE); // expect: U12
  } else {
    barrier(CLK_LOCAL_MEM_FENCE); // expect: U12
  }
}
