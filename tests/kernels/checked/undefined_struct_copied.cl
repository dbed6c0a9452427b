// A struct is copied while one member has no value.
// run: --global 8 --local 4 --arg 'out:u32[8]=zero'
struct pair { uint first, second; };
kernel void k(global uint *out) {
  struct pair p, copy;
  p.first = 1;
  copy = p;
  copy.second = 2;
  out[get_global_id(0)] = copy.first + copy.second;
}
