/* An element is a byte, the argument's comparison encoding, its identity encoding, and the
** values that would stand for the group, identity-encoded. Among equal arguments the order of
** identities decides, as it does for min and max: so those are of the same row. NULLs are
** neither the least nor the greatest unless there is nothing else: the byte keeps them away
** from the end that is looked at. */
#include "core/fold_choice.h"

int zs_choice_append(const struct zs_choice_plan *plan, struct zs_bytes row, size_t at,
    struct zs_buffer *element)
{
    struct zs_bytes keys = {row.data, at};
    struct zs_value value;
    bool is_null;
    int rc = ZS_OK;

    for (unsigned i = 0; rc == ZS_OK && i < plan->argument; i++)
        rc = zs_row_skip(row, &at);
    if (rc == ZS_OK)
        rc = zs_row_read(row, &at, &value);
    if (rc != ZS_OK)
        return rc;
    is_null = value.type == ZS_NULL;
    rc = zs_buffer_append_byte(element, is_null == (plan->choice == ZS_LEAST_ROW));
    if (rc == ZS_OK)
        rc = zs_row_append_comparison(element, &value, plan->collation);
    if (rc == ZS_OK)
        rc = zs_row_append_identity(element, &value);
    return rc == ZS_OK ? zs_buffer_append(element, keys.data, keys.len) : rc;
}

int zs_choice_find(
    const struct zs_choice_plan *plan, struct zs_values *values, struct zs_bytes *keys)
{
    static const struct zs_bytes all = {0};
    struct zs_bytes element;
    int64_t weight;
    size_t at = 1;
    int rc = zs_values_end(values, all, plan->choice == ZS_LEAST_ROW, &element, &weight);

    *keys = (struct zs_bytes){0};
    if (rc == ZS_OK && element.len == 0)
        rc = ZS_CORRUPT;
    if (rc == ZS_OK)
        rc = zs_row_skip_comparison(element, &at);
    if (rc == ZS_OK)
        rc = zs_row_skip(element, &at);
    if (rc == ZS_OK)
        *keys = (struct zs_bytes){element.data + at, element.len - at};
    return rc;
}
