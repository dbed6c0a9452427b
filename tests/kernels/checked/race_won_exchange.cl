// Who wins the compare-exchange reads data plainly: a relaxed operation orders nothing.
// run: --global 8 --local 8 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint data, turn;
  uint i = get_local_id(0);
  if (i == 0) { data = 0; turn = 0; }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) {
    data = 5; // expect: run-race
    atomic_xchg(&turn, 1);
  } else if (atomic_cmpxchg(&turn, 1, 2) == 1) {
    out[0] = data; // expect: run-race
  }
}
