/* Running the texts of a join. A text whose relations stand in the same forms is prepared once:
** which forms they are depends on which tables have changed. */
#include "ext/join.h"

#include <string.h>

#include "ext/statement.h"

/* A text in certain forms: forms[i] is that of piece i. */
struct variant {
    struct variant *next;
    sqlite3_stmt *statement;
    uint8_t forms[];
};

/* So many variants of a text are kept: those of the step, and of what comes in turns. */
enum { MOST_VARIANTS = 16 };

struct ls_join {
    sqlite3 *db;
    const struct zsql_operator *join;
    const struct ls_encoder *encoder;
    struct ls_tables *tables;
    struct variant **variants; /* one list a difference */
    struct zs_buffer forms;
    struct zs_buffer key;
    struct zs_buffer value;
};

int ls_join_new(sqlite3 *db, const struct zsql_operator *join, const struct ls_encoder *encoder,
    struct ls_tables *tables, struct ls_join **made)
{
    struct ls_join *all = zs_alloc_zeroed(&ls_alloc, sizeof(*all));

    *made = NULL;
    if (all == NULL)
        return ZS_NOMEM;
    all->db = db;
    all->join = join;
    all->encoder = encoder;
    all->tables = tables;
    zs_buffer_init(&all->forms, &ls_alloc);
    zs_buffer_init(&all->key, &ls_alloc);
    zs_buffer_init(&all->value, &ls_alloc);
    all->variants = zs_alloc_zeroed(&ls_alloc, join->n_differences * sizeof(*all->variants));
    if (all->variants == NULL) {
        ls_join_free(all);
        return ZS_NOMEM;
    }
    *made = all;
    return ZS_OK;
}

static void free_variants(struct variant *variant)
{
    while (variant != NULL) {
        struct variant *next = variant->next;

        sqlite3_finalize(variant->statement);
        sqlite3_free(variant);
        variant = next;
    }
}

void ls_join_free(struct ls_join *join)
{
    if (join == NULL)
        return;
    for (size_t i = 0; join->variants != NULL && i < join->join->n_differences; i++)
        free_variants(join->variants[i]);
    sqlite3_free(join->variants);
    zs_buffer_clear(&join->forms);
    zs_buffer_clear(&join->key);
    zs_buffer_clear(&join->value);
    sqlite3_free(join);
}

/* Texts. */

/* The form of a relation: difference is NULL where all stand as they are now. Where the table
** has not changed, its past is its present. */
static enum zsql_form wanted_form(
    const struct zsql_difference *difference, const struct zsql_piece *piece)
{
    size_t occurrence = (size_t)piece->occurrence;

    if (piece->form != ZSQL_AS_SET)
        return piece->form;
    if (difference == NULL)
        return ZSQL_NOW;
    return occurrence == difference->occurrence  ? difference->form
           : occurrence < difference->occurrence ? ZSQL_PAST
                                                 : ZSQL_NOW;
}

static enum zsql_form form_of(const struct ls_join *join,
    const struct zsql_difference *difference, const struct zsql_piece *piece)
{
    enum zsql_form form = wanted_form(difference, piece);

    return form == ZSQL_PAST &&
                   !ls_tables_has_changed(join->tables, &join->join->reads[piece->occurrence])
               ? ZSQL_NOW
               : form;
}

static int find_forms(struct ls_join *join, const struct zsql_difference *difference,
    const struct zsql_template *template)
{
    int rc = ZS_OK;

    zs_buffer_reset(&join->forms);
    for (size_t i = 0; rc == ZS_OK && i < template->n_pieces; i++) {
        const struct zsql_piece *piece = &template->pieces[i];

        rc = zs_buffer_append_byte(&join->forms,
            piece->occurrence < 0 ? ZSQL_AS_SET : (uint8_t)form_of(join, difference, piece));
    }
    return rc == ZS_OK ? SQLITE_OK : SQLITE_NOMEM;
}

/* The text in the forms that were found. */
static int append_text(
    struct ls_join *join, const struct zsql_template *template, sqlite3_str *text)
{
    int rc = SQLITE_OK;

    for (size_t i = 0; rc == SQLITE_OK && i < template->n_pieces; i++) {
        const struct zsql_piece *piece = &template->pieces[i];

        sqlite3_str_appendall(text, piece->text);
        if (piece->occurrence >= 0)
            rc = ls_tables_append(join->tables, &join->join->reads[piece->occurrence],
                (enum zsql_form)join->forms.data[i], text);
    }
    return rc;
}

static int prepare(
    struct ls_join *join, const struct zsql_template *template, sqlite3_stmt **statement)
{
    sqlite3_str *text = sqlite3_str_new(join->db);
    int rc = append_text(join, template, text);

    *statement = NULL;
    if (rc == SQLITE_OK)
        return ls_prepare_text(join->db, statement, sqlite3_str_finish(text));
    sqlite3_free(sqlite3_str_finish(text));
    return rc;
}

/* Makes room in a list that is full: the oldest goes. */
static void drop_oldest(struct variant **list)
{
    int n = 0;

    for (; *list != NULL; list = &(*list)->next)
        if (++n == MOST_VARIANTS) {
            free_variants(*list);
            *list = NULL;
            return;
        }
}

