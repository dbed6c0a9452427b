// Atomics, barriers, and the operations of SIMD groups.
#pragma once

namespace metal {
enum class mem_flags { mem_none = 0, mem_device = 1, mem_threadgroup = 2, mem_texture = 4, mem_object_data = 16 };
constexpr mem_flags operator|(mem_flags left, mem_flags) { return left; }
enum memory_order { memory_order_relaxed, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst };
enum thread_scope { thread_scope_thread, thread_scope_simdgroup, thread_scope_threadgroup, thread_scope_device };

template <class T> struct atomic { T value; };
using atomic_int_ = atomic<int>;
using atomic_uint_ = atomic<uint>;
using atomic_bool_ = atomic<bool>;
using atomic_ulong_ = atomic<ulong>;
using atomic_float_ = atomic<float>;

#define MODIFY(S, F) template <class T, class U> T atomic_##F##_explicit(volatile S atomic<T> *, U, memory_order);
#define OF_SPACE(S) \
    template <class T> T atomic_load_explicit(const volatile S atomic<T> *, memory_order); \
    template <class T, class U> void atomic_store_explicit(volatile S atomic<T> *, U, memory_order); \
    template <class T, class U> bool atomic_compare_exchange_weak_explicit(volatile S atomic<T> *, thread T *, U, memory_order, memory_order); \
    MODIFY(S, exchange) MODIFY(S, fetch_add) MODIFY(S, fetch_sub) MODIFY(S, fetch_min) MODIFY(S, fetch_max) \
    MODIFY(S, fetch_and) MODIFY(S, fetch_or) MODIFY(S, fetch_xor) \
    template <class U> void atomic_min_explicit(volatile S atomic<ulong> *, U, memory_order); \
    template <class U> void atomic_max_explicit(volatile S atomic<ulong> *, U, memory_order);
OF_SPACE(device)
OF_SPACE(threadgroup)

void threadgroup_barrier(mem_flags);
void simdgroup_barrier(mem_flags);
#if __METAL_VERSION__ >= 320
void atomic_thread_fence(mem_flags, memory_order, thread_scope = thread_scope_device);
#endif

struct simd_vote {
    using vote_t = ulong;
    simd_vote() = default;
    explicit constexpr simd_vote(ulong) {}
    bool all() const;
    bool any() const;
    explicit operator ulong() const;
};
simd_vote simd_ballot(bool);
simd_vote simd_active_threads_mask();
bool simd_is_first();
bool simd_all(bool);
bool simd_any(bool);
bool quad_all(bool);
bool quad_any(bool);
simd_vote quad_ballot(bool);
#define OF_VALUE(F) template <class T> T simd_##F(T); template <class T> T quad_##F(T);
OF_VALUE(sum) OF_VALUE(product) OF_VALUE(min) OF_VALUE(max) OF_VALUE(and) OF_VALUE(or) OF_VALUE(xor) OF_VALUE(broadcast_first)
OF_VALUE(prefix_inclusive_sum) OF_VALUE(prefix_exclusive_sum) OF_VALUE(prefix_inclusive_product) OF_VALUE(prefix_exclusive_product)
#define OF_LANE(F) template <class T> T simd_##F(T, ushort); template <class T> T quad_##F(T, ushort);
OF_LANE(broadcast) OF_LANE(shuffle) OF_LANE(shuffle_xor) OF_LANE(shuffle_up) OF_LANE(shuffle_down) OF_LANE(shuffle_rotate_up) OF_LANE(shuffle_rotate_down)
}
// clang has functions with these names.
#define atomic_int atomic_int_
#define atomic_uint atomic_uint_
#define atomic_bool atomic_bool_
#define atomic_ulong atomic_ulong_
#define atomic_float atomic_float_
