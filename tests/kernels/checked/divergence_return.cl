// Some work-items return before a barrier.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  if (get_global_id(0) == 6) return;
  barrier(CLK_LOCAL_MEM_FENCE); // expect: U12
  out[get_global_id(0)] = 1;
}
