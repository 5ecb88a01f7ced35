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
static void add_field(const Stone *s, double constant, Columns c, long n, double *restrict out) {
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

#define LANES 8 /* rows at a time, so that the sums stay in registers */

void kernel_slopes(const Stone *s, double constant, Columns c, long n, double *restrict sums) {
    Nodes nodes = nodes_of(s, constant);
    double ux = s->axis[0], uy = s->axis[1], uz = s->axis[2];
    for (long first = 0; first < n; first += LANES) {
        long lanes = n - first < LANES ? n - first : LANES;
        double x[LANES], y[LANES], z[LANES], ax[LANES], ay[LANES], az[LANES], gamma[LANES], sum[SUMS][LANES];
        for (int r = 0; r < LANES; r++) {
            long at = first + (r < lanes ? r : 0);
            x[r] = c.x[at], y[r] = c.y[at], z[r] = c.z[at];
            ax[r] = c.ax[at], ay[r] = c.ay[at], az[r] = c.az[at];
            gamma[r] = ux * ax[r] + uy * ay[r] + uz * az[r];
        }
        memset(sum, 0, sizeof sum);
        for (int k = 0; k < nodes.count; k++) {
            double along = nodes.along[k], across = nodes.across[k], scale = nodes.scale[k];
            double px = s->place[0] + along * ux + across * s->side[0];
            double py = s->place[1] + along * uy + across * s->side[1];
            double pz = s->place[2] + along * uz + across * s->side[2];
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
                sum[FIELD][r] += strength * (3.0 * mixed - gamma[r]);
                sum[G][r] += gx, sum[G + 1][r] += gy, sum[G + 2][r] += gz;
                sum[BY_U][r] += by_u * dx - strength * ax[r] - along * gx;
                sum[BY_U + 1][r] += by_u * dy - strength * ay[r] - along * gy;
                sum[BY_U + 2][r] += by_u * dz - strength * az[r] - along * gz;
                sum[BY_SIDE][r] += across * gx, sum[BY_SIDE + 1][r] += across * gy, sum[BY_SIDE + 2][r] += across * gz;
            }
        }
        for (int k = 0; k < SUMS; k++)
            for (long r = 0; r < lanes; r++) sums[k * n + first + r] = sum[k][r];
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
