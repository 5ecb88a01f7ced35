/* Which sensors say something about which body, and room for all that is kept of them in a fit. */

#include <math.h>

#include "kernel_fit.h"

static void *take(Fit *f, size_t count, size_t each) {
    size_t bytes = (count * each + 15u) & ~(size_t)15u;
    if (f->arena != NULL) {
        void *out = f->used + bytes <= f->size ? f->arena + f->used : NULL;
        f->used += bytes;
        return out;
    }
    f->used += bytes;
    return NULL;
}

void kernel_near(Fit *f, Columns c, const double *weight, char *near, int *lists) {
    for (long i = 0; i < f->N; i++) {
        const Stone *s = f->stones + i;
        double above = s->place[2] - 10.0, reach = above < 0.0 ? 0.0 : above > 60.0 ? 60.0 : above;
        reach = f->window + 0.8 * reach;
        char *mine = near + i * f->S;
        int *list = lists + i * f->S;
        for (long r = 0; r < f->S; r++) {
            double dx = c.x[r] - s->place[0], dy = c.y[r] - s->place[1];
            mine[r] = (dx * dx + dy * dy <= reach * reach) & (weight[r] > 0.0);
        }
        long n = 0;
        for (long r = 0; r < f->S; r++) {
            list[n] = (int)r;
            n += mine[r];
        }
        f->stone_rows[i] = n;
    }
}

int kernel_meet(const Fit *f, const Body *a, const Body *b, const char *near, const int *lists) {
    for (long i = a->first; i < a->first + a->size; i++)
        for (long k = b->first; k < b->first + b->size; k++)
            for (long r = 0; r < f->stone_rows[i]; r++)
                if (near[k * f->S + lists[i * f->S + r]]) return 1;
    return 0;
}

int kernel_lay_out(Fit *f, Columns c, const char *near, const int *lists, const double *measured,
                   const double *weight) {
    long S = f->S, U = f->U;
    f->target = take(f, (size_t)U, sizeof(double));
    f->root = take(f, (size_t)U, sizeof(double));
    f->scaled_root = take(f, (size_t)U, sizeof(double));
    f->residual = take(f, (size_t)U, sizeof(double));
    f->trial_residual = take(f, (size_t)U, sizeof(double));
    f->deviation = take(f, (size_t)U, sizeof(double));
    f->sums = take(f, (size_t)(SUMS * kernel_padded(U)), sizeof(double));
    f->pull = take(f, (size_t)(UNKNOWNS * f->B), sizeof(double));
    f->step = take(f, (size_t)(UNKNOWNS * f->B + 1), sizeof(double));
    f->border = take(f, (size_t)(UNKNOWNS * f->B), sizeof(double));
    f->border_solved = take(f, (size_t)(UNKNOWNS * f->B), sizeof(double));
    for (long i = 0; i < f->N; i++) {
        long n = f->own ? f->stone_rows[i] : U, stride = kernel_padded(n);
        int *list = take(f, (size_t)n, sizeof(int));
        double *columns = take(f, (size_t)(6 * stride), sizeof(double));
        if (f->arena == NULL) continue;
        if (f->used > f->size) return 0;
        f->stone_rows[i] = n, f->stone_list[i] = list, f->stone_columns[i] = columns;
        for (long r = 0; r < n; r++) list[r] = f->own ? f->place_of[lists[i * S + r]] : (int)r;
        const double *of[6] = {c.x, c.y, c.z, c.ax, c.ay, c.az};
        for (int k = 0; k < 6; k++)
            for (long r = 0; r < stride; r++) columns[k * stride + r] = of[k][f->rows[list[r < n ? r : 0]]];
    }
    for (long j = 0; j < f->B; j++) {
        Body *b = f->bodies + j;
        if (f->arena == NULL) { /* no more than that */
            b->rows = 0;
            for (long i = b->first; i < b->first + b->size; i++) b->rows += f->own ? f->stone_rows[i] : U;
            if (b->rows > U) b->rows = U;
        }
        b->list = take(f, (size_t)b->rows, sizeof(int));
        b->inside = take(f, (size_t)U, sizeof(int));
        b->table = take(f, (size_t)(WIDE * b->rows), sizeof(double));
        if (f->arena == NULL) continue;
        if (f->used > f->size) return 0;
        for (long r = 0; r < U; r++) b->inside[r] = -1;
        for (long i = b->first; i < b->first + b->size; i++)
            for (long r = 0; r < f->stone_rows[i]; r++) b->inside[f->stone_list[i][r]] = 0;
        b->rows = 0;
        for (long r = 0; r < U; r++)
            if (b->inside[r] == 0) {
                b->inside[r] = (int)b->rows;
                b->list[b->rows++] = (int)r;
            }
    }
    for (long j = 0; j < f->B; j++) {
        Body *b = f->bodies + j;
        long n = j - b->from + 1;
        b->block = take(f, (size_t)n, sizeof(double *));
        b->factor = take(f, (size_t)n, sizeof(double *));
        b->turned = take(f, (size_t)n, sizeof(double *));
        double *blocks = take(f, (size_t)(3 * n * BLOCK), sizeof(double));
        if (f->arena == NULL) continue;
        if (f->used > f->size) return 0;
        for (long i = 0; i < n; i++) {
            b->block[i] = blocks + BLOCK * 3 * i;
            b->factor[i] = b->block[i] + BLOCK;
            b->turned[i] = b->factor[i] + BLOCK;
        }
    }
    if (f->arena == NULL) return 1;
    for (long r = 0; r < U; r++) {
        f->target[r] = measured[f->rows[r]];
        f->root[r] = sqrt(weight[f->rows[r]]);
    }
    if (f->own)
        for (long i = 0; i < f->N; i++)
            kernel_take_far(f->stones + i, f->constant, c, near + i * S, f->rows, U, f->target);
    return 1;
}
