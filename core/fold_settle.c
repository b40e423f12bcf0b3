/* Bringing a lane over distinct values up to date with the multiset.
**
** An element is the value's comparison encoding and then its identity encoding, so that the
** elements of a class of equal values are neighbours; the first of them that is present stands
** for its class in the count and the sum. The changes come consolidated and ascending. A weight
** is looked at only after a retraction, the ends of the lane or of a class only after the loss
** of the one that was known: insertions cost one lookup a class where classes are counted, and
** none where they are not. */
#include "core/fold_lane.h"
#include "core/fold_values.h"

/* The element at one end of the lane. */
struct end {
    bool is_kept;
    bool is_first;
    bool is_lost; /* it left, and no other is known yet */
    struct zs_buffer *element;
};

/* What stands for a class; element is empty where nothing does. */
struct standing {
    struct zs_buffer element;
    int64_t weight;
};

struct settling {
    struct zs_lane *lane;
    struct zs_values values;
    struct end ends[2];
    struct standing before;   /* its weight follows the changes */
    struct zs_buffer least;   /* the first of a class's changes that is present after it */
    struct zs_buffer element; /* of the change in hand */
};

static bool counts_classes(const struct zs_lane *lane)
{
    return (lane->plan->keeps & (ZS_KEEPS_COUNT | ZS_KEEPS_SUM)) != 0;
}

/* Makes the element of an identity-encoded value, empty for none. */
static int load_end(struct zs_lane *lane, struct zs_bytes identity, struct zs_buffer *element)
{
    struct zs_value value;
    size_t at = 0;
    int rc;

    zs_buffer_reset(element);
    if (identity.len == 0)
        return ZS_OK;
    rc = zs_row_read(identity, &at, &value);
    if (rc == ZS_OK)
        rc = zs_row_append_comparison(element, &value, lane->plan->collation);
    if (rc == ZS_OK)
        rc = zs_buffer_append(element, identity.data, identity.len);
    return rc;
}

static int identity_of(struct zs_bytes element, struct zs_bytes *identity)
{
    size_t at = 0;
    int rc = element.len == 0 ? ZS_OK : zs_row_skip_comparison(element, &at);

    *identity = (struct zs_bytes){0};
    if (rc == ZS_OK && element.len > 0)
        *identity = (struct zs_bytes){element.data + at, element.len - at};
    return rc;
}

static void note_gone(struct end *end, struct zs_bytes element)
{
    if (end->is_kept && zs_bytes_equal(zs_buffer_bytes(end->element), element))
        end->is_lost = true;
}

/* An end that was lost lies before what comes later: as a last one it may be replaced here. */
static int note_present(struct end *end, struct zs_bytes element)
{
    int order;

    if (!end->is_kept)
        return ZS_OK;
    order = zs_bytes_compare(element, zs_buffer_bytes(end->element));
    if (end->element->len > 0 && (end->is_first ? order >= 0 : order <= 0))
        return ZS_OK;
    end->is_lost = false;
    return zs_buffer_set(end->element, element);
}

/* The weight that a change of weight leaves, looked up only where it may be none. */
static int weight_left(
    struct settling *settling, struct zs_bytes element, int64_t weight, int64_t *left)
{
    struct standing *before = &settling->before;
    int rc = ZS_OK;

    *left = weight;
    if (zs_bytes_equal(zs_buffer_bytes(&before->element), element)) {
        before->weight += weight;
        *left = before->weight;
    } else if (weight < 0 && !(counts_classes(settling->lane) && before->element.len == 0)) {
        rc = zs_values_weight(&settling->values, element, left);
    }
    return rc == ZS_OK && *left < 0 ? ZS_CORRUPT : rc;
}

static int settle_change(struct settling *settling, const struct zs_item *change)
{
    struct zs_bytes element;
    int64_t left = 0;
    int rc = zs_buffer_set(&settling->element, change->key);

    if (rc == ZS_OK)
        rc = zs_buffer_append(&settling->element, change->value.data, change->value.len);
    element = zs_buffer_bytes(&settling->element);
    if (rc == ZS_OK)
        rc = zs_values_apply(&settling->values, element, change->weight);
    if (rc == ZS_OK)
        rc = weight_left(settling, element, change->weight, &left);
    if (rc == ZS_OK && left > 0 && settling->least.len == 0)
        rc = zs_buffer_set(&settling->least, element);
    for (int i = 0; rc == ZS_OK && i < 2; i++) {
        if (left > 0)
            rc = note_present(&settling->ends[i], element);
        else
            note_gone(&settling->ends[i], element);
    }
    return rc;
}

static int find_before(struct settling *settling, struct zs_bytes class)
{
    struct zs_bytes element = {0};
    int rc = ZS_OK;

    settling->before.weight = 0;
    if (counts_classes(settling->lane))
        rc = zs_values_end(&settling->values, class, true, &element, &settling->before.weight);
    if (rc == ZS_OK)
        rc = zs_buffer_set(&settling->before.element, element);
    return rc;
}

static int find_after(
    struct settling *settling, struct zs_bytes class, struct zs_bytes *element)
{
    struct zs_bytes before = zs_buffer_bytes(&settling->before.element);
    struct zs_bytes least = zs_buffer_bytes(&settling->least);
    int64_t weight;

