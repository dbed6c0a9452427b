// A struct with a member without a value reaches a buffer.
// run: --global 4 --local 4 --arg 'out:u32[8]=zero'
struct pair { uint first, second; };
kernel void k(global struct pair *out) {
  struct pair p;
  p.first = 1;
  out[get_global_id(0)] = p; // expect: U15
}
