/* The fields of stones and their slopes (companion.sensing.fields.dipole) in C99. Rows are kept as columns (x[], y[], ...), so
   that the compiler can take several at once. */

#include <math.h>
#include <string.h>

#include "kernel.h"

#define MOST_NODES 6

int companion_kernel_version(void) { return KERNEL_VERSION; }

typedef struct {
    int count;
    double along[MOST_NODES], across[MOST_NODES], scale[MOST_NODES];
} Nodes;

static Nodes nodes_of(const Stone *s, double constant) {
    Nodes n;
    double strength = constant * exp(s->log_moment), outer = strength * (0.5 - 0.5 * s->shape[1]);
    double half = s->shape[0], elongation = s->shape[2];
    n.count = 3;
    n.along[0] = 0.0, n.along[1] = half, n.along[2] = -half;
    n.scale[0] = strength * s->shape[1], n.scale[1] = outer, n.scale[2] = outer;
    for (int k = 0; k < 3; k++) n.across[k] = 0.0;
    if (elongation != 0.0) {
        n.count = 6;
        for (int k = 0; k < 3; k++) {
            n.along[k + 3] = n.along[k];
            n.scale[k] *= 0.5;
            n.scale[k + 3] = n.scale[k];
            n.across[k] = elongation;
            n.across[k + 3] = -elongation;
        }
    }
    return n;
}

Columns kernel_columns(const double *block, long stride) {
    Columns c = {block, block + stride, block + 2 * stride, block + 3 * stride, block + 4 * stride, block + 5 * stride};
    return c;
}

/* Adds the field of one stone at n sensors to out. */
static inline void add_field(const Stone *s, double constant, Columns c, long n, double *restrict out) {
    Nodes nodes = nodes_of(s, constant);
    const double *restrict x = c.x, *restrict y = c.y, *restrict z = c.z;
    const double *restrict ax = c.ax, *restrict ay = c.ay, *restrict az = c.az;
    double ux = s->axis[0], uy = s->axis[1], uz = s->axis[2];
    for (int k = 0; k < nodes.count; k++) {
        double px = s->place[0] + nodes.along[k] * ux + nodes.across[k] * s->side[0];
        double py = s->place[1] + nodes.along[k] * uy + nodes.across[k] * s->side[1];
        double pz = s->place[2] + nodes.along[k] * uz + nodes.across[k] * s->side[2];
        double scale = nodes.scale[k];
        for (long r = 0; r < n; r++) {
            double dx = x[r] - px, dy = y[r] - py, dz = z[r] - pz;
            double inverse2 = 1.0 / (dx * dx + dy * dy + dz * dz);
            double alpha = ux * dx + uy * dy + uz * dz;
            double beta = ax[r] * dx + ay[r] * dy + az[r] * dz;
            double gamma = ux * ax[r] + uy * ay[r] + uz * az[r];
            out[r] += scale * inverse2 * sqrt(inverse2) * (3.0 * alpha * beta * inverse2 - gamma);
        }
    }
}

/* Fields (N, S) of N stones at S sensors. block: places (N, 3), axes, sides, shapes, logarithms of the moments. */
EACH_CPU
int companion_fields(const double *sensors, const double *block, double *out, long S, long N, double constant) {
    Columns c = kernel_columns(sensors, S);
    memset(out, 0, sizeof(double) * (size_t)(N * S));
    for (long i = 0; i < N; i++) {
        Stone s;
        memcpy(s.place, block + 3 * i, sizeof s.place);
        memcpy(s.axis, block + 3 * (N + i), sizeof s.axis);
        memcpy(s.side, block + 3 * (2 * N + i), sizeof s.side);
        memcpy(s.shape, block + 3 * (3 * N + i), sizeof s.shape);
        s.log_moment = block[12 * N + i];
        add_field(&s, constant, c, S, out + i * S);
    }
    return OK;
}

