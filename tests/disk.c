/* A disk in memory: files by their names, and the VFS over them.
**
** A file is what programs see of it, what is durable of it, and the changes since. To sync
** is to make it durable as it is seen. Names are durable from the next sync of the folder
** on, which SQLite asks for when it deletes a file, and which the unix VFS does with the
** first sync of a new journal. */
#include "tests/disk.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/disk_file.h"
#include "tests/must.h"

const char *const disk_call_names[DISK_CALLS] = {"open", "read", "write", "truncate", "sync",
    "size", "lock", "delete", "access", "shm-map", "shm-lock"};

enum { MAX_NAMES = 32 };

static struct {
    struct name {
        char *text;
        struct disk_file *seen, *durable; /* NULL: there is none */
    } names[MAX_NAMES];
    int n_names;
    int n_open;
    int sector_size;
    disk_watch *watch;
} disk;

/* What SQLite has of an open file. */
struct handle {
    sqlite3_file base; /* first */
    struct disk_file *file;
    int lock;            /* SQLITE_LOCK_... */
    unsigned shared_shm; /* bits: the slots that it has locked */
    unsigned exclusive_shm;
};

static int asked(enum disk_call call)
{
    return disk.watch == NULL ? SQLITE_OK : disk.watch(call);
}

static struct name *name_of(const char *text)
{
    for (int i = 0; i < disk.n_names; i++)
        if (strcmp(disk.names[i].text, text) == 0)
            return &disk.names[i];
    return NULL;
}

static struct name *make_name(const char *text)
{
    struct name *name = name_of(text);

    if (name != NULL)
        return name;
    must(disk.n_names < MAX_NAMES);
    name = &disk.names[disk.n_names++];
    *name = (struct name){strdup(text), NULL, NULL};
    must(name->text != NULL);
    return name;
}

static void sync_names(void)
{
    for (int i = 0; i < disk.n_names; i++) {
        struct name *name = &disk.names[i];

        disk_file_hold(name->seen);
        disk_file_release(name->durable);
        name->durable = name->seen;
    }
}

void disk_clear(int sector_size)
{
    must(disk.n_open == 0);
    for (int i = 0; i < disk.n_names; i++) {
        disk_file_release(disk.names[i].seen);
        disk_file_release(disk.names[i].durable);
        free(disk.names[i].text);
    }
    disk.n_names = 0;
    disk.sector_size = sector_size;
}

void disk_set_watch(disk_watch *watch)
{
    disk.watch = watch;
}

int disk_n_open(void)
{
    return disk.n_open;
}

void disk_cut(struct random *random)
{
    enum disk_fate fate = random_below(random, DISK_FATES);

    disk.n_open = 0;
    disk.watch = NULL;
    for (int i = 0; i < disk.n_names; i++) {
        struct name *name = &disk.names[i];
        struct disk_file *kept = fate == DISK_ALL_IS_KEPT    ? name->seen
                                 : fate == DISK_ALL_IS_LOST  ? name->durable
                                 : random_once_in(random, 2) ? name->seen
                                                             : name->durable;

        name->seen = name->durable = NULL;
        if (kept != NULL)
            name->seen = disk_file_after_cut(kept, fate, disk.sector_size, random);
        disk_file_hold(name->seen);
        name->durable = name->seen;
    }
}

/* Files. */

static struct handle *handle_of(sqlite3_file *file)
{
    return (struct handle *)file;
}

static int disk_close(sqlite3_file *base)
{
    struct handle *handle = handle_of(base);

    disk_file_unlock(handle->file, handle->lock, SQLITE_LOCK_NONE);
    disk_file_release(handle->file);
    disk.n_open--;
    return SQLITE_OK;
}

static int disk_read(sqlite3_file *base, void *bytes, int n, sqlite3_int64 offset)
{
    int rc = asked(DISK_READ);

    if (rc != SQLITE_OK)
        return rc;
    return disk_file_read(handle_of(base)->file, bytes, (size_t)n, (size_t)offset)
               ? SQLITE_OK
               : SQLITE_IOERR_SHORT_READ;
}

