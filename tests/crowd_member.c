/* One of a crowd. It excuses what a lock of another explains, and nothing else. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/crowd.h"
#include "tests/diff_result.h"

int sqlite3_lockstep_init(sqlite3 *db, char **error, const void *api);

enum { BUSY_MILLISECONDS = 20, STATEMENTS = 8, COMMITS_TRIED = 5 };

double crowd_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void crowd_fail(struct crowd_member *member, const char *format, ...)
{
    struct crowd_tally *tally = member->tally;
    va_list arguments;

    if (tally->has_failed)
        return;
    tally->has_failed = true;
    va_start(arguments, format);
    vsnprintf(tally->failure, sizeof(tally->failure), format, arguments);
    va_end(arguments);
}

void crowd_refused(struct crowd_member *member)
{
    member->tally->refusals++;
    if (member->has_shared_cache)
        sqlite3_sleep(1);
}

bool crowd_is_refusal(const struct crowd_member *member, int rc)
{
    rc &= 0xff;
    return rc == SQLITE_BUSY || rc == SQLITE_LOCKED ||
           (member->has_shared_cache && rc == SQLITE_ABORT);
}

bool crowd_run(struct crowd_member *member, int *rc_given, const char *format, ...)
{
    va_list arguments;
    char *text;
    int rc;

    va_start(arguments, format);
    text = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    rc = sqlite3_exec(member->db, text, NULL, NULL, NULL);
    if (crowd_is_refusal(member, rc))
        crowd_refused(member);
    else if (rc != SQLITE_OK && rc != SQLITE_CONSTRAINT)
        crowd_fail(member, "%s (%d)\n  in: %s", sqlite3_errmsg(member->db), rc, text);
    sqlite3_free(text);
    if (rc_given != NULL)
        *rc_given = rc;
    return !member->tally->has_failed && !crowd_is_refusal(member, rc);
}

static bool has_extension(const struct crowd_member *member)
{
    return member->role != CROWD_WRITES_PLAINLY && member->role != CROWD_READS_PLAINLY;
}

/* Opening reads the file, and so may find it locked. */
bool crowd_open(struct crowd_member *member)
{
    int flags =
        SQLITE_OPEN_READWRITE | (member->has_shared_cache ? SQLITE_OPEN_SHAREDCACHE : 0);
    int rc = sqlite3_open_v2(member->path, &member->db, flags, NULL);

    sqlite3_busy_timeout(member->db, BUSY_MILLISECONDS);
    if (rc == SQLITE_OK && has_extension(member))
        rc = sqlite3_lockstep_init(member->db, NULL, NULL);
    if (rc != SQLITE_OK && !crowd_is_refusal(member, rc))
        crowd_fail(member, "opening: %s", sqlite3_errmsg(member->db));
    if (rc != SQLITE_OK) {
        sqlite3_close(member->db);
        member->db = NULL;
        return false;
    }
    return crowd_run(member, NULL, "PRAGMA synchronous = OFF");
}

void crowd_close(struct crowd_member *member)
{
    if (sqlite3_close(member->db) != SQLITE_OK)
        crowd_fail(member, "closing: %s", sqlite3_errmsg(member->db));
    member->db = NULL;
}

/* Ends the transaction that a refusal or a failure has left. */
static void roll_back(struct crowd_member *member)
{
    if (!sqlite3_get_autocommit(member->db))
        crowd_run(member, NULL, "ROLLBACK");
}

/* A COMMIT that is refused leaves the transaction open, and is tried again. */
static bool commit(struct crowd_member *member)
{
    int rc = SQLITE_BUSY;

    for (int i = 0; i < COMMITS_TRIED && crowd_is_refusal(member, rc); i++) {
        member->tally->retries += i > 0;
        if (i == 2 && has_extension(member) && !crowd_compare(member, 20))
            return false;
        crowd_run(member, &rc, "COMMIT");
        if (member->tally->has_failed)
            return false;
    }
    member->tally->transactions += rc == SQLITE_OK;
    return rc == SQLITE_OK;
}

static bool command(struct crowd_member *member)
{
    static const char *const commands[] = {
        "store", "store", "rebuild", "integrity-check", NULL};
    char *name = crowd_some_view(member);
    bool goes_on = true;

    if (name != NULL)
        goes_on = crowd_run(member, NULL, "INSERT INTO %s(lockstep) VALUES('%s')", name,
            diff_random_word(&member->random, commands));
    sqlite3_free(name);
    return goes_on;
}

/* A statement of a transaction, the view being looked at between them. */
static bool step(struct crowd_member *member)
{
    struct diff_random *random = &member->random;

    if (diff_random_percent(random, 15))
        return crowd_run(member, NULL, "%s",
            diff_random_percent(random, 50)
                ? "SAVEPOINT s; UPDATE t SET y = y + 1 WHERE id < 9; ROLLBACK TO s; RELEASE s"
                : "SAVEPOINT s; DELETE FROM u WHERE id < 3; RELEASE s");
    if (has_extension(member) && diff_random_percent(random, 3))
        return command(member);
    if (member->role == CROWD_ALTERS && diff_random_percent(random, 10))
        return crowd_alter(member);
    if (!crowd_write(member))
        return false;
    return !has_extension(member) || !diff_random_percent(random, 30) ||
           crowd_compare(member, 15);
}

/* Writers see what they have written. */
static void transact(struct crowd_member *member)
{
    static const char *const begins[] = {
        "BEGIN", "BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", NULL};
    struct diff_random *random = &member->random;
    bool goes_on = crowd_run(member, NULL, "%s", diff_random_word(random, begins));
    bool is_to_stay = diff_random_percent(random, 80);
    unsigned n = 1 + diff_random_below(random, STATEMENTS);

    if (goes_on && has_extension(member) && diff_random_percent(random, 30))
        goes_on = crowd_compare(member, 10);
    while (goes_on && n-- > 0)
        goes_on = step(member);
    if (goes_on && is_to_stay)
        (void)commit(member);
    roll_back(member);
}

static void write_once(struct crowd_member *member)
{
    bool is_done = member->role == CROWD_ALTERS && diff_random_percent(&member->random, 15)
                       ? crowd_alter(member)
                       : crowd_write(member);

    member->tally->transactions += is_done;
}

/* A reader's transaction stays one. */
static void read_in_a_transaction(struct crowd_member *member)
{
    bool goes_on = crowd_run(member, NULL, "BEGIN");

    for (unsigned n = 1 + diff_random_below(&member->random, 3); goes_on && n > 0; n--) {
        goes_on = crowd_compare(member, 40);
        if (sqlite3_txn_state(member->db, NULL) == SQLITE_TXN_WRITE)
            crowd_fail(member, "a read has begun to write");
    }
    if (goes_on)
        (void)commit(member);
    roll_back(member);
}

static void work_once(struct crowd_member *member)
{
    bool reads = member->role == CROWD_READS || member->role == CROWD_READS_PLAINLY;

    if (has_extension(member) && diff_random_percent(&member->random, reads ? 50 : 10))
        (void)crowd_compare_singly(member);
    else if (reads)
        read_in_a_transaction(member);
    else if (diff_random_percent(&member->random, 40))
        write_once(member);
    else
        transact(member);
}

void crowd_work(struct crowd_member *member)
{
    while (!member->tally->has_failed && crowd_clock() < member->until) {
        if (member->db == NULL && !crowd_open(member))
            continue;
        work_once(member);
        if (diff_random_percent(&member->random, 1))
            crowd_close(member);
    }
    if (member->db != NULL)
        crowd_close(member);
}
