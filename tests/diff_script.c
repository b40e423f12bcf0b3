/* The course of a case: fill tables, create views, then write, transact, reopen, and check. */
#include "tests/diff_statement.h"

struct maker {
    struct diff_case *c;
    struct diff_random *random;
    unsigned depth[DIFF_CONNECTIONS]; /* savepoints and BEGIN that are probably open */
    bool checks_always;
    bool third_writes;
    unsigned all_views;
};

static bool percent(struct maker *m, unsigned chance)
{
    return diff_random_percent(m->random, chance);
}

static void add_sql(struct maker *m, unsigned connection, const char *sql)
{
    diff_case_add(m->c, DIFF_SQL, connection)->sql = sql;
}

static bool has_extension(unsigned connection)
{
    return connection != DIFF_PLAIN_CONNECTION;
}

/* Without the extension a statement cannot read views. */
static const char *statement_for(struct maker *m, unsigned connection)
{
    bool reads_views = m->c->options.with_mid_statement;
    m->c->options.with_mid_statement = reads_views && has_extension(connection);
    const char *sql = diff_statement(m->c, m->random);
    m->c->options.with_mid_statement = reads_views;
    return sql;
}

static void add_check(struct maker *m, unsigned connection, unsigned mask)
{
    if (has_extension(connection))
        diff_case_add(m->c, DIFF_CHECK, connection)->mask = mask;
}

static void begin(struct maker *m, unsigned connection)
{
    static const char *const words[] = {
        "BEGIN", "BEGIN", "BEGIN IMMEDIATE", "SAVEPOINT s1", "BEGIN EXCLUSIVE", NULL};
    add_sql(m, connection, diff_random_word(m->random, words));
    m->depth[connection] = 1;
}

static void inside(struct maker *m, unsigned connection)
{
    static const char *const savepoints[] = {
        "SAVEPOINT s1", "SAVEPOINT S1", "SAVEPOINT s2", NULL};
    static const char *const rollbacks[] = {
        "ROLLBACK TO s1", "ROLLBACK TO s1", "ROLLBACK TO s2", NULL};
    static const char *const releases[] = {"RELEASE s1", "RELEASE s2", NULL};
    static const unsigned weights[] = {34, 24, 14, 18, 10};

    switch (diff_random_weighted(m->random, weights, 5)) {
    case 0:
        add_sql(m, connection, diff_random_word(m->random, savepoints));
        m->depth[connection]++;
        break;
    case 1:
        add_sql(m, connection, diff_random_word(m->random, rollbacks));
        break;
    case 2:
        add_sql(m, connection, diff_random_word(m->random, releases));
        break;
    case 3:
        add_sql(m, connection, "COMMIT");
        m->depth[connection] = 0;
        break;
    default:
        add_sql(m, connection, "ROLLBACK");
        m->depth[connection] = 0;
    }
}

static void drop_or_create(struct maker *m, unsigned connection)
{
    unsigned view = diff_random_below(m->random, m->c->n_views);
    diff_case_add(m->c, DIFF_DROP_VIEW, connection)->view = view;
    if (percent(m, 60))
        add_sql(m, connection, statement_for(m, connection));
    diff_case_add(m->c, DIFF_CREATE_VIEW, connection)->view = view;
}

/* A trigger that is newer than the views comes or goes. */
static void change_trigger(struct maker *m, unsigned connection)
{
    const char *name =
        diff_arena_print(&m->c->arena, "new_%u", diff_random_below(m->random, 3));
    unsigned table = diff_random_below(m->random, m->c->n_tables);

    if (percent(m, 40))
        add_sql(m, connection, diff_arena_print(&m->c->arena, "DROP TRIGGER %s", name));
    else
        add_sql(m, connection,
            diff_trigger(
                m->c, m->random, table, diff_arena_print(&m->c->arena, "TRIGGER `h`%s", name)));
}

static void alter(struct maker *m, unsigned connection)
{
    static const enum diff_step_kind kinds[] = {
        DIFF_ADD_COLUMN, DIFF_RENAME_TABLE, DIFF_RENAME_COLUMN};
    static const char *const forms[] = {"added_%u DEFAULT 7", "table %u", "column %u"};
    unsigned kind = diff_random_below(m->random, 3);
    unsigned table = diff_random_below(m->random, m->c->n_tables);
    struct diff_step *step = diff_case_add(m->c, kinds[kind], connection);

    step->table = table;
    step->column = diff_random_below(m->random, m->c->tables[table].n_columns);
    step->sql = diff_arena_print(&m->c->arena, forms[kind], m->c->n_steps);
}

