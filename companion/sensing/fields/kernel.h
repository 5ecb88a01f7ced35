/* What the two halves of the C kernel share: kernel_fields.c, the fields of a stone, and the fit (kernel_fit.h).

   NumPy is the reference: what is computed, and in which steps, is explained there (companion.sensing.fields.dipole, solver);
   here stands only how. Every number comes in one block of doubles and goes out in another (companion/sensing/fields/kernel.py
   packs them), so that a call costs a few microseconds. */

#ifndef COMPANION_KERNEL_H
#define COMPANION_KERNEL_H

#define KERNEL_VERSION 1
#define WIDE 8
#define LANES 8 /* rows at a time */

/* A second version of a function for computers that take four numbers at a time, chosen when the library is loaded: the
   same operations in the same order, so the same answers. */
#ifndef EACH_CPU
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define EACH_CPU __attribute__((target_clones("avx2", "default")))
#else
#define EACH_CPU
#endif
#endif

enum { OK = 0, NO_MEMORY = 1, NOT_DEFINITE = 2, BAD_INPUT = 3 };

typedef struct {
    double place[3], axis[3], side[3], shape[3], log_moment;
} Stone;

/* Sensors as columns, each of `stride` numbers: x, y, z, and their axes. */
typedef struct {
    const double *x, *y, *z, *ax, *ay, *az;
} Columns;

Columns kernel_columns(const double *block, long stride);

/* So many rows are room for n, taken LANES at a time. */
static inline long kernel_padded(long n) { return (n + LANES - 1) / LANES * LANES; }

/* Sums over a stone's dipoles, each kernel_padded(n) numbers, as the columns are: field; g = dB/dd (3); dB/du (3);
   across dB/dd (3). */
enum { FIELD = 0, G = 1, BY_U = 4, BY_SIDE = 7, SUMS = 10 };

void kernel_slopes(const Stone *s, double constant, Columns c, long n, double *restrict sums);

/* Takes the field of one stone, as of one dipole, off what n sensors at `rows` should show, where it is not near. */
void kernel_take_far(const Stone *s, double constant, Columns c, const char *near, const long *rows, long n,
                     double *restrict target);

/* Turns v by the turn vector w (Rodrigues). */
void kernel_turned(const double *v, const double *w, double *out);

#endif
