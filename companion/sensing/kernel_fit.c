/* The fit of companion.sensing.solver in C99, with the same answers. One call is one fit.

   Where the normal equations are summed rows are kept as rows of eight: seven slopes and what is left over there. Bodies
   are sorted along the longer side of the board: the normal matrix then has its blocks near the diagonal, and the
   Cholesky factor stays within the same envelope (George and Liu, 1981). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

#define UNKNOWNS 7
#define BLOCK (UNKNOWNS * WIDE)
#define SETTINGS 24

typedef struct {
    long first, size; /* stones */
    long original;    /* its place in the caller's order */
    double centre[3], log_moment, floor;
    double at[3], stiff[UNKNOWNS], expected; /* the prior */
    long rows;    /* in its list */
    int *list;    /* places of its rows among the fit's rows */
    int *inside;  /* for each of the fit's rows its place in the list, or -1 */
    double *table; /* rows x WIDE: slopes, and what is left over */
    long from;    /* first body of the envelope */
    double **block;  /* normal matrix, from..own place, [unknown of this][unknown of that], each BLOCK */
    double **factor; /* Cholesky factor, the same way */
    double **turned; /* and transposed */
} Body;

typedef struct {
    long S, B, N, U;
    double constant, tolerance, window, huber;
    double step_limit[UNKNOWNS];
    long limit, own;
    int background, elongated;
    double expected_background, stiff_background;
    Stone *stones, *trial;
    Body *bodies;
    long *rows;
    int *place_of; /* of a sensor's row among the fit's rows */
    double *target, *root, *scaled_root, *residual, *trial_residual, *deviation, *sums;
    long *stone_rows;
    int **stone_list;
    double **stone_columns;
    double *pull, *step, *border, *border_solved;
    double corner, border_pull;
    char *arena;
    size_t used, size;
} Fit;

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

static void pose(Body *b, const Stone *stones) {
    const Stone *s = stones + b->first;
    if (b->size == 1) {
        memcpy(b->centre, s->place, sizeof b->centre);
        b->log_moment = s->log_moment;
        return;
    }
    double total = 0.0, sum[3] = {0.0, 0.0, 0.0};
    for (long i = 0; i < b->size; i++) {
        double m = exp(s[i].log_moment);
        total += m;
        for (int k = 0; k < 3; k++) sum[k] += m * s[i].place[k];
    }
    for (int k = 0; k < 3; k++) b->centre[k] = sum[k] / total;
    b->log_moment = log(total);
}

/* The stones of all bodies after a step, into `to`. */
static void move(const Fit *f, const double *step, const Stone *from, Stone *to) {
    for (long j = 0; j < f->B; j++) {
        const Body *b = f->bodies + j;
        const double *s = step + UNKNOWNS * j, *w = s + 3;
        double low = INFINITY;
        for (long i = b->first; i < b->first + b->size; i++) {
            Stone *o = to + i;
            *o = from[i];
            for (int k = 0; k < 3; k++) o->place[k] += s[k];
            if (b->size > 1) {
                double arm[3], swung[3];
                for (int k = 0; k < 3; k++) arm[k] = from[i].place[k] - b->centre[k];
                kernel_turned(arm, w, swung);
                for (int k = 0; k < 3; k++) o->place[k] += swung[k] - arm[k];
            }
            kernel_turned(from[i].axis, w, o->axis);
            if (f->elongated) kernel_turned(from[i].side, w, o->side);
            o->log_moment += s[6];
            if (o->place[2] < low) low = o->place[2];
        }
        if (low < b->floor)
            for (long i = b->first; i < b->first + b->size; i++) {
                if (b->size == 1) to[i].place[2] = b->floor;
                else to[i].place[2] += b->floor - low;
            }
    }
}

