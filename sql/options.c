/* Reading options: name = value, from the lexer's tokens. */
#include "sql/options.h"

#include <string.h>

#include "sql/build.h"
#include "sql/message.h"
#include "sql/text.h"

struct reader {
    struct zsql_builder builder; /* for names */
    struct zsql_token token;     /* the next */
    struct zsql_message *message;
    struct zsql_options *options;
    struct zsql_list indexes; /* of struct zsql_index */
    unsigned given;           /* a bit an option */
};

static void advance(struct reader *reader)
{
    reader->token = zsql_lex(reader->builder.text, reader->token.end);
}

static bool is_name(int kind)
{
    return kind == TK_ID || kind == TK_STRING || kind == TK_JOIN_KW || kind == TK_INDEXED ||
           kind == TK_WINDOW || kind == TK_OVER || kind == TK_FILTER || kind == TK_WITHIN ||
           zsql_parse_falls_back(kind);
}

/* What was wanted is not the next token. */
static int reject_token(const struct reader *reader, const char *wanted)
{
    struct zsql_span span = {reader->token.start, reader->token.end};
    const char *found = "the end";

    if (reader->token.kind != TK_END_OF_TEXT)
        found = zsql_text_quote(reader->builder.arena, reader->builder.text, span);
    if (found == NULL)
        return ZS_NOMEM;
    return zsql_reject(reader->message, "expected %s, not %s", wanted, found);
}

/* Reads a name, and moves on. */
static int read_name(struct reader *reader, const char *what, const char **name)
{
    if (!is_name(reader->token.kind))
        return reject_token(reader, what);
    *name = zsql_build_name(&reader->builder, reader->token).text;
    advance(reader);
    return *name != NULL ? ZS_OK : ZS_NOMEM;
}

static int expect(struct reader *reader, int kind, const char *what)
{
    if (reader->token.kind != kind)
        return reject_token(reader, what);
    advance(reader);
    return ZS_OK;
}

static int read_index(struct reader *reader)
{
    struct zsql_list columns = {0};
    struct zsql_index *index = zsql_arena_get(reader->builder.arena, sizeof(*index));
    int rc = index != NULL ? expect(reader, TK_LP, "( after index=") : ZS_NOMEM;

    while (rc == ZS_OK) {
        struct zsql_index_column *column =
            zsql_arena_get(reader->builder.arena, sizeof(*column));
        rc = column == NULL
                 ? ZS_NOMEM
                 : read_name(reader, "a column's name in index=(...)", &column->name);
        if (rc == ZS_OK && (reader->token.kind == TK_ASC || reader->token.kind == TK_DESC)) {
            column->is_descending = reader->token.kind == TK_DESC;
            advance(reader);
        }
        if (rc == ZS_OK)
            rc = zsql_list_append(reader->builder.arena, &columns, column);
        if (rc != ZS_OK || reader->token.kind != TK_COMMA)
            break;
        advance(reader);
    }
    if (rc == ZS_OK)
        rc = expect(reader, TK_RP, ") at the end of index=(...)");
    if (rc != ZS_OK)
        return rc;
    index->columns = zsql_arena_get(reader->builder.arena, columns.n * sizeof(*index->columns));
    if (index->columns == NULL)
        return ZS_NOMEM;
    for (; index->n_columns < columns.n; index->n_columns++)
        index->columns[index->n_columns] =
            *(const struct zsql_index_column *)columns.items[index->n_columns];
    return zsql_list_append(reader->builder.arena, &reader->indexes, index);
}

/* Reads one of two words; *is_second says which. */
static int read_choice(struct reader *reader, const char *option, const char *first,
    const char *second, bool *is_second)
{
    const char *value;
    int rc = read_name(reader, "a value", &value);

    if (rc != ZS_OK)
        return rc;
    *is_second = zsql_same_name(value, second);
    if (*is_second || zsql_same_name(value, first))
        return ZS_OK;
    return zsql_reject(
        reader->message, "%s=%s: it can be %s or %s", option, value, first, second);
}

static int read_maintain(struct reader *reader)
{
    bool is_commit = false;
    int rc = read_choice(reader, "maintain", "read", "commit", &is_commit);

    reader->options->maintain = is_commit ? ZSQL_MAINTAIN_COMMIT : ZSQL_MAINTAIN_READ;
    return rc;
}