/* Adds what one dipole gives to the sums of LANES rows; the first one sets them. */
static inline void add_slopes(int first, const double *restrict p, const double *restrict u, double along, double across,
                              double scale, const double *restrict gamma, Columns c, double sum[SUMS][LANES]) {
    double px = p[0], py = p[1], pz = p[2], ux = u[0], uy = u[1], uz = u[2];
    const double *restrict x = c.x, *restrict y = c.y, *restrict z = c.z;
    const double *restrict ax = c.ax, *restrict ay = c.ay, *restrict az = c.az;
    for (int r = 0; r < LANES; r++) {
        double dx = x[r] - px, dy = y[r] - py, dz = z[r] - pz;
        double inverse2 = 1.0 / (dx * dx + dy * dy + dz * dz);
        double alpha = ux * dx + uy * dy + uz * dz;
        double beta = ax[r] * dx + ay[r] * dy + az[r] * dz;
        double strength = scale * inverse2 * sqrt(inverse2);
        double triple = 3.0 * strength * inverse2, mixed = alpha * beta * inverse2;
        double by_u = triple * beta, by_a = triple * alpha, by_d = triple * (gamma[r] - 5.0 * mixed);
        double gx = by_u * ux + by_a * ax[r] + by_d * dx;
        double gy = by_u * uy + by_a * ay[r] + by_d * dy;
        double gz = by_u * uz + by_a * az[r] + by_d * dz;
        double own[SUMS] = {strength * (3.0 * mixed - gamma[r]), gx, gy, gz,
                            by_u * dx - strength * ax[r] - along * gx, by_u * dy - strength * ay[r] - along * gy,
                            by_u * dz - strength * az[r] - along * gz, across * gx, across * gy, across * gz};
        for (int k = 0; k < SUMS; k++) sum[k][r] = first ? own[k] : sum[k][r] + own[k];
    }
}

EACH_CPU
void kernel_slopes(const Stone *s, double constant, Columns c, long n, double *restrict sums) {
    Nodes nodes = nodes_of(s, constant);
    const double *u = s->axis;
    long stride = kernel_padded(n);
    double place[MOST_NODES][3];
    for (int k = 0; k < nodes.count; k++)
        for (int i = 0; i < 3; i++) place[k][i] = s->place[i] + nodes.along[k] * u[i] + nodes.across[k] * s->side[i];
    for (long at = 0; at < n; at += LANES) {
        Columns rows = {c.x + at, c.y + at, c.z + at, c.ax + at, c.ay + at, c.az + at};
        double gamma[LANES], sum[SUMS][LANES];
        for (int r = 0; r < LANES; r++) gamma[r] = u[0] * rows.ax[r] + u[1] * rows.ay[r] + u[2] * rows.az[r];
        add_slopes(1, place[0], u, nodes.along[0], nodes.across[0], nodes.scale[0], gamma, rows, sum);
        for (int k = 1; k < nodes.count; k++)
            add_slopes(0, place[k], u, nodes.along[k], nodes.across[k], nodes.scale[k], gamma, rows, sum);
        for (int k = 0; k < SUMS; k++) memcpy(sums + k * stride + at, sum[k], sizeof sum[k]);
    }
}

void kernel_take_far(const Stone *s, double constant, Columns c, const char *near, const long *rows, long n,
                     double *restrict target) {
    const double *u = s->axis;
    double moment = constant * exp(s->log_moment);
    for (long i = 0; i < n; i++) {
        long r = rows[i];
        double dx = c.x[r] - s->place[0], dy = c.y[r] - s->place[1], dz = c.z[r] - s->place[2];
        double inverse2 = 1.0 / (dx * dx + dy * dy + dz * dz);
        double along = (u[0] * dx + u[1] * dy + u[2] * dz) * (c.ax[r] * dx + c.ay[r] * dy + c.az[r] * dz);
        double field = moment * inverse2 * sqrt(inverse2) *
                       (3.0 * along * inverse2 - (u[0] * c.ax[r] + u[1] * c.ay[r] + u[2] * c.az[r]));
        target[i] -= near[r] ? 0.0 : field;
    }
}

void kernel_turned(const double *v, const double *w, double *out) {
    double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), least = angle > 1e-12 ? angle : 1e-12;
    double p[3] = {w[0] / least, w[1] / least, w[2] / least};
    double cosine = cos(angle), sine = sin(angle);
    double along = (1.0 - cosine) * (p[0] * v[0] + p[1] * v[1] + p[2] * v[2]);
    double x = cosine * v[0] + sine * (p[1] * v[2] - p[2] * v[1]) + along * p[0];
    double y = cosine * v[1] + sine * (p[2] * v[0] - p[0] * v[2]) + along * p[1];
    double z = cosine * v[2] + sine * (p[0] * v[1] - p[1] * v[0]) + along * p[2];
    out[0] = x, out[1] = y, out[2] = z;
}
