#include "compile/headers.h"

namespace labkit::compile {
namespace {

constexpr char kTypeTraits[] = R"(#pragma once
namespace std {
template <typename T, T v> struct integral_constant {
  static constexpr T value = v;
  using value_type = T;
  using type = integral_constant;
  __host__ __device__ constexpr operator T() const noexcept { return v; }
};
template <bool b> using bool_constant = integral_constant<bool, b>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;
template <bool, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <bool b, typename T = void> using enable_if_t = typename enable_if<b, T>::type;
template <bool, typename A, typename> struct conditional { using type = A; };
template <typename A, typename B> struct conditional<false, A, B> { using type = B; };
template <bool b, typename A, typename B> using conditional_t = typename conditional<b, A, B>::type;
template <typename...> using void_t = void;
template <typename T> struct type_identity { using type = T; };
template <typename, typename> struct is_same : false_type {};
template <typename T> struct is_same<T, T> : true_type {};
template <typename A, typename B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <typename T> struct remove_const : type_identity<T> {};
template <typename T> struct remove_const<const T> : type_identity<T> {};
template <typename T> struct remove_volatile : type_identity<T> {};
template <typename T> struct remove_volatile<volatile T> : type_identity<T> {};
template <typename T> struct remove_cv : type_identity<T> {};
template <typename T> struct remove_cv<const T> : type_identity<T> {};
template <typename T> struct remove_cv<volatile T> : type_identity<T> {};
template <typename T> struct remove_cv<const volatile T> : type_identity<T> {};
template <typename T> struct remove_reference : type_identity<T> {};
template <typename T> struct remove_reference<T&> : type_identity<T> {};
template <typename T> struct remove_reference<T&&> : type_identity<T> {};
template <typename T> struct remove_pointer : type_identity<T> {};
template <typename T> struct remove_pointer<T*> : type_identity<T> {};
template <typename T> struct remove_pointer<T* const> : type_identity<T> {};
template <typename T> using remove_const_t = typename remove_const<T>::type;
template <typename T> using remove_volatile_t = typename remove_volatile<T>::type;
template <typename T> using remove_cv_t = typename remove_cv<T>::type;
template <typename T> using remove_reference_t = typename remove_reference<T>::type;
template <typename T> using remove_pointer_t = typename remove_pointer<T>::type;
template <typename T> using add_pointer_t = remove_reference_t<T>*;
template <typename T> using decay_t = remove_cv_t<remove_reference_t<T>>;
template <typename T> struct is_const : false_type {};
template <typename T> struct is_const<const T> : true_type {};
template <typename T> struct is_pointer : false_type {};
template <typename T> struct is_pointer<T*> : true_type {};
template <typename T> struct is_reference : false_type {};
template <typename T> struct is_reference<T&> : true_type {};
template <typename T> struct is_reference<T&&> : true_type {};
template <typename T> struct is_void : is_same<remove_cv_t<T>, void> {};
template <typename T> struct is_floating_point
    : bool_constant<is_same_v<remove_cv_t<T>, float> || is_same_v<remove_cv_t<T>, double>> {};
template <typename T, typename... Us> inline constexpr bool __labkit_any_of = (is_same_v<T, Us> || ...);
template <typename T> struct is_integral
    : bool_constant<__labkit_any_of<remove_cv_t<T>, bool, char, signed char, unsigned char, wchar_t,
                                    char16_t, char32_t, short, unsigned short, int, unsigned, long,
                                    unsigned long, long long, unsigned long long>> {};
template <typename T> struct is_arithmetic
    : bool_constant<is_integral<T>::value || is_floating_point<T>::value> {};
template <typename T> struct is_enum : bool_constant<__is_enum(T)> {};
template <typename T> struct is_class : bool_constant<__is_class(T)> {};
template <typename T> struct is_trivially_copyable : bool_constant<__is_trivially_copyable(T)> {};
template <typename T, bool = is_arithmetic<T>::value> struct is_signed : bool_constant<(T(-1) < T(0))> {};
template <typename T> struct is_signed<T, false> : false_type {};
template <typename T, bool = is_arithmetic<T>::value> struct is_unsigned : bool_constant<(T(0) < T(-1))> {};
template <typename T> struct is_unsigned<T, false> : false_type {};
template <typename T> inline constexpr bool is_const_v = is_const<T>::value;
template <typename T> inline constexpr bool is_pointer_v = is_pointer<remove_cv_t<T>>::value;
template <typename T> inline constexpr bool is_reference_v = is_reference<T>::value;
template <typename T> inline constexpr bool is_void_v = is_void<T>::value;
template <typename T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <typename T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <typename T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <typename T> inline constexpr bool is_enum_v = is_enum<T>::value;
template <typename T> inline constexpr bool is_class_v = is_class<T>::value;
template <typename T> inline constexpr bool is_trivially_copyable_v = is_trivially_copyable<T>::value;
template <typename T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <typename T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;
}
)";

constexpr char kUtility[] = R"(#pragma once
#include <type_traits>
namespace std {
template <typename T> __host__ __device__ T&& declval() noexcept;
template <typename T>
__host__ __device__ constexpr void swap(T& a, T& b) {
  T old = static_cast<T&&>(a);
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(old);
}
template <typename T, T... values> struct integer_sequence {
  __host__ __device__ static constexpr decltype(sizeof(0)) size() noexcept { return sizeof...(values); }
};
template <decltype(sizeof(0))... values>
using index_sequence = integer_sequence<decltype(sizeof(0)), values...>;
}
)";