    *element = least;
    if (before.len == 0)
        return ZS_OK;
    if (settling->before.weight == 0)
        return zs_values_end(&settling->values, class, true, element, &weight);
    if (least.len == 0 || zs_bytes_compare(before, least) < 0)
        *element = before;
    return ZS_OK;
}

static int count_element(struct zs_lane *lane, struct zs_bytes element, int64_t weight)
{
    struct zs_bytes identity;
    struct zs_value value;
    size_t at = 0;
    int rc = identity_of(element, &identity);

    if (rc == ZS_OK && identity.len == 0)
        return ZS_OK;
    if (rc == ZS_OK)
        rc = zs_row_read(identity, &at, &value);
    if (rc == ZS_OK)
        rc = zs_lane_count(lane, &value, weight);
    return rc;
}

/* Equal values, and what stands for them. */
static int settle_class(struct settling *settling, const struct zs_item *changes, size_t n)
{
    struct zs_bytes after;
    int rc = find_before(settling, changes[0].key);

    zs_buffer_reset(&settling->least);
    for (size_t i = 0; rc == ZS_OK && i < n; i++)
        rc = settle_change(settling, &changes[i]);
    if (rc != ZS_OK || !counts_classes(settling->lane))
        return rc;
    rc = find_after(settling, changes[0].key, &after);
    if (rc != ZS_OK || zs_bytes_equal(after, zs_buffer_bytes(&settling->before.element)))
        return rc;
    rc = count_element(settling->lane, zs_buffer_bytes(&settling->before.element), -1);
    if (rc == ZS_OK)
        rc = count_element(settling->lane, after, 1);
    return rc;
}

static int settle_classes(struct settling *settling)
{
    const struct zs_item *changes = zs_batch_items(settling->lane->changes->items);
    size_t n = zs_batch_len(settling->lane->changes->items);
    size_t end;
    int rc = ZS_OK;

    for (size_t i = 0; rc == ZS_OK && i < n; i = end) {
        end = i + 1;
        while (end < n && zs_bytes_equal(changes[i].key, changes[end].key))
            end++;
        rc = settle_class(settling, &changes[i], end - i);
    }
    return rc;
}

static int settle_end(struct settling *settling, struct end *end, struct zs_bytes *identity)
{
    static const struct zs_bytes all = {0};
    struct zs_bytes element;
    int64_t weight;
    int rc = ZS_OK;

    if (!end->is_kept)
        return ZS_OK;
    if (end->is_lost)
        rc = zs_values_end(&settling->values, all, end->is_first, &element, &weight);
    if (rc == ZS_OK && end->is_lost)
        rc = zs_buffer_set(end->element, element);
    if (rc == ZS_OK)
        rc = identity_of(zs_buffer_bytes(end->element), identity);
    return rc;
}

static int settle(struct settling *settling)
{
    struct zs_lane *lane = settling->lane;
    int rc = ZS_OK;

    if ((lane->plan->keeps & ZS_KEEPS_FIRST) != 0)
        rc = load_end(lane, lane->first, settling->ends[0].element);
    if (rc == ZS_OK && (lane->plan->keeps & ZS_KEEPS_LAST) != 0)
        rc = load_end(lane, lane->last, settling->ends[1].element);
    if (rc == ZS_OK)
        rc = settle_classes(settling);
    if (rc == ZS_OK)
        rc = settle_end(settling, &settling->ends[0], &lane->first);
    if (rc == ZS_OK)
        rc = settle_end(settling, &settling->ends[1], &lane->last);
    return rc;
}

static int settle_changes(
    struct zs_lane *lane, struct zs_bytes group, struct zs_trace *multiset)
{
    const struct zs_alloc *alloc = zs_lane_alloc(lane);
    struct settling settling = {
        .lane = lane,
        .ends = {{.is_kept = (lane->plan->keeps & ZS_KEEPS_FIRST) != 0,
                     .is_first = true,
                     .element = &lane->changes->first_element},
            {.is_kept = (lane->plan->keeps & ZS_KEEPS_LAST) != 0,
                .element = &lane->changes->last_element}},
    };
    int rc;

    zs_buffer_init(&settling.before.element, alloc);
    zs_buffer_init(&settling.least, alloc);
    zs_buffer_init(&settling.element, alloc);
    rc = zs_values_open(&settling.values, alloc, multiset, group, lane->plan->slot);
    if (rc == ZS_OK)
        rc = settle(&settling);
    zs_values_close(&settling.values);
    zs_buffer_clear(&settling.before.element);
    zs_buffer_clear(&settling.least);
    zs_buffer_clear(&settling.element);
    return rc;
}

int zs_lane_settle(struct zs_lane *lane, struct zs_bytes group, struct zs_trace *multiset)
{
    int rc;

    if (lane->changes == NULL)
        return ZS_OK;
    rc = zs_batch_consolidate(lane->changes->items);
    if (rc != ZS_OK || zs_batch_len(lane->changes->items) == 0)
        return rc;
    return settle_changes(lane, group, multiset);
}
