// The last work-group, by an atomic count with acquire and release, reads what the others wrote.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg 'in:u32[1]=zero'
kernel void k(global uint *out, global atomic_uint *count) {
  local uint last;
  if (get_local_id(0) == 0) {
    out[get_group_id(0)] = 5;
    last = atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && get_local_id(0) == 0) out[4] = out[0] + out[1];
}
