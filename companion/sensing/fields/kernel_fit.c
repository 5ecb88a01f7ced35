/* The fit of companion.sensing.fields.solver in C99, with the same answers. One call is one fit. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_fit.h"

#define SETTINGS 24

static int iterate(Fit *f, double *background, double *cost, long *evaluations, int *converged) {
    double damping = 1e-3, away = *background;
    Stone *now = f->stones, *trial = f->trial;
    for (long j = 0; j < f->B; j++) kernel_pose(f->bodies + j, now);
    *cost = kernel_evaluate(f, now, away, f->residual);
    kernel_square(f, away);
    *evaluations = 1;
    *converged = 0;
    while (*evaluations < f->limit) {
        double gain = kernel_step(f, damping);
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
        kernel_move(f, f->step, now, trial);
        for (long j = 0; j < f->B; j++) kernel_pose(f->bodies + j, trial);
        double other = kernel_evaluate(f, trial, trial_away, f->trial_residual);
        ++*evaluations;
        if (isnan(other)) return NOT_DEFINITE;
        if (other < *cost) {
            Stone *last = now;
            double *left = f->residual;
            now = trial, trial = last;
            f->residual = f->trial_residual, f->trial_residual = left;
            away = trial_away, *cost = other;
            kernel_square(f, away);
            damping = damping * 0.1 > 1e-6 ? damping * 0.1 : 1e-6;
        } else {
            for (long j = 0; j < f->B; j++) kernel_pose(f->bodies + j, now);
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

    kernel_near(&f, c, weight, near, lists);
    for (long r = 0; r < S; r++) {
        int any = 0;
        for (long i = 0; i < N && !any; i++) any = near[i * S + r];
        f.place_of[r] = (int)f.U;
        if (any) f.rows[f.U++] = r;
    }
    f.own = N >= own_windows && f.U > 0;
    for (long j = 0; j < B; j++) {
        Body *b = f.bodies + j;
        while (f.own && b->from < j && !kernel_meet(&f, b, f.bodies + b->from, near, lists)) b->from++;
    }
    kernel_lay_out(&f, c, near, lists, measured, weight);
    result = NO_MEMORY;
    f.size = f.used + 16, f.used = 0;
    f.arena = malloc(f.size);
    if (!f.arena || !kernel_lay_out(&f, c, near, lists, measured, weight)) goto end;

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