/* The statement of a text as the tables have changed. */
static int variant_of(struct ls_join *join, const struct zsql_difference *difference,
    const struct zsql_template *template, struct variant **list, sqlite3_stmt **statement)
{
    struct variant *made;
    int rc = find_forms(join, difference, template);

    *statement = NULL;
    for (struct variant *known = *list; rc == SQLITE_OK && known != NULL; known = known->next)
        if (memcmp(known->forms, join->forms.data, join->forms.len) == 0) {
            *statement = known->statement;
            return SQLITE_OK;
        }
    if (rc != SQLITE_OK)
        return rc;
    made = zs_alloc_zeroed(&ls_alloc, sizeof(*made) + join->forms.len);
    if (made == NULL)
        return SQLITE_NOMEM;
    memcpy(made->forms, join->forms.data, join->forms.len);
    rc = prepare(join, template, &made->statement);
    if (rc != SQLITE_OK) {
        sqlite3_free(made);
        return rc;
    }
    drop_oldest(list);
    made->next = *list;
    *list = made;
    *statement = made->statement;
    return SQLITE_OK;
}

/* Running. */

static void keep_message(struct ls_join *join, int rc, char **message)
{
    if (rc != SQLITE_OK && *message == NULL)
        *message = sqlite3_mprintf("%s", sqlite3_errmsg(join->db));
}

/* Resets a statement that has run to its end or failed. */
static int end_run(
    struct ls_join *join, sqlite3_stmt *statement, bool *is_of_data, char **message)
{
    int rc = sqlite3_reset(statement);

    keep_message(join, rc, message);
    if (ls_is_fault_of_data(statement, &rc))
        *is_of_data = true;
    return rc;
}

static int encode_row(struct ls_join *join, sqlite3_stmt *statement, bool *is_of_data)
{
    int rc = ls_encode(join->encoder, statement, 0, &join->key, &join->value);

    *is_of_data = rc == ZS_REFUSED;
    return ls_code_of(rc);
}

static int add_encoded(struct ls_join *join, int weight, struct zs_batch *rows)
{
    return ls_code_of(
        zs_batch_add(rows, zs_buffer_bytes(&join->key), zs_buffer_bytes(&join->value), weight));
}

static int run(struct ls_join *join, sqlite3_stmt *statement, int weight, struct zs_batch *rows,
    bool *is_of_data, char **message)
{
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW) {
        rc = encode_row(join, statement, is_of_data);
        if (rc == SQLITE_OK)
            rc = add_encoded(join, weight, rows);
    }
    if (rc == SQLITE_OK)
        return end_run(join, statement, is_of_data, message);
    (void)sqlite3_reset(statement);
    return rc;
}

int ls_join_change(
    struct ls_join *join, struct zs_batch *rows, bool *is_of_data, char **message)
{
    int rc = SQLITE_OK;

    *is_of_data = false;
    for (size_t i = 0; rc == SQLITE_OK && i < join->join->n_differences; i++) {
        const struct zsql_difference *difference = &join->join->differences[i];
        sqlite3_stmt *statement;

        if (!ls_tables_has_changed(join->tables, &join->join->reads[difference->occurrence]))
            continue;
        rc = variant_of(join, difference, &difference->text, &join->variants[i], &statement);
        if (rc == SQLITE_OK)
            rc = run(join, statement, difference->sign, rows, is_of_data, message);
    }
    keep_message(join, rc, message);
    return rc;
}

/* Appends the text of its rows as they are now. */
static int append_scan(struct ls_join *join, sqlite3_str *text)
{
    const struct zsql_template *template = &join->join->text;
    int rc = find_forms(join, NULL, template);

    return rc == SQLITE_OK ? append_text(join, template, text) : rc;
}

int ls_join_scan(struct ls_join *join, bool is_sorted, ls_row_fn *row, void *ctx,
    bool *is_of_data, char **message)
{
    sqlite3_str *text = sqlite3_str_new(join->db);
    int rc = append_scan(join, text);

    *is_of_data = false;
    if (is_sorted)
        ls_runs_append_order(text, join->encoder, 1);
    if (rc == SQLITE_OK)
        return ls_each_row(join->db, text, join->encoder, row, ctx, is_of_data, message);
    sqlite3_free(sqlite3_str_finish(text));
    keep_message(join, rc, message);
    return rc;
}

/* What an error has left of a text is freed. */
static int finish_text(sqlite3_str *made, int rc, char **text)
{
    *text = sqlite3_str_finish(made);
    if (rc == SQLITE_OK && *text == NULL)
        rc = SQLITE_NOMEM;
    if (rc != SQLITE_OK) {
        sqlite3_free(*text);
        *text = NULL;
    }
    return rc;
}

int ls_join_text(struct ls_join *join, char **text)
{
    sqlite3_str *made = sqlite3_str_new(join->db);

    return finish_text(made, append_scan(join, made), text);
}

static bool is_same(const struct zsql_read *a, const struct zsql_read *b)
{
    return a->made == b->made && (a->made != NULL || a->table == b->table);
}

int ls_join_difference(struct ls_join *join, size_t i, char **text)
{
    const struct zsql_difference *difference = &join->join->differences[i];
    const struct zsql_read *changed = &join->join->reads[difference->occurrence];
    sqlite3_str *made = sqlite3_str_new(join->db);
    int rc = SQLITE_OK;

    for (size_t j = 0; rc == SQLITE_OK && j < difference->text.n_pieces; j++) {
        const struct zsql_piece *piece = &difference->text.pieces[j];

        sqlite3_str_appendall(made, piece->text);
        if (piece->occurrence >= 0) {
            const struct zsql_read *read = &join->join->reads[piece->occurrence];
            enum zsql_form form = wanted_form(difference, piece);

            rc = ls_tables_append(join->tables, read,
                form == ZSQL_PAST && !is_same(read, changed) ? ZSQL_NOW : form, made);
        }
    }
    return finish_text(made, rc, text);
}
