/* Rows are told apart by a hash of their bytes. */
#include "tests/diff_course.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool has(const struct diff_hashes *hashes, uint64_t item)
{
    return hashes->n > 0 && bsearch(&item, hashes->items, hashes->n, sizeof item, compare);
}

static uint64_t hash_of(const struct diff_result *rows, size_t i)
{
    return XXH3_64bits(rows->bytes + rows->rows[i].at, rows->rows[i].len);
}

/* Sorts, and leaves each out that is there already. */
static void settle(struct diff_hashes *hashes)
{
    size_t n = 0;

    if (hashes->n > 0)
        qsort(hashes->items, hashes->n, sizeof *hashes->items, compare);
    for (size_t i = 0; i < hashes->n; i++) {
        if (n == 0 || hashes->items[n - 1] != hashes->items[i])
            hashes->items[n++] = hashes->items[i];
    }
    hashes->n = n;
}

static void add_all(struct diff_hashes *to, const struct diff_hashes *from)
{
    to->items = diff_resize(to->items, (to->n + from->n + 1) * sizeof *to->items);
    for (size_t i = 0; i < from->n; i++)
        to->items[to->n++] = from->items[i];
    settle(to);
}

static void count_values(struct diff_course *course, const struct diff_result *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        size_t at = rows->rows[i].at, end = at + rows->rows[i].len;
        while (at < end) {
            course->nulls += diff_result_value(rows, &at).type == SQLITE_NULL;
            course->values++;
        }
    }
}

void diff_course_note(
    struct diff_course *course, const struct diff_result *rows, unsigned tables)
{
    struct diff_hashes now = {diff_resize(NULL, (rows->n + 1) * sizeof *now.items), rows->n};
    unsigned changed = course->changed & tables;

    for (size_t i = 0; i < rows->n; i++)
        now.items[i] = hash_of(rows, i);
    settle(&now);
    for (size_t i = 0; i < course->shown.n; i++)
        course->went += !has(&now, course->shown.items[i]);
    for (size_t i = 0; i < now.n; i++)
        course->returned +=
            !has(&course->shown, now.items[i]) && has(&course->ever, now.items[i]);
    add_all(&course->ever, &now);
    free(course->shown.items);
    course->shown = now;
    course->reads += changed != 0;
    course->reads_of_several += (changed & (changed - 1)) != 0;
    course->changed = 0;
    count_values(course, rows);
}

void diff_course_free(struct diff_course *course)
{
    free(course->shown.items);
    free(course->ever.items);
}