constexpr char kLimits[] = R"(#pragma once
namespace std {
template <typename T> struct numeric_limits {
  static constexpr bool is_specialized = false, is_signed = false, is_integer = false;
  static constexpr bool is_exact = false, is_bounded = false, is_modulo = false;
  static constexpr bool is_iec559 = false, has_infinity = false, has_quiet_NaN = false;
  static constexpr int radix = 0, digits = 0, digits10 = 0, max_digits10 = 0;
  static constexpr int min_exponent = 0, max_exponent = 0;
  __host__ __device__ static constexpr T min() noexcept { return T(); }
  __host__ __device__ static constexpr T lowest() noexcept { return T(); }
  __host__ __device__ static constexpr T max() noexcept { return T(); }
  __host__ __device__ static constexpr T epsilon() noexcept { return T(); }
  __host__ __device__ static constexpr T infinity() noexcept { return T(); }
  __host__ __device__ static constexpr T quiet_NaN() noexcept { return T(); }
  __host__ __device__ static constexpr T denorm_min() noexcept { return T(); }
};
template <typename T> struct numeric_limits<const T> : numeric_limits<T> {};
template <typename T> struct numeric_limits<volatile T> : numeric_limits<T> {};
template <typename T> struct numeric_limits<const volatile T> : numeric_limits<T> {};
#define LABKIT_INTEGER(T, LOW, HIGH, DIGITS)                                              \
  template <> struct numeric_limits<T> {                                                  \
    static constexpr bool is_specialized = true, is_integer = true, is_exact = true;      \
    static constexpr bool is_signed = (T)-1 < (T)0, is_bounded = true;                    \
    static constexpr bool is_modulo = (T)-1 > (T)1, is_iec559 = false;                    \
    static constexpr bool has_infinity = false, has_quiet_NaN = false;                    \
    static constexpr int radix = 2, digits = DIGITS, digits10 = DIGITS * 643L / 2136;     \
    static constexpr int max_digits10 = 0, min_exponent = 0, max_exponent = 0;            \
    __host__ __device__ static constexpr T min() noexcept { return LOW; }                 \
    __host__ __device__ static constexpr T lowest() noexcept { return LOW; }              \
    __host__ __device__ static constexpr T max() noexcept { return HIGH; }                \
    __host__ __device__ static constexpr T epsilon() noexcept { return 0; }               \
    __host__ __device__ static constexpr T infinity() noexcept { return 0; }              \
    __host__ __device__ static constexpr T quiet_NaN() noexcept { return 0; }             \
    __host__ __device__ static constexpr T denorm_min() noexcept { return 0; }            \
  };
LABKIT_INTEGER(bool, false, true, 1)
LABKIT_INTEGER(signed char, -128, 127, 7)
LABKIT_INTEGER(unsigned char, 0, 255, 8)
LABKIT_INTEGER(char, char(char(-1) < char(0) ? -128 : 0), char(char(-1) < char(0) ? 127 : 255),
               (char(-1) < char(0) ? 7 : 8))
LABKIT_INTEGER(short, -32767 - 1, 32767, 15)
LABKIT_INTEGER(unsigned short, 0, 65535, 16)
LABKIT_INTEGER(int, -2147483647 - 1, 2147483647, 31)
LABKIT_INTEGER(unsigned int, 0, 4294967295u, 32)
LABKIT_INTEGER(long, -9223372036854775807l - 1, 9223372036854775807l, 63)
LABKIT_INTEGER(unsigned long, 0, 18446744073709551615ul, 64)
LABKIT_INTEGER(long long, -9223372036854775807ll - 1, 9223372036854775807ll, 63)
LABKIT_INTEGER(unsigned long long, 0, 18446744073709551615ull, 64)
#undef LABKIT_INTEGER
// Older compilers have no constant that is infinite, only what the GPU makes of its bits.
#if __CUDACC_VER_MAJOR__ >= 13
#define LABKIT_CONSTANT __host__ __device__ static constexpr
#define LABKIT_BITS(T, FROM, BITS) __builtin_bit_cast(T, BITS)
#else
#define LABKIT_CONSTANT __device__ static
#define LABKIT_BITS(T, FROM, BITS) FROM(BITS)
#endif
#define LABKIT_REAL(T, LOW, HIGH, EPSILON, LEAST, DIGITS, DECIMALS, EXPONENT, INF, NOT)   \
  template <> struct numeric_limits<T> {                                                  \
    static constexpr bool is_specialized = true, is_integer = false, is_exact = false;    \
    static constexpr bool is_signed = true, is_bounded = true, is_modulo = false;         \
    static constexpr bool is_iec559 = true, has_infinity = true, has_quiet_NaN = true;    \
    static constexpr int radix = 2, digits = DIGITS, digits10 = DECIMALS;                 \
    static constexpr int max_digits10 = DIGITS * 643L / 2136 + 2;                         \
    static constexpr int min_exponent = 3 - EXPONENT, max_exponent = EXPONENT;            \
    __host__ __device__ static constexpr T min() noexcept { return LOW; }                 \
    __host__ __device__ static constexpr T lowest() noexcept { return -HIGH; }            \
    __host__ __device__ static constexpr T max() noexcept { return HIGH; }                \
    __host__ __device__ static constexpr T epsilon() noexcept { return EPSILON; }         \
    LABKIT_CONSTANT T infinity() noexcept { return INF; }                                 \
    LABKIT_CONSTANT T quiet_NaN() noexcept { return NOT; }                                \
    __host__ __device__ static constexpr T denorm_min() noexcept { return LEAST; }        \
  };
LABKIT_REAL(float, 1.17549435e-38f, 3.40282347e+38f, 1.19209290e-7f, 1.40129846e-45f, 24, 6, 128,
            LABKIT_BITS(float, __int_as_float, 0x7f800000),
            LABKIT_BITS(float, __int_as_float, 0x7fc00000))
LABKIT_REAL(double, 2.2250738585072014e-308, 1.7976931348623157e+308, 2.2204460492503131e-16,
            4.9406564584124654e-324, 53, 15, 1024,
            LABKIT_BITS(double, __longlong_as_double, 0x7ff0000000000000ll),
            LABKIT_BITS(double, __longlong_as_double, 0x7ff8000000000000ll))
#undef LABKIT_REAL
#undef LABKIT_CONSTANT
#undef LABKIT_BITS
}
)";

}  // namespace

const char* type_traits_text() { return kTypeTraits; }
const char* utility_text() { return kUtility; }
const char* limits_text() { return kLimits; }

}  // namespace labkit::compile
