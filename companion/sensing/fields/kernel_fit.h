/* One fit, as the rooms of it share it: kernel_rows.c, kernel_bodies.c, kernel_equations.c, kernel_cholesky.c and
   kernel_fit.c. Bodies are sorted along the longer side of the board. */

#ifndef COMPANION_KERNEL_FIT_H
#define COMPANION_KERNEL_FIT_H

#include "kernel.h"

#include <stddef.h>

#define UNKNOWNS 7
#define BLOCK (UNKNOWNS * WIDE)

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

/* Which rows say something about which stone: near (N, S), and as lists, (N, S) of which stone_rows are used. */
void kernel_near(Fit *f, Columns c, const double *weight, char *near, int *lists);

/* Whether a row says something about both bodies. */
int kernel_meet(const Fit *f, const Body *a, const Body *b, const char *near, const int *lists);

/* All that depends on which rows are near, taken from the arena: the first time (no arena) only counted. 0 where the
   arena is too small. */
int kernel_lay_out(Fit *f, Columns c, const char *near, const int *lists, const double *measured, const double *weight);

/* A body's centre and the logarithm of its moment. */
void kernel_pose(Body *b, const Stone *stones);

/* The stones of all bodies after a step, into `to`. */
void kernel_move(const Fit *f, const double *step, const Stone *from, Stone *to);

/* Slopes and what is left over at these stones; returns the cost. Tables hold slopes times the rows' roots. */
double kernel_evaluate(Fit *f, const Stone *stones, double background, double *residual);

/* The normal equations of what was evaluated last. */
void kernel_square(Fit *f, double background);

/* The damped step into f->step (the background's last); its gain, NAN where there is none. */
double kernel_step(Fit *f, double damping);

#endif
