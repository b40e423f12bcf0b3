/* What a group of an SQL fold reads as. Private to fold*.c. */
#ifndef ZS_FOLD_READ_H
#define ZS_FOLD_READ_H

#include "core/fold_group.h"

/* A spec, and the lane or the refold that serves it; of ZS_COUNT_ROWS it is not looked at. */
struct zs_fold_column {
    struct zs_fold_spec spec;
    unsigned lane;
};

/* Appends the group's row, or the message of the first column that cannot be read. */
ZS_CHECKED int zs_group_read(const struct zs_group *group, const struct zs_fold_column *columns,
    unsigned n_columns, struct zs_buffer *result, enum zs_reading *reading);

#endif
