/* What a pose costs and the normal equations there (companion.sensing.fields.equations). Where these are summed rows are kept as
   rows of eight: seven slopes and what is left over there. */

#include <math.h>
#include <string.h>

#include "kernel_fit.h"

EACH_CPU
double kernel_evaluate(Fit *f, const Stone *stones, double background, double *residual) {
    for (long r = 0; r < f->U; r++) residual[r] = f->target[r] - background;
    for (long j = 0; j < f->B; j++) {
        Body *b = f->bodies + j;
        if (b->size > 1) memset(b->table, 0, sizeof(double) * (size_t)(b->rows * WIDE));
        for (long i = b->first; i < b->first + b->size; i++) {
            const Stone *s = stones + i;
            long n = f->stone_rows[i], stride = kernel_padded(n);
            double *v = f->sums, arm[3];
            const double *u = s->axis, *l = s->side;
            kernel_slopes(s, f->constant, kernel_columns(f->stone_columns[i], stride), n, v);
            for (int k = 0; k < 3; k++) arm[k] = s->place[k] - b->centre[k];
            for (long r = 0; r < n; r++) {
                long row = f->stone_list[i][r];
                double g[3] = {v[G * stride + r], v[(G + 1) * stride + r], v[(G + 2) * stride + r]};
                double by_u[3] = {v[BY_U * stride + r], v[(BY_U + 1) * stride + r], v[(BY_U + 2) * stride + r]};
                double by_l[3] = {v[BY_SIDE * stride + r], v[(BY_SIDE + 1) * stride + r], v[(BY_SIDE + 2) * stride + r]};
                double own[WIDE];
                for (int k = 0; k < 3; k++) {
                    int p = (k + 1) % 3, q = (k + 2) % 3;
                    own[k] = -g[k];
                    own[3 + k] = u[p] * by_u[q] - u[q] * by_u[p] - (l[p] * by_l[q] - l[q] * by_l[p]);
                }
                own[6] = v[r];
                own[7] = 0.0;
                residual[row] -= v[r];
                if (b->size == 1) {
                    memcpy(b->table + WIDE * r, own, sizeof own);
                } else {
                    double *to = b->table + WIDE * b->inside[row];
                    for (int k = 0; k < 3; k++) {
                        int p = (k + 1) % 3, q = (k + 2) % 3;
                        own[3 + k] += arm[q] * g[p] - arm[p] * g[q];
                    }
                    for (int k = 0; k < UNKNOWNS; k++) to[k] += own[k];
                }
            }
        }
    }
    double cost = 0.0;
    for (long r = 0; r < f->U; r++) {
        double root = f->root[r], off = root * residual[r], size = fabs(off);
        if (size <= f->huber) {
            cost += off * off;
        } else {
            cost += f->huber * (2.0 * size - f->huber);
            root *= sqrt(f->huber / size);
            off = root * residual[r];
        }
        f->scaled_root[r] = root;
        f->deviation[r] = off;
    }
    for (long j = 0; j < f->B; j++) {
        const Body *b = f->bodies + j;
        for (int k = 0; k < 3; k++) cost += b->stiff[k] * (b->centre[k] - b->at[k]) * (b->centre[k] - b->at[k]);
        cost += b->stiff[6] * (b->log_moment - b->expected) * (b->log_moment - b->expected);
    }
    if (f->background) {
        double error = background - f->expected_background;
        cost += f->stiff_background * error * error;
    }
    return cost;
}

/* Two lines of the block of two bodies: sums over the rows of both. So few at a time stay in registers. */
static inline void products(const Body *b, const Body *o, int p, int q, double *restrict line, double *restrict next) {
    double first[WIDE] = {0.0}, second[WIDE] = {0.0};
    for (long r = 0; r < b->rows; r++) {
        long other = o->inside[b->list[r]];
        if (other < 0) continue;
        const double *restrict theirs = o->table + WIDE * other;
        double mine = b->table[WIDE * r + p], too = b->table[WIDE * r + q];
        for (int k = 0; k < WIDE; k++) {
            first[k] += mine * theirs[k];
            second[k] += too * theirs[k];
        }
    }
    memcpy(line, first, sizeof first);
    memcpy(next, second, sizeof second);
}

EACH_CPU
void kernel_square(Fit *f, double background) {
    for (long j = 0; j < f->B; j++) {
        Body *b = f->bodies + j;
        for (long r = 0; r < b->rows; r++) {
            double *row = b->table + WIDE * r, root = f->scaled_root[b->list[r]];
            for (int k = 0; k < UNKNOWNS; k++) row[k] *= root;
            row[UNKNOWNS] = f->deviation[b->list[r]];
        }
    }
    for (long j = 0; j < f->B; j++) {
        Body *b = f->bodies + j;
        double *pull = f->pull + UNKNOWNS * j;
        for (long i = b->from; i <= j; i++) {
            const Body *o = f->bodies + i;
            double spare[WIDE], *sum = b->block[i - b->from];
            for (int p = 0; p + 1 < UNKNOWNS; p += 2) products(b, o, p, p + 1, sum + WIDE * p, sum + WIDE * (p + 1));
            products(b, o, UNKNOWNS - 1, UNKNOWNS - 1, spare, sum + WIDE * (UNKNOWNS - 1));
        }
        double *own = b->block[j - b->from];
        for (int p = 0; p < UNKNOWNS; p++) {
            pull[p] = own[WIDE * p + UNKNOWNS];
            own[WIDE * p + p] += b->stiff[p];
        }
        for (int k = 0; k < 3; k++) pull[k] -= b->stiff[k] * (b->centre[k] - b->at[k]);
        pull[6] -= b->stiff[6] * (b->log_moment - b->expected);
        if (f->background) {
            double *border = f->border + UNKNOWNS * j;
            for (int p = 0; p < UNKNOWNS; p++) border[p] = 0.0;
            for (long r = 0; r < b->rows; r++)
                for (int p = 0; p < UNKNOWNS; p++)
                    border[p] += b->table[WIDE * r + p] * f->scaled_root[b->list[r]];
        }
    }
    if (f->background) {
        f->corner = f->stiff_background;
        f->border_pull = -f->stiff_background * (background - f->expected_background);
        for (long r = 0; r < f->U; r++) {
            f->corner += f->scaled_root[r] * f->scaled_root[r];
            f->border_pull += f->scaled_root[r] * f->deviation[r];
        }
    }
}
