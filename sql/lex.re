/* The lexer: SQLite's tokens, by re2c. A NUL ends the text. */
#include "sql/lex.h"

#include <stdbool.h>

struct zsql_token zsql_lex(const char *text, uint32_t at)
{
    const unsigned char *cursor = (const unsigned char *)text + at;
    const unsigned char *marker;
    const unsigned char *start;
    int kind;

again:
    while (cursor[0] == 0xef && cursor[1] == 0xbb && cursor[2] == 0xbf)
        cursor += 3; /* a byte order mark is a blank, also before a name */
    start = cursor;
    /*!re2c
    re2c:define:YYCTYPE = "unsigned char";
    re2c:define:YYCURSOR = cursor;
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable = 0;

    digit = [0-9];
    hex = [0-9a-fA-F];
    digits = digit+ ("_" digit+)*;
    exponent = 'e' [+-]? digits;
    first = [a-zA-Z_\x80-\xff];
    rest = first | digit | "$";
    any = [^\x00];

    "\x00" { kind = TK_END_OF_TEXT; cursor = start; goto done; }
    [ \t\n\f\r][ \t\n\v\f\r]* { goto again; }
    "--" [^\n\x00]* { goto again; }
    "/*" { goto comment; }

    "->>" | "->" { kind = TK_PTR; goto done; }
    "-" { kind = TK_MINUS; goto done; }
    "+" { kind = TK_PLUS; goto done; }
    "*" { kind = TK_STAR; goto done; }
    "/" { kind = TK_SLASH; goto done; }
    "%" { kind = TK_REM; goto done; }
    "(" { kind = TK_LP; goto done; }
    ")" { kind = TK_RP; goto done; }
    ";" { kind = TK_SEMI; goto done; }
    "," { kind = TK_COMMA; goto done; }
    "." { kind = TK_DOT; goto done; }
    "==" | "=" { kind = TK_EQ; goto done; }
    "!=" | "<>" { kind = TK_NE; goto done; }
    "<=" { kind = TK_LE; goto done; }
    ">=" { kind = TK_GE; goto done; }
    "<" { kind = TK_LT; goto done; }
    ">" { kind = TK_GT; goto done; }
    "<<" { kind = TK_LSHIFT; goto done; }
    ">>" { kind = TK_RSHIFT; goto done; }
    "||" { kind = TK_CONCAT; goto done; }
    "|" { kind = TK_BITOR; goto done; }
    "&" { kind = TK_BITAND; goto done; }
    "~" { kind = TK_BITNOT; goto done; }

    "'" ([^'\x00] | "''")* "'" { kind = TK_STRING; goto done; }
    ["] ([^"\x00] | ["]["])* ["] { kind = TK_ID; goto done; }
    "`" ([^`\x00] | "``")* "`" { kind = TK_ID; goto done; }
    "[" [^\]\x00]* "]" { kind = TK_ID; goto done; }
    'x' "'" (hex hex)* "'" { kind = TK_BLOB; goto done; }

    '0x' hex+ ("_" hex+)* { kind = TK_INTEGER; goto done; }
    digits { kind = TK_INTEGER; goto number; }
    (digits ("." digits?)? | "." digits) exponent? { kind = TK_FLOAT; goto number; }

    "?" digit* { kind = TK_VARIABLE; goto done; }
    [:@$#] (rest | "::")+ ("(" [^) \t\n\f\r\x00]* ")")? { kind = TK_VARIABLE; goto done; }

    'all' { kind = TK_ALL; goto done; }
    'and' { kind = TK_AND; goto done; }
    'as' { kind = TK_AS; goto done; }
    'asc' { kind = TK_ASC; goto done; }
    'between' { kind = TK_BETWEEN; goto done; }
    'by' { kind = TK_BY; goto done; }
    'case' { kind = TK_CASE; goto done; }
    'cast' { kind = TK_CAST; goto done; }
    'collate' { kind = TK_COLLATE; goto done; }
    'cross' | 'full' | 'inner' | 'left' | 'natural' | 'outer' | 'right' { kind = TK_JOIN_KW; goto done; }
    'current' { kind = TK_CURRENT; goto done; }
    'current_date' | 'current_time' | 'current_timestamp' { kind = TK_CTIME_KW; goto done; }
    'desc' { kind = TK_DESC; goto done; }
    'distinct' { kind = TK_DISTINCT; goto done; }
    'else' { kind = TK_ELSE; goto done; }
    'end' { kind = TK_END; goto done; }
    'escape' { kind = TK_ESCAPE; goto done; }
    'except' { kind = TK_EXCEPT; goto done; }
    'exclude' { kind = TK_EXCLUDE; goto done; }
    'exists' { kind = TK_EXISTS; goto done; }
    'filter' { kind = TK_FILTER; goto done; }
    'first' { kind = TK_FIRST; goto done; }
    'following' { kind = TK_FOLLOWING; goto done; }
    'from' { kind = TK_FROM; goto done; }
    'glob' | 'like' | 'regexp' { kind = TK_LIKE_KW; goto done; }
    'group' { kind = TK_GROUP; goto done; }
    'groups' { kind = TK_GROUPS; goto done; }
    'having' { kind = TK_HAVING; goto done; }
    'in' { kind = TK_IN; goto done; }
    'indexed' { kind = TK_INDEXED; goto done; }
    'intersect' { kind = TK_INTERSECT; goto done; }
    'is' { kind = TK_IS; goto done; }
    'isnull' { kind = TK_ISNULL; goto done; }
    'join' { kind = TK_JOIN; goto done; }
    'last' { kind = TK_LAST; goto done; }
    'limit' { kind = TK_LIMIT; goto done; }
    'match' { kind = TK_MATCH; goto done; }
    'materialized' { kind = TK_MATERIALIZED; goto done; }
    'no' { kind = TK_NO; goto done; }
    'not' { kind = TK_NOT; goto done; }
    'notnull' { kind = TK_NOTNULL; goto done; }
    'null' { kind = TK_NULL; goto done; }
    'nulls' { kind = TK_NULLS; goto done; }
    'offset' { kind = TK_OFFSET; goto done; }
    'on' { kind = TK_ON; goto done; }
    'or' { kind = TK_OR; goto done; }
    'order' { kind = TK_ORDER; goto done; }
    'others' { kind = TK_OTHERS; goto done; }
    'over' { kind = TK_OVER; goto done; }
    'partition' { kind = TK_PARTITION; goto done; }
    'preceding' { kind = TK_PRECEDING; goto done; }
    'raise' { kind = TK_RAISE; goto done; }
    'range' { kind = TK_RANGE; goto done; }
    'recursive' { kind = TK_RECURSIVE; goto done; }
    'row' { kind = TK_ROW; goto done; }
    'rows' { kind = TK_ROWS; goto done; }
    'select' { kind = TK_SELECT; goto done; }
    'then' { kind = TK_THEN; goto done; }
    'ties' { kind = TK_TIES; goto done; }
    'unbounded' { kind = TK_UNBOUNDED; goto done; }
    'union' { kind = TK_UNION; goto done; }
    'using' { kind = TK_USING; goto done; }
    'values' { kind = TK_VALUES; goto done; }
    'when' { kind = TK_WHEN; goto done; }
    'where' { kind = TK_WHERE; goto done; }
    'window' { kind = TK_WINDOW; goto done; }
    'with' { kind = TK_WITH; goto done; }
    'within' { kind = TK_WITHIN; goto done; }
    first rest* { kind = TK_ID; goto done; }

    * { kind = TK_ILLEGAL; goto done; }
    */

comment: /* to its end, or to the end of the text */
    /*!re2c
    "*" "/" { goto again; }
    "\x00" { kind = TK_END_OF_TEXT; cursor--; start = cursor; goto done; }
    * { goto comment; }
    */

number: /* no name may touch it, but for a hexadecimal one */
    /*!re2c
    rest+ { kind = TK_ILLEGAL; goto done; }
    "" { goto done; }
    */

done:
    return (struct zsql_token){
        kind, (uint32_t)((const char *)start - text), (uint32_t)((const char *)cursor - text)};
}