static int read_indexes(struct reader *reader)
{
    return read_choice(reader, "indexes", "yes", "no", &reader->options->makes_no_index);
}

static const struct {
    const char *name;
    int (*read)(struct reader *reader);
} known_options[] = {
    {"maintain", read_maintain},
    {"index", read_index},
    {"indexes", read_indexes},
};

static int read_option(struct reader *reader)
{
    static const char wanted[] = "a SELECT or an option";
    const struct zsql_token first = reader->token;
    const char *name;
    int rc = read_name(reader, wanted, &name);

    if (rc == ZS_OK && reader->token.kind != TK_EQ) {
        reader->token = first;
        return reject_token(reader, wanted);
    }
    if (rc != ZS_OK)
        return rc;
    advance(reader);
    for (size_t i = 0; i < sizeof(known_options) / sizeof(known_options[0]); i++) {
        if (!zsql_same_name(name, known_options[i].name))
            continue;
        if ((reader->given & 1u << i) != 0 && known_options[i].read != read_index)
            return zsql_reject(reader->message, "the option %s is given twice", name);
        reader->given |= 1u << i;
        return known_options[i].read(reader);
    }
    return zsql_reject(
        reader->message, "unknown option %s: there are maintain, index and indexes", name);
}

static bool begins_select(int kind)
{
    return kind == TK_SELECT || kind == TK_WITH || kind == TK_VALUES || kind == TK_LP;
}

/* The text from the next token on, up to its last token that is no semicolon. */
static int take_select(struct reader *reader)
{
    const char *text = reader->builder.text;
    uint32_t start = reader->token.start;
    uint32_t end = start;

    for (; reader->token.kind != TK_END_OF_TEXT; advance(reader))
        end = reader->token.kind == TK_SEMI ? end : reader->token.end;
    reader->options->select = zsql_arena_copy(reader->builder.arena, text + start, end - start);
    return reader->options->select != NULL ? ZS_OK : ZS_NOMEM;
}

static int read_options(struct reader *reader)
{
    struct zsql_arena *arena = reader->builder.arena;
    struct zsql_options *options = reader->options;
    int rc = ZS_OK;

    advance(reader);
    while (rc == ZS_OK && !begins_select(reader->token.kind)) {
        rc = read_option(reader);
        if (rc == ZS_OK && reader->token.kind == TK_COMMA)
            advance(reader);
    }
    if (rc == ZS_OK)
        rc = take_select(reader);
    options->n_indexes = reader->indexes.n;
    options->indexes = zsql_arena_get(arena, options->n_indexes * sizeof(*options->indexes));
    if (options->indexes == NULL)
        return ZS_NOMEM;
    for (size_t i = 0; i < options->n_indexes; i++)
        options->indexes[i] = *(const struct zsql_index *)reader->indexes.items[i];
    return rc;
}

int zsql_options_new(const struct zs_alloc *alloc, const char *text,
    struct zsql_options **options, char **message)
{
    struct zsql_message note = {alloc, NULL};
    struct reader reader = {.builder = {.text = text}, .message = &note};
    int rc = zsql_arena_new(alloc, &reader.builder.arena);

    *options = NULL;
    *message = NULL;
    if (rc != ZS_OK)
        return rc;
    reader.options = zsql_arena_get(reader.builder.arena, sizeof(*reader.options));
    if (reader.options == NULL)
        rc = ZS_NOMEM;
    else if (strlen(text) >= UINT32_MAX)
        rc = zsql_reject(&note, "the text is too long");
    else
        rc = read_options(&reader);
    if (rc == ZS_OK && zsql_arena_has_failed(reader.builder.arena))
        rc = ZS_NOMEM;
    if (rc != ZS_OK) {
        zsql_arena_free(reader.builder.arena);
        *message = note.text;
        return rc;
    }
    reader.options->arena = reader.builder.arena;
    *options = reader.options;
    return ZS_OK;
}

void zsql_options_free(struct zsql_options *options)
{
    if (options != NULL)
        zsql_arena_free(options->arena);
}
