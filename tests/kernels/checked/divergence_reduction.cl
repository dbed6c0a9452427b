// A reduction that only some work-items reach.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint sum = 0;
  if (get_local_id(0) != 3)
    sum = work_group_reduce_add((uint)get_local_id(0)); // expect: U12
  out[get_global_id(0)] = sum;
}
