/* A file in memory, what is durable of it, and the changes since. */
#include "tests/disk_file.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "tests/must.h"

enum { SHM_SLOTS = 8, SHM_REGIONS = 64 };

struct bytes {
    unsigned char *at;
    size_t n, cap;
};

/* Bytes written, or for is_size the file's new size, its offset. */
struct change {
    struct change *next;
    bool is_size;
    size_t offset, n;
    unsigned char bytes[];
};

struct disk_file {
    int holders;
    bool is_journal;
    struct bytes seen, durable;
    struct change *first, **end; /* since the last sync */
    int n_shared;                /* connections with SHARED or more */
    bool is_reserved, is_exclusive;
    void *regions[SHM_REGIONS];
    int n_sharing[SHM_SLOTS];
    unsigned excluded; /* slots */
};

/* Zeros stand where it grows. */
static void resize(struct bytes *bytes, size_t n)
{
    if (n > bytes->cap) {
        bytes->cap = 2 * n;
        bytes->at = realloc(bytes->at, bytes->cap);
        must(bytes->at != NULL);
    }
    if (n > bytes->n)
        memset(bytes->at + bytes->n, 0, n - bytes->n);
    bytes->n = n;
}

static void put(struct bytes *bytes, const void *from, size_t n, size_t offset)
{
    if (offset + n > bytes->n)
        resize(bytes, offset + n);
    memcpy(bytes->at + offset, from, n);
}

static void copy(struct bytes *to, const struct bytes *from)
{
    resize(to, from->n);
    if (from->n > 0)
        memcpy(to->at, from->at, from->n);
}

struct disk_file *disk_file_new(bool is_journal)
{
    struct disk_file *file = calloc(1, sizeof(*file));

    must(file != NULL);
    file->holders = 1;
    file->is_journal = is_journal;
    file->end = &file->first;
    return file;
}

static void forget_changes(struct disk_file *file)
{
    for (struct change *change = file->first, *next; change != NULL; change = next) {
        next = change->next;
        free(change);
    }
    file->first = NULL;
    file->end = &file->first;
}

void disk_file_hold(struct disk_file *file)
{
    if (file != NULL)
        file->holders++;
}

void disk_file_release(struct disk_file *file)
{
    if (file == NULL || --file->holders > 0)
        return;
    forget_changes(file);
    disk_file_shm_free(file);
    free(file->seen.at);
    free(file->durable.at);
    free(file);
}

size_t disk_file_size(const struct disk_file *file)
{
    return file->seen.n;
}

bool disk_file_read(const struct disk_file *file, void *bytes, size_t n, size_t offset)
{
    size_t there = offset >= file->seen.n ? 0 : file->seen.n - offset;

    if (there > n)
        there = n;
    if (there > 0)
        memcpy(bytes, file->seen.at + offset, there);
    memset((char *)bytes + there, 0, n - there);
    return there == n;
}

static void note(
    struct disk_file *file, bool is_size, const void *bytes, size_t n, size_t offset)
{
    struct change *change = malloc(sizeof(*change) + n);

    must(change != NULL);
    *change = (struct change){NULL, is_size, offset, n};
    if (n > 0)
        memcpy(change->bytes, bytes, n);
    *file->end = change;
    file->end = &change->next;
}

void disk_file_write(struct disk_file *file, const void *bytes, size_t n, size_t offset)
{
    put(&file->seen, bytes, n, offset);
    note(file, false, bytes, n, offset);
}

void disk_file_truncate(struct disk_file *file, size_t size)
{
    resize(&file->seen, size);
    note(file, true, NULL, 0, size);
}

void disk_file_sync(struct disk_file *file)
{
    copy(&file->durable, &file->seen);
    forget_changes(file);
}

bool disk_file_is_new_journal(struct disk_file *file)
{
    bool is_new = file->is_journal;

    file->is_journal = false;
    return is_new;
}

/* Each sector that a write touches is kept, lost, or is nonsense where it was written. */
static void tear(
    struct bytes *kept, const struct change *change, size_t sector_size, struct random *random)
{
    size_t at = 0;

