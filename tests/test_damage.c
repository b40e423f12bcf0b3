/* Damaged tables of Lockstep's own: whatever becomes of them, nothing crashes, what the user
** writes goes in, a read is right or says in the view's name what to type, and that mends it;
** DROP TABLE leaves nothing behind.
**
**   test_damage [ROUNDS]    so many rounds of damage by SQL and half as many by bits of the file, each
**                           with the seed's next scene */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/damage_scene.h"
#include "tests/must.h"
#include "tests/suite.h"

static void damage(struct scene *scene)
{
    int connection, n = 1 + (int)random_below(&scene->random, 3);
    sqlite3 *db = scene_any(scene, &connection);
    bool is_one = random_once_in(&scene->random, 2);

    if (is_one)
        scene_run(scene, connection, "BEGIN");
    for (int i = 0; i < n; i++) {
        enum damage_blindness blindness;
        char *text = damage_next(db, &scene->random, &blindness);

        scene_tell(scene, connection, text);
        (void)attempt(db, text);
        if (blindness > scene->blindness)
            scene->blindness = blindness;
        sqlite3_free(text);
    }
    if (is_one)
        scene_run(scene, connection, "COMMIT");
}

START_TEST(damage_is_seen_and_mended)
{
    struct scene scene;

    scene_begin(&scene, _i);
    for (int i = 0; i < 2; i++) {
        scene_work(&scene, 8, false);
        damage(&scene);
        scene_work(&scene, 6, true);
        if (random_once_in(&scene.random, 4))
            break;
        scene_read_all(&scene, true);
        scene_mend(&scene);
    }
    scene_drop_all(&scene);
    scene_end(&scene);
}
END_TEST

/* Bytes of the file. */

/* A page of what Lockstep alone owns; 0 where SQLite was built without dbstat. */
static sqlite3_int64 choose_page(struct scene *scene)
{
    static const char query[] =
        "SELECT pageno, name FROM dbstat WHERE (name GLOB 'v[0-9]*' OR name GLOB 'lockstep_*')"
        " AND name NOT GLOB 'lockstep_index_*' ORDER BY pageno";
    sqlite3_stmt *statement;
    sqlite3_int64 page = 0;
    unsigned n = 0;

    if (sqlite3_prepare_v2(scene->db[0], query, -1, &statement, NULL) != SQLITE_OK)
        return 0;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(statement, 1);

        if (!random_once_in(&scene->random, ++n))
            continue;
        page = sqlite3_column_int64(statement, 0);
        scene->blindness =
            strncmp(name, "lockstep_log", 12) == 0 || strstr(name, "_trace") != NULL
                ? DAMAGE_IS_UNSEEN
                : DAMAGE_HIDES_ROWS;
    }
    sqlite3_finalize(statement);
    return page;
}

enum { HEADER_LEN = 12 }; /* of a page: damage there is what SQLite itself can't walk past */

static void damage_page(struct scene *scene, sqlite3_int64 page, sqlite3_int64 page_size)
{
    FILE *file = fopen(scene->path, "r+b");
    unsigned n = 1 + random_below(&scene->random, 4);
    char told[80];

    must(file != NULL);
    for (unsigned i = 0; i < n; i++) {
        unsigned len = random_once_in(&scene->random, 3) ? HEADER_LEN : (unsigned)page_size;
        long at = (long)((page - 1) * page_size + random_below(&scene->random, len));
        int byte;

        must(fseek(file, at, SEEK_SET) == 0 && (byte = getc(file)) != EOF);
        must(fseek(file, at, SEEK_SET) == 0);
        must(putc(byte ^ (1 << random_below(&scene->random, 8)), file) != EOF);
        snprintf(told, sizeof(told), "-- page %d: a bit of byte %ld is changed", (int)page, at);
        scene_tell(scene, 0, told);
    }
    must(fclose(file) == 0);
}

START_TEST(changed_bits_of_the_file_are_no_other_rows)
{
    struct scene scene;
    sqlite3_int64 page, page_size;

    scene_begin(&scene, 1000000 + _i);
    scene_run(&scene, 0,
        "WITH RECURSIVE c(i) AS (SELECT 20 UNION ALL SELECT i + 1 FROM c WHERE i < 200)"
        " INSERT INTO t SELECT i, i / 3, i * 0.5, 'n' || i FROM c");
    for (int i = 0; i < scene.n_views; i++)
        if (!random_once_in(&scene.random, 4))
            scene_command(&scene, scene.views[i], "store", false);
    scene_work(&scene, 4, false);
    run(scene.db[0], "PRAGMA wal_checkpoint(TRUNCATE)");
    page = choose_page(&scene);
    page_size = number(scene.db[0], "PRAGMA page_size");
    scene_close(&scene);
    if (page > 0)
        damage_page(&scene, page, page_size);
    scene.has_damaged_pages = page > 0;
    scene_open(&scene);
    scene_read_all(&scene, true);
    scene_work(&scene, 8, true);
    for (int i = 0; i < scene.n_views; i++)
        scene_command(&scene, scene.views[i], "integrity-check", true);
    scene_mend(&scene);
    scene_drop_all(&scene);
    scene_end(&scene);
}
END_TEST

static TCase *case_of(const char *name, const TTest *test, int n_rounds)
{
    TCase *tests = tcase_create(name);

    tcase_add_loop_test(tests, test, 0, n_rounds);
    tcase_add_checked_fixture(tests, NULL, live_clean);
    tcase_set_timeout(tests, 60);
    return tests;
}

int main(int argc, char **argv)
{
    int n_rounds = argc > 1 ? atoi(argv[1]) : 40;
    Suite *suite = suite_create("damage");

    random_announce();
    suite_add_tcase(suite, case_of("sql", damage_is_seen_and_mended, n_rounds));
    suite_add_tcase(
        suite, case_of("bits", changed_bits_of_the_file_are_no_other_rows, n_rounds / 2));
    return suite_run(suite);
}
