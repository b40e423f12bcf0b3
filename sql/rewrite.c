/* Names are bound only where the text alone does not tell that there is nothing to do. */
#include "sql/rewrite.h"

#include "sql/text.h"

int zsql_rewrite(struct zsql_arena *arena, const struct zsql_catalogue *catalogue,
    const char *text, zsql_visit_from_fn *visit, struct zsql_message *message,
    const char **rewritten)
{
    struct zsql_rewriting rewriting = {.arena = arena, .text = text};
    struct zsql_select *select;
    uint32_t error_at;
    int rc = zsql_select_parse(arena, text, &select, &error_at);

    *rewritten = text;
    if (rc == ZS_OK)
        rc = zsql_select_walk_from(select, visit, &rewriting);
    if (rc != ZS_OK || !rewriting.wants_names)
        return rc;
    rc = zsql_bind(arena, catalogue, text, select, message);
    rewriting.is_bound = true;
    if (rc == ZS_OK)
        rc = zsql_select_walk_from(select, visit, &rewriting);
    if (rc != ZS_OK || rewriting.edits.list.n == 0)
        return rc;
    *rewritten = zsql_text_apply(arena, text, &rewriting.edits);
    return *rewritten == NULL ? ZS_NOMEM : ZS_OK;
}
