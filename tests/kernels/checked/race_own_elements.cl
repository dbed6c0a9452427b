// Each work-item writes its own element.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  out[get_global_id(0)] = 1;
}
