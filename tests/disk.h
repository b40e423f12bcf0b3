/* A disk in memory and SQLite's way to it, the VFS "disk". It tells of each call before it
** makes it, and may lose its power: what was written and not synced then is kept, lost, or
** torn. One for the program; not for threads. */
#ifndef TESTS_DISK_H
#define TESTS_DISK_H

#include <stdbool.h>

#include "tests/random.h"

enum disk_call {
    DISK_OPEN,
    DISK_READ,
    DISK_WRITE,
    DISK_TRUNCATE,
    DISK_SYNC,
    DISK_SIZE,
    DISK_LOCK,
    DISK_DELETE,
    DISK_ACCESS,
    DISK_SHM_MAP,
    DISK_SHM_LOCK,
    DISK_CALLS
};
extern const char *const disk_call_names[DISK_CALLS];

/* Is asked before each call but those that must succeed (close, unlock). What it returns,
** unless it is SQLITE_OK, is what the call returns, with nothing done. */
typedef int disk_watch(enum disk_call call);

/* Makes the VFS known to SQLite, which it does not take by default. */
void disk_install(void);

/* Takes all files away; none may be open. Writes are torn at sectors of that many bytes. */
void disk_clear(int sector_size);

/* NULL: nobody is asked. */
void disk_set_watch(disk_watch *watch);

/* How many files are open now. */
int disk_n_open(void);

/* The power is cut, and comes back. Connections that were open are dead: they may not even
** be closed. */
void disk_cut(struct random *random);

#endif
