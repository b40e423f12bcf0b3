/* Reading a text: the lexer's tokens into lemon's parser. */
#include <string.h>

#include "sql/build.h"

/* In parse.y. */
size_t zsql_parser_size(void);
void zsql_parser_init(void *parser, struct zsql_builder *builder);
void zsql_parser_feed(void *parser, struct zsql_token token);

static void read_tokens(void *parser, struct zsql_builder *builder)
{
    struct zsql_token token = {0};

    do {
        token = zsql_lex_in_context(builder->text, token.end, token.kind);
        if (token.kind == TK_ILLEGAL) {
            builder->error_at = token.start;
            zsql_build_fail(builder, ZS_SYNTAX);
        } else {
            builder->at = token.start;
            zsql_parser_feed(parser, token);
        }
    } while (builder->rc == ZS_OK && token.kind != TK_END_OF_TEXT);
}

int zsql_select_parse(
    struct zsql_arena *arena, const char *text, struct zsql_select **select, uint32_t *error_at)
{
    struct zsql_builder builder = {.arena = arena, .text = text};
    void *parser;

    *select = NULL;
    *error_at = 0;
    if (strlen(text) >= UINT32_MAX)
        return ZS_TOO_DEEP;
    parser = zsql_arena_scratch(arena, zsql_parser_size());
    if (parser == NULL)
        return ZS_NOMEM;
    zsql_parser_init(parser, &builder);
    read_tokens(parser, &builder);
    zsql_arena_scratch_free(arena, parser);
    *error_at = builder.error_at;
    if (builder.rc == ZS_OK && zsql_arena_has_failed(arena))
        builder.rc = ZS_NOMEM;
    if (builder.rc == ZS_OK && builder.select == NULL)
        builder.rc = ZS_SYNTAX;
    if (builder.rc == ZS_OK)
        *select = builder.select;
    return builder.rc;
}
