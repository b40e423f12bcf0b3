/* Choosing an index of <view>_data.
**
** An index serves equalities on its first columns and then a range, or the asked order on the
** columns behind the equalities. The more it narrows what is read the better; of those that
** narrow it alike, one that gives the asked order, for the ten first rows of a leaderboard are
** then the only ones that are read. Where no order is asked for rows come in the view's own.
**
** Of an IN SQLite would ask for one value after another, and compare it once more without knowing
** any longer which affinity the other side of the IN has. With a column of numbers all is compared
** as numbers, and that is right; for others the values come at once, and SQLite looks at the IN as
** a whole. (One upon several columns can't be told from equalities.) */
#include "ext/best_index.h"

#include "ext/absent.h"
#include "ext/selection.h"
#include "ext/statement.h"

/* The letter of idxStr for a constraint, or 0. */
static char letter_of(unsigned char op)
{
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return '=';
    case SQLITE_INDEX_CONSTRAINT_GT:
        return '>';
    case SQLITE_INDEX_CONSTRAINT_GE:
        return 'g';
    case SQLITE_INDEX_CONSTRAINT_LT:
        return '<';
    case SQLITE_INDEX_CONSTRAINT_LE:
        return 'l';
    case SQLITE_INDEX_CONSTRAINT_IS:
        return 'i';
    }
    return 0;
}

/* What an index serves. */
struct choice {
    const struct ls_index *index;
    int n_equal;
    bool has_range;
    bool gives_order;
};

enum { MOST_TOLD = 32 }; /* SQLite tells of so many constraints which of them are INs */

/* The letter of a constraint on a column, or 0 where it can't be used. */
static char use_of(const struct ls_view *view, sqlite3_index_info *info, int i, int column)
{
    const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
    const struct ls_view_column *of = &view->columns[column];
    char letter = letter_of(constraint->op);

    if (!constraint->usable || constraint->iColumn != column || letter == 0 ||
        sqlite3_stricmp(sqlite3_vtab_collation(info, i), of->collation) != 0)
        return 0;
    if (letter != '=' || ls_affinity_is_numeric(ls_affinity_of(of->type)))
        return letter;
    if (i >= MOST_TOLD)
        return 0;
    return sqlite3_vtab_in(info, i, -1) ? LS_SEVERAL : letter;
}

static bool is_equality(char letter)
{
    return letter == '=' || letter == 'i';
}

/* Is the column narrowed to one value, or to several or a range? */
static void judge_column(const struct ls_view *view, sqlite3_index_info *info, int column,
    bool *is_equal, bool *is_range)
{
    *is_equal = *is_range = false;
    for (int j = 0; j < info->nConstraint; j++) {
        char letter = use_of(view, info, j, column);

        *is_equal = *is_equal || is_equality(letter);
        *is_range = *is_range || (letter != 0 && !is_equality(letter));
    }
}

/* Can rows be put in the asked order here, which knows SQLite's own collations only? */
static bool can_order(const struct ls_view *view, const sqlite3_index_info *info)
{
    enum zs_collation ignored;

    for (int i = 0; i < info->nOrderBy; i++) {
        int column = info->aOrderBy[i].iColumn;
        if (column < 0 || column >= view->n_columns ||
            !ls_collation_of(view->columns[column].collation, &ignored))
            return false;
    }
    return info->nOrderBy > 0;
}

/* Do the index's columns behind the first n give the asked order, forwards or backwards? A term
** that is one of the first n is the same in all rows. */
static bool gives_order(const struct ls_index *index, int n, const sqlite3_index_info *info)
{
    int at = n;
    bool is_backwards = false;

    for (int i = 0; i < info->nOrderBy; i++) {
        const struct sqlite3_index_orderby *term = &info->aOrderBy[i];
        bool is_turned, is_constant = false;

        for (int j = 0; j < n; j++)
            is_constant = is_constant || index->columns[j] == term->iColumn;
        if (is_constant)
            continue;
        if (at >= index->n_columns || index->columns[at] != term->iColumn)
            return false;
        is_turned = index->is_descending[at] != (term->desc != 0);
        if (at > n && is_turned != is_backwards)
            return false;
        is_backwards = is_turned;
        at++;
    }
    return true;
}

