// A branch that all work-items take the same way.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero' --arg u32=1
kernel void k(global uint *out, uint n) {
  if (n) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}