static int disk_write(sqlite3_file *base, const void *bytes, int n, sqlite3_int64 offset)
{
    int rc = asked(DISK_WRITE);

    if (rc == SQLITE_OK)
        disk_file_write(handle_of(base)->file, bytes, (size_t)n, (size_t)offset);
    return rc;
}

static int disk_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    int rc = asked(DISK_TRUNCATE);

    if (rc == SQLITE_OK)
        disk_file_truncate(handle_of(base)->file, (size_t)size);
    return rc;
}

static int disk_sync(sqlite3_file *base, int flags)
{
    struct disk_file *file = handle_of(base)->file;
    int rc = asked(DISK_SYNC);

    (void)flags;
    if (rc != SQLITE_OK)
        return rc;
    disk_file_sync(file);
    if (disk_file_is_new_journal(file))
        sync_names();
    return SQLITE_OK;
}

static int disk_size(sqlite3_file *base, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)disk_file_size(handle_of(base)->file);
    return asked(DISK_SIZE);
}

static int disk_lock(sqlite3_file *base, int lock)
{
    struct handle *handle = handle_of(base);
    int rc = asked(DISK_LOCK);

    if (rc != SQLITE_OK || lock <= handle->lock)
        return rc;
    if (!disk_file_lock(handle->file, handle->lock, lock))
        return SQLITE_BUSY;
    handle->lock = lock;
    return SQLITE_OK;
}

static int disk_unlock(sqlite3_file *base, int lock)
{
    struct handle *handle = handle_of(base);

    disk_file_unlock(handle->file, handle->lock, lock);
    handle->lock = lock < handle->lock ? lock : handle->lock;
    return SQLITE_OK;
}

static int disk_is_reserved(sqlite3_file *base, int *is_reserved)
{
    *is_reserved = disk_file_is_reserved(handle_of(base)->file);
    return asked(DISK_LOCK);
}

