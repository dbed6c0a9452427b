//! Programs in which something can move.

pub(crate) const HEAD: &str = "
capability Shader
capability GroupNonUniform
capability GroupNonUniformBallot
memory_model Logical, GLSL450
entry_point Fragment, %main, \"main\"
execution_mode %main, OriginUpperLeft
%void = type_void
%bool = type_bool
%u32 = type_int 32 0
%i32 = type_int 32 1
%f32 = type_float 32
%v4 = type_vector %u32 4
%fn = type_function %void
%zero: %u32 = constant 0
%one: %u32 = constant 1
%three: %u32 = constant 3
%minus_one: %i32 = constant 4294967295
%seven: %i32 = constant 7
%true: %bool = constant_true
%array = type_array %u32 %three
%pair = type_struct %u32 %u32
%p_pair = type_pointer Private %pair
%p_u32 = type_pointer Private %u32
%p_array = type_pointer Private %array
%p_bool = type_pointer Private %bool
%p_f32 = type_pointer Private %f32
%buffer = type_struct %u32 {decorate Block}
%s_buffer = type_pointer StorageBuffer %buffer
%s_u32 = type_pointer StorageBuffer %u32
%push = type_struct %u32 {decorate Block}
%c_push = type_pointer PushConstant %push
%c_u32 = type_pointer PushConstant %u32
%cond: %p_bool = variable Private
%x: %p_u32 = variable Private
%y: %p_u32 = variable Private
%f: %p_f32 = variable Private
%both: %p_pair = variable Private
%many: %p_array = variable Private
%a: %s_buffer = variable StorageBuffer {decorate Binding 0, decorate DescriptorSet 0}
%b: %s_buffer = variable StorageBuffer {decorate Binding 1, decorate DescriptorSet 0}
%again: %s_buffer = variable StorageBuffer {decorate Binding 0, decorate DescriptorSet 0}
%shared: %s_buffer = variable StorageBuffer {decorate Aliased, decorate Binding 2, decorate DescriptorSet 0}
%push_constants: %c_push = variable PushConstant
func %main: %void () type %fn control 0 stage graph {
";

/// `if (c) {…}`: the condition and an input are loaded first.
pub(crate) const DIAMOND: &str = "
block ^e:
  %c: %bool = load %cond
  %n: %u32 = load %x
  %g: %f32 = load %f
  branch_if %c ^t ^o
block ^t:
  %sum: %u32 = i_add %n, %one
  %by_three: %u32 = u_div %n, %three
  %by_n: %u32 = u_div %three, %n
  %old: %u32 = load %y
  %slope: %f32 = d_pdx %g
  %lanes: %v4 = group_non_uniform_ballot %three, %c
  store %x, %one
  %new: %u32 = load %x
  branch ^m
block ^o:
  branch ^m
block ^m:
  return
";

/// Two ways to a join that pass the same sum, and ways to a loop of which one passes another operation.
pub(crate) const JOIN: &str = "
block ^e:
  %c: %bool = load %cond
  %n: %u32 = load %x
  branch_if %c ^t ^o
block ^t:
  %in_t: %u32 = i_add %n, %one
  %product: %u32 = i_mul %n, %one
  %square_t: %u32 = i_mul %in_t, %in_t
  branch ^m(%in_t, %in_t, %square_t, %square_t)
block ^o:
  %in_o: %u32 = i_add %one, %n
  %square_o: %u32 = i_mul %in_o, %in_o
  %double_o: %u32 = i_add %in_o, %in_o
  branch ^m(%in_o, %in_o, %square_o, %double_o)
block ^m(%given: %u32, %mixed: %u32, %square: %u32, %double: %u32):
  branch ^h(%given, %mixed, %n)
block ^h(%around: %u32, %other: %u32, %i: %u32):
  %once_more: %u32 = i_add %n, %one
  %squared: %u32 = i_mul %once_more, %once_more
  %changing: %u32 = i_add %i, %one
  %d: %bool = i_equal %squared, %changing
  branch_if %d ^back ^out
edge ^back:
  branch ^h(%around, %i, %changing)
block ^out:
  return
";

/// Two ways to a join that pass what they read; one variable is written before the join on one way, another behind it.
pub(crate) const READ_TWICE: &str = "
block ^e:
  %p: %s_u32 = access_chain %a, %zero
  %c: %bool = load %cond
  branch_if %c ^t ^o
block ^t:
  %x_t: %u32 = load %x
  %y_t: %u32 = load %y
  %p_t: %u32 = load %p
  store %y, %one
  %twice_t: %u32 = i_add %x_t, %x_t
  %double_t: %u32 = i_add %y_t, %y_t
  branch ^m(%x_t, %y_t, %p_t, %twice_t, %double_t)
block ^o:
  %x_o: %u32 = load %x
  %y_o: %u32 = load %y
  %p_o: %u32 = load %p
  %twice_o: %u32 = i_add %x_o, %x_o
  %double_o: %u32 = i_add %y_o, %y_o
  branch ^m(%x_o, %y_o, %p_o, %twice_o, %double_o)
block ^m(%given_x: %u32, %given_y: %u32, %given_p: %u32, %twice: %u32, %double: %u32):
  %x_m: %u32 = load %x
  %y_m: %u32 = load %y
  %twice_m: %u32 = i_add %x_m, %x_m
  %double_m: %u32 = i_add %y_m, %y_m
  store %p, %one
  %p_m: %u32 = load %p
  return
";

/// A loop whose parameters go on through operations of their own.
pub(crate) const STEPS: &str = "
block ^e:
  %c: %bool = load %cond
  %n: %u32 = load %x
  branch ^h(%n, %n, %n, %n, %n, %n, %n, %n, %n)
block ^h(%i: %u32, %same: %u32, %swapped: %u32, %other: %u32, %added: %u32, %read: %u32, %again_read: %u32, %nothing: %u32, %nothing_too: %u32):
  %next_i: %u32 = i_sub %i, %one
  %sum_i: %u32 = i_mul %next_i, %n
  %same_i: %u32 = i_sub %same, %one
  %same_sum: %u32 = i_mul %same_i, %n
  %swapped_i: %u32 = i_sub %swapped, %one
  %swapped_sum: %u32 = i_mul %n, %swapped_i
  %other_i: %u32 = i_sub %one, %other
  %other_sum: %u32 = i_mul %other_i, %n
  %added_i: %u32 = i_add %added, %one
  %added_sum: %u32 = i_mul %added_i, %n
  %loaded: %u32 = load %x
  store %x, %sum_i
  %loaded_too: %u32 = load %x
  %undefined: %u32 = undef
  %undefined_too: %u32 = undef
  branch_if %c ^back ^out
edge ^back:
  branch ^h(%sum_i, %same_sum, %swapped_sum, %other_sum, %added_sum, %loaded, %loaded_too, %undefined, %undefined_too)
block ^out:
  return
";

/// A loop that stores to one variable and reads two.
pub(crate) const LOOP: &str = "
block ^e:
  %n: %u32 = load %x
  branch ^h
block ^h:
  %k: %u32 = load %y
  %c: %bool = i_equal %k, %n
  %first: %u32 = u_div %one, %n
  branch_if %c ^done ^body
block ^body:
  %p: %s_u32 = access_chain %a, %zero
  %q: %s_u32 = access_chain %b, %zero
  %r: %s_u32 = access_chain %again, %zero
  %left: %u32 = load %p
  %right: %u32 = load %q
  %inner: %u32 = u_div %one, %n
  %t: %u32 = i_add %k, %one
  store %y, %t
  store %q, %t
  branch ^h
block ^done:
  return
";

/// Parts of variables.
pub(crate) const PARTS: &str = "
block ^e:
  %at: %u32 = load %x
  %p0: %p_u32 = access_chain %both, %zero
  %p1: %p_u32 = access_chain %both, %one
  %ci: %p_u32 = access_chain %many, %one
  %di: %p_u32 = access_chain %many, %at
  %l0: %u32 = load %p0
  %l1: %u32 = load %p1
  %li: %u32 = load %ci
  %ld: %u32 = load %di
  %mark: %u32 = i_add %one, %one
  store %p0, %one
  store %ci, %one
  %behind: %u32 = i_add %one, %three
  branch_if %true ^t ^o
block ^t:
  %e0: %u32 = load %p1
  %e1: %u32 = load %ci
  %e2: %u32 = load %di
  branch ^m
block ^o:
  branch ^m
block ^m:
  return
";

/// Buffers, barriers and atomics.
pub(crate) const SHARED: &str = "
block ^e:
  %p: %s_u32 = access_chain %a, %zero
  %q: %s_u32 = access_chain %b, %zero
  %r: %s_u32 = access_chain %again, %zero
  %w: %s_u32 = access_chain %shared, %zero
  %z: %c_u32 = access_chain %push_constants, %zero
  %from_a: %u32 = load %p
  %from_a_too: %u32 = load %p
  %from_shared: %u32 = load %w
  %own: %u32 = load %x
  %pushed: %u32 = load %z
  store %q, %one
  %behind_b: %u32 = i_add %one, %one
  store %r, %one
  %behind_again: %u32 = i_add %one, %three
  %atomic: %u32 = atomic_i_increment %q, %one, %zero
  %behind_relaxed: %u32 = i_add %three, %three
  memory_barrier %one, %three
  %behind_barrier: %u32 = i_add %three, %one
  return
";

/// A branch on a push constant around a branch on memory.
pub(crate) const UNIFORM: &str = "
block ^e:
  %z: %c_u32 = access_chain %push_constants, %zero
  %u: %u32 = load %z
  %is_on: %bool = i_equal %u, %one
  %is_high: %bool = load %cond
  %g: %f32 = load %f
  %slope: %f32 = d_pdx %g
  branch_if %is_on ^t ^o
block ^t:
  branch_if %is_high ^i ^j
block ^i:
  branch ^k
block ^j:
  branch ^k
block ^k:
  branch ^m
block ^o:
  branch ^m
block ^m:
  return
";

/// A read that both arms make, and a call in the way.
pub(crate) const CALLS: &str = "
block ^e:
  %c: %bool = load %cond
  %n: %u32 = load %x
  branch_if %c ^t ^o
block ^t:
  %way: %u32 = i_add %n, %n
  branch ^m
block ^o:
  branch ^m
block ^m:
  %by_n: %u32 = u_div %three, %n
  %none: %void = function_call %main
  %by_n_later: %u32 = u_div %one, %n
  branch_if %c ^last ^way_in
block ^way_in:
  branch ^spin
block ^last:
  %deep: %u32 = u_div %n, %n
  return
block ^spin:
  %k: %u32 = i_add %n, %n
  branch ^spin
";

/// Values that are the same, and values that look like it.
pub(crate) const COMMON: &str = "
block ^e:
  %c: %bool = load %cond
  %n: %u32 = load %x
  %k: %u32 = load %y
  %sum: %u32 = i_add %n, %k
  %swapped: %u32 = i_add %k, %n
  %other: %u32 = i_add %n, %n
  %less: %u32 = i_sub %n, %k
  %more: %u32 = i_sub %k, %n
  store %x, %sum
  %loaded: %u32 = load %x
  %n_again: %u32 = load %y
  branch_if %c ^t ^o
block ^t:
  %in_t: %u32 = u_div %n, %k
  branch ^h(%n, %n, %k)
block ^o:
  %in_o: %u32 = u_div %n, %k
  branch ^h(%k, %k, %k)
block ^h(%i: %u32, %j: %u32, %l: %u32):
  %s: %u32 = i_add %i, %one
  %r: %u32 = i_add %j, %one
  store %y, %s
  store %y, %r
  store %y, %l
  store %y, %loaded
  store %y, %n_again
  store %y, %swapped
  store %y, %other
  store %y, %more
  store %y, %less
  %done: %bool = i_equal %i, %s
  branch_if %done ^m ^next
block ^next:
  branch ^h(%s, %r, %l)
block ^m:
  return
";
