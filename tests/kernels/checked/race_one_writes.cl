// One work-item writes, and all read after a barrier.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint shared;
  if (get_local_id(0) == 0) shared = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = shared;
}