/* What happens once in a while. False where nothing did. */
static bool rarely(struct maker *m, unsigned connection)
{
    static const char *const commands[] = {
        "integrity-check", "store", "rebuild", "store", NULL};
    static const char *const settings[] = {"PRAGMA foreign_keys = 0", "PRAGMA foreign_keys = 1",
        "PRAGMA ignore_check_constraints = 1", "PRAGMA ignore_check_constraints = 0",
        "PRAGMA defer_foreign_keys = 1", NULL};
    static const unsigned weights[] = {10, 10, 8, 12, 25, 15};
    bool is_extended = has_extension(connection);

    if (m->c->options.with_user_triggers && percent(m, 3)) {
        change_trigger(m, connection);
        return true;
    }
    if (m->c->options.with_ddl && percent(m, 3)) {
        alter(m, connection);
        return true;
    }
    if (percent(m, 1)) {
        add_sql(m, connection, diff_random_word(m->random, settings));
        return true;
    }
    if (!percent(m, 6))
        return false;
    switch (diff_random_weighted(m->random, weights, 6)) {
    case 0:
        diff_case_add(m->c, DIFF_REOPEN, connection);
        m->depth[connection] = 0;
        return true;
    case 1:
        add_sql(m, connection, "VACUUM");
        return true;
    case 2:
        add_sql(m, connection,
            percent(m, 50) ? "PRAGMA recursive_triggers = 1" : "PRAGMA recursive_triggers = 0");
        return true;
    case 3:
        if (is_extended && m->c->options.with_late_views)
            drop_or_create(m, connection);
        return is_extended && m->c->options.with_late_views;
    case 4:
        if (is_extended && m->c->options.with_commands) {
            struct diff_step *step = diff_case_add(m->c, DIFF_COMMAND, connection);
            step->sql = diff_random_word(m->random, commands);
            step->view = diff_random_below(m->random, m->c->n_views);
        }
        return false;
    default:
        diff_case_add(m->c, DIFF_COMPARE_TABLES, connection);
        return false;
    }
}

/* Mostly the one that has a transaction open, since it locks out the others. */
static unsigned some_connection(struct maker *m)
{
    unsigned n = m->third_writes ? m->c->n_connections : (m->c->n_connections + 1) / 2;
    for (unsigned i = 0; i < n; i++) {
        if (m->depth[i] > 0 && percent(m, 85))
            return i;
    }
    return diff_random_below(m->random, n);
}

static void write_or_transact(struct maker *m, unsigned connection)
{
    if (rarely(m, connection))
        return;
    if (m->depth[connection] == 0 && percent(m, 8))
        begin(m, connection);
    else if (m->depth[connection] > 0 && percent(m, 24))
        inside(m, connection);
    else
        add_sql(m, connection, statement_for(m, connection));
}

static void look(struct maker *m)
{
    for (unsigned i = 0; i < m->c->n_connections; i++) {
        while (m->c->options.with_between && percent(m, 25))
            diff_between(m->c, m->random, i, m->all_views);
        if (m->checks_always)
            add_check(m, i, m->all_views);
        else if (percent(m, 15))
            add_check(m, i, (unsigned)diff_random_next(m->random) & m->all_views);
        if (m->c->options.with_probes && has_extension(i) &&
            percent(m, m->checks_always ? 40 : 8))
            diff_probe(m->c, m->random, i);
    }
}

static void start(struct maker *m)
{
    for (unsigned t = 0; t < m->c->n_tables; t++) {
        for (unsigned n = diff_random_below(m->random, 4); n > 0; n--)
            add_sql(m, 0, diff_statement_fill(m->c, m->random, t));
    }
    for (unsigned i = 0; i < m->c->n_views; i++)
        diff_case_add(m->c, DIFF_CREATE_VIEW, 0)->view = i;
    for (unsigned i = 0; i < m->c->n_connections; i++)
        add_check(m, i, m->all_views);
}

static void finish(struct maker *m)
{
    for (unsigned i = 0; i < m->c->n_connections; i++)
        add_sql(m, i, "COMMIT");
    for (unsigned i = 0; i < m->c->n_connections; i++) {
        add_check(m, i, m->all_views);
        diff_case_add(m->c, DIFF_COMPARE_TABLES, i);
    }
    for (unsigned i = 0; i < m->c->n_views && m->c->options.with_commands; i++) {
        struct diff_step *step = diff_case_add(m->c, DIFF_COMMAND, 0);
        step->sql = "integrity-check";
        step->view = i;
    }
    for (unsigned i = m->c->n_views; i-- > 0;)
        diff_case_add(m->c, DIFF_DROP_VIEW, 0)->view = i;
    diff_case_add(m->c, DIFF_COMPARE_TABLES, 0); /* and that nothing is left behind */
}

void diff_case_make_steps(struct diff_case *c, struct diff_random *random)
{
    struct maker m = {.c = c, .random = random};

    /* joins want changes of several tables between two reads */
    m.checks_always = diff_random_percent(random, c->options.composed > 0 ? 45 : 75);
    m.all_views = (1u << c->n_views) - 1;
    m.third_writes = !diff_case_has_commit_views(c);
    start(&m);
    for (unsigned n = 0; n < c->options.n_steps; n++) {
        write_or_transact(&m, some_connection(&m));
        look(&m);
    }
    finish(&m);
}
