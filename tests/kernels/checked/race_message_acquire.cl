// A message with release and acquire.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint data;
  local atomic_int turn;
  uint i = get_local_id(0);
  if (i == 0) { data = 0; atomic_init(&turn, 0); }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    data = 5;
    atomic_store_explicit(&turn, 1, memory_order_release, memory_scope_work_group);
  } else if (atomic_load_explicit(&turn, memory_order_acquire, memory_scope_work_group) == 1) {
    out[i] = data;
  }
}
