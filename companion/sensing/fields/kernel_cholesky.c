/* Damped steps (companion.sensing.fields.levels). With the bodies in their order the normal matrix has its blocks near the
   diagonal, and the Cholesky factor stays within the same envelope (George and Liu, 1981). */

#include <math.h>
#include <string.h>

#include "kernel_fit.h"

/* Cholesky factor of the normal matrix with (1 + damping) times its diagonal; 0 where it has none. */
static int factor(Fit *f, double damping) {
    for (long i = 0; i < f->B; i++) {
        Body *b = f->bodies + i;
        for (long j = b->from; j <= i; j++) {
            const Body *o = f->bodies + j;
            double *restrict out = b->factor[j - b->from];
            memcpy(out, b->block[j - b->from], sizeof(double) * BLOCK);
            if (i == j)
                for (int p = 0; p < UNKNOWNS; p++) out[WIDE * p + p] *= 1.0 + damping;
            for (long k = b->from > o->from ? b->from : o->from; k < j; k++) {
                const double *restrict mine = b->factor[k - b->from], *restrict theirs = o->turned[k - o->from];
                for (int p = 0; p < UNKNOWNS; p++)
                    for (int c = 0; c < UNKNOWNS; c++) {
                        double m = mine[WIDE * p + c];
                        for (int q = 0; q < WIDE; q++) out[WIDE * p + q] -= m * theirs[WIDE * c + q];
                    }
            }
            if (j < i) {
                const double *own = o->factor[j - o->from];
                for (int q = 0; q < UNKNOWNS; q++)
                    for (int p = 0; p < UNKNOWNS; p++) {
                        double v = out[WIDE * p + q];
                        for (int c = 0; c < q; c++) v -= out[WIDE * p + c] * own[WIDE * q + c];
                        out[WIDE * p + q] = v / own[WIDE * q + q];
                    }
            } else {
                for (int q = 0; q < UNKNOWNS; q++) {
                    double v = out[WIDE * q + q];
                    for (int c = 0; c < q; c++) v -= out[WIDE * q + c] * out[WIDE * q + c];
                    if (!(v > 0.0)) return 0;
                    double root = sqrt(v);
                    out[WIDE * q + q] = root;
                    for (int p = q + 1; p < UNKNOWNS; p++) {
                        double w = out[WIDE * p + q];
                        for (int c = 0; c < q; c++) w -= out[WIDE * p + c] * out[WIDE * q + c];
                        out[WIDE * p + q] = w / root;
                    }
                }
            }
            double *restrict over = b->turned[j - b->from];
            for (int p = 0; p < UNKNOWNS; p++)
                for (int q = 0; q < UNKNOWNS; q++) over[WIDE * q + p] = i == j && q > p ? 0.0 : out[WIDE * p + q];
            for (int q = 0; q < UNKNOWNS; q++) over[WIDE * q + UNKNOWNS] = 0.0;
        }
    }
    return 1;
}

/* The factored matrix solved for `right`, in place. */
static void solve(const Fit *f, double *right) {
    for (long i = 0; i < f->B; i++) {
        const Body *b = f->bodies + i;
        double *mine = right + UNKNOWNS * i;
        for (long j = b->from; j < i; j++) {
            const double *l = b->factor[j - b->from], *theirs = right + UNKNOWNS * j;
            for (int p = 0; p < UNKNOWNS; p++)
                for (int q = 0; q < UNKNOWNS; q++) mine[p] -= l[WIDE * p + q] * theirs[q];
        }
        const double *l = b->factor[i - b->from];
        for (int p = 0; p < UNKNOWNS; p++) {
            for (int q = 0; q < p; q++) mine[p] -= l[WIDE * p + q] * mine[q];
            mine[p] /= l[WIDE * p + p];
        }
    }
    for (long i = f->B - 1; i >= 0; i--) {
        const Body *b = f->bodies + i;
        double *mine = right + UNKNOWNS * i;
        const double *own = b->factor[i - b->from];
        for (int p = UNKNOWNS - 1; p >= 0; p--) {
            for (int q = p + 1; q < UNKNOWNS; q++) mine[p] -= own[WIDE * q + p] * mine[q];
            mine[p] /= own[WIDE * p + p];
        }
        for (long j = b->from; j < i; j++) {
            const double *l = b->factor[j - b->from];
            double *theirs = right + UNKNOWNS * j;
            for (int p = 0; p < UNKNOWNS; p++)
                for (int q = 0; q < UNKNOWNS; q++) theirs[q] -= l[WIDE * p + q] * mine[p];
        }
    }
}

static double dot(const double *a, const double *b, long n) {
    double sum = 0.0;
    for (long k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

double kernel_step(Fit *f, double damping) {
    long n = UNKNOWNS * f->B;
    if (!factor(f, damping)) return NAN;
    memcpy(f->step, f->pull, sizeof(double) * (size_t)n);
    solve(f, f->step);
    if (!f->background) return dot(f->step, f->pull, n);
    memcpy(f->border_solved, f->border, sizeof(double) * (size_t)n);
    solve(f, f->border_solved);
    double left = f->corner * (1.0 + damping) - dot(f->border, f->border_solved, n);
    if (!(left > 0.0)) return NAN;
    double last = (f->border_pull - dot(f->border, f->step, n)) / left;
    for (long k = 0; k < n; k++) f->step[k] -= last * f->border_solved[k];
    f->step[n] = last;
    return dot(f->step, f->pull, n) + last * f->border_pull;
}