static int disk_control(sqlite3_file *base, int what, void *argument)
{
    (void)base;
    (void)what;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int disk_sector_size(sqlite3_file *base)
{
    (void)base;
    return disk.sector_size;
}

/* As the unix VFS has it. */
static int disk_characteristics(sqlite3_file *base)
{
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int disk_shm_map(
    sqlite3_file *base, int region, int size, int may_extend, void volatile **at)
{
    int rc = asked(DISK_SHM_MAP);

    *at = NULL;
    if (rc == SQLITE_OK)
        *at = disk_file_shm(handle_of(base)->file, region, (size_t)size, may_extend != 0);
    return rc;
}

static int disk_shm_lock(sqlite3_file *base, int first, int n, int flags)
{
    struct handle *handle = handle_of(base);
    unsigned slots = ((1U << n) - 1) << first;
    bool is_unlock = (flags & SQLITE_SHM_UNLOCK) != 0;
    int rc = is_unlock ? SQLITE_OK : asked(DISK_SHM_LOCK);

    if (rc != SQLITE_OK)
        return rc;
    if (is_unlock) {
        disk_file_shm_unlock(
            handle->file, slots & handle->shared_shm, slots & handle->exclusive_shm);
        handle->shared_shm &= ~slots;
        handle->exclusive_shm &= ~slots;
        return SQLITE_OK;
    }
    if ((flags & SQLITE_SHM_SHARED) != 0) {
        if ((handle->shared_shm & slots) != 0)
            return SQLITE_OK;
        if (!disk_file_shm_share(handle->file, slots))
            return SQLITE_BUSY;
        handle->shared_shm |= slots;
        return SQLITE_OK;
    }
    if (!disk_file_shm_exclude(handle->file, slots, handle->shared_shm))
        return SQLITE_BUSY;
    handle->exclusive_shm |= slots;
    return SQLITE_OK;
}

static void disk_shm_barrier(sqlite3_file *base)
{
    (void)base;
}

static int disk_shm_unmap(sqlite3_file *base, int also_delete)
{
    if (also_delete)
        disk_file_shm_free(handle_of(base)->file);
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = disk_close,
    .xRead = disk_read,
    .xWrite = disk_write,
    .xTruncate = disk_truncate,
    .xSync = disk_sync,
    .xFileSize = disk_size,
    .xLock = disk_lock,
    .xUnlock = disk_unlock,
    .xCheckReservedLock = disk_is_reserved,
    .xFileControl = disk_control,
    .xSectorSize = disk_sector_size,
    .xDeviceCharacteristics = disk_characteristics,
    .xShmMap = disk_shm_map,
    .xShmLock = disk_shm_lock,
    .xShmBarrier = disk_shm_barrier,
    .xShmUnmap = disk_shm_unmap,
};

/* The VFS. */

enum { JOURNALS = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL };

static int disk_open(
    sqlite3_vfs *vfs, sqlite3_filename text, sqlite3_file *base, int flags, int *flags_out)
{
    struct handle *handle = handle_of(base);
    struct name *name = text == NULL ? NULL : make_name(text);
    struct disk_file *file = name == NULL ? NULL : name->seen;
    int rc = asked(DISK_OPEN);

    (void)vfs;
    memset(handle, 0, sizeof(*handle));
    if (rc == SQLITE_OK && file == NULL && text != NULL && (flags & SQLITE_OPEN_CREATE) == 0)
        rc = SQLITE_CANTOPEN;
    if (rc != SQLITE_OK)
        return rc;
    if (file == NULL) {
        file = disk_file_new((flags & JOURNALS) != 0);
        if (name != NULL)
            name->seen = file; /* which holds it: an unnamed one is held by its handle alone */
    }
    if (name != NULL)
        disk_file_hold(file);
    handle->file = file;
    handle->base.pMethods = &methods;
    disk.n_open++;
    if (flags_out != NULL)
        *flags_out = flags;
    return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *text, int syncs_folder)
{
    struct name *name = name_of(text);
    int rc = asked(DISK_DELETE);

    (void)vfs;
    if (rc != SQLITE_OK)
        return rc;
    if (name == NULL || name->seen == NULL)
        return SQLITE_IOERR_DELETE_NOENT;
    disk_file_release(name->seen);
    name->seen = NULL;
    if (syncs_folder)
        sync_names();
    return SQLITE_OK;
}

/* As the unix VFS has it, an empty file does not exist. */
static int disk_access(sqlite3_vfs *vfs, const char *text, int flags, int *is_there)
{
    struct name *name = name_of(text);

    (void)vfs;
    *is_there = name != NULL && name->seen != NULL &&
                (flags != SQLITE_ACCESS_EXISTS || disk_file_size(name->seen) > 0);
    return asked(DISK_ACCESS);
}

static int disk_full_path(sqlite3_vfs *vfs, const char *text, int n, char *path)
{
    (void)vfs;
    sqlite3_snprintf(n, path, "%s", text);
    return SQLITE_OK;
}

static sqlite3_vfs *below(sqlite3_vfs *vfs)
{
    return vfs->pAppData;
}

static int disk_randomness(sqlite3_vfs *vfs, int n, char *bytes)
{
    return below(vfs)->xRandomness(below(vfs), n, bytes);
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    return microseconds;
}

static int disk_time(sqlite3_vfs *vfs, double *now)
{
    return below(vfs)->xCurrentTime(below(vfs), now);
}

static int disk_last_error(sqlite3_vfs *vfs, int n, char *text)
{
    (void)vfs;
    (void)n;
    (void)text;
    return 0;
}

void disk_install(void)
{
    static sqlite3_vfs vfs = {
        .iVersion = 1,
        .szOsFile = sizeof(struct handle),
        .mxPathname = 100,
        .zName = "disk",
        .xOpen = disk_open,
        .xDelete = disk_delete,
        .xAccess = disk_access,
        .xFullPathname = disk_full_path,
        .xRandomness = disk_randomness,
        .xSleep = disk_sleep,
        .xCurrentTime = disk_time,
        .xGetLastError = disk_last_error,
    };

    vfs.pAppData = sqlite3_vfs_find(NULL);
    must(sqlite3_vfs_register(&vfs, 0) == SQLITE_OK);
    disk_clear(4096);
}