    while (at < change->n) {
        size_t n = sector_size - (change->offset + at) % sector_size;
        unsigned what = random_below(random, 5);

        if (n > change->n - at)
            n = change->n - at;
        if (what < 4 && what != 0)
            put(kept, change->bytes + at, n, change->offset + at);
        if (what == 4)
            for (size_t i = at; i < at + n; i++) {
                unsigned char nonsense = (unsigned char)random_below(random, 256);

                put(kept, &nonsense, 1, change->offset + i);
            }
        at += n;
    }
}

struct disk_file *disk_file_after_cut(
    const struct disk_file *file, enum disk_fate fate, int sector_size, struct random *random)
{
    struct disk_file *after = disk_file_new(false);
    struct bytes *kept = &after->seen;

    copy(kept, fate == DISK_ALL_IS_KEPT ? &file->seen : &file->durable);
    for (const struct change *change = file->first; change != NULL && fate >= DISK_SOME_IS_LOST;
         change = change->next) {
        if (fate == DISK_SOME_IS_TORN && !change->is_size && random_once_in(random, 2))
            tear(kept, change, (size_t)sector_size, random);
        else if (random_once_in(random, 2))
            continue;
        else if (change->is_size)
            resize(kept, change->offset);
        else
            put(kept, change->bytes, change->n, change->offset);
    }
    copy(&after->durable, kept);
    return after;
}

/* Locks. */

bool disk_file_lock(struct disk_file *file, int has, int wanted)
{
    if (wanted == SQLITE_LOCK_SHARED) {
        if (file->is_exclusive)
            return false;
        file->n_shared++;
    } else if (wanted == SQLITE_LOCK_RESERVED) {
        if (file->is_reserved)
            return false;
        file->is_reserved = true;
    } else {
        if (file->is_reserved && has < SQLITE_LOCK_RESERVED)
            return false;
        if (file->n_shared > 1)
            return false;
        file->is_reserved = file->is_exclusive = true;
    }
    return true;
}

void disk_file_unlock(struct disk_file *file, int has, int kept)
{
    if (has > kept && has >= SQLITE_LOCK_RESERVED)
        file->is_reserved = file->is_exclusive = false;
    if (has > SQLITE_LOCK_NONE && kept == SQLITE_LOCK_NONE)
        file->n_shared--;
}

bool disk_file_is_reserved(const struct disk_file *file)
{
    return file->is_reserved;
}

/* Shared memory. */

void *disk_file_shm(struct disk_file *file, int region, size_t size, bool may_make)
{
    must(region < SHM_REGIONS);
    if (file->regions[region] == NULL && may_make) {
        file->regions[region] = calloc(1, size);
        must(file->regions[region] != NULL);
    }
    return file->regions[region];
}

void disk_file_shm_free(struct disk_file *file)
{
    for (int i = 0; i < SHM_REGIONS; i++) {
        free(file->regions[i]);
        file->regions[i] = NULL;
    }
}

static bool has_slot(unsigned slots, int i)
{
    return (slots >> i & 1) != 0;
}

bool disk_file_shm_share(struct disk_file *file, unsigned slots)
{
    if ((file->excluded & slots) != 0)
        return false;
    for (int i = 0; i < SHM_SLOTS; i++)
        file->n_sharing[i] += has_slot(slots, i);
    return true;
}

bool disk_file_shm_exclude(struct disk_file *file, unsigned slots, unsigned mine)
{
    for (int i = 0; i < SHM_SLOTS; i++)
        if (has_slot(slots, i) &&
            (has_slot(file->excluded, i) || file->n_sharing[i] > has_slot(mine, i)))
            return false;
    file->excluded |= slots;
    return true;
}

void disk_file_shm_unlock(struct disk_file *file, unsigned shared, unsigned excluded)
{
    for (int i = 0; i < SHM_SLOTS; i++)
        file->n_sharing[i] -= has_slot(shared, i);
    file->excluded &= ~excluded;
}
