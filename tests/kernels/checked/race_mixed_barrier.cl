// A barrier is between the atomic operations and the plain read.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  atomic_inc(out + get_group_id(0));
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0 && out[get_group_id(0)] > 100) out[4 + get_group_id(0)] = 1;
}
