/* A file of tests/disk.h: bytes, locks, shared memory. */
#ifndef TESTS_DISK_FILE_H
#define TESTS_DISK_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/random.h"

struct disk_file;

/* What becomes of changes that were not synced. */
enum disk_fate {
    DISK_ALL_IS_KEPT,
    DISK_ALL_IS_LOST,
    DISK_SOME_IS_LOST,
    DISK_SOME_IS_TORN,
    DISK_FATES
};

/* Empty, held once. */
struct disk_file *disk_file_new(bool is_journal);

/* Counts who holds it; the last frees it. Both accept NULL. */
void disk_file_hold(struct disk_file *file);
void disk_file_release(struct disk_file *file);

size_t disk_file_size(const struct disk_file *file);

/* False where it is shorter: zeros stand for the rest. */
bool disk_file_read(const struct disk_file *file, void *bytes, size_t n, size_t offset);
void disk_file_write(struct disk_file *file, const void *bytes, size_t n, size_t offset);
void disk_file_truncate(struct disk_file *file, size_t size);
void disk_file_sync(struct disk_file *file);

/* Was this the first sync of a journal? */
bool disk_file_is_new_journal(struct disk_file *file);

/* What a power cut leaves of it: a file of its own, held once. */
struct disk_file *disk_file_after_cut(
    const struct disk_file *file, enum disk_fate fate, int sector_size, struct random *random);

/* SQLite's locks, of one that holds `has` already. False: another is in the way. */
bool disk_file_lock(struct disk_file *file, int has, int wanted);
void disk_file_unlock(struct disk_file *file, int has, int kept);
bool disk_file_is_reserved(const struct disk_file *file);

/* A region of shared memory; NULL where there is none and may_make is false. */
void *disk_file_shm(struct disk_file *file, int region, size_t size, bool may_make);
void disk_file_shm_free(struct disk_file *file);

/* Locks of its slots, as bits. `mine`: those that the caller shares already. */
bool disk_file_shm_share(struct disk_file *file, unsigned slots);
bool disk_file_shm_exclude(struct disk_file *file, unsigned slots, unsigned mine);
void disk_file_shm_unlock(struct disk_file *file, unsigned shared, unsigned excluded);

#endif
