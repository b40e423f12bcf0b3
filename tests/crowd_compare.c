/* A view beside its query, as one of a crowd sees both at one moment. */
#include <stdlib.h>

#include "tests/crowd.h"
#include "tests/diff_result.h"

/* Reads rows; a lock of another is no failure. */
static bool read_rows(struct crowd_member *member, struct diff_result *rows, const char *sql)
{
    diff_result_query(rows, member->db, sql);
    if (crowd_is_refusal(member, rows->rc))
        crowd_refused(member);
    else if (rows->rc != SQLITE_OK)
        crowd_fail(member, "%s (%d)\n  in: %s", rows->error, rows->rc, sql);
    return rows->rc == SQLITE_OK;
}

static void say_difference(struct crowd_member *member, const char *sql,
    const struct diff_result *shown, const struct diff_result *due)
{
    struct diff_text said = {0};

    diff_text_add(&said, "%s gives\n", sql);
    diff_result_print(shown, "    ", &said);
    diff_text_add(&said, "  its query\n");
    diff_result_print(due, "    ", &said);
    crowd_fail(member, "%s", said.data);
    diff_text_free(&said);
}

static bool agree(struct crowd_member *member, const char *sql, const char *other)
{
    struct diff_result shown = {0}, due = {0};
    bool goes_on = read_rows(member, &shown, sql) && read_rows(member, &due, other);

    if (goes_on && !diff_result_is_same(&shown, &due)) {
        say_difference(member, sql, &shown, &due);
        goes_on = false;
    }
    member->tally->comparisons += goes_on;
    diff_result_free(&shown);
    diff_result_free(&due);
    return goes_on;
}

/* The names of the views that are there now. */
static bool list(struct crowd_member *member, struct diff_result *names)
{
    return read_rows(member, names,
        "SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%' ORDER BY name");
}

static char *name_of(const struct diff_result *names, size_t i)
{
    size_t at = names->rows[i].at;
    struct diff_value value = diff_result_value(names, &at);

    return sqlite3_mprintf("%.*s", (int)value.len, (const char *)value.data);
}

char *crowd_some_view(struct crowd_member *member)
{
    struct diff_result names = {0};
    char *name = NULL;

    if (list(member, &names) && names.n > 0)
        name = name_of(&names, diff_random_below(&member->random, (unsigned)names.n));
    diff_result_free(&names);
    return name;
}

/* Without the extension there is what was stored, which is all where it is kept at commits. */
static bool compare_plainly(struct crowd_member *member)
{
    return agree(member, "SELECT k, n, s FROM kept_data", "SELECT * FROM kept_query") &&
           agree(
               member, "SELECT id, z, n FROM kept_join_data", "SELECT * FROM kept_join_query");
}

bool crowd_compare(struct crowd_member *member, unsigned percent)
{
    struct diff_result names = {0};
    bool goes_on;

    if (member->role == CROWD_READS_PLAINLY)
        return compare_plainly(member);
    goes_on = list(member, &names);
    for (size_t i = 0; i < names.n && goes_on; i++) {
        char *name = name_of(&names, i);
        char *sql = sqlite3_mprintf("SELECT * FROM \"%w\"", name);
        char *other = sqlite3_mprintf("SELECT * FROM \"%w_query\"", name);

        if (diff_random_percent(&member->random, percent))
            goes_on = agree(member, sql, other);
        sqlite3_free(other);
        sqlite3_free(sql);
        sqlite3_free(name);
    }
    diff_result_free(&names);
    return goes_on;
}

/* Views that nobody drops: between two statements another's may be gone. */
bool crowd_compare_singly(struct crowd_member *member)
{
    static const char *const names[] = {"filtered", "grouped", "unlike", "joined", "beside",
        "made", "best", "best_of", "either", "without", "above", "stacked", "rowless", "kept",
        "kept_join", NULL};
    const char *name = diff_random_word(&member->random, names);
    char *sql = sqlite3_mprintf(
        "SELECT (SELECT count(*) FROM %s) - (SELECT count(*) FROM %s_query),"
        " (SELECT count(*) FROM (SELECT * FROM %s EXCEPT SELECT * FROM %s_query)), %Q",
        name, name, name, name, name);
    char *other = sqlite3_mprintf("VALUES(0, 0, %Q)", name);
    bool goes_on = agree(member, sql, other);

    sqlite3_free(other);
    sqlite3_free(sql);
    return goes_on;
}

void crowd_check_all(struct crowd_member *member)
{
    struct diff_result names = {0};

    if (!crowd_open(member)) {
        crowd_fail(member, "the file can't be opened at the end");
        return;
    }
    (void)(crowd_compare(member, 100) && list(member, &names));
    for (size_t i = 0; i < names.n; i++) {
        char *name = name_of(&names, i);

        crowd_run(member, NULL, "INSERT INTO %s(lockstep) VALUES('integrity-check')", name);
        sqlite3_free(name);
    }
    (void)agree(member, "PRAGMA integrity_check", "VALUES('ok')");
    diff_result_free(&names);
    crowd_close(member);
}