/* Slopes and what is left over at these stones; returns the cost. Tables hold slopes times the rows' roots. */
static double evaluate(Fit *f, const Stone *stones, double background, double *residual) {
    for (long r = 0; r < f->U; r++) residual[r] = f->target[r] - background;
    for (long j = 0; j < f->B; j++) {
        Body *b = f->bodies + j;
        if (b->size > 1) memset(b->table, 0, sizeof(double) * (size_t)(b->rows * WIDE));
        for (long i = b->first; i < b->first + b->size; i++) {
            const Stone *s = stones + i;
            long n = f->stone_rows[i];
            double *v = f->sums, arm[3];
            const double *u = s->axis, *l = s->side;
            kernel_slopes(s, f->constant, kernel_columns(f->stone_columns[i], n), n, v);
            for (int k = 0; k < 3; k++) arm[k] = s->place[k] - b->centre[k];
            for (long r = 0; r < n; r++) {
                long row = f->stone_list[i][r];
                double g[3] = {v[G * n + r], v[(G + 1) * n + r], v[(G + 2) * n + r]};
                double by_u[3] = {v[BY_U * n + r], v[(BY_U + 1) * n + r], v[(BY_U + 2) * n + r]};
                double by_l[3] = {v[BY_SIDE * n + r], v[(BY_SIDE + 1) * n + r], v[(BY_SIDE + 2) * n + r]};
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

/* The normal equations of what was evaluated last. */
static void square(Fit *f, double background) {
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
            double *restrict sum = b->block[i - b->from];
            memset(sum, 0, sizeof(double) * BLOCK);
            for (long r = 0; r < b->rows; r++) {
                long other = o->inside[b->list[r]];
                if (other < 0) continue;
                const double *restrict mine = b->table + WIDE * r, *restrict theirs = o->table + WIDE * other;
                for (int p = 0; p < UNKNOWNS; p++)
                    for (int q = 0; q < WIDE; q++) sum[WIDE * p + q] += mine[p] * theirs[q];
            }
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

/* The damped step into f->step (the background's last); its gain, NAN where there is none. */
static double find_step(Fit *f, double damping) {
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

/* ------------------------------------------------------------------ in and out */

/* Which rows say something about which stone: near (N, S), and as lists, (N, S) of which stone_rows are used. */
static void find_near(Fit *f, Columns c, const double *weight, char *near, int *lists) {
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

/* Whether a row says something about both bodies. */
static int meet(const Fit *f, const Body *a, const Body *b, const char *near, const int *lists) {
    for (long i = a->first; i < a->first + a->size; i++)
        for (long k = b->first; k < b->first + b->size; k++)
            for (long r = 0; r < f->stone_rows[i]; r++)
                if (near[k * f->S + lists[i * f->S + r]]) return 1;
    return 0;
}

/* All that depends on which rows are near, taken from the arena: the first time (no arena) only counted. */
static int lay_out(Fit *f, Columns c, const char *near, const int *lists, const double *measured,
                   const double *weight) {
    long S = f->S, U = f->U;
    f->target = take(f, (size_t)U, sizeof(double));
    f->root = take(f, (size_t)U, sizeof(double));
    f->scaled_root = take(f, (size_t)U, sizeof(double));
    f->residual = take(f, (size_t)U, sizeof(double));
    f->trial_residual = take(f, (size_t)U, sizeof(double));
    f->deviation = take(f, (size_t)U, sizeof(double));
    f->sums = take(f, (size_t)(SUMS * U), sizeof(double));
    f->pull = take(f, (size_t)(UNKNOWNS * f->B), sizeof(double));
    f->step = take(f, (size_t)(UNKNOWNS * f->B + 1), sizeof(double));
    f->border = take(f, (size_t)(UNKNOWNS * f->B), sizeof(double));
    f->border_solved = take(f, (size_t)(UNKNOWNS * f->B), sizeof(double));
    for (long i = 0; i < f->N; i++) {
        long n = f->own ? f->stone_rows[i] : U;
        int *list = take(f, (size_t)n, sizeof(int));
        double *columns = take(f, (size_t)(6 * n), sizeof(double));
        if (f->arena == NULL) continue;
        if (f->used > f->size) return 0;
        f->stone_rows[i] = n, f->stone_list[i] = list, f->stone_columns[i] = columns;
        for (long r = 0; r < n; r++) list[r] = f->own ? f->place_of[lists[i * S + r]] : (int)r;
        const double *of[6] = {c.x, c.y, c.z, c.ax, c.ay, c.az};
        for (int k = 0; k < 6; k++)
            for (long r = 0; r < n; r++) columns[k * n + r] = of[k][f->rows[list[r]]];
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

static int iterate(Fit *f, double *background, double *cost, long *evaluations, int *converged) {
    double damping = 1e-3, away = *background;
    Stone *now = f->stones, *trial = f->trial;
    for (long j = 0; j < f->B; j++) pose(f->bodies + j, now);
    *cost = evaluate(f, now, away, f->residual);
    square(f, away);
    *evaluations = 1;
    *converged = 0;
    while (*evaluations < f->limit) {
        double gain = find_step(f, damping);
        if (isnan(gain)) return NOT_DEFINITE;
        if (gain < f->tolerance) {
            *converged = 1;
            break;
        }
        double trial_away = f->background ? away + f->step[UNKNOWNS * f->B] : away;
        for (long j = 0; j < f->B; j++) {
            double *s = f->step + UNKNOWNS * j, most = 1.0;
            for (int k = 0; k < UNKNOWNS; k++) {
                double part = fabs(s[k]) / f->step_limit[k];
                if (part > most) most = part;
            }
            for (int k = 0; k < UNKNOWNS; k++) s[k] /= most;
        }
        move(f, f->step, now, trial);
        for (long j = 0; j < f->B; j++) pose(f->bodies + j, trial);
        double other = evaluate(f, trial, trial_away, f->trial_residual);
        ++*evaluations;
        if (isnan(other)) return NOT_DEFINITE;
        if (other < *cost) {
            Stone *last = now;
            double *left = f->residual;
            now = trial, trial = last;
            f->residual = f->trial_residual, f->trial_residual = left;
            away = trial_away, *cost = other;
            square(f, away);
            damping = damping * 0.1 > 1e-6 ? damping * 0.1 : 1e-6;
        } else {
            for (long j = 0; j < f->B; j++) pose(f->bodies + j, now);
            damping = damping * 10.0 > 1e-2 ? damping * 10.0 : 1e-2;
        }
    }
    f->stones = now;
    *background = away;
    return OK;
}

/* One fit.
   sensors: columns x, y, z and axes of S sensors. in: SETTINGS numbers (see below), B sizes of the bodies, N stones
   (places, axes, sides, shapes, logarithms of the moments), B floors, of the priors B centres, B spreads (3), and B
   times spread of the turn, logarithm of the moment and its spread; measured (S), weight (S).
   out: cost, background, evaluations, converged, U; stones (places, axes, sides, logarithms of the moments); residual
   (U of S numbers); rows (U of S); the normal matrix: of each body, in the kernel's order, its place among the caller's,
   the first body that its blocks are with, and these (7, 7), its own last; with a background that row (7B) and corner. */
int companion_fit(const double *sensors, const double *in, double *out, long S, long B, long N) {
    if (S < 0 || B < 1 || N < B) return BAD_INPUT;
    Fit f;
    memset(&f, 0, sizeof f);
    f.S = S, f.B = B, f.N = N;
    f.limit = (long)in[0];
    f.tolerance = in[1], f.window = in[2], f.huber = in[3];
    f.background = in[4] != 0.0;
    f.expected_background = in[5];
    f.stiff_background = f.background ? 1.0 / (in[6] * in[6]) : 0.0;
    long own_windows = (long)in[7];
    f.constant = in[8];
    memcpy(f.step_limit, in + 9, sizeof f.step_limit);
    const double *sizes = in + SETTINGS, *places = sizes + B, *axes = places + 3 * N, *sides = axes + 3 * N;
    const double *shapes = sides + 3 * N, *moments = shapes + 3 * N, *floors = moments + N, *centres = floors + B;
    const double *spreads = centres + 3 * B, *others = spreads + 3 * B, *measured = others + 3 * B;
    const double *weight = measured + S;
    Columns c = kernel_columns(sensors, S);

    char *near = malloc((size_t)(N * S) + 1);
    int *lists = malloc(sizeof(int) * (size_t)(N * S + S + 1));
    long *longs = malloc(sizeof(long) * (size_t)(2 * B + S + N + N + 1));
    f.bodies = calloc((size_t)B, sizeof *f.bodies);
    f.stones = malloc(sizeof *f.stones * (size_t)(2 * N));
    f.stone_list = calloc((size_t)N, sizeof *f.stone_list);
    f.stone_columns = calloc((size_t)N, sizeof *f.stone_columns);
    Stone *stones = f.stones;
    int result = NO_MEMORY;
    if (!near || !lists || !longs || !f.bodies || !f.stones || !f.stone_list || !f.stone_columns) goto end;
    long *order = longs, *firsts = longs + B, *came_from = firsts + B;
    f.rows = came_from + N;
    f.stone_rows = f.rows + S;
    f.place_of = lists + N * S;
    f.trial = f.stones + N;

    /* bodies in the order of their places along the longer side */
    long first = 0;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    result = BAD_INPUT;
    for (long j = 0; j < B; j++) {
        firsts[j] = first;
        if (!(sizes[j] >= 1.0) || sizes[j] > (double)(N - first)) goto end;
        for (int k = 0; k < 2; k++) {
            double v = places[3 * first + k];
            if (v < low[k]) low[k] = v;
            if (v > high[k]) high[k] = v;
        }
        first += (long)sizes[j];
    }
    if (first != N) goto end;
    int side = high[1] - low[1] > high[0] - low[0];
    for (long j = 0; j < B; j++) {
        long at = j;
        while (at > 0 && places[3 * firsts[order[at - 1]] + side] > places[3 * firsts[j] + side]) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = j;
    }
    first = 0;
    for (long j = 0; j < B; j++) {
        Body *b = f.bodies + j;
        long o = order[j];
        b->original = o, b->first = first, b->size = (long)sizes[o];
        b->floor = floors[o];
        for (int k = 0; k < 3; k++) {
            b->at[k] = centres[3 * o + k];
            b->stiff[k] = 1.0 / (spreads[3 * o + k] * spreads[3 * o + k]);
            b->stiff[3 + k] = 1.0 / (others[3 * o] * others[3 * o]);
        }
        b->expected = others[3 * o + 1];
        b->stiff[6] = 1.0 / (others[3 * o + 2] * others[3 * o + 2]);
        for (long i = 0; i < b->size; i++, first++) {
            long from = firsts[o] + i;
            Stone *s = f.stones + first;
            memcpy(s->place, places + 3 * from, sizeof s->place);
            memcpy(s->axis, axes + 3 * from, sizeof s->axis);
            memcpy(s->side, sides + 3 * from, sizeof s->side);
            memcpy(s->shape, shapes + 3 * from, sizeof s->shape);
            s->log_moment = moments[from];
            came_from[first] = from;
            f.elongated |= s->shape[2] != 0.0;
        }
    }

    find_near(&f, c, weight, near, lists);
    for (long r = 0; r < S; r++) {
        int any = 0;
        for (long i = 0; i < N && !any; i++) any = near[i * S + r];
        f.place_of[r] = (int)f.U;
        if (any) f.rows[f.U++] = r;
    }
    f.own = N >= own_windows && f.U > 0;
    for (long j = 0; j < B; j++) {
        Body *b = f.bodies + j;
        while (f.own && b->from < j && !meet(&f, b, f.bodies + b->from, near, lists)) b->from++;
    }
    lay_out(&f, c, near, lists, measured, weight);
    result = NO_MEMORY;
    f.size = f.used + 16, f.used = 0;
    f.arena = malloc(f.size);
    if (!f.arena || !lay_out(&f, c, near, lists, measured, weight)) goto end;

    double cost = 0.0, background = f.background ? f.expected_background : 0.0;
    long evaluations = 0;
    int converged = 0;
    result = iterate(&f, &background, &cost, &evaluations, &converged);
    if (result == OK && !isfinite(cost)) result = NOT_DEFINITE;
    if (result != OK) goto end;

    out[0] = cost, out[1] = background, out[2] = (double)evaluations, out[3] = converged, out[4] = (double)f.U;
    double *place = out + 5, *axis = place + 3 * N, *long_side = axis + 3 * N, *moment = long_side + 3 * N;
    for (long i = 0; i < N; i++) {
        const Stone *s = f.stones + i;
        long to = came_from[i];
        memcpy(place + 3 * to, s->place, sizeof s->place);
        memcpy(axis + 3 * to, s->axis, sizeof s->axis);
        memcpy(long_side + 3 * to, s->side, sizeof s->side);
        moment[to] = s->log_moment;
    }
    double *residual = moment + N, *rows = residual + S, *matrix = rows + S;
    for (long r = 0; r < f.U; r++) residual[r] = f.residual[r], rows[r] = (double)f.rows[r];
    for (long j = 0; j < B; j++) {
        const Body *b = f.bodies + j;
        *matrix++ = (double)b->original;
        *matrix++ = (double)b->from;
        for (long i = b->from; i <= j; i++)
            for (int p = 0; p < UNKNOWNS; p++, matrix += UNKNOWNS)
                memcpy(matrix, b->block[i - b->from] + WIDE * p, sizeof(double) * UNKNOWNS);
    }
    if (f.background) {
        memcpy(matrix, f.border, sizeof(double) * (size_t)(UNKNOWNS * B));
        matrix[UNKNOWNS * B] = f.corner;
    }
end:
    free(f.arena);
    free(f.stone_columns);
    free(f.stone_list);
    free(stones);
    free(f.bodies);
    free(longs);
    free(lists);
    free(near);
    return result;
}
