// A member of a struct without a value is not used.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
struct pair { uint first, second; };
kernel void k(global uint *out) {
  struct pair p;
  p.first = 1;
  out[get_global_id(0)] = p.first;
}
