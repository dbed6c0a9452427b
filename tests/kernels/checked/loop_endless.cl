// A loop without an end.
// run: --fuel 5000 --global 8 --local 4 --arg 'out:u32[8]=zero'
kernel void k(global uint *out) {
  volatile uint go = 1;
  while (go) // expect: run-fuel
    ;
  out[get_global_id(0)] = 1;
}
