// A reduction that all work-items reach.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint sum = work_group_reduce_add((uint)(get_local_id(0) != 3 ? 1 : 0));
  out[get_global_id(0)] = sum;
}
