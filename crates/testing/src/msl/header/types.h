// The types of MSL for clang in its mode C++ for OpenCL: words, numbers, vectors, matrices, arrays.
#pragma once
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION __cl_clang_non_portable_kernel_param_types : enable
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#pragma OPENCL EXTENSION __cl_clang_variadic_functions : enable

// Address spaces and qualifiers of MSL.
#define device __global
#undef constant
#define constant __constant
#define threadgroup __local
#define object_data __local
#define ray_data __private
#define thread __private
#undef kernel
#define kernel __kernel
#define vertex
#define coherent
#define fragment

// Words that OpenCL reserves and MSL does not.
#define local local_
#define global global_
#define private private_
#define generic generic_
#define pipe pipe_
#define read_only read_only_
#define write_only write_only_
#define read_write read_write_

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#define EACH_NUMBER(DO) DO(char) DO(uchar) DO(short) DO(ushort) DO(int) DO(uint) DO(long) DO(ulong) DO(float) DO(half)
#define VECTOR(T, N) typedef T T##N __attribute__((ext_vector_type(N)));
#define VECTORS(T) VECTOR(T, 2) VECTOR(T, 3) VECTOR(T, 4) typedef T##2 packed_##T##2; typedef T##3 packed_##T##3; typedef T##4 packed_##T##4;
EACH_NUMBER(VECTORS)
// clang has no vectors of `bool`; their components are as wide as conditions of vectors are here.
typedef int bool2 __attribute__((ext_vector_type(2)));
typedef int bool3 __attribute__((ext_vector_type(3)));
typedef int bool4 __attribute__((ext_vector_type(4)));

namespace std {
template <class T> struct initializer_list {
    const T *first;
    size_t length;
    const T *begin() const __generic;
    const T *end() const __generic;
};
}

namespace metal {
using ::size_t;
using ::uchar;
using ::uint;
using ::ulong;
using ::ushort;

template <bool HOLDS, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <class A, class B> struct is_same { static constexpr bool value = false; };
template <class A> struct is_same<A, A> { static constexpr bool value = true; };

// The component and the number of components of a type.
template <class T> struct shape { using component = T; static constexpr int count = 1; };
template <class T> struct shape<const T> : shape<T> {};
template <class T> struct shape<__global T> : shape<T> {};
template <class T> struct shape<__private T> : shape<T> {};
#define SHAPE(T, N) template <> struct shape<T##N> { using component = T; static constexpr int count = N; };
#define SHAPES(T) SHAPE(T, 2) SHAPE(T, 3) SHAPE(T, 4) using ::T##2; using ::T##3; using ::T##4; using ::packed_##T##2; using ::packed_##T##3; using ::packed_##T##4;
EACH_NUMBER(SHAPES)
using ::bool2;
using ::bool3;
using ::bool4;

template <class T> struct stored { using type = T; };
template <> struct stored<bool> { using type = int; };
template <class T, int N> using vec = typename stored<T>::type __attribute__((ext_vector_type(N)));

template <class T, int C, int R> struct matrix;
template <class T, int C, int R> struct shape<matrix<T, C, R>> { using component = T; static constexpr int count = C * R; };

// A constructor of a vector: as many components as the vector has, or one for all.
template <class V, class... A> constexpr V make(A...) {
    constexpr int given = (shape<A>::count + ... + 0);
    static_assert(given == shape<V>::count || (sizeof...(A) == 1 && given == 1) || sizeof...(A) == 0, "components of a vector");
    return V{};
}

template <class T, int C, int R> struct matrix {
    vec<T, R> columns[C];
    constexpr matrix() = default;
    template <class... A, class = typename enable_if<(sizeof...(A) > 0)>::type> constexpr matrix(A...) : columns{} {
        static_assert((shape<A>::count + ...) == C * R || sizeof...(A) == 1, "components of a matrix");
    }
    __generic vec<T, R> &operator[](int column) __generic { return columns[column]; }
    const __generic vec<T, R> &operator[](int column) const __generic { return columns[column]; }
};
#define OF_MATRIX template <class T, int C, int R>
OF_MATRIX matrix<T, C, R> operator+(matrix<T, C, R>, matrix<T, C, R>);
OF_MATRIX matrix<T, C, R> operator-(matrix<T, C, R>, matrix<T, C, R>);
OF_MATRIX matrix<T, C, R> operator-(matrix<T, C, R>);
OF_MATRIX matrix<T, C, R> operator*(matrix<T, C, R>, T);
OF_MATRIX matrix<T, C, R> operator*(T, matrix<T, C, R>);
OF_MATRIX vec<T, R> operator*(matrix<T, C, R>, vec<T, C>);
OF_MATRIX vec<T, C> operator*(vec<T, R>, matrix<T, C, R>);
template <class T, int C, int R, int K> matrix<T, K, R> operator*(matrix<T, C, R>, matrix<T, K, C>);
OF_MATRIX __private matrix<T, C, R> &operator*=(__private matrix<T, C, R> &, T);
OF_MATRIX __private matrix<T, C, R> &operator+=(__private matrix<T, C, R> &, matrix<T, C, R>);
OF_MATRIX __private matrix<T, C, R> &operator-=(__private matrix<T, C, R> &, matrix<T, C, R>);
OF_MATRIX matrix<T, R, C> transpose(matrix<T, C, R>);
template <class T, int N> T determinant(matrix<T, N, N>);

template <class T, size_t N> struct array {
    T elements[N ? N : 1];
    __generic T &operator[](size_t index) __generic { return elements[index]; }
    const __generic T &operator[](size_t index) const __generic { return elements[index]; }
    constexpr size_t size() const __generic { return N; }
};

template <class D, class S> constexpr D as_type(S) {
    static_assert(sizeof(D) == sizeof(S), "as_type between sizes");
    return D{};
}
// `static_cast` of vectors, which C++ does not have.
template <class D, class S> constexpr D metal_cast(S) {
    static_assert(shape<D>::count == shape<S>::count || shape<S>::count == 1, "static_cast between components");
    return D{};
}
}
#define static_cast metal::metal_cast

#define MATRIX(T, C, R) typedef metal::matrix<T, C, R> T##C##x##R;
#define MATRICES(T) MATRIX(T, 2, 2) MATRIX(T, 2, 3) MATRIX(T, 2, 4) MATRIX(T, 3, 2) MATRIX(T, 3, 3) MATRIX(T, 3, 4) MATRIX(T, 4, 2) MATRIX(T, 4, 3) MATRIX(T, 4, 4)
MATRICES(float)
MATRICES(half)
namespace metal {
#define OF_METAL(T, C, R) using ::T##C##x##R;
#define ALL_OF_METAL(T) OF_METAL(T, 2, 2) OF_METAL(T, 2, 3) OF_METAL(T, 2, 4) OF_METAL(T, 3, 2) OF_METAL(T, 3, 3) OF_METAL(T, 3, 4) OF_METAL(T, 4, 2) OF_METAL(T, 4, 3) OF_METAL(T, 4, 4)
ALL_OF_METAL(float)
ALL_OF_METAL(half)
}
