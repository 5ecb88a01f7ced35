/* Stones that move together (companion.sensing.fields.bodies). */

#include <math.h>
#include <string.h>

#include "kernel_fit.h"

void kernel_pose(Body *b, const Stone *stones) {
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

void kernel_move(const Fit *f, const double *step, const Stone *from, Stone *to) {
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