/* Can a token be read as a name, seen from the words of window functions? */
static bool is_name(int kind)
{
    switch (kind) {
    case TK_ID:
    case TK_STRING:
    case TK_JOIN_KW:
    case TK_WINDOW:
    case TK_OVER:
        return true;
    default:
        return zsql_parse_falls_back(kind);
    }
}

struct zsql_token zsql_lex_in_context(const char *text, uint32_t at, int previous)
{
    struct zsql_token token = zsql_lex(text, at);
    struct zsql_token after;
    bool is_keyword;

    if (token.kind != TK_WINDOW && token.kind != TK_OVER && token.kind != TK_FILTER &&
        token.kind != TK_WITHIN)
        return token;
    after = zsql_lex(text, token.end);
    switch (token.kind) {
    case TK_WINDOW:
        is_keyword = is_name(after.kind) && zsql_lex(text, after.end).kind == TK_AS;
        break;
    case TK_OVER:
        is_keyword = previous == TK_RP && (after.kind == TK_LP || is_name(after.kind));
        break;
    case TK_FILTER:
        is_keyword = previous == TK_RP && after.kind == TK_LP;
        break;
    default:
        is_keyword = previous == TK_RP && after.kind == TK_GROUP &&
            zsql_lex(text, after.end).kind == TK_LP;
    }
    if (!is_keyword)
        token.kind = TK_ID;
    return token;
}