static int worth(const struct choice *choice)
{
    return choice->n_equal * 4 + choice->has_range * 2 + choice->gives_order;
}

static void judge_index(const struct ls_view *view, sqlite3_index_info *info,
    const struct ls_index *index, struct choice *best)
{
    struct choice choice = {.index = index};

    for (int i = 0; i < index->n_columns; i++) {
        bool is_equal, is_range;

        if (index->columns[i] < 0 || index->columns[i] >= view->n_columns)
            break;
        judge_column(view, info, index->columns[i], &is_equal, &is_range);
        choice.has_range = !is_equal && is_range;
        if (!is_equal)
            break;
        choice.n_equal++;
    }
    choice.gives_order = can_order(view, info) && gives_order(index, choice.n_equal, info);
    if (worth(&choice) > worth(best))
        *best = choice;
}

static bool serves(const struct choice *choice, int column)
{
    int n = choice->index == NULL ? 0 : choice->n_equal + choice->has_range;

    for (int i = 0; i < n; i++)
        if (choice->index->columns[i] == column)
            return true;
    return false;
}

static void take_constraints(const struct ls_view *view, sqlite3_index_info *info,
    const struct choice *choice, sqlite3_str *text)
{
    int n = 0;

    for (int j = 0; j < info->nConstraint; j++) {
        int column = info->aConstraint[j].iColumn;
        bool is_served = column >= 0 && column < view->n_columns && serves(choice, column);
        char letter = is_served ? use_of(view, info, j, column) : 0;

        if (letter == 0)
            continue;
        if (letter == LS_SEVERAL)
            (void)sqlite3_vtab_in(info, j, 1);
        sqlite3_str_appendf(text, "%d%c ", column, letter);
        info->aConstraintUsage[j].argvIndex = ++n;
    }
}

/* Rows of which nothing is read are all alike. */
static void take_order(sqlite3_index_info *info, const struct choice *choice, sqlite3_str *text)
{
    for (int i = 0; choice->gives_order && i < info->nOrderBy; i++)
        sqlite3_str_appendf(
            text, "%d%c ", info->aOrderBy[i].iColumn, info->aOrderBy[i].desc ? '-' : '+');
    if (info->nOrderBy == 0 && info->colUsed != 0)
        sqlite3_str_appendf(text, "v ");
    info->orderByConsumed = choice->gives_order;
}

int ls_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    struct ls_view *view = (struct ls_view *)vtab;
    struct choice best = {.index = NULL};
    sqlite3_str *text;
    int rc = view->lacks_collations ? ls_absent_check(view) : SQLITE_OK;

    if (rc != SQLITE_OK)
        return rc;
    text = sqlite3_str_new(view->connection->db);
    ls_course_end(view); /* a new place */
    ls_replies_forget(&view->replies);
    for (int i = 0; i < view->n_indexes; i++)
        judge_index(view, info, &view->indexes[i], &best);
    take_constraints(view, info, &best, text);
    take_order(info, &best, text);
    rc = sqlite3_str_errcode(text);
    info->idxStr = sqlite3_str_finish(text);
    info->needToFreeIdxStr = 1;
    if (rc == SQLITE_OK && info->idxStr == NULL) /* an empty text, finished, is NULL too */
        info->idxStr = sqlite3_mprintf("");
    info->estimatedRows = best.n_equal > 0 ? 10 : best.has_range ? 1000 : 100000;
    info->estimatedCost = (double)info->estimatedRows + 10;
    if (best.n_equal > 0 && best.n_equal == best.index->n_columns)
        info->estimatedRows = 1;
    return info->idxStr == NULL ? SQLITE_NOMEM : SQLITE_OK;
}
