// A barrier does not order work-groups.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint group = get_group_id(0);
  if (get_local_id(0) == 0) out[group] = 1; // expect: run-race
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 1 && out[1 - group] > 100) // expect: run-race
    out[4] = 1;
}
