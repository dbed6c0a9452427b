// A work-item reads what its neighbour writes, without a barrier.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  uint i = get_local_id(0), base = get_group_id(0) * 4;
  out[base + i] = i; // expect: run-race
  uint other = out[base + (i ^ 1)]; // expect: run-race
  if (other > 100) out[base + i] = 0;
}
