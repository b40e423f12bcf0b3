/* Whose read is it? SQLite does not say. Where one statement ran alone, the read was its own,
** and so will be all that come from the same place of its program, the text that xBestIndex
** gave it, up to the next call of xBestIndex. So it is still there when one comes, and can be
** asked.
**
** Whenever sqlite3_step returns, the instructions that it took are added to a count of the
** statement's. Where that is what it was, this is the same call: whatever was done since, the
** statement has done, or functions that it has called and that have returned. Of that
**   - changes of the view's tables have been logged by triggers, each of whose statements adds
**     to total_changes as it ends; only a trigger on a log could look before (meddling.c);
**   - a rollback is announced where what is pending rests on the transaction (sink.c);
**   - the schema does not matter to a statement that was compiled before.
** No other connection can have written: the transaction has the lock. A program may set back
** the count between two calls; what others wrote meanwhile the data version tells, unless a
** cursor of the view has been open all the while, whose statement then held the lock, or its
** snapshot: SQLite opens the next one before it closes the last. */
#include "ext/course.h"

#include "ext/view.h"

static int n_steps(sqlite3_stmt *statement)
{
    return sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, false);
}

static bool is_same_call(const struct ls_course *course)
{
    return n_steps(course->statement) == course->n_steps;
}

static bool knows_place(const struct ls_course *course, const char *place)
{
    for (int i = 0; i < course->n_places; i++)
        if (course->places[i] == place)
            return true;
    return false;
}

void ls_course_end(struct ls_view *view)
{
    view->course.n_places = 0;
}

/* Can no other connection have written since? */
static bool is_alone(const struct ls_view *view)
{
    unsigned data_version = 0;

    if (view->course.n_openings == view->n_openings)
        return true;
    sqlite3_file_control(
        view->connection->db, view->file, SQLITE_FCNTL_DATA_VERSION, &data_version);
    return data_version == view->data_version;
}

bool ls_course_goes_on(const struct ls_view *view, const char *place, bool *is_same)
{
    const struct ls_course *course = &view->course;
    sqlite3 *db = view->connection->db;

    *is_same = false;
    if (!knows_place(course, place) || view->must_check || !is_same_call(course) ||
        sqlite3_get_autocommit(db) != course->moment.is_autocommit)
        return false;
    *is_same = sqlite3_total_changes64(db) == course->n_changes;
    return is_alone(view);
}

static void note(struct ls_view *view, const struct ls_moment *moment, sqlite3_int64 n_changes,
    const char *place)
{
    struct ls_course *course = &view->course;

    if (course->n_places > 0 && (course->statement != moment->alone || !is_same_call(course)))
        ls_course_end(view);
    if (!knows_place(course, place)) {
        if (course->n_places == LS_N_PLACES)
            ls_course_end(view);
        course->places[course->n_places++] = place;
    }
    course->statement = moment->alone;
    course->n_steps = n_steps(course->statement);
    course->n_openings = view->n_openings;
    course->n_changes = n_changes;
    course->moment = *moment;
}

void ls_course_note(struct ls_view *view, const struct ls_moment *moment,
    sqlite3_int64 n_changes, const char *place)
{
    if (view->must_check || view->needs_rebuild ||
        (view->is_provisional && view->has_open_candidates))
        ls_course_end(view);
    else if (place != NULL && moment->alone != NULL && moment->in_write)
        note(view, moment, n_changes, place);
}
