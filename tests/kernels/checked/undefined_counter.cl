// An atomic operation on local memory that was not written.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  local uint count;
  atomic_inc(&count); // expect: U16
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = count;
}
