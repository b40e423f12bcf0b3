/* What plans are made, and what is refused. */
#include "tests/plan_cases.h"

const char *const plan_tables =
    "CREATE TABLE t(a INT, b REAL, c TEXT, n TEXT COLLATE NOCASE, r TEXT COLLATE RTRIM,"
    " f TEXT COLLATE fr);"
    "CREATE TABLE u(id INTEGER PRIMARY KEY, v);"
    "CREATE TABLE named(_rowid_ INT);"
    "CREATE VIEW v AS SELECT * FROM t;"
    "CREATE VIEW w(id, a) AS WITH s AS (SELECT a, b FROM v) SELECT b, a FROM s;";

const struct plan_case plan_cases[] = {
    {"SELECT * FROM (SELECT a, b AS a, n COLLATE RTRIM, 'x' AS false FROM t) AS x",
        "join t\n"
        "  SELECT \"x\".\"a\", \"x\".\"a:1\", \"x\".\"n\", \"x\".\"column4\" FROM (SELECT a, b "
        "AS a, n COLLATE RTRIM, 'x' AS false FROM <0> AS \"t\") AS x\n"
        "  +plus 0, -minus 0\n"
        "rows a, a:1, n, column4; may repeat\n",
        NULL},
    {"SELECT q.a FROM v AS q NOT INDEXED, w NOT INDEXED WHERE q.a = w.id",
        "join t, t\n"
        "  SELECT q.a FROM (SELECT * FROM <0> AS \"t\") AS q , (SELECT b AS \"id\" , a "
        "FROM (SELECT a, b FROM (SELECT * FROM <1> AS \"t\") AS \"v\") AS \"s\") AS "
        "\"w\" WHERE (q.a = w.id)\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows a; may repeat\n",
        "SELECT q.a FROM (SELECT * FROM t) AS q , (SELECT b AS \"id\" , a FROM "
        "(SELECT a, b FROM (SELECT * FROM t) AS \"v\") AS \"s\") AS \"w\" WHERE q.a = w.id"},
    {"SELECT a, b + 1 AS \"next\", c || 'x' FROM t WHERE a > 1 AND c LIKE 'x%'",
        "source t: a(0) INT, b(1) REAL, c(2) TEXT\n"
        "map c0 INT, c1 + 1, c2 || 'x' where c0 > 1 AND c2 LIKE 'x%'\n"
        "rows a, next, c || 'x'; may repeat\n",
        NULL},
    {"SELECT * FROM t",
        "source t: a(0) INT, b(1) REAL, c(2) TEXT, n(3) TEXT NOCASE, r(4) TEXT RTRIM, "
        "f(5) TEXT\n"
        "map c0 INT, c1 REAL, c2 TEXT, c3 TEXT NOCASE, c4 TEXT RTRIM, c5 TEXT\n"
        "rows a, b, c, n, r, f; may repeat\n",
        NULL},
    {"SELECT q.*, rowid FROM main.t AS q WHERE q.a IN (1, 2)",
        "source main.t: a(0) INT, b(1) REAL, c(2) TEXT, n(3) TEXT NOCASE, r(4) TEXT "
        "RTRIM, f(5) TEXT, rowid(-1) INTEGER\n"
        "map c0 INT, c1 REAL, c2 TEXT, c3 TEXT NOCASE, c4 TEXT RTRIM, c5 TEXT, c6 "
        "INTEGER where c0 IN (1, 2)\n"
        "rows a, b, c, n, r, f, rowid; may repeat\n",
        NULL},
    {"SELECT id, oid, u.rowid FROM u",
        "source u: id(0) INTEGER\n"
        "map c0 INTEGER, c0 INTEGER, c0 INTEGER\n"
        "rows id, id:1, id:2; keys 0\n",
        NULL},
    {"SELECT 1, rowid + 0, (rowid) FROM u",
        "source u: id(0) INTEGER\n"
        "map 1, c0 + 0, c0 INTEGER\n"
        "rows 1, rowid + 0, id; keys 2\n",
        NULL},
    {"SELECT rowid, _rowid_ FROM named",
        "source named: rowid(-1) INTEGER, _rowid_(0) INT\n"
        "map c0 INTEGER, c1 INT\n"
        "rows rowid, _rowid_; may repeat\n",
        NULL},
    {"SELECT (a), ((b)) FROM (t) AS q ORDER BY 1, b DESC",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL\n"
        "rows a, b; may repeat\n"
        "order 0, 1 desc\n",
        "SELECT (a), ((b)) FROM t AS q ORDER BY 1, b DESC"},
    {"SELECT \"a\", [b], `c`, \"no such column\", 'it''s' FROM t WHERE true IS NOT FALSE",
        "source t: a(0) INT, b(1) REAL, c(2) TEXT\n"
        "map c0 INT, c1 REAL, c2 TEXT, 'no such column', 'it''s' where true IS NOT FALSE\n"
        "rows a, b, c, \"no such column\", 'it''s'; may repeat\n",
        NULL},
    {"SELECT NOT(a), a-(-b), -(a)||c FROM t -- the end",
        "source t: a(0) INT, b(1) REAL, c(2) TEXT\n"
        "map NOT c0, c0-(-c1), -c0||c2\n"
        "rows NOT(a), a-(-b), -(a)||c; may repeat\n",
        "SELECT NOT(a), a-(-b), -(a)||c FROM t"},
    {"SELECT CAST(a AS VARCHAR(9)), +n, n COLLATE RTRIM, f, f = c, likely(n) FROM t",
        "source t: a(0) INT, n(3) TEXT NOCASE, f(5) TEXT, c(2) TEXT\n"
        "map CAST(c0 AS VARCHAR(9)) TEXT, +c1 NOCASE, c1 COLLATE RTRIM TEXT RTRIM, c2 TEXT, c2 "
        "= c3, likely(c1)\n"
        "rows CAST(a AS VARCHAR(9)), +n, n, f, f = c, likely(n); may repeat\n",
        NULL},
    {"SELECT a AS x1, b FROM t WHERE x1 > 1 AND a = x1 + 1",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL where c0 > 1 AND c0 = c0 + 1\n"
        "rows x1, b; may repeat\n",
        NULL},
    {"SELECT count(*) FROM t",
        "source t\n"
        "map\n"
        "group all: count(*)\n"
        "map c0\n"
        "rows count(*); keys\n",
        NULL},
    {"SELECT count(*), count(1), count('x'), count(NULL), count(a), COUNT ( \"a\" ) "
     "FROM t",
        "source t: a(0) INT\n"
        "map NULL, c0 INT\n"
        "group all: count(*), count(c0), count(c1)\n"
        "map c0, c0, c0, c1, c2, c2\n"
        "rows count(*), count(1), count('x'), count(NULL), count(a), COUNT ( \"a\" ); keys\n",
        NULL},
    {"SELECT n, sum(a), avg(a), total(b), min(c), max(n), unanimous(a) FROM t GROUP "
     "BY n",
        "source t: n(3) TEXT NOCASE, a(0) INT, b(1) REAL, c(2) TEXT\n"
        "map c0 TEXT NOCASE, c1 INT, c2 REAL, c3 TEXT, c0 TEXT NOCASE\n"
        "group by c0 TEXT NOCASE: sum(c1), avg(c1), total(c2), min(c3), max(c4 NOCASE), "
        "unanimous(c1)\n"
        "map c0 TEXT NOCASE, c1, c2, c3, c4, c5, c6\n"
        "rows n, sum(a), avg(a), total(b), min(c), max(n), unanimous(a); keys 0\n",
        "SELECT n, exact_sum(a), exact_avg(a), exact_total(b), min(c), max(n), "
        "unanimous(a) FROM t GROUP BY n"},
    {"SELECT exact_sum(a), exact_avg(b), exact_total(b), sum(a) FROM t",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL\n"
        "group all: sum(c0), avg(c1), total(c1)\n"
        "map c0, c1, c2, c0\n"
        "rows exact_sum(a), exact_avg(b), exact_total(b), sum(a); keys\n",
        "SELECT exact_sum(a), exact_avg(b), exact_total(b), exact_sum(a) FROM t"},
    {"SELECT sum(a) + sum(t.a) * SUM(main.t.a), sum(b) / count(*) FROM t",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL\n"
        "group all: sum(c0), sum(c1), count(*)\n"
        "map c0 + c0 * c0, c1 / c2\n"
        "rows sum(a) + sum(t.a) * SUM(main.t.a), sum(b) / count(*); keys\n",
        "SELECT exact_sum(a) + exact_sum(t.a) * exact_SUM(main.t.a), exact_sum(b) / "
        "count(*) FROM t"},
    {"SELECT count(DISTINCT n), count(DISTINCT c), sum(DISTINCT a), max(DISTINCT r) "
     "FROM t",
        "source t: n(3) TEXT NOCASE, c(2) TEXT, a(0) INT, r(4) TEXT RTRIM\n"
        "map c0 TEXT NOCASE, c1 TEXT, c2 INT, c3 TEXT RTRIM\n"
        "group all: count(distinct c0 NOCASE), count(distinct c1), sum(distinct c2), "
        "max(distinct c3 RTRIM)\n"
        "map c0, c1, c2, c3\n"
        "rows count(DISTINCT n), count(DISTINCT c), sum(DISTINCT a), max(DISTINCT r); "
        "keys\n",
        "SELECT count(DISTINCT n), count(DISTINCT c), exact_sum(DISTINCT a), "
        "max(DISTINCT r) FROM t"},
    {"SELECT count(*) FILTER (WHERE a > 1), sum(b) FILTER (WHERE a > 1), max(n) "
     "FILTER(WHERE(a)) FROM t",
        "source t: a(0) INT, b(1) REAL, n(3) TEXT NOCASE\n"
        "map CASE WHEN (c0 > 1) THEN 1 END, CASE WHEN (c0 > 1) THEN (c1) END REAL, CASE "
        "WHEN (c0) THEN (c2) END TEXT NOCASE\n"
        "group all: count(c0), sum(c1), max(c2 NOCASE)\n"
        "map c0, c1, c2\n"
        "rows count(*) FILTER (WHERE a > 1), sum(b) FILTER (WHERE a > 1), max(n) "
        "FILTER(WHERE(a)); keys\n",
        "SELECT count(*) FILTER (WHERE a > 1), exact_sum(b) FILTER (WHERE a > 1), max(n) "
        "FILTER(WHERE(a)) FROM t"},
    {"SELECT date(a, 'unixepoch') AS day, count(*) AS hits FROM t GROUP BY day HAVING "
     "hits > 1 AND day <> ''",
        "source t: a(0) INT\n"
        "map date(lockstep_timeless(c0), 'unixepoch')\n"
        "group by c0: count(*)\n"
        "map c0, c1 where c1 > 1 AND c0 <> ''\n"
        "rows day, hits; keys 0\n",
        "SELECT date(lockstep_timeless(a), 'unixepoch') AS day, count(*) AS hits FROM t GROUP "
        "BY "
        "day HAVING hits > 1 AND day <> ''"},
    {"SELECT substr(c, 1, 2), count(*) FROM t GROUP BY 1",
        "source t: c(2) TEXT\n"
        "map substr(c0, 1, 2)\n"
        "group by c0: count(*)\n"
        "map c0, c1\n"
        "rows substr(c, 1, 2), count(*); keys 0\n",
        NULL},
    {"SELECT b AS a, count(*) FROM t GROUP BY b",
        "source t: b(1) REAL\n"
        "map c0 REAL\n"
        "group by c0 REAL: count(*)\n"
        "map c0 REAL, c1\n"
        "rows a, count(*); keys 0\n",
        NULL},
    {"SELECT a + 1, (A+1) * 2, count(*) FROM t GROUP BY a + 1, a+1, ( a ) /* thrice "
     "*/ + 1",
        "source t: a(0) INT\n"
        "map c0 + 1\n"
        "group by c0: count(*)\n"
        "map c0, c0 * 2, c1\n"
        "rows a + 1, (A+1) * 2, count(*); keys 0\n",
        "SELECT a + 1, (A+1) * 2, count(*) FROM t GROUP BY a + 1, a+1, ( a ) + 1"},
    {"SELECT UPPER(c) FROM t GROUP BY upper(c)",
        "source t: c(2) TEXT\n"
        "map upper(c0)\n"
        "group by c0\n"
        "map c0\n"
        "rows UPPER(c); keys 0\n",
        NULL},
    {"SELECT max(a, b), max(a) FROM t GROUP BY a, b",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL, c0 INT\n"
        "group by c0 INT, c1 REAL: max(c2)\n"
        "map max(c0, c1), c2\n"
        "rows max(a, b), max(a); keys - -; may repeat\n",
        NULL},
    {"SELECT 1, a FROM t GROUP BY a HAVING sum(b) > 1",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL\n"
        "group by c0 INT: sum(c1)\n"
        "map 1, c0 INT where c1 > 1\n"
        "rows 1, a; keys 1\n",
        "SELECT 1, a FROM t GROUP BY a HAVING exact_sum(b) > 1"},
    {"SELECT sum(a) FROM t HAVING count(*) > 1",
        "source t: a(0) INT\n"
        "map c0 INT\n"
        "group all: sum(c0), count(*)\n"
        "map c0 where c1 > 1\n"
        "rows sum(a); keys\n",
        "SELECT exact_sum(a) FROM t HAVING count(*) > 1"},
    {"SELECT DISTINCT n, a + b FROM t",
        "source t: n(3) TEXT NOCASE, a(0) INT, b(1) REAL\n"
        "map c0 TEXT NOCASE, c1 + c2\n"
        "group by c0 TEXT NOCASE, c1\n"
        "rows n, a + b; keys 0 1\n",
        NULL},
    {"SELECT DISTINCT count(*) FROM t GROUP BY a",
        "source t: a(0) INT\n"
        "map c0 INT\n"
        "group by c0 INT: count(*)\n"
        "map c1\n"
        "group by c0\n"
        "rows count(*); keys 0\n",
        NULL},
    {"SELECT DISTINCT a, a FROM t WHERE b",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c0 INT where c1\n"
        "group by c0 INT, c1 INT\n"
        "rows a, a:1; keys 0 1\n",
        NULL},
    {"SELECT c, count(*) FROM t GROUP BY c COLLATE NOCASE HAVING c <> 'x' AND "
     "upper(c) <> 'X'",
        "source t: c(2) TEXT\n"
        "map c0 COLLATE NOCASE TEXT NOCASE\n"
        "group by c0 TEXT NOCASE: count(*)\n"
        "map c0 TEXT, c1 where (c0 COLLATE BINARY) <> 'x' AND upper(c0) <> 'X'\n"
        "rows c, count(*); keys 0\n",
        NULL},
    {"SELECT count(*) = n, n = count(*), count(*) = 1, count(*) IN (1, n) FROM t "
     "GROUP BY n",
        "source t: n(3) TEXT NOCASE\n"
        "map c0 TEXT NOCASE\n"
        "group by c0 TEXT NOCASE: count(*)\n"
        "map ifnull(c1, NULL) = c0, c0 = ifnull(c1, NULL), c1 = 1, c1 IN (1, c0)\n"
        "rows count(*) = n, n = count(*), count(*) = 1, count(*) IN (1, n); keys -; may "
        "repeat\n",
        NULL},
    {"SELECT max(c COLLATE NOCASE) AS m FROM t GROUP BY a HAVING m = 'a' OR m || 'x' "
     "= min(c)",
        "source t: a(0) INT, c(2) TEXT\n"
        "map c0 INT, c1 COLLATE NOCASE TEXT NOCASE, c1 TEXT\n"
        "group by c0 INT: max(c1 NOCASE), min(c2)\n"
        "map c1 NOCASE where (c1 COLLATE NOCASE) = 'a' OR (c1 COLLATE NOCASE) || 'x' = "
        "ifnull(c2, NULL)\n"
        "rows m; keys -; may repeat\n",
        NULL},
    {"SELECT max(c COLLATE NOCASE) AS m FROM t GROUP BY a HAVING m = 'a' OR m || 'x' "
     "= 'y' OR length(m)",
        "source t: a(0) INT, c(2) TEXT\n"
        "map c0 INT, c1 COLLATE NOCASE TEXT NOCASE\n"
        "group by c0 INT: max(c1 NOCASE)\n"
        "map c1 NOCASE where (c1 COLLATE NOCASE) = 'a' OR (c1 COLLATE NOCASE) || 'x' = "
        "'y' OR length(c1)\n"
        "rows m; keys -; may repeat\n",
        NULL},
    {"SELECT a + 1 AS k FROM t GROUP BY k HAVING k = max(n) OR CAST(k AS TEXT) = "
     "min(n)",
        "source t: a(0) INT, n(3) TEXT NOCASE\n"
        "map c0 + 1, c1 TEXT NOCASE\n"
        "group by c0: max(c1 NOCASE), min(c1 NOCASE)\n"
        "map c0 where ifnull(c0, NULL) = ifnull(c1, NULL) OR CAST(ifnull(c0, NULL) AS "
        "TEXT) = ifnull(c2, NULL)\n"
        "rows k; keys 0\n",
        NULL},
    {"SELECT a + 1 AS k FROM t GROUP BY k HAVING k = max(n) OR k BETWEEN 1 AND 2 OR k "
     "+ 1 = 3",
        "source t: a(0) INT, n(3) TEXT NOCASE\n"
        "map c0 + 1, c1 TEXT NOCASE\n"
        "group by c0: max(c1 NOCASE)\n"
        "map c0 where ifnull(c0, NULL) = ifnull(c1, NULL) OR c0 BETWEEN 1 AND 2 OR c0 + "
        "1 = 3\n"
        "rows k; keys 0\n",
        NULL},
    {"SELECT CASE n WHEN 'a' THEN 1 ELSE count(*) END FROM t GROUP BY n",
        "source t: n(3) TEXT NOCASE\n"
        "map c0 TEXT NOCASE\n"
        "group by c0 TEXT NOCASE: count(*)\n"
        "map CASE c0 WHEN 'a' THEN 1 ELSE c1 END\n"
        "rows CASE n WHEN 'a' THEN 1 ELSE count(*) END; keys -; may repeat\n",
        NULL},
    {"SELECT +n AS k, count(*) FROM t GROUP BY +n HAVING k = max(a) OR k = 1",
        "source t: n(3) TEXT NOCASE, a(0) INT\n"
        "map +c0 NOCASE, c1 INT\n"
        "group by c0 NOCASE: count(*), max(c1)\n"
        "map c0 NOCASE, c1 where (+c0) = ifnull(c2, NULL) OR c0 = 1\n"
        "rows k, count(*); keys 0\n",
        NULL},
    {"SELECT CAST(a + 1 AS TEXT) AS k FROM t GROUP BY k HAVING k = max(n)",
        "source t: a(0) INT, n(3) TEXT NOCASE\n"
        "map CAST(c0 + 1 AS TEXT) TEXT, c1 TEXT NOCASE\n"
        "group by c0 TEXT: max(c1 NOCASE)\n"
        "map c0 TEXT where CAST(ifnull(c0, NULL) AS TEXT) = ifnull(c1, NULL)\n"
        "rows k; keys 0\n",
        NULL},
    {"SELECT max(rowid, n, c), max(rowid, n) FROM t",
        "source t: rowid(-1) INTEGER, n(3) TEXT NOCASE, c(2) TEXT\n"
        "map max(CAST(ifnull(c0, NULL) AS INTEGER), c1, c2), max(c0, c1)\n"
        "rows max(rowid, n, c), max(rowid, n); may repeat\n",
        NULL},
    {"SELECT TRUE AS k, count(*) FROM t GROUP BY k HAVING count(*) IS k",
        "source t\n"
        "map TRUE\n"
        "group by c0: count(*)\n"
        "map TRUE, c1 where c1 IS (TRUE)\n"
        "rows k, count(*); keys -; may repeat\n",
        NULL},
    {"SELECT a, count(*) FROM t GROUP BY a HAVING min(b) FILTER (WHERE c = 'x') IS "
     "NOT NULL",
        "source t: a(0) INT, b(1) REAL, c(2) TEXT\n"
        "map c0 INT, CASE WHEN (c2 = 'x') THEN (c1) END REAL\n"
        "group by c0 INT: count(*), min(c1)\n"
        "map c0 INT, c1 where c2 IS NOT NULL\n"
        "rows a, count(*); keys 0\n",
        NULL},
    {"SELECT (a, n) < (1, 'x'), a FROM t GROUP BY a, n",
        "source t: a(0) INT, n(3) TEXT NOCASE\n"
        "map c0 INT, c1 TEXT NOCASE\n"
        "group by c0 INT, c1 TEXT NOCASE\n"
        "map (c0, c1) < (1, 'x'), c0 INT\n"
        "rows (a, n) < (1, 'x'), a; keys 1 -; may repeat\n",
        NULL},
    {"select /* sum(x) */ sum ( /* sum */ a ), \"avg\"(b), 'sum(a)', TOTAL(a) from t "
     "group by c;;",
        "source t: c(2) TEXT, a(0) INT, b(1) REAL\n"
        "map c0 TEXT, c1 INT, c2 REAL\n"
        "group by c0 TEXT: sum(c1), avg(c2), total(c1)\n"
        "map c1, c2, 'sum(a)', c3\n"
        "rows sum ( a ), \"avg\"(b), 'sum(a)', TOTAL(a); keys -; may repeat\n",
        "select exact_sum ( a ), exact_avg(b), 'sum(a)', exact_TOTAL(a) from t group by "
        "c"},
    {"SELECT json_array(a, c), length(json(c)) FROM t GROUP BY a, c, json(c)",
        "source t: a(0) INT, c(2) TEXT\n"
        "map c0 INT, c1 TEXT, json(c1)\n"
        "group by c0 INT, c1 TEXT, c2\n"
        "map json_array(c0, c1), length(c2)\n"
        "rows json_array(a, c), length(json(c)); keys - - -; may repeat\n",
        NULL},
    {"SELECT a, n FROM t GROUP BY a",
        "source t: a(0) INT, n(3) TEXT NOCASE\n"
        "map c0 INT, c1 TEXT NOCASE\n"
        "group by c0 INT, any row shows c1 TEXT NOCASE\n"
        "map c0 INT, c1 TEXT NOCASE\n"
        "rows a, n?; keys 0\n",
        NULL},
    {"SELECT max(n), b + a AS s, count(*) FROM t GROUP BY a HAVING n > 'x'",
        "source t: a(0) INT, b(1) REAL, n(3) TEXT NOCASE\n"
        "map c0 INT, c1 REAL, c2 TEXT NOCASE, c2 TEXT NOCASE\n"
        "group by c0 INT, greatest c3 NOCASE shows c1 REAL, c2 TEXT NOCASE: max(c3 NOCASE), "
        "count(*)\n"
        "map c3, c1 + c0, c4 where c2 > 'x'\n"
        "rows max(n), s?, count(*); keys -; may repeat; may differ\n",
        NULL},
    {"SELECT a, rowid, count(*) FROM t HAVING count(*) > 1 ORDER BY min(b), max(c)",
        "source t: a(0) INT, rowid(-1) INTEGER, b(1) REAL, c(2) TEXT\n"
        "map c0 INT, c1 INTEGER, c2 REAL, c3 TEXT\n"
        "group all, least c2 shows c0 INT, c1 INTEGER: count(*), min(c2), max(c3)\n"
        "map c0 INT, c1 INTEGER, c2, c3, c4 where c2 > 1\n"
        "rows a?, rowid?, count(*), order 1, order 2; keys\n"
        "order 3, 4; 2 hidden\n",
        NULL},
    {"SELECT n FROM t GROUP BY n COLLATE RTRIM HAVING n = max(c)",
        "source t: n(3) TEXT NOCASE, c(2) TEXT\n"
        "map c0 COLLATE RTRIM TEXT RTRIM, c0 TEXT NOCASE, c1 TEXT\n"
        "group by c0 TEXT RTRIM, greatest c2 shows c1 TEXT NOCASE: max(c2)\n"
        "map c0 TEXT NOCASE where c1 = ifnull(c2, NULL)\n"
        "rows n; keys 0; may differ\n",
        NULL},
    {"SELECT a, group_concat(c) FROM (SELECT a, c FROM t ORDER BY n DESC, b) GROUP BY a",
        "join t\n"
        "  SELECT a, c, \"lockstep_subquery_1\".\"lockstep_order_1\", "
        "\"lockstep_subquery_1\".\"lockstep_order_2\" FROM (SELECT a, c , (n) AS "
        "lockstep_order_1, (b) AS lockstep_order_2 FROM <0> AS \"t\" ORDER BY n DESC, b) AS "
        "lockstep_subquery_1\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INT: refold(c1..c3: group_concat(c0) order (c1 COLLATE NOCASE) DESC, (c2 "
        "COLLATE BINARY))\n"
        "map c0 INT, c1\n"
        "rows a, group_concat(c)?; keys 0\n",
        "SELECT a, group_concat(c) FROM (SELECT a, c , (n) AS lockstep_order_1, (b) AS "
        "lockstep_order_2 "
        "FROM t ORDER BY n DESC, b) AS lockstep_subquery_1 GROUP BY a"},
    {"SELECT group_concat(DISTINCT n) FILTER (WHERE b > n) AS l, group_concat( c , ';' ), "
     "GROUP_CONCAT(c, ';') FROM t GROUP BY a",
        "source t: a(0) INT, n(3) TEXT NOCASE, b(1) REAL, c(2) TEXT\n"
        "map c0 INT, c1 TEXT NOCASE, c2 REAL, c3 TEXT\n"
        "group by c0 INT: refold(c1..c2: group_concat(DISTINCT c0) FILTER (WHERE c1 > c0)), "
        "refold(c3: group_concat( c0 , ';' ))\n"
        "map c1, c2, c2\n"
        "rows l?, group_concat( c , ';' )?, GROUP_CONCAT(c, ';')?; keys -; may repeat\n",
        NULL},
    {"SELECT own(a), own(b + 1), own(1), own(a) || 'x', sum(a) FROM t",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL, 1\n"
        "group all: refold(c0: own(c0)), refold(c1: own(c0 + 1)), refold(c2: own(1)), sum(c0)\n"
        "map c0, c1, c2, c0 || 'x', c3\n"
        "rows own(a)?, own(b + 1)?, own(1)?, own(a) || 'x'?, sum(a); keys\n",
        "SELECT own(a), own(b + 1), own(1), own(a) || 'x', exact_sum(a) FROM t"},
    {"SELECT json_group_array(a), json_array(json_group_object(c, json(b)), max(c -> '$')), "
     "json_array(json(n), a) FROM t GROUP BY json(n)",
        "source t: n(3) TEXT NOCASE, a(0) INT, c(2) TEXT, b(1) REAL\n"
        "map json(c0), c1 INT, c1 INT, c2 TEXT, c3 REAL, c2 -> '$'\n"
        "group by c0, greatest c5 shows c1 INT: refold(c2: json_group_array(c0)), "
        "refold(c3..c4: json_group_object(c0, json(c1))), max(c5)\n"
        "map c2, json_array(lockstep_json(c3), lockstep_json(c4)), "
        "json_array(lockstep_json(c0), c1)\n"
        "rows json_group_array(a)~, json_array(json_group_object(c, json(b)), max(c -> '$'))?, "
        "json_array(json(n), a)?; keys -; may repeat\n",
        NULL},
    {"SELECT likelihood(a, 0.5) FROM t GROUP BY a, 0.5",
        "source t: a(0) INT\n"
        "map c0 INT, 0.5\n"
        "group by c0 INT, c1\n"
        "map likelihood(c0, 0.5)\n"
        "rows likelihood(a, 0.5); keys - -; may repeat\n",
        NULL},
    {"SELECT a, a NOT IN (), b IN () FROM t",
        "source t: a(0) INT\n"
        "map c0 INT, (0 NOT IN ()), (0 IN ())\n"
        "rows a, a NOT IN (), b IN (); may repeat\n",
        NULL},
    {"SELECT t.a FROM t, u",
        "join t, u\n"
        "  SELECT t.a FROM <0> AS \"t\", <1> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT t.a, u.* FROM t JOIN u ON t.a = u.id WHERE u.v > 1",
        "join t, u\n"
        "  SELECT t.a, \"u\".\"id\", \"u\".\"v\" FROM <0> AS \"t\" JOIN <1> AS \"u\" ON t.a = "
        "u.id WHERE (u.v > 1)\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows a, id, v; may repeat\n",
        NULL},
    {"SELECT x.a FROM t AS x LEFT OUTER JOIN main.u ON main.u.id = x.a",
        "join t, u\n"
        "  SELECT x.a FROM <0> AS x LEFT OUTER JOIN <1> AS \"u\" ON u.id = x.a\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT x.a FROM <0> AS x LEFT OUTER JOIN <1> AS \"u\" ON u.id = "
        "x.a WHERE +\"u\".lockstep_weight >= +\"u\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT x.a FROM <0> AS x LEFT OUTER JOIN <1> AS \"u\" ON u.id = "
        "x.a WHERE (x.a) IN (SELECT u.id FROM <1 batch> AS \"u\") AND NOT EXISTS (SELECT 1 "
        "FROM <1 past> AS \"u\" WHERE u.id = x.a)\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT * FROM t NATURAL JOIN u",
        "join t, u\n"
        "  SELECT \"t\".\"a\", \"t\".\"b\", \"t\".\"c\", \"t\".\"n\", \"t\".\"r\", "
        "\"t\".\"f\", \"u\".\"id\", \"u\".\"v\" FROM <0> AS \"t\" NATURAL JOIN <1> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows a, b, c, n, r, f, id, v; may repeat\n",
        NULL},
    {"SELECT t.a FROM (t CROSS JOIN u NOT INDEXED)",
        "join t, u\n"
        "  SELECT t.a FROM <0> AS \"t\" JOIN <1> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows a; may repeat\n",
        "SELECT t.a FROM t CROSS JOIN u NOT INDEXED"},
    {"SELECT a FROM (SELECT a FROM t)",
        "join t\n"
        "  SELECT a FROM (SELECT a FROM <0> AS \"t\") AS lockstep_subquery_1\n"
        "  +plus 0, -minus 0\n"
        "rows a; may repeat\n",
        "SELECT a FROM (SELECT a FROM t) AS lockstep_subquery_1"},
    {"SELECT (SELECT 1) FROM t",
        "join t\n"
        "  SELECT (SELECT 1) FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "rows (SELECT 1); may repeat\n",
        "SELECT (SELECT 1) FROM t"},
    {"SELECT a FROM t WHERE EXISTS (SELECT 1)",
        "join t\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1))\n"
        "  +plus 0, -minus 0\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE a IN (SELECT id FROM u WHERE v > 100 ORDER BY v)",
        "join t, u\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (a IN (SELECT id FROM <1> AS \"u\" WHERE v > 100 "
        "ORDER BY v))\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <1> AS "
        "\"u\" WHERE (v > 100) AND (\"t\".\"a\") = (id)))\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (a) IN (SELECT id FROM <1 batch> "
        "AS \"u\") AND (EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE (v > 100) AND (\"t\".\"a\") = "
        "(id)))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE a IN named",
        "join t, named\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (a IN (SELECT * FROM <1> AS \"named\"))\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <1> AS "
        "\"named\" WHERE (1) AND (\"t\".\"a\") = (\"named\".\"_rowid_\")))\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (a) IN (SELECT "
        "\"named\".\"_rowid_\" FROM <1 batch> AS \"named\") AND (EXISTS (SELECT 1 FROM <1> AS "
        "\"named\" WHERE (1) AND (\"t\".\"a\") = (\"named\".\"_rowid_\")))\n"
        "rows a; may repeat\n",
        "SELECT a FROM t WHERE a IN (SELECT * FROM named)"},
    {"SELECT a FROM t WHERE a NOT IN (VALUES (1), (2))",
        "join t\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (a NOT IN (VALUES (1), (2)))\n"
        "  +plus 0, -minus 0\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT count(*) FILTER (WHERE a = (SELECT max(id) FROM u)) FROM t",
        "join u\n"
        "  SELECT id FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "group all: max(c0)\n"
        "map c0 kept by 0\n"
        "join 2, t\n"
        "  SELECT CASE WHEN (a = (SELECT (+c0) FROM <0> AS lockstep_made)) THEN 1 END FROM <1> "
        "AS \"t\"\n"
        "  +now 0, -past 0: SELECT CASE WHEN (a = (SELECT (+c0) FROM <0> AS lockstep_made)) "
        "THEN 1 END FROM <1> AS \"t\" WHERE (a) IN (SELECT * FROM (SELECT a FROM <1> AS \"t\" "
        "LIMIT CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION ALL SELECT "
        "(SELECT (+c0) FROM <0 now> AS lockstep_made) UNION ALL SELECT (SELECT (+c0) FROM <0 "
        "past> AS lockstep_made)) WHERE y IS NULL) THEN -1 ELSE 0 END) UNION ALL SELECT "
        "(SELECT (+c0) FROM <0 now> AS lockstep_made) UNION ALL SELECT (SELECT (+c0) FROM <0 "
        "past> AS lockstep_made))\n"
        "  +plus 1, -minus 1\n"
        "group all: count(c0)\n"
        "map c0\n"
        "rows count(*) FILTER (WHERE a = (SELECT max(id) FROM u)); keys\n",
        NULL},
    {"SELECT a, (SELECT sum(v) FROM u WHERE id = a) FROM t",
        "join u\n"
        "  SELECT id, v FROM <0> AS \"u\" WHERE (1)\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INTEGER: sum(c1)\n"
        "map c0 INTEGER, c1 kept by 0\n"
        "join 2, t\n"
        "  SELECT a, (SELECT CASE count(*) WHEN 0 THEN (NULL) ELSE max(c1) END FROM <0> AS "
        "lockstep_made WHERE lockstep_made.c0 = (\"t\".\"a\")) FROM <1> AS \"t\"\n"
        "  +now 0, -past 0: SELECT a, (SELECT CASE count(*) WHEN 0 THEN (NULL) ELSE max(c1) "
        "END FROM <0> AS lockstep_made WHERE lockstep_made.c0 = (\"t\".\"a\")) FROM <1> AS "
        "\"t\" WHERE (a) IN (SELECT \"lockstep_made\".\"c0\" FROM <0 batch> AS lockstep_made)\n"
        "  +plus 1, -minus 1\n"
        "rows a, (SELECT sum(v) FROM u WHERE id = a); may repeat\n",
        "SELECT a, (SELECT exact_sum(v) FROM u WHERE id = a) FROM t"},
    {"SELECT a, (SELECT v FROM u WHERE id > a ORDER BY v LIMIT 1) FROM t",
        "join u, t\n"
        "  SELECT a, (SELECT v FROM <0> AS \"u\" WHERE id > a ORDER BY v , 1 COLLATE BINARY, "
        "typeof(\"u\".\"v\") LIMIT 1) FROM <1> AS \"t\"\n"
        "  +now 0, -past 0: SELECT a, (SELECT v FROM <0> AS \"u\" WHERE id > a ORDER BY v , 1 "
        "COLLATE BINARY, typeof(\"u\".\"v\") LIMIT 1) FROM <1> AS \"t\" WHERE (a) < (WITH "
        "lockstep_values(y) AS (SELECT id FROM <0 batch> AS \"u\") SELECT y FROM "
        "lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" DESC LIMIT 1) AND "
        "EXISTS (SELECT 1 FROM <0 batch> AS \"u\" WHERE (id > a) GROUP BY typeof(v), (v) "
        "COLLATE BINARY HAVING sum(\"u\".lockstep_sign) <> 0)\n"
        "  +plus 1, -minus 1\n"
        "rows a, (SELECT v FROM u WHERE id > a ORDER BY v LIMIT 1); may repeat\n",
        "SELECT a, (SELECT v FROM u WHERE id > a ORDER BY v , 1 COLLATE BINARY, "
        "typeof(\"u\".\"v\") LIMIT 1) FROM t"},
    {"SELECT x.a, y.a, count(*) FROM t x JOIN t y USING (n) WHERE x.b > (y.b) GROUP BY 1, y.a "
     "HAVING sum(x.b) > 1",
        "join t, t\n"
        "  SELECT x.a, y.a, x.b FROM <0> x JOIN <1> y USING (n) WHERE (x.b > (y.b))\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "group by c0 INT, c1 INT: count(*), sum(c2)\n"
        "map c0 INT, c1 INT, c2 where c3 > 1\n"
        "rows a, a:1, count(*); keys 0 1\n",
        "SELECT x.a, y.a, count(*) FROM t x JOIN t y USING (n) WHERE x.b > (y.b) GROUP BY 1, "
        "y.a HAVING exact_sum(x.b) > 1"},
    {"SELECT x.a, y.n, group_concat(x.c || y.c) FILTER (WHERE EXISTS (SELECT 1 FROM u WHERE id "
     "= "
     "x.b)), max(y.b) FROM t x LEFT JOIN t y USING (a) GROUP BY x.a",
        "join t, t, u\n"
        "  SELECT x.a, y.n, x.c, y.c, EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE id = x.b), y.b "
        "FROM <0> x LEFT JOIN <1> y USING (a)\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT x.a, y.n, x.c, y.c, EXISTS (SELECT 1 FROM <2> AS \"u\" "
        "WHERE id = x.b), y.b FROM <0> x LEFT JOIN <1> y USING (a) WHERE "
        "+\"y\".lockstep_weight >= +\"y\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT x.a, y.n, x.c, y.c, EXISTS (SELECT 1 FROM <2> AS \"u\" "
        "WHERE id = x.b), y.b FROM <0> x LEFT JOIN <1> y USING (a) WHERE (\"x\".\"a\") IN "
        "(SELECT \"y\".\"a\" FROM <1 batch> y) AND NOT EXISTS (SELECT 1 FROM <1 past> y WHERE "
        "\"x\".\"a\" = \"y\".\"a\")\n"
        "  +now 2, -past 2: SELECT x.a, y.n, x.c, y.c, EXISTS (SELECT 1 FROM <2> AS \"u\" "
        "WHERE id = x.b), y.b FROM <0> x LEFT JOIN <1> y USING (a) WHERE (x.b) IN (SELECT id "
        "FROM <2 batch> AS \"u\")\n"
        "group by c0 INT, greatest c5 shows c1 TEXT NOCASE: refold(c2..c4: group_concat(c0 || "
        "c1) FILTER (WHERE c2)), max(c5)\n"
        "map c0 INT, c1 TEXT NOCASE, c2, c3\n"
        "rows a, n?, group_concat(x.c || y.c) FILTER (WHERE EXISTS (SELECT 1 FROM u WHERE id = "
        "x.b))?, max(y.b); keys 0\n",
        NULL},
    {"SELECT id FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.b BETWEEN u.id AND u.v AND t.c < "
     "u.v)",
        "join u, t\n"
        "  SELECT id FROM <0> AS \"u\" WHERE (EXISTS (SELECT 1 FROM <1> AS \"t\" WHERE t.b "
        "BETWEEN u.id AND u.v AND t.c < u.v))\n"
        "  +plus 0, -minus 0\n"
        "  +now 1, -past 1: SELECT id FROM <0> AS \"u\" WHERE (u.id) <= (WITH "
        "lockstep_values(y) AS (SELECT t.b FROM <1 batch> AS \"t\") SELECT y FROM "
        "lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" DESC LIMIT 1) AND "
        "(u.v) >= (WITH lockstep_values(y) AS (SELECT t.b FROM <1 batch> AS \"t\") SELECT y "
        "FROM lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" LIMIT 1) AND "
        "(u.v) > (WITH lockstep_values(y) AS (SELECT t.c FROM <1 batch> AS \"t\") SELECT y "
        "FROM lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" LIMIT 1) AND "
        "(SELECT sum(\"t\".lockstep_sign) FROM <1 batch> AS \"t\" WHERE (t.b BETWEEN u.id AND "
        "u.v AND t.c < u.v)) <> 0 AND (EXISTS (SELECT 1 FROM <1> AS \"t\" WHERE t.b BETWEEN "
        "u.id AND u.v AND t.c < u.v))\n"
        "rows id; may repeat\n",
        NULL},
    {"SELECT id FROM u WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.a > 1 AND NOT EXISTS (SELECT "
     "1 FROM t x WHERE x.a = u.id AND x.b = t.b AND x.n > t.c))",
        "join u, t, t\n"
        "  SELECT id FROM <0> AS \"u\" WHERE (NOT EXISTS (SELECT 1 FROM <1> AS \"t\" WHERE t.a "
        "> 1 AND NOT EXISTS (SELECT 1 FROM <2> x WHERE x.a = u.id AND x.b = t.b AND x.n > "
        "t.c)))\n"
        "  +plus 0, -minus 0\n"
        "  +now 1, -past 1\n"
        "  +now 2, -past 2: SELECT id FROM <0> AS \"u\" WHERE (u.id) IN (SELECT x.a FROM <2 "
        "batch> x) AND (NOT EXISTS (SELECT 1 FROM <1> AS \"t\" WHERE t.a > 1 AND NOT EXISTS "
        "(SELECT 1 FROM <2> x WHERE x.a = u.id AND x.b = t.b AND x.n > t.c)))\n"
        "rows id; may repeat\n",
        NULL},
    {"SELECT id FROM u LEFT JOIN t ON (t.a, t.b) < (u.id, u.id) AND t.n >= 'x' || u.id",
        "join u, t\n"
        "  SELECT id FROM <0> AS \"u\" LEFT JOIN <1> AS \"t\" ON (t.a, t.b) < (u.id, u.id) AND "
        "t.n >= 'x' || u.id\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT id FROM <0> AS \"u\" LEFT JOIN <1> AS \"t\" ON (t.a, t.b) "
        "< (u.id, u.id) AND t.n >= 'x' || u.id WHERE +\"t\".lockstep_weight >= "
        "+\"t\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT id FROM <0> AS \"u\" LEFT JOIN <1> AS \"t\" ON (t.a, "
        "t.b) < (u.id, u.id) AND t.n >= 'x' || u.id WHERE (u.id) >= (WITH lockstep_values(y) "
        "AS (SELECT t.a FROM <1 batch> AS \"t\") SELECT y FROM lockstep_values WHERE y IS NOT "
        "NULL ORDER BY y COLLATE \"BINARY\" LIMIT 1) AND (('x' || u.id COLLATE NOCASE)) <= "
        "(WITH lockstep_values(y) AS (SELECT t.n FROM <1 batch> AS \"t\") SELECT y FROM "
        "lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"NOCASE\" DESC LIMIT 1) AND "
        "NOT EXISTS (SELECT 1 FROM <1 past> AS \"t\" WHERE (t.a, t.b) < (u.id, u.id) AND t.n "
        ">= 'x' || u.id)\n"
        "rows id; may repeat\n",
        NULL},
    {"SELECT (SELECT count(*) FROM u b WHERE b.v > u.v OR (u.v = b.v AND b.id < u.id)) FROM u",
        "join u, u\n"
        "  SELECT (SELECT count(*) FROM <0> b WHERE b.v > u.v OR (u.v = b.v AND b.id < u.id)) "
        "FROM <1> AS \"u\"\n"
        "  +now 0, -past 0: SELECT (SELECT count(*) FROM <0> b WHERE b.v > u.v OR (u.v = b.v "
        "AND b.id < u.id)) FROM <1> AS \"u\" WHERE (u.v) <= (WITH lockstep_values(y) AS "
        "(SELECT b.v FROM <0 batch> b) SELECT y FROM lockstep_values WHERE y IS NOT NULL ORDER "
        "BY y COLLATE \"BINARY\" DESC LIMIT 1) AND (SELECT sum(\"b\".lockstep_sign) FROM <0 "
        "batch> b WHERE (b.v > u.v OR (u.v = b.v AND b.id < u.id))) <> 0\n"
        "  +plus 1, -minus 1\n"
        "rows (SELECT count(*) FROM u b WHERE b.v > u.v OR (u.v = b.v AND b.id < u.id)); may "
        "repeat\n",
        NULL},
    {"SELECT (SELECT count(*) FROM t b WHERE b.a < t.a OR (b.a > t.a AND b.b <= t.b) OR b.n = "
     "t.n) FROM t",
        "join t, t\n"
        "  SELECT (SELECT count(*) FROM <0> b WHERE b.a < t.a OR (b.a > t.a AND b.b <= t.b) OR "
        "b.n = t.n) FROM <1> AS \"t\"\n"
        "  +now 0, -past 0: SELECT (SELECT count(*) FROM <0> b WHERE b.a < t.a OR (b.a > t.a "
        "AND b.b <= t.b) OR b.n = t.n) FROM <1> AS \"t\" WHERE (((t.a) > (WITH "
        "lockstep_values(y) AS (SELECT b.a FROM <0 batch> b) SELECT y FROM lockstep_values "
        "WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" LIMIT 1) OR (t.a) < (WITH "
        "lockstep_values(y) AS (SELECT b.a FROM <0 batch> b) SELECT y FROM lockstep_values "
        "WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" DESC LIMIT 1) AND (t.b) >= (WITH "
        "lockstep_values(y) AS (SELECT b.b FROM <0 batch> b) SELECT y FROM lockstep_values "
        "WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" LIMIT 1)) OR (t.n) IN (SELECT b.n "
        "FROM <0 batch> b)) AND (SELECT sum(\"b\".lockstep_sign) FROM <0 batch> b WHERE (b.a < "
        "t.a OR (b.a > t.a AND b.b <= t.b) OR b.n = t.n)) <> 0\n"
        "  +plus 1, -minus 1\n"
        "rows (SELECT count(*) FROM t b WHERE b.a < t.a OR (b.a > t.a AND b.b <= t.b) OR b.n = "
        "t.n); may repeat\n",
        NULL},
    {"SELECT q.a, (SELECT t.c FROM t WHERE t.b <= q.b AND t.n = q.n AND t.a > 1 ORDER BY t.b "
     "DESC, t.c LIMIT 1) FROM t q",
        "join t, t\n"
        "  SELECT q.a, (SELECT t.c FROM <0> AS \"t\" WHERE t.b <= q.b AND t.n = q.n AND t.a > "
        "1 ORDER BY t.b DESC, t.c , 1 COLLATE BINARY LIMIT 1) FROM <1> q\n"
        "  +now 0, -past 0: SELECT q.a, (SELECT t.c FROM <0> AS \"t\" WHERE t.b <= q.b AND t.n "
        "= q.n AND t.a > 1 ORDER BY t.b DESC, t.c , 1 COLLATE BINARY LIMIT 1) FROM <1> q WHERE "
        "(q.b) >= (WITH lockstep_values(y) AS (SELECT t.b FROM <0 batch> AS \"t\") SELECT y "
        "FROM lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" LIMIT 1) AND "
        "(q.n) IN (SELECT t.n FROM <0 batch> AS \"t\") AND (q.b) <= (WITH lockstep_values(y, "
        "k0) AS (SELECT t.b, (t.n) FROM <0 batch> AS \"t\"), lockstep_bounds(y) AS (SELECT "
        "coalesce((SELECT t.b FROM <0 now> AS \"t\" WHERE (t.b) > lockstep_values.y AND (t.n) "
        "= lockstep_values.k0 AND (t.a > 1) ORDER BY t.b LIMIT 1), (SELECT q.b FROM <1> q "
        "WHERE (q.b) IS NOT NULL AND (q.n) = lockstep_values.k0 ORDER BY (q.b) COLLATE "
        "\"BINARY\" DESC LIMIT 1)) FROM lockstep_values WHERE y IS NOT NULL) SELECT y FROM "
        "lockstep_bounds WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" DESC LIMIT 1) AND "
        "EXISTS (SELECT 1 FROM <0 batch> AS \"t\" WHERE (t.b <= q.b AND t.n = q.n AND t.a > 1) "
        "GROUP BY typeof(t.c), (t.c) COLLATE BINARY, typeof(t.b), (t.b) COLLATE BINARY HAVING "
        "sum(\"t\".lockstep_sign) <> 0)\n"
        "  +plus 1, -minus 1\n"
        "rows a, (SELECT t.c FROM t WHERE t.b <= q.b AND t.n = q.n AND t.a > 1 ORDER BY t.b "
        "DESC, t.c LIMIT 1); may repeat\n",
        "SELECT q.a, (SELECT t.c FROM t WHERE t.b <= q.b AND t.n = q.n AND t.a > 1 ORDER BY "
        "t.b DESC, t.c , 1 COLLATE BINARY LIMIT 1) FROM t q"},
    {"SELECT q.id FROM u q JOIN t ON t.n = (SELECT u.v FROM u WHERE u.id = q.v ORDER BY u.v "
     "LIMIT 1)",
        "join u, t, u\n"
        "  SELECT q.id FROM <0> q JOIN <1> AS \"t\" ON t.n = (SELECT u.v FROM <2> AS \"u\" "
        "WHERE u.id = q.v ORDER BY u.v , 1 COLLATE BINARY, typeof(\"u\".\"v\") LIMIT 1)\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT q.id FROM <0> q JOIN <1> AS \"t\" ON t.n = (SELECT u.v "
        "FROM <2> AS \"u\" WHERE u.id = q.v ORDER BY u.v , 1 COLLATE BINARY, "
        "typeof(\"u\".\"v\") LIMIT 1) WHERE (q.v) IN (SELECT u.id FROM <2> AS \"u\" WHERE "
        "((u.v COLLATE NOCASE)) IN (SELECT t.n FROM <1 batch> AS \"t\"))\n"
        "  +now 2, -past 2: SELECT q.id FROM <0> q JOIN <1> AS \"t\" ON t.n = (SELECT u.v FROM "
        "<2> AS \"u\" WHERE u.id = q.v ORDER BY u.v , 1 COLLATE BINARY, typeof(\"u\".\"v\") "
        "LIMIT 1) WHERE (q.v) IN (SELECT u.id FROM <2 batch> AS \"u\")\n"
        "rows id; may repeat\n",
        "SELECT q.id FROM u q JOIN t ON t.n = (SELECT u.v FROM u WHERE u.id = q.v ORDER BY u.v "
        ", 1 COLLATE BINARY, typeof(\"u\".\"v\") LIMIT 1)"},
    {"SELECT q.a FROM t q LEFT JOIN u ON (SELECT x.a FROM t x WHERE x.b >= q.b ORDER BY x.c "
     "LIMIT 1) = u.id",
        "join t, u, t\n"
        "  SELECT q.a FROM <0> q LEFT JOIN <1> AS \"u\" ON (SELECT x.a FROM <2> x WHERE x.b >= "
        "q.b ORDER BY x.c , 1 COLLATE BINARY LIMIT 1) = u.id\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT q.a FROM <0> q LEFT JOIN <1> AS \"u\" ON (SELECT x.a FROM "
        "<2> x WHERE x.b >= q.b ORDER BY x.c , 1 COLLATE BINARY LIMIT 1) = u.id WHERE "
        "+\"u\".lockstep_weight >= +\"u\".lockstep_weight AND (q.b) <= (WITH "
        "lockstep_values(y) AS (SELECT x.b FROM <2> x WHERE (x.a) IN (SELECT u.id FROM <1 "
        "batch> AS \"u\")) SELECT y FROM lockstep_values WHERE y IS NOT NULL ORDER BY y "
        "COLLATE \"BINARY\" DESC LIMIT 1)\n"
        "  +empty 1, -empty 1: SELECT q.a FROM <0> q LEFT JOIN <1> AS \"u\" ON (SELECT x.a "
        "FROM <2> x WHERE x.b >= q.b ORDER BY x.c , 1 COLLATE BINARY LIMIT 1) = u.id WHERE "
        "(q.b) <= (WITH lockstep_values(y) AS (SELECT x.b FROM <2> x WHERE (x.a) IN (SELECT "
        "u.id FROM <1 batch> AS \"u\")) SELECT y FROM lockstep_values WHERE y IS NOT NULL "
        "ORDER BY y COLLATE \"BINARY\" DESC LIMIT 1) AND NOT EXISTS (SELECT 1 FROM <1 past> AS "
        "\"u\" WHERE (SELECT x.a FROM <2> x WHERE x.b >= q.b ORDER BY x.c , 1 COLLATE BINARY "
        "LIMIT 1) = u.id)\n"
        "  +now 2, -past 2: SELECT q.a FROM <0> q LEFT JOIN <1> AS \"u\" ON (SELECT x.a FROM "
        "<2> x WHERE x.b >= q.b ORDER BY x.c , 1 COLLATE BINARY LIMIT 1) = u.id WHERE (q.b) <= "
        "(WITH lockstep_values(y) AS (SELECT x.b FROM <2 batch> x) SELECT y FROM "
        "lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" DESC LIMIT 1)\n"
        "rows a; may repeat\n",
        "SELECT q.a FROM t q LEFT JOIN u ON (SELECT x.a FROM t x WHERE x.b >= q.b ORDER BY x.c "
        ", 1 COLLATE BINARY LIMIT 1) = u.id"},
    {"SELECT q.id FROM u q LEFT JOIN t ON t.a = q.id AND t.b NOT IN (SELECT id FROM u)",
        "join u, t, u\n"
        "  SELECT q.id FROM <0> q LEFT JOIN <1> AS \"t\" ON t.a = q.id AND (NOT EXISTS (SELECT "
        "1 FROM <2> AS \"u\" WHERE (1) AND (\"t\".\"b\") = (id)) AND ((\"t\".\"b\") IS NOT "
        "NULL OR NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1))))\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT q.id FROM <0> q LEFT JOIN <1> AS \"t\" ON t.a = q.id AND "
        "(NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1) AND (\"t\".\"b\") = (id)) AND "
        "((\"t\".\"b\") IS NOT NULL OR NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1)))) "
        "WHERE +\"t\".lockstep_weight >= +\"t\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT q.id FROM <0> q LEFT JOIN <1> AS \"t\" ON t.a = q.id AND "
        "(NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1) AND (\"t\".\"b\") = (id)) AND "
        "((\"t\".\"b\") IS NOT NULL OR NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1)))) "
        "WHERE (q.id) IN (SELECT t.a FROM <1 batch> AS \"t\") AND NOT EXISTS (SELECT 1 FROM <1 "
        "past> AS \"t\" WHERE t.a = q.id AND (NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1) "
        "AND (\"t\".\"b\") = (id)) AND ((\"t\".\"b\") IS NOT NULL OR NOT EXISTS (SELECT 1 FROM "
        "<2> AS \"u\" WHERE (1)))))\n"
        "  +now 2, -past 2: SELECT q.id FROM <0> q LEFT JOIN <1> AS \"t\" ON t.a = q.id AND "
        "(NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1) AND (\"t\".\"b\") = (id)) AND "
        "((\"t\".\"b\") IS NOT NULL OR NOT EXISTS (SELECT 1 FROM <2> AS \"u\" WHERE (1)))) "
        "WHERE (q.id) IN (SELECT t.a FROM <1> AS \"t\" WHERE ((t.b) IN (SELECT id FROM <2 "
        "batch> AS \"u\") OR (t.b) IS NULL))\n"
        "rows id; may repeat\n",
        NULL},
    {"SELECT q.id FROM u q JOIN t ON t.a = q.id AND t.b = (SELECT u.v FROM u WHERE u.id > q.id "
     "ORDER BY u.v LIMIT 1)",
        "join u, t, u\n"
        "  SELECT q.id FROM <0> q JOIN <1> AS \"t\" ON t.a = q.id AND t.b = (SELECT u.v FROM "
        "<2> AS \"u\" WHERE u.id > q.id ORDER BY u.v , 1 COLLATE BINARY, typeof(\"u\".\"v\") "
        "LIMIT 1)\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "  +now 2, -past 2: SELECT q.id FROM <0> q JOIN <1> AS \"t\" ON t.a = q.id AND t.b = "
        "(SELECT u.v FROM <2> AS \"u\" WHERE u.id > q.id ORDER BY u.v , 1 COLLATE BINARY, "
        "typeof(\"u\".\"v\") LIMIT 1) WHERE (q.id) < (WITH lockstep_values(y) AS (SELECT u.id "
        "FROM <2 batch> AS \"u\") SELECT y FROM lockstep_values WHERE y IS NOT NULL ORDER BY y "
        "COLLATE \"BINARY\" DESC LIMIT 1) AND EXISTS (SELECT 1 FROM <2 batch> AS \"u\" WHERE "
        "(u.id > q.id) GROUP BY typeof(u.v), (u.v) COLLATE BINARY HAVING "
        "sum(\"u\".lockstep_sign) <> 0)\n"
        "rows id; may repeat\n",
        "SELECT q.id FROM u q JOIN t ON t.a = q.id AND t.b = (SELECT u.v FROM u WHERE u.id > "
        "q.id ORDER BY u.v , 1 COLLATE BINARY, typeof(\"u\".\"v\") LIMIT 1)"},
    {"SELECT DISTINCT j.value FROM t, json_each(t.c) AS j",
        "join t\n"
        "  SELECT j.value FROM <0> AS \"t\", json_each(t.c) AS j\n"
        "  +plus 0, -minus 0\n"
        "group by c0\n"
        "rows value; keys 0\n",
        NULL},
    {"SELECT q.k, \"sum(b)\" FROM (SELECT a AS k, sum(b) FROM t GROUP BY a) AS q JOIN u ON "
     "u.id = q.k",
        "join t\n"
        "  SELECT a, b FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INT: sum(c1)\n"
        "map c0 INT, c1 kept by 0\n"
        "join 2, u\n"
        "  SELECT q.k, \"sum(b)\" FROM (SELECT c0 AS \"k\", (+c1) AS \"sum(b)\" FROM <0>) AS q "
        "JOIN <1> AS \"u\" ON u.id = q.k\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows k, sum(b); may repeat\n",
        "SELECT q.k, \"sum(b)\" FROM (SELECT a AS k, exact_sum(b) AS \"sum(b)\" FROM t GROUP "
        "BY a) AS q JOIN u ON u.id = q.k"},
    {"SELECT t.a, u.v FROM t LEFT JOIN u ON u.id = t.a AND u.v > 1",
        "join t, u\n"
        "  SELECT t.a, u.v FROM <0> AS \"t\" LEFT JOIN <1> AS \"u\" ON u.id = t.a AND u.v > 1\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT t.a, u.v FROM <0> AS \"t\" LEFT JOIN <1> AS \"u\" ON u.id "
        "= t.a AND u.v > 1 WHERE +\"u\".lockstep_weight >= +\"u\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT t.a, u.v FROM <0> AS \"t\" LEFT JOIN <1> AS \"u\" ON "
        "u.id = t.a AND u.v > 1 WHERE (t.a) IN (SELECT u.id FROM <1 batch> AS \"u\") AND NOT "
        "EXISTS (SELECT 1 FROM <1 past> AS \"u\" WHERE u.id = t.a AND u.v > 1)\n"
        "rows a, v; may repeat\n",
        NULL},
    {"SELECT t.a, x.i FROM t JOIN (SELECT id AS i FROM u UNION ALL SELECT t.a FROM t WHERE b > "
     "1) x ON x.i = t.a",
        "join t, u\n"
        "  SELECT t.a, x.i FROM <0> AS \"t\" JOIN (SELECT id AS \"i\" FROM <1> AS \"u\") AS "
        "\"x\" ON x.i = t.a\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "join t, t\n"
        "  SELECT t.a, x.i FROM <0> AS \"t\" JOIN (SELECT t.a AS \"i\" FROM <1> AS \"t\" WHERE "
        "b > 1) AS \"x\" ON x.i = t.a\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "plus 0 1: c0 INT, c1 INTEGER\n"
        "rows a, i; may repeat\n",
        NULL},
    {"SELECT t.a FROM t LEFT JOIN (u JOIN named ON named._rowid_ = u.v) ON t.b = u.id",
        "join t, u, named\n"
        "  SELECT t.a FROM <0> AS \"t\" JOIN (SELECT \"u\".\"id\" AS \"id\", \"u\".\"v\" AS "
        "\"v\", \"named\".\"_rowid_\" AS \"_rowid_\" FROM <1> AS \"u\" JOIN <2> AS \"named\" "
        "ON named._rowid_ = u.v) AS lockstep_join_1 ON t.b = lockstep_join_1.\"id\"\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "  +plus 2, -minus 2\n"
        "join t, u, named, u, named\n"
        "  SELECT t.a FROM <0> AS \"t\" LEFT JOIN (SELECT \"u\".\"id\" AS \"id\", \"u\".\"v\" "
        "AS \"v\", \"named\".\"_rowid_\" AS \"_rowid_\" FROM <1 empty> AS \"u\" JOIN <2 empty> "
        "AS \"named\" ON named._rowid_ = u.v) AS lockstep_join_1 ON 0 WHERE (NOT EXISTS "
        "(SELECT 1 FROM (SELECT \"u\".\"id\" AS \"id\", \"u\".\"v\" AS \"v\", "
        "\"named\".\"_rowid_\" AS \"_rowid_\" FROM <3> AS \"u\" JOIN <4> AS \"named\" ON "
        "named._rowid_ = u.v) AS lockstep_join_1 WHERE (t.b = lockstep_join_1.\"id\")))\n"
        "  +plus 0, -minus 0\n"
        "  +now 3, -past 3: SELECT t.a FROM <0> AS \"t\" LEFT JOIN (SELECT \"u\".\"id\" AS "
        "\"id\", \"u\".\"v\" AS \"v\", \"named\".\"_rowid_\" AS \"_rowid_\" FROM <1 empty> AS "
        "\"u\" JOIN <2 empty> AS \"named\" ON named._rowid_ = u.v) AS lockstep_join_1 ON 0 "
        "WHERE (t.b) IN (SELECT \"u\".\"id\" FROM <3 batch> AS \"u\") AND (NOT EXISTS (SELECT "
        "1 FROM (SELECT \"u\".\"id\" AS \"id\", \"u\".\"v\" AS \"v\", \"named\".\"_rowid_\" AS "
        "\"_rowid_\" FROM <3> AS \"u\" JOIN <4> AS \"named\" ON named._rowid_ = u.v) AS "
        "lockstep_join_1 WHERE (t.b = lockstep_join_1.\"id\")))\n"
        "  +now 4, -past 4: SELECT t.a FROM <0> AS \"t\" LEFT JOIN (SELECT \"u\".\"id\" AS "
        "\"id\", \"u\".\"v\" AS \"v\", \"named\".\"_rowid_\" AS \"_rowid_\" FROM <1 empty> AS "
        "\"u\" JOIN <2 empty> AS \"named\" ON named._rowid_ = u.v) AS lockstep_join_1 ON 0 "
        "WHERE (t.b) IN (SELECT \"u\".\"id\" FROM <3> AS \"u\" JOIN <4 batch> AS \"named\" ON "
        "named._rowid_ = u.v) AND (NOT EXISTS (SELECT 1 FROM (SELECT \"u\".\"id\" AS \"id\", "
        "\"u\".\"v\" AS \"v\", \"named\".\"_rowid_\" AS \"_rowid_\" FROM <3> AS \"u\" JOIN <4> "
        "AS \"named\" ON named._rowid_ = u.v) AS lockstep_join_1 WHERE (t.b = "
        "lockstep_join_1.\"id\")))\n"
        "plus 0 1: c0 INT\n"
        "rows a; may repeat\n",
        "SELECT t.a FROM t LEFT JOIN (SELECT \"u\".\"id\" AS \"id\", \"u\".\"v\" AS \"v\", "
        "\"named\".\"_rowid_\" AS \"_rowid_\" FROM u JOIN named ON named._rowid_ = u.v) AS "
        "lockstep_join_1 ON t.b = lockstep_join_1.\"id\""},
    {"SELECT a FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.id = t.a)",
        "join t, u\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (NOT EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE u.id "
        "= t.a))\n"
        "  +plus 0, -minus 0\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (t.a) IN (SELECT u.id FROM <1 "
        "batch> AS \"u\") AND (NOT EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE u.id = t.a))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE a NOT IN (SELECT v FROM u)",
        "join t, u\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (a NOT IN (SELECT v FROM <1> AS \"u\"))\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE ((NOT EXISTS (SELECT 1 FROM <1> "
        "AS \"u\" WHERE (1) AND (\"t\".\"a\") = (v)) AND NOT EXISTS (SELECT 1 FROM <1> AS "
        "\"u\" WHERE (1) AND (v) IS NULL) AND ((\"t\".\"a\") IS NOT NULL OR NOT EXISTS (SELECT "
        "1 FROM <1> AS \"u\" WHERE (1)))))\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE ((a) IN (SELECT * FROM (SELECT a "
        "FROM <0> AS \"t\" LIMIT CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 "
        "UNION ALL SELECT v FROM <1 batch> AS \"u\") WHERE y IS NULL) THEN -1 ELSE 0 END) "
        "UNION ALL SELECT v FROM <1 batch> AS \"u\") OR (a) IS NULL) AND ((NOT EXISTS (SELECT "
        "1 FROM <1> AS \"u\" WHERE (1) AND (\"t\".\"a\") = (v)) AND NOT EXISTS (SELECT 1 FROM "
        "<1> AS \"u\" WHERE (1) AND (v) IS NULL) AND ((\"t\".\"a\") IS NOT NULL OR NOT EXISTS "
        "(SELECT 1 FROM <1> AS \"u\" WHERE (1)))))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE (a, b) IN (SELECT id, max(v) FROM u GROUP BY id)",
        "join u\n"
        "  SELECT id, v FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INTEGER: max(c1)\n"
        "map c0 INTEGER, c1 kept by 0\n"
        "join t, 2\n"
        "  SELECT a FROM <0> AS \"t\" WHERE ((a, b) IN (SELECT c0, (+c1) FROM <1> AS "
        "lockstep_made))\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <1> AS "
        "lockstep_made WHERE (1) AND (\"t\".\"a\") = (\"lockstep_made\".\"c0\") AND "
        "(\"t\".\"b\") = (\"lockstep_made\".\"c1\")))\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (a) IN (SELECT "
        "\"lockstep_made\".\"c0\" FROM <1 batch> AS lockstep_made) AND (b) IN (SELECT "
        "(+\"lockstep_made\".\"c1\") FROM <1 batch> AS lockstep_made) AND (EXISTS (SELECT 1 "
        "FROM <1> AS lockstep_made WHERE (1) AND (\"t\".\"a\") = (\"lockstep_made\".\"c0\") "
        "AND (\"t\".\"b\") = (\"lockstep_made\".\"c1\")))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u JOIN named ON named._rowid_ = u.v WHERE "
     "t.c = u.id)",
        "join t, u, named\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <1> AS \"u\" JOIN <2> AS "
        "\"named\" ON named._rowid_ = u.v WHERE t.c = u.id))\n"
        "  +plus 0, -minus 0\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (t.c) IN (SELECT u.id FROM <1 "
        "batch> AS \"u\") AND (EXISTS (SELECT 1 FROM <1> AS \"u\" JOIN <2> AS \"named\" ON "
        "named._rowid_ = u.v WHERE t.c = u.id))\n"
        "  +now 2, -past 2: SELECT a FROM <0> AS \"t\" WHERE (t.c) IN (SELECT u.id FROM <1> AS "
        "\"u\" JOIN <2 batch> AS \"named\" ON named._rowid_ = u.v) AND (EXISTS (SELECT 1 FROM "
        "<1> AS \"u\" JOIN <2> AS \"named\" ON named._rowid_ = u.v WHERE t.c = u.id))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT t.a FROM t LEFT JOIN (SELECT id, count(*) AS n FROM u GROUP BY id) q ON q.id = "
     "t.a",
        "join u\n"
        "  SELECT id FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INTEGER: count(*)\n"
        "map c0 INTEGER, c1 kept by 0\n"
        "join t, 2\n"
        "  SELECT t.a FROM <0> AS \"t\" LEFT JOIN (SELECT c0 AS \"id\", (+c1) AS \"n\" FROM "
        "<1>) q ON q.id = t.a\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT t.a FROM <0> AS \"t\" LEFT JOIN (SELECT c0 AS \"id\", "
        "(+c1) AS \"n\", lockstep_weight AS lockstep_weight_1 FROM <1>) q ON q.id = t.a WHERE "
        "+\"q\".lockstep_weight_1 >= +\"q\".lockstep_weight_1\n"
        "  +empty 1, -empty 1: SELECT t.a FROM <0> AS \"t\" LEFT JOIN (SELECT c0 AS \"id\", "
        "(+c1) AS \"n\" FROM <1>) q ON q.id = t.a WHERE (t.a) IN (SELECT q.id FROM (SELECT c0 "
        "AS \"id\", (+c1) AS \"n\", lockstep_weight AS lockstep_weight_1 FROM <1 batch>) q) "
        "AND NOT EXISTS (SELECT 1 FROM (SELECT c0 AS \"id\", (+c1) AS \"n\" FROM <1 past>) q "
        "WHERE q.id = t.a)\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t LIMIT 4, 1 + '2e0'",
        "source t: a(0) INT\n"
        "map c0 INT\n"
        "top c0: 3 from 4\n"
        "rows a; may repeat\n",
        "SELECT a FROM t  ORDER BY 1 COLLATE BINARY LIMIT 4, 1 + '2e0'"},
    {"SELECT a FROM t LIMIT CAST('-3' AS INT) OFFSET length('x') - 2",
        "source t: a(0) INT\n"
        "map c0 INT\n"
        "top c0: all\n"
        "rows a; may repeat\n",
        "SELECT a FROM t  ORDER BY 1 COLLATE BINARY LIMIT CAST('-3' AS INT) OFFSET length('x') "
        "- 2"},
    {"SELECT a IN (SELECT v FROM u), c FROM t",
        "join u, t\n"
        "  SELECT (CASE WHEN EXISTS (SELECT 1 FROM <0> AS \"u\" WHERE (1) AND (\"t\".\"a\") = "
        "(v)) THEN 1 WHEN (\"t\".\"a\") IS NULL AND EXISTS (SELECT 1 FROM <0> AS \"u\" WHERE "
        "(1)) THEN NULL WHEN EXISTS (SELECT 1 FROM <0> AS \"u\" WHERE (1) AND (v) IS NULL) "
        "THEN NULL ELSE 0 END), c FROM <1> AS \"t\"\n"
        "  +now 0, -past 0: SELECT (CASE WHEN EXISTS (SELECT 1 FROM <0> AS \"u\" WHERE (1) AND "
        "(\"t\".\"a\") = (v)) THEN 1 WHEN (\"t\".\"a\") IS NULL AND EXISTS (SELECT 1 FROM <0> "
        "AS \"u\" WHERE (1)) THEN NULL WHEN EXISTS (SELECT 1 FROM <0> AS \"u\" WHERE (1) AND "
        "(v) IS NULL) THEN NULL ELSE 0 END), c FROM <1> AS \"t\" WHERE ((a) IN (SELECT * FROM "
        "(SELECT a FROM <1> AS \"t\" LIMIT CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y "
        "WHERE 0 UNION ALL SELECT v FROM <0 batch> AS \"u\") WHERE y IS NULL) THEN -1 ELSE 0 "
        "END) UNION ALL SELECT v FROM <0 batch> AS \"u\") OR (a) IS NULL)\n"
        "  +plus 1, -minus 1\n"
        "rows a IN (SELECT v FROM u), c; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE b > 1 OR a IN (SELECT id FROM u)",
        "join t, u\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (b > 1 OR a IN (SELECT id FROM <1> AS \"u\"))\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE (b > 1 OR EXISTS (SELECT 1 FROM "
        "<1> AS \"u\" WHERE (1) AND (\"t\".\"a\") = (id)))\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (a) IN (SELECT id FROM <1 batch> "
        "AS \"u\") AND (b > 1 OR EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE (1) AND "
        "(\"t\".\"a\") = (id)))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE (a, b) NOT IN (SELECT id, v + 0.5 FROM u)",
        "join t, u\n"
        "  SELECT a FROM <0> AS \"t\" WHERE ((a, b) NOT IN (SELECT id, v + 0.5 FROM <1> AS "
        "\"u\"))\n"
        "  +plus 0, -minus 0\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE ((a) IN (SELECT id FROM <1 batch> "
        "AS \"u\") OR (a) IS NULL) AND ((b) IN (SELECT * FROM (SELECT b FROM <0> AS \"t\" "
        "LIMIT CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION ALL SELECT v + "
        "0.5 FROM <1 batch> AS \"u\") WHERE y IS NULL) THEN -1 ELSE 0 END) UNION ALL SELECT v "
        "+ 0.5 FROM <1 batch> AS \"u\") OR (b) IS NULL) AND ((a, b) NOT IN (SELECT id, v + 0.5 "
        "FROM <1> AS \"u\"))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a, (a, c) IN (SELECT x.a, x.n FROM t x) FROM t",
        "join t, t\n"
        "  SELECT a, (CASE WHEN EXISTS (SELECT 1 FROM <0> x WHERE (1) AND (\"t\".\"a\") = "
        "(x.a) AND (\"t\".\"c\") = (x.n)) THEN 1 WHEN (\"t\".\"a\") IS NULL AND EXISTS (SELECT "
        "1 FROM <0> x WHERE (1) AND ((\"t\".\"c\") = (x.n)) IS NOT 0) THEN NULL WHEN "
        "EXISTS (SELECT 1 FROM <0> x WHERE (1) AND (x.a) IS NULL AND ((\"t\".\"c\") = (x.n)) "
        "IS NOT 0) THEN NULL WHEN (\"t\".\"c\") IS NULL AND EXISTS (SELECT 1 FROM <0> x "
        "WHERE (1) AND (\"t\".\"a\") = (x.a)) THEN NULL WHEN EXISTS (SELECT 1 FROM <0> x WHERE "
        "(1) AND (x.n) IS NULL AND (\"t\".\"a\") = (x.a)) THEN NULL ELSE 0 END) FROM <1> AS "
        "\"t\"\n"
        "  +now 0, -past 0: SELECT a, (CASE WHEN EXISTS (SELECT 1 FROM <0> x WHERE (1) AND "
        "(\"t\".\"a\") = (x.a) AND (\"t\".\"c\") = (x.n)) THEN 1 WHEN (\"t\".\"a\") IS NULL "
        "AND EXISTS (SELECT 1 FROM <0> x WHERE (1) AND ((\"t\".\"c\") = (x.n)) IS NOT 0) "
        "THEN NULL WHEN EXISTS (SELECT 1 FROM <0> x WHERE (1) AND (x.a) IS NULL AND "
        "((\"t\".\"c\") = (x.n)) IS NOT 0) THEN NULL WHEN (\"t\".\"c\") IS NULL AND EXISTS "
        "(SELECT 1 FROM <0> x WHERE (1) AND (\"t\".\"a\") = (x.a)) THEN NULL WHEN EXISTS "
        "(SELECT 1 FROM <0> x WHERE (1) AND (x.n) IS NULL AND (\"t\".\"a\") = (x.a)) THEN NULL "
        "ELSE 0 END) FROM <1> AS \"t\" WHERE ((a) IN (SELECT * FROM (SELECT a FROM <1> AS "
        "\"t\" LIMIT CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION ALL "
        "SELECT x.a FROM <0 batch> x) WHERE y IS NULL) THEN -1 ELSE 0 END) UNION ALL SELECT "
        "x.a FROM <0 batch> x) OR (a) IS NULL) AND ((c) IN (SELECT * FROM (SELECT c FROM <1> "
        "AS \"t\" LIMIT CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION ALL "
        "SELECT x.n FROM <0 batch> x) WHERE y IS NULL) THEN -1 ELSE 0 END) UNION ALL SELECT "
        "x.n FROM <0 batch> x) OR (c) IS NULL)\n"
        "  +plus 1, -minus 1\n"
        "rows a, (a, c) IN (SELECT x.a, x.n FROM t x); may repeat\n",
        NULL},
    {"SELECT a, count(*) FROM t GROUP BY a HAVING a NOT IN (SELECT id FROM u)",
        "join t\n"
        "  SELECT a FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INT: count(*) kept by 0\n"
        "join 1, u\n"
        "  SELECT c0, c1 FROM <0> AS lockstep_made WHERE ((NOT EXISTS (SELECT 1 FROM <1> AS "
        "\"u\" WHERE (1) AND (lockstep_made.c0) = (id)) AND ((lockstep_made.c0) IS NOT NULL OR "
        "NOT EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE (1)))))\n"
        "  +plus 0, -minus 0\n"
        "  +now 1, -past 1: SELECT c0, c1 FROM <0> AS lockstep_made WHERE ((c0) IN (SELECT id "
        "FROM <1 batch> AS \"u\") OR (c0) IS NULL) AND ((NOT EXISTS (SELECT 1 FROM <1> AS "
        "\"u\" WHERE (1) AND (lockstep_made.c0) = (id)) AND ((lockstep_made.c0) IS NOT NULL OR "
        "NOT EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE (1)))))\n"
        "rows a, count(*); keys 0\n",
        NULL},
    {"SELECT a, (SELECT group_concat(value) FROM json_each(t.c)) FROM t",
        "join t\n"
        "  SELECT a, (SELECT group_concat(value) FROM json_each(t.c)) FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "rows a, (SELECT group_concat(value) FROM json_each(t.c)); may repeat\n",
        NULL},
    {"SELECT a, min(f), max(c COLLATE fr), count(DISTINCT f) FROM t GROUP BY a",
        "source t: a(0) INT, f(5) TEXT, c(2) TEXT\n"
        "map c0 INT, c1 TEXT, c2 TEXT\n"
        "group by c0 INT: refold(c1: min(c0)), refold(c2: max(c0 COLLATE fr)), refold(c1: "
        "count(DISTINCT c0))\n"
        "map c0 INT, c1, c2, c3\n"
        "rows a, min(f)?, max(c COLLATE fr)?, count(DISTINCT f)?; keys 0\n",
        NULL},
    {"SELECT json_array(a, (SELECT json_group_array(v) FROM u WHERE u.id = t.a)) FROM t",
        "join u\n"
        "  SELECT u.id, v FROM <0> AS \"u\" WHERE (1)\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INTEGER: refold(c1: json_group_array(c0))\n"
        "map c0 INTEGER, c1 kept by 0\n"
        "join 2, t\n"
        "  SELECT json_array(a, (SELECT CASE count(*) WHEN 0 THEN (json_array()) ELSE "
        "json(max(c1)) END FROM <0> AS lockstep_made WHERE lockstep_made.c0 = (\"t\".\"a\"))) "
        "FROM <1> AS \"t\"\n"
        "  +now 0, -past 0: SELECT json_array(a, (SELECT CASE count(*) WHEN 0 THEN "
        "(json_array()) ELSE json(max(c1)) END FROM <0> AS lockstep_made WHERE "
        "lockstep_made.c0 = (\"t\".\"a\"))) FROM <1> AS \"t\" WHERE (t.a) IN (SELECT "
        "\"lockstep_made\".\"c0\" FROM <0 batch> AS lockstep_made)\n"
        "  +plus 1, -minus 1\n"
        "rows json_array(a, (SELECT json_group_array(v) FROM u WHERE u.id = t.a)); may repeat; "
        "may differ\n",
        "SELECT json_array(a, (SELECT json_group_array(v) FROM (SELECT \"u\".\"id\" AS \"id\", "
        "\"u\".\"v\" AS \"v\" FROM u WHERE u.id = t.a ORDER BY 1 COLLATE BINARY, "
        "typeof(\"u\".\"id\"), 2 COLLATE BINARY, typeof(\"u\".\"v\") LIMIT -1) AS \"u\")) FROM "
        "t"},
    {"SELECT a, (SELECT group_concat(u.v, x.c) FROM u JOIN t x ON x.a = u.v WHERE u.id > t.a) "
     "FROM t",
        "join u, t, t\n"
        "  SELECT a, (SELECT group_concat(lockstep_rows.v0, lockstep_rows.v1) FROM (SELECT "
        "\"u\".\"v\" AS v0, \"x\".\"c\" AS v1 FROM <0> AS \"u\" JOIN <1> x ON x.a = u.v WHERE "
        "u.id > t.a ORDER BY 1 COLLATE BINARY, typeof(\"u\".\"v\"), 2 COLLATE BINARY, "
        "typeof(\"x\".\"c\") LIMIT -1) AS \"lockstep_rows\") FROM <2> AS \"t\"\n"
        "  +now 0, -past 0: SELECT a, (SELECT group_concat(lockstep_rows.v0, lockstep_rows.v1) "
        "FROM (SELECT \"u\".\"v\" AS v0, \"x\".\"c\" AS v1 FROM <0> AS \"u\" JOIN <1> x ON x.a "
        "= u.v WHERE u.id > t.a ORDER BY 1 COLLATE BINARY, typeof(\"u\".\"v\"), 2 COLLATE "
        "BINARY, typeof(\"x\".\"c\") LIMIT -1) AS \"lockstep_rows\") FROM <2> AS \"t\" WHERE "
        "(t.a) < (WITH lockstep_values(y) AS (SELECT u.id FROM <0 batch> AS \"u\") SELECT y "
        "FROM lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE \"BINARY\" DESC LIMIT 1)\n"
        "  +now 1, -past 1: SELECT a, (SELECT group_concat(lockstep_rows.v0, lockstep_rows.v1) "
        "FROM (SELECT \"u\".\"v\" AS v0, \"x\".\"c\" AS v1 FROM <0> AS \"u\" JOIN <1> x ON x.a "
        "= u.v WHERE u.id > t.a ORDER BY 1 COLLATE BINARY, typeof(\"u\".\"v\"), 2 COLLATE "
        "BINARY, typeof(\"x\".\"c\") LIMIT -1) AS \"lockstep_rows\") FROM <2> AS \"t\" WHERE "
        "(t.a) < (WITH lockstep_values(y) AS (SELECT u.id FROM <0> AS \"u\" JOIN <1 batch> x "
        "ON x.a = u.v) SELECT y FROM lockstep_values WHERE y IS NOT NULL ORDER BY y COLLATE "
        "\"BINARY\" DESC LIMIT 1)\n"
        "  +plus 2, -minus 2\n"
        "rows a, (SELECT group_concat(u.v, x.c) FROM u JOIN t x ON x.a = u.v WHERE u.id > "
        "t.a); may repeat\n",
        "SELECT a, (SELECT group_concat(lockstep_rows.v0, lockstep_rows.v1) FROM (SELECT "
        "\"u\".\"v\" AS v0, \"x\".\"c\" AS v1 FROM u JOIN t x ON x.a = u.v WHERE u.id > t.a "
        "ORDER BY 1 COLLATE BINARY, typeof(\"u\".\"v\"), 2 COLLATE BINARY, typeof(\"x\".\"c\") "
        "LIMIT -1) AS \"lockstep_rows\") FROM t"},
    {"SELECT a, b FROM t UNION SELECT id, v + 1 FROM u ORDER BY v + 1",
        "join t\n"
        "  SELECT a, b FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "join u\n"
        "  SELECT id, v + 1 FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "plus 0 1: c0 INT, c1\n"
        "group by c0 INT, c1\n"
        "rows a, b; keys 0 1\n"
        "order 1\n",
        NULL},
    {"SELECT a FROM t RIGHT JOIN u ON u.id = t.a",
        "join u, t\n"
        "  SELECT a FROM <0> AS \"u\" LEFT JOIN <1> AS \"t\" ON u.id = t.a\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT a FROM <0> AS \"u\" LEFT JOIN <1> AS \"t\" ON u.id = t.a "
        "WHERE +\"t\".lockstep_weight >= +\"t\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT a FROM <0> AS \"u\" LEFT JOIN <1> AS \"t\" ON u.id = t.a "
        "WHERE (u.id) IN (SELECT t.a FROM <1 batch> AS \"t\") AND NOT EXISTS (SELECT 1 FROM <1 "
        "past> AS \"t\" WHERE u.id = t.a)\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT b, count(*) FROM t FULL JOIN u ON u.id = t.a GROUP BY b",
        "join t, u\n"
        "  SELECT b FROM <0> AS \"t\" LEFT JOIN <1> AS \"u\" ON u.id = t.a\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT b FROM <0> AS \"t\" LEFT JOIN <1> AS \"u\" ON u.id = t.a "
        "WHERE +\"u\".lockstep_weight >= +\"u\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT b FROM <0> AS \"t\" LEFT JOIN <1> AS \"u\" ON u.id = t.a "
        "WHERE (t.a) IN (SELECT u.id FROM <1 batch> AS \"u\") AND NOT EXISTS (SELECT 1 FROM <1 "
        "past> AS \"u\" WHERE u.id = t.a)\n"
        "join u, t, t\n"
        "  SELECT b FROM <0> AS \"u\" LEFT JOIN <1 empty> AS \"t\" ON 0 WHERE (NOT EXISTS "
        "(SELECT 1 FROM <2> AS \"t\" WHERE (u.id = t.a)))\n"
        "  +plus 0, -minus 0\n"
        "  +now 2, -past 2: SELECT b FROM <0> AS \"u\" LEFT JOIN <1 empty> AS \"t\" ON 0 WHERE "
        "(u.id) IN (SELECT t.a FROM <2 batch> AS \"t\") AND (NOT EXISTS (SELECT 1 FROM <2> AS "
        "\"t\" WHERE (u.id = t.a)))\n"
        "plus 0 1: c0 REAL\n"
        "group by c0 REAL: count(*)\n"
        "map c0 REAL, c1\n"
        "rows b, count(*); keys 0\n",
        NULL},
    {"SELECT * FROM t JOIN (SELECT a, c AS d FROM t) y USING (a) FULL JOIN (SELECT id AS a "
     "FROM u) z USING (a)",
        "join t, t, u\n"
        "  SELECT coalesce(\"t\".\"a\", \"z\".\"a\"), \"t\".\"b\", \"t\".\"c\", \"t\".\"n\", "
        "\"t\".\"r\", \"t\".\"f\", \"y\".\"d\" FROM <0> AS \"t\" JOIN (SELECT a, c AS d FROM "
        "<1> AS \"t\") y ON \"t\".\"a\" = \"y\".\"a\" LEFT JOIN (SELECT id AS a FROM <2> AS "
        "\"u\") z ON \"z\".\"a\" = \"t\".\"a\"\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "  +now 2, -past 2: SELECT coalesce(\"t\".\"a\", \"z\".\"a\"), \"t\".\"b\", "
        "\"t\".\"c\", \"t\".\"n\", \"t\".\"r\", \"t\".\"f\", \"y\".\"d\" FROM <0> AS \"t\" "
        "JOIN (SELECT a, c AS d FROM <1> AS \"t\") y ON \"t\".\"a\" = \"y\".\"a\" LEFT JOIN "
        "(SELECT id AS a FROM <2> AS \"u\") z ON \"z\".\"a\" = \"t\".\"a\" WHERE (\"t\".\"a\") "
        "IN (SELECT id FROM <2 batch> AS \"u\")\n"
        "join u, t, t, t, t\n"
        "  SELECT coalesce(\"t\".\"a\", \"z\".\"a\"), \"t\".\"b\", \"t\".\"c\", \"t\".\"n\", "
        "\"t\".\"r\", \"t\".\"f\", \"y\".\"d\" FROM (SELECT id AS a FROM <0> AS \"u\") z LEFT "
        "JOIN <1 empty> AS \"t\" ON 0 LEFT JOIN (SELECT a, c AS d FROM <2 empty> AS \"t\") y "
        "ON 0 WHERE (NOT EXISTS (SELECT 1 FROM <3> AS \"t\" JOIN (SELECT a, c AS d FROM <4> AS "
        "\"t\") y ON \"t\".\"a\" = \"y\".\"a\" WHERE (\"z\".\"a\" = \"t\".\"a\")))\n"
        "  +plus 0, -minus 0\n"
        "  +now 3, -past 3: SELECT coalesce(\"t\".\"a\", \"z\".\"a\"), \"t\".\"b\", "
        "\"t\".\"c\", \"t\".\"n\", \"t\".\"r\", \"t\".\"f\", \"y\".\"d\" FROM (SELECT id AS a "
        "FROM <0> AS \"u\") z LEFT JOIN <1 empty> AS \"t\" ON 0 LEFT JOIN (SELECT a, c AS d "
        "FROM <2 empty> AS \"t\") y ON 0 WHERE (\"z\".\"a\") IN (SELECT \"t\".\"a\" FROM <3 "
        "batch> AS \"t\") AND (NOT EXISTS (SELECT 1 FROM <3> AS \"t\" JOIN (SELECT a, c AS d "
        "FROM <4> AS \"t\") y ON \"t\".\"a\" = \"y\".\"a\" WHERE (\"z\".\"a\" = "
        "\"t\".\"a\")))\n"
        "  +now 4, -past 4: SELECT coalesce(\"t\".\"a\", \"z\".\"a\"), \"t\".\"b\", "
        "\"t\".\"c\", \"t\".\"n\", \"t\".\"r\", \"t\".\"f\", \"y\".\"d\" FROM (SELECT id AS a "
        "FROM <0> AS \"u\") z LEFT JOIN <1 empty> AS \"t\" ON 0 LEFT JOIN (SELECT a, c AS d "
        "FROM <2 empty> AS \"t\") y ON 0 WHERE (\"z\".\"a\") IN (SELECT \"t\".\"a\" FROM <3> "
        "AS \"t\" JOIN (SELECT a, c AS d FROM <4 now> AS \"t\") y ON \"t\".\"a\" = \"y\".\"a\" "
        "WHERE ((\"y\".\"a\") IN (SELECT a FROM <4 batch> AS \"t\") OR \"y\".\"a\" IS NULL) "
        "AND ((\"y\".\"d\") IN (SELECT c FROM <4 batch> AS \"t\") OR \"y\".\"d\" IS NULL) "
        "UNION ALL SELECT \"t\".\"a\" FROM <3> AS \"t\" JOIN (SELECT a, c AS d FROM <4 past> "
        "AS \"t\") y ON \"t\".\"a\" = \"y\".\"a\" WHERE ((\"y\".\"a\") IN (SELECT a FROM <4 "
        "batch> AS \"t\") OR \"y\".\"a\" IS NULL) AND ((\"y\".\"d\") IN (SELECT c FROM <4 "
        "batch> AS \"t\") OR \"y\".\"d\" IS NULL)) AND (NOT EXISTS (SELECT 1 FROM <3> AS \"t\" "
        "JOIN (SELECT a, c AS d FROM <4> AS \"t\") y ON \"t\".\"a\" = \"y\".\"a\" WHERE "
        "(\"z\".\"a\" = \"t\".\"a\")))\n"
        "plus 0 1: c0, c1 REAL, c2 TEXT, c3 TEXT NOCASE, c4 TEXT RTRIM, c5 TEXT, c6 TEXT\n"
        "rows a, b, c, n, r, f, d; may repeat\n",
        NULL},
    {"SELECT x.b, y.v, z.v FROM t x FULL JOIN u y ON y.id = x.a FULL JOIN u z ON z.id = "
     "coalesce(x.a, y.id) WHERE y.v > 1",
        "join t, u, u\n"
        "  SELECT x.b, y.v, z.v FROM <0> x JOIN <1> y ON y.id = x.a LEFT JOIN <2> z ON z.id = "
        "\"x\".\"a\" WHERE ((y.v > 1))\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "  +plus 2, -minus 2: SELECT x.b, y.v, z.v FROM <0> x JOIN <1> y ON y.id = x.a LEFT "
        "JOIN <2> z ON z.id = \"x\".\"a\" WHERE +\"z\".lockstep_weight >= "
        "+\"z\".lockstep_weight AND ((y.v > 1))\n"
        "  +empty 2, -empty 2: SELECT x.b, y.v, z.v FROM <0> x JOIN <1> y ON y.id = x.a LEFT "
        "JOIN <2> z ON z.id = \"x\".\"a\" WHERE (\"x\".\"a\") IN (SELECT z.id FROM <2 batch> "
        "z) AND NOT EXISTS (SELECT 1 FROM <2 past> z WHERE z.id = \"x\".\"a\") AND ((y.v > "
        "1))\n"
        "join u, t, u, t\n"
        "  SELECT x.b, y.v, z.v FROM <0> y LEFT JOIN <1 empty> x ON 0 LEFT JOIN <2> z ON z.id "
        "= \"y\".\"id\" WHERE ((y.v > 1) AND NOT EXISTS (SELECT 1 FROM <3> x WHERE (y.id = "
        "x.a)))\n"
        "  +plus 0, -minus 0\n"
        "  +plus 2, -minus 2: SELECT x.b, y.v, z.v FROM <0> y LEFT JOIN <1 empty> x ON 0 LEFT "
        "JOIN <2> z ON z.id = \"y\".\"id\" WHERE +\"z\".lockstep_weight >= "
        "+\"z\".lockstep_weight AND ((y.v > 1) AND NOT EXISTS (SELECT 1 FROM <3> x WHERE (y.id "
        "= x.a)))\n"
        "  +empty 2, -empty 2: SELECT x.b, y.v, z.v FROM <0> y LEFT JOIN <1 empty> x ON 0 LEFT "
        "JOIN <2> z ON z.id = \"y\".\"id\" WHERE (\"y\".\"id\") IN (SELECT z.id FROM <2 batch> "
        "z) AND NOT EXISTS (SELECT 1 FROM <2 past> z WHERE z.id = \"y\".\"id\") AND ((y.v > 1) "
        "AND NOT EXISTS (SELECT 1 FROM <3> x WHERE (y.id = x.a)))\n"
        "  +now 3, -past 3: SELECT x.b, y.v, z.v FROM <0> y LEFT JOIN <1 empty> x ON 0 LEFT "
        "JOIN <2> z ON z.id = \"y\".\"id\" WHERE (y.id) IN (SELECT x.a FROM <3 batch> x) AND "
        "((y.v > 1) AND NOT EXISTS (SELECT 1 FROM <3> x WHERE (y.id = x.a)))\n"
        "plus 0 1: c0 REAL, c1, c2\n"
        "rows b, v, v:1; may repeat\n",
        NULL},
    {"SELECT x.b, y.v, z.v FROM t x LEFT JOIN u y ON y.id = x.a LEFT JOIN u z ON z.id = y.v",
        "join t, u, u\n"
        "  SELECT x.b, y.v, z.v FROM <0> x LEFT JOIN <1> y ON y.id = x.a LEFT JOIN <2> z ON "
        "z.id = y.v\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1: SELECT x.b, y.v, z.v FROM <0> x LEFT JOIN <1> y ON y.id = x.a "
        "LEFT JOIN <2> z ON z.id = y.v WHERE +\"y\".lockstep_weight >= +\"y\".lockstep_weight\n"
        "  +empty 1, -empty 1: SELECT x.b, y.v, z.v FROM <0> x LEFT JOIN <1> y ON y.id = x.a "
        "LEFT JOIN <2> z ON z.id = y.v WHERE (x.a) IN (SELECT y.id FROM <1 batch> y) AND NOT "
        "EXISTS (SELECT 1 FROM <1 past> y WHERE y.id = x.a)\n"
        "  +plus 2, -minus 2: SELECT x.b, y.v, z.v FROM <0> x LEFT JOIN <1> y ON y.id = x.a "
        "LEFT JOIN <2> z ON z.id = y.v WHERE +\"z\".lockstep_weight >= +\"z\".lockstep_weight "
        "AND +y.v >= +y.v\n"
        "  +empty 2, -empty 2: SELECT x.b, y.v, z.v FROM <0> x LEFT JOIN <1> y ON y.id = x.a "
        "LEFT JOIN <2> z ON z.id = y.v WHERE +y.v >= +y.v AND (y.v) IN (SELECT z.id FROM <2 "
        "batch> z) AND NOT EXISTS (SELECT 1 FROM <2 past> z WHERE z.id = y.v)\n"
        "rows b, v, v:1; may repeat\n",
        NULL},
    {"SELECT x.b, y.v FROM t x LEFT JOIN u y ON y.id = x.a WHERE y.v > x.b",
        "join t, u\n"
        "  SELECT x.b, y.v FROM <0> x JOIN <1> y ON y.id = x.a WHERE (y.v > x.b)\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows b, v; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE a IN (SELECT v FROM u WHERE id IN (SELECT n FROM t AS y WHERE y.c "
     "= 'x'))",
        "join t, u, t\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (a IN (SELECT v FROM <1> AS \"u\" WHERE EXISTS "
        "(SELECT 1 FROM <2> AS y WHERE (y.c = 'x') AND (\"u\".\"id\") = (n))))\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <1> AS "
        "\"u\" WHERE (EXISTS (SELECT 1 FROM <2> AS y WHERE (y.c = 'x') AND (\"u\".\"id\") = "
        "(n))) AND (\"t\".\"a\") = (v)))\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (a) IN (SELECT v FROM <1 batch> "
        "AS \"u\") AND (EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE (EXISTS (SELECT 1 FROM <2> AS "
        "y WHERE (y.c = 'x') AND (\"u\".\"id\") = (n))) AND (\"t\".\"a\") = (v)))\n"
        "  +now 2, -past 2: SELECT a FROM <0> AS \"t\" WHERE (a) IN (SELECT v FROM <1> AS "
        "\"u\" WHERE (id) IN (SELECT n FROM <2 batch> AS y)) AND (EXISTS (SELECT 1 FROM <1> AS "
        "\"u\" WHERE (EXISTS (SELECT 1 FROM <2> AS y WHERE (y.c = 'x') AND (\"u\".\"id\") = "
        "(n))) AND (\"t\".\"a\") = (v)))\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT a FROM t WHERE 'x' || n IN (SELECT v COLLATE RTRIM FROM u) AND (SELECT count(*) "
     "FROM u WHERE v = n COLLATE RTRIM) > 1",
        "join t, u, u\n"
        "  SELECT a FROM <0> AS \"t\" WHERE ('x' || n IN (SELECT v COLLATE RTRIM FROM <1> AS "
        "\"u\") AND (SELECT count(*) FROM <2> AS \"u\" WHERE v = n COLLATE RTRIM) > 1)\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <1> AS "
        "\"u\" WHERE (1) AND ('x' || \"t\".\"n\") = (v COLLATE RTRIM)) AND (SELECT count(*) "
        "FROM <2> AS \"u\" WHERE v = n COLLATE RTRIM) > 1)\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE ('x' || n) IN (SELECT v COLLATE "
        "RTRIM FROM <1 batch> AS \"u\") AND (EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE (1) AND "
        "('x' || \"t\".\"n\") = (v COLLATE RTRIM)) AND (SELECT count(*) FROM <2> AS \"u\" "
        "WHERE v = n COLLATE RTRIM) > 1)\n"
        "  +now 2, -past 2: SELECT a FROM <0> AS \"t\" WHERE (n COLLATE RTRIM) IN (SELECT v "
        "FROM <2 batch> AS \"u\") AND (EXISTS (SELECT 1 FROM <1> AS \"u\" WHERE (1) AND ('x' "
        "|| \"t\".\"n\") = (v COLLATE RTRIM)) AND (SELECT count(*) FROM <2> AS \"u\" WHERE v = "
        "n COLLATE RTRIM) > 1)\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT v.a, count(*) FROM v GROUP BY v.a",
        "join t\n"
        "  SELECT v.a FROM (SELECT * FROM <0> AS \"t\") AS \"v\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INT: count(*)\n"
        "map c0 INT, c1\n"
        "rows a, count(*); keys 0\n",
        "SELECT v.a, count(*) FROM (SELECT * FROM t) AS \"v\" GROUP BY v.a"},
    {"WITH q(k, total) AS (SELECT a, sum(b) FROM t GROUP BY a), r AS MATERIALIZED (SELECT k "
     "FROM q WHERE total > 1) SELECT u.v FROM u JOIN r AS x ON x.k = u.id WHERE u.id IN r",
        "join t\n"
        "  SELECT a, b FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INT: sum(c1)\n"
        "map c0 INT, c1 kept by 0\n"
        "join t\n"
        "  SELECT a, b FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INT: sum(c1)\n"
        "map c0 INT, c1 kept by 0\n"
        "join u, 2, 5\n"
        "  SELECT u.v FROM <0> AS \"u\" JOIN (SELECT k FROM (SELECT c0 AS \"k\", (+c1) AS "
        "\"total\" FROM <1>) AS \"q\" WHERE total > 1) AS x ON x.k = u.id WHERE (u.id IN "
        "(SELECT k FROM (SELECT c0 AS \"k\", (+c1) AS \"total\" FROM <2>) AS \"q\" WHERE total "
        "> 1))\n"
        "  +plus 0, -minus 0: SELECT u.v FROM <0> AS \"u\" JOIN (SELECT k FROM (SELECT c0 AS "
        "\"k\", (+c1) AS \"total\" FROM <1>) AS \"q\" WHERE total > 1) AS x ON x.k = u.id "
        "WHERE (EXISTS (SELECT 1 FROM (SELECT c0 AS \"k\", (+c1) AS \"total\" FROM <2>) AS "
        "\"q\" WHERE (total > 1) AND (\"u\".\"id\") = (k)))\n"
        "  +plus 1, -minus 1: SELECT u.v FROM <0> AS \"u\" JOIN (SELECT k FROM (SELECT c0 AS "
        "\"k\", (+c1) AS \"total\" FROM <1>) AS \"q\" WHERE total > 1) AS x ON x.k = u.id "
        "WHERE (EXISTS (SELECT 1 FROM (SELECT c0 AS \"k\", (+c1) AS \"total\" FROM <2>) AS "
        "\"q\" WHERE (total > 1) AND (\"u\".\"id\") = (k)))\n"
        "  +now 2, -past 2: SELECT u.v FROM <0> AS \"u\" JOIN (SELECT k FROM (SELECT c0 AS "
        "\"k\", (+c1) AS \"total\" FROM <1>) AS \"q\" WHERE total > 1) AS x ON x.k = u.id "
        "WHERE (u.id) IN (SELECT k FROM (SELECT c0 AS \"k\", (+c1) AS \"total\" FROM <2 "
        "batch>) AS \"q\") AND (EXISTS (SELECT 1 FROM (SELECT c0 AS \"k\", (+c1) AS \"total\" "
        "FROM <2>) AS \"q\" WHERE (total > 1) AND (\"u\".\"id\") = (k)))\n"
        "rows v; may repeat\n",
        "SELECT u.v FROM u JOIN (SELECT k FROM (SELECT a AS \"k\" , exact_sum(b) AS "
        "\"total\" FROM t GROUP BY a) AS \"q\" WHERE total > 1) AS x ON x.k = u.id WHERE "
        "u.id IN (SELECT k FROM (SELECT a AS \"k\" , exact_sum(b) AS \"total\" FROM t "
        "GROUP BY a) AS \"q\" WHERE total > 1)"},
    {"WITH q(x) AS (VALUES (1), (2)) SELECT a FROM t WHERE a IN (SELECT x FROM q)",
        "join t\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (a IN (SELECT x FROM (SELECT \"column1\" AS \"x\" "
        "FROM (VALUES (1), (2)) AS lockstep_subquery_1) AS \"q\"))\n"
        "  +plus 0, -minus 0\n"
        "rows a; may repeat\n",
        "SELECT a FROM t WHERE a IN (SELECT x FROM (SELECT \"column1\" AS \"x\" FROM (VALUES "
        "(1), (2)) AS lockstep_subquery_1) AS \"q\")"},
    {"WITH n(b, a) AS (SELECT a, b FROM t WHERE a > 1) SELECT a FROM n",
        "join t\n"
        "  SELECT a FROM (SELECT a AS \"b\" , b AS \"a\" FROM <0> AS \"t\" WHERE a > 1) AS "
        "\"n\"\n"
        "  +plus 0, -minus 0\n"
        "rows a; may repeat\n",
        "SELECT a FROM (SELECT a AS \"b\" , b AS \"a\" FROM t WHERE a > 1) AS \"n\""},
    {"WITH n(b, a) AS (SELECT a, b + 1 AS p FROM t WHERE p > 1) SELECT a FROM n",
        "join t\n"
        "  SELECT a FROM (SELECT \"a\" AS \"b\", \"p\" AS \"a\" FROM (SELECT a, b + 1 AS p "
        "FROM <0> AS \"t\" WHERE p > 1) AS lockstep_subquery_1) AS \"n\"\n"
        "  +plus 0, -minus 0\n"
        "rows a; may repeat\n",
        "SELECT a FROM (SELECT \"a\" AS \"b\", \"p\" AS \"a\" FROM (SELECT a, b + 1 AS p FROM "
        "t WHERE p > 1) AS lockstep_subquery_1) AS \"n\""},
    {"SELECT a FROM w JOIN u USING (id)",
        "join t, u\n"
        "  SELECT a FROM (SELECT b AS \"id\" , a FROM (SELECT a, b FROM (SELECT * "
        "FROM <0> AS \"t\") AS \"v\") AS \"s\") AS \"w\" JOIN <1> AS \"u\" USING (id)\n"
        "  +plus 0, -minus 0\n"
        "  +plus 1, -minus 1\n"
        "rows a; may repeat\n",
        "SELECT a FROM (SELECT b AS \"id\" , a FROM (SELECT a, b FROM (SELECT * FROM "
        "t) AS \"v\") AS \"s\") AS \"w\" JOIN u USING (id)"},
    {"SELECT a FROM t UNION ALL SELECT 1 UNION ALL SELECT id FROM u WHERE v > 1",
        "join t\n"
        "  SELECT a FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "join\n"
        "  SELECT 1\n"
        "plus 0 1: c0\n"
        "join u\n"
        "  SELECT id FROM <0> AS \"u\" WHERE (v > 1)\n"
        "  +plus 0, -minus 0\n"
        "plus 2 3: c0\n"
        "rows a; may repeat\n",
        NULL},
    {"SELECT n, a FROM t UNION SELECT v, count(*) FROM u GROUP BY v ORDER BY 1",
        "join t\n"
        "  SELECT n, a FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "join u\n"
        "  SELECT v FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0: count(*)\n"
        "map c0, c1\n"
        "plus 0 3: c0 NOCASE, c1\n"
        "group by c0 NOCASE, c1\n"
        "rows n, a; keys 0 1\n"
        "order 0 NOCASE\n",
        NULL},
    {"SELECT a FROM t LIMIT +3",
        "source t: a(0) INT\n"
        "map c0 INT\n"
        "top c0: 3\n"
        "rows a; may repeat\n",
        "SELECT a FROM t  ORDER BY 1 COLLATE BINARY LIMIT +3"},
    {"SELECT c, b FROM t ORDER BY n DESC, b COLLATE RTRIM NULLS LAST, 'x' LIMIT 0x10 OFFSET 2",
        "source t: c(2) TEXT, b(1) REAL, n(3) TEXT NOCASE\n"
        "map c0 TEXT, c1 REAL, c2 TEXT NOCASE\n"
        "top c2 NOCASE desc, c1 RTRIM nulls last, c0, c1: 16 from 2\n"
        "rows c, b, order 1; may repeat\n"
        "order 2 NOCASE desc, 1 RTRIM nulls last; 1 hidden\n",
        "SELECT c, b FROM t ORDER BY n DESC, b COLLATE RTRIM NULLS LAST, 'x' , "
        "1 COLLATE BINARY, 2 COLLATE BINARY LIMIT 0x10 OFFSET 2"},
    {"SELECT DISTINCT a FROM t ORDER BY length(c) DESC NULLS FIRST, a LIMIT - -1",
        "source t: a(0) INT, c(2) TEXT\n"
        "map c0 INT, length(c1)\n"
        "group by c0 INT, any row shows c1\n"
        "top c1 desc nulls first, c0: 1\n"
        "rows a, order 1; keys 0; may differ\n"
        "order 1 desc nulls first, 0; 1 hidden\n",
        "SELECT DISTINCT a FROM t ORDER BY length(c) DESC NULLS FIRST, a , 1 "
        "COLLATE BINARY LIMIT - -1"},
    {"SELECT a, sum(b) AS s FROM t GROUP BY a ORDER BY s DESC, sum(b), count(*), -s LIMIT 10",
        "source t: a(0) INT, b(1) REAL\n"
        "map c0 INT, c1 REAL\n"
        "group by c0 INT: sum(c1), count(*)\n"
        "map c0 INT, c1, c2, -c1\n"
        "top c1 desc, c1, c2, c3, c0: 10\n"
        "rows a, s, order 1, order 2; keys 0\n"
        "order 1 desc, 1, 2, 3; 2 hidden\n",
        "SELECT a, exact_sum(b) AS s FROM t GROUP BY a ORDER BY s DESC, "
        "exact_sum(b), count(*), -s , 1 COLLATE BINARY, 2 COLLATE BINARY LIMIT "
        "10"},
    {"SELECT a AS k, n FROM t UNION ALL SELECT id, v AS w FROM u ORDER BY w DESC, k LIMIT 5",
        "join t\n"
        "  SELECT a, n FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "join u\n"
        "  SELECT id, v FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "plus 0 1: c0 INT, c1 NOCASE\n"
        "top c1 NOCASE desc, c0, c1: 5\n"
        "rows k, n; may repeat\n"
        "order 1 NOCASE desc, 0\n",
        "SELECT a AS k, n FROM t UNION ALL SELECT id, v AS w FROM u ORDER BY w "
        "DESC, k , 1, 2 LIMIT 5"},
    {"SELECT a FROM t ORDER BY (SELECT v FROM u WHERE id = a)",
        "join u, t\n"
        "  SELECT a, (SELECT v FROM <0> AS \"u\" WHERE id = a ORDER BY 1 COLLATE BINARY, "
        "typeof(\"u\".\"v\")) FROM <1> AS \"t\"\n"
        "  +now 0, -past 0: SELECT a, (SELECT v FROM <0> AS \"u\" WHERE id = a ORDER BY 1 "
        "COLLATE BINARY, typeof(\"u\".\"v\")) FROM <1> AS \"t\" WHERE (a) IN (SELECT id FROM "
        "<0 batch> AS \"u\")\n"
        "  +plus 1, -minus 1\n"
        "rows a, order 1; may repeat\n"
        "order 1; 1 hidden\n",
        "SELECT a FROM t ORDER BY (SELECT v FROM u WHERE id = a ORDER BY 1 COLLATE BINARY, "
        "typeof(\"u\".\"v\"))"},
    {"SELECT c FROM t EXCEPT SELECT n FROM t INTERSECT SELECT DISTINCT r FROM t",
        "join t\n"
        "  SELECT c FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "join t\n"
        "  SELECT n FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "map c0 TEXT, 1, NULL of 0\n"
        "map c0 TEXT NOCASE, NULL, 1 of 1\n"
        "plus 2 3: c0 TEXT, c1, c2\n"
        "group by c0 TEXT: count(c1), count(c2)\n"
        "map c0 TEXT where c1 > 0 AND c2 = 0\n"
        "join t\n"
        "  SELECT r FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 TEXT RTRIM\n"
        "map c0 TEXT, 1, NULL of 6\n"
        "map c0 TEXT RTRIM, NULL, 1 of 8\n"
        "plus 9 10: c0 TEXT, c1, c2\n"
        "group by c0 TEXT: count(c1), count(c2)\n"
        "map c0 TEXT where c1 > 0 AND c2 > 0\n"
        "rows c; keys 0\n",
        NULL},
    {"SELECT count(*) + (SELECT 1) FROM t",
        "join t\n"
        "  SELECT NULL FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group all: count(*) kept by 0\n"
        "join 1\n"
        "  SELECT c0 + (SELECT 1) FROM <0> AS lockstep_made\n"
        "  +plus 0, -minus 0\n"
        "rows count(*) + (SELECT 1); keys\n",
        "SELECT count(*) + (SELECT 1) FROM t"},
    {"SELECT a, (SELECT count(*) FROM u WHERE u.id = t.a) FROM t GROUP BY a HAVING sum(b) > "
     "(SELECT avg(v) FROM u) AND EXISTS (SELECT 1 FROM u AS y WHERE y.v = t.c)",
        "join u\n"
        "  SELECT v FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "group all: avg(c0)\n"
        "map c0 kept by 0\n"
        "join t\n"
        "  SELECT a, t.c, b FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INT, any row shows c1 TEXT: sum(c2) kept by 0\n"
        "join 4, u, 2, u\n"
        "  SELECT c0, (SELECT count(*) FROM <1> AS \"u\" WHERE u.id = lockstep_made.c0) FROM "
        "<0> AS lockstep_made WHERE (ifnull(c2, NULL) > (SELECT (+c0) FROM <2> AS "
        "lockstep_made) AND EXISTS (SELECT 1 FROM <3> AS y WHERE y.v = lockstep_made.c1))\n"
        "  +plus 0, -minus 0\n"
        "  +now 1, -past 1: SELECT c0, (SELECT count(*) FROM <1> AS \"u\" WHERE u.id = "
        "lockstep_made.c0) FROM <0> AS lockstep_made WHERE (c0) IN (SELECT u.id FROM <1 batch> "
        "AS \"u\") AND (ifnull(c2, NULL) > (SELECT (+c0) FROM <2> AS lockstep_made) AND EXISTS "
        "(SELECT 1 FROM <3> AS y WHERE y.v = lockstep_made.c1))\n"
        "  +now 2, -past 2: SELECT c0, (SELECT count(*) FROM <1> AS \"u\" WHERE u.id = "
        "lockstep_made.c0) FROM <0> AS lockstep_made WHERE ((+c2) >= (SELECT (+c0) FROM <2 "
        "now> AS lockstep_made) AND (+c2) <= (SELECT (+c0) FROM <2 past> AS lockstep_made) OR "
        "(+c2) >= (SELECT (+c0) FROM <2 past> AS lockstep_made) AND (+c2) <= (SELECT (+c0) "
        "FROM <2 now> AS lockstep_made) OR (+c2) IN (SELECT * FROM (SELECT c2 FROM <0> AS "
        "lockstep_made LIMIT CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION "
        "ALL SELECT (SELECT (+c0) FROM <2 now> AS lockstep_made) UNION ALL SELECT (SELECT "
        "(+c0) FROM <2 past> AS lockstep_made)) WHERE y IS NULL) THEN -1 ELSE 0 END))) AND "
        "(ifnull(c2, NULL) > (SELECT (+c0) FROM <2> AS lockstep_made) AND EXISTS (SELECT 1 "
        "FROM <3> AS y WHERE y.v = lockstep_made.c1))\n"
        "  +now 3, -past 3: SELECT c0, (SELECT count(*) FROM <1> AS \"u\" WHERE u.id = "
        "lockstep_made.c0) FROM <0> AS lockstep_made WHERE (c1) IN (SELECT y.v FROM <3 batch> "
        "AS y) AND (ifnull(c2, NULL) > (SELECT (+c0) FROM <2> AS lockstep_made) AND EXISTS "
        "(SELECT 1 FROM <3> AS y WHERE y.v = lockstep_made.c1))\n"
        "rows a, (SELECT count(*) FROM u WHERE u.id = t.a); keys 0\n",
        "SELECT a, (SELECT count(*) FROM u WHERE u.id = t.a) FROM t GROUP BY a HAVING "
        "exact_sum(b) > (SELECT exact_avg(v) FROM u) AND EXISTS (SELECT 1 FROM u AS y WHERE "
        "y.v = t.c)"},
    {"SELECT a FROM t WHERE a IN (SELECT v FROM u GROUP BY id)",
        "join u\n"
        "  SELECT id, v FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0 INTEGER, any row shows c1\n"
        "map c1 kept by 0\n"
        "join t, 2\n"
        "  SELECT a FROM <0> AS \"t\" WHERE (a IN (SELECT c0 FROM <1> AS lockstep_made))\n"
        "  +plus 0, -minus 0: SELECT a FROM <0> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <1> AS "
        "lockstep_made WHERE (1) AND (\"t\".\"a\") = (\"lockstep_made\".\"c0\")))\n"
        "  +now 1, -past 1: SELECT a FROM <0> AS \"t\" WHERE (a) IN (SELECT "
        "\"lockstep_made\".\"c0\" FROM <1 batch> AS lockstep_made) AND (EXISTS (SELECT 1 FROM "
        "<1> AS lockstep_made WHERE (1) AND (\"t\".\"a\") = (\"lockstep_made\".\"c0\")))\n"
        "rows a; may repeat; may differ\n",
        NULL},
    {"SELECT a FROM t WHERE a IN (SELECT v FROM u GROUP BY v HAVING count(*) > 1 UNION SELECT "
     "3) AND b > (SELECT avg(b) FROM t)",
        "join u\n"
        "  SELECT v FROM <0> AS \"u\"\n"
        "  +plus 0, -minus 0\n"
        "group by c0: count(*)\n"
        "map c0 where c1 > 1\n"
        "join\n"
        "  SELECT 3\n"
        "plus 2 3: c0\n"
        "group by c0 kept by 0\n"
        "join t\n"
        "  SELECT b FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "group all: avg(c0)\n"
        "map c0 kept by 0\n"
        "join 8, t, 5\n"
        "  SELECT a FROM <1> AS \"t\" WHERE (a IN (SELECT (+c0) FROM <2> AS lockstep_made) AND "
        "b > (SELECT (+c0) FROM <0> AS lockstep_made))\n"
        "  +now 0, -past 0: SELECT a FROM <1> AS \"t\" WHERE ((b) >= (SELECT (+c0) FROM <0 "
        "now> AS lockstep_made) AND (b) <= (SELECT (+c0) FROM <0 past> AS lockstep_made) OR "
        "(b) >= (SELECT (+c0) FROM <0 past> AS lockstep_made) AND (b) <= (SELECT (+c0) FROM <0 "
        "now> AS lockstep_made) OR (b) IN (SELECT * FROM (SELECT b FROM <1> AS \"t\" LIMIT "
        "CASE WHEN EXISTS (SELECT 1 FROM (SELECT NULL AS y WHERE 0 UNION ALL SELECT (SELECT "
        "(+c0) FROM <0 now> AS lockstep_made) UNION ALL SELECT (SELECT (+c0) FROM <0 past> AS "
        "lockstep_made)) WHERE y IS NULL) THEN -1 ELSE 0 END))) AND (EXISTS (SELECT 1 FROM <2> "
        "AS lockstep_made WHERE (1) AND (\"t\".\"a\") = (\"lockstep_made\".\"c0\")) AND b > "
        "(SELECT (+c0) FROM <0> AS lockstep_made))\n"
        "  +plus 1, -minus 1: SELECT a FROM <1> AS \"t\" WHERE (EXISTS (SELECT 1 FROM <2> AS "
        "lockstep_made WHERE (1) AND (\"t\".\"a\") = (\"lockstep_made\".\"c0\")) AND b > "
        "(SELECT (+c0) FROM <0> AS lockstep_made))\n"
        "  +now 2, -past 2: SELECT a FROM <1> AS \"t\" WHERE (a) IN (SELECT "
        "(+\"lockstep_made\".\"c0\") FROM <2 batch> AS lockstep_made) AND (EXISTS (SELECT 1 "
        "FROM "
        "<2> AS lockstep_made WHERE (1) AND (\"t\".\"a\") = (\"lockstep_made\".\"c0\")) AND b "
        "> (SELECT (+c0) FROM <0> AS lockstep_made))\n"
        "rows a; may repeat\n",
        "SELECT a FROM t WHERE a IN (SELECT v FROM u GROUP BY v HAVING count(*) > 1 UNION "
        "SELECT 3) AND b > (SELECT exact_avg(b) FROM t)"},
    {"SELECT q.a, count(*) FROM (SELECT a FROM t WHERE b > 1 UNION ALL SELECT v FROM u LEFT "
     "JOIN named ON named._rowid_ = u.id) AS q GROUP BY q.a",
        "join t, u, named\n"
        "  SELECT q.a FROM (SELECT a FROM <0> AS \"t\" WHERE b > 1 UNION ALL SELECT v FROM <1> "
        "AS \"u\" LEFT JOIN <2> AS \"named\" ON named._rowid_ = u.id) AS q\n"
        "  +plus 0, -minus 0: SELECT q.a FROM (SELECT a FROM <0> AS \"t\" WHERE b > 1 UNION "
        "ALL SELECT v FROM <1 empty> AS \"u\" LEFT JOIN <2> AS \"named\" ON named._rowid_ = "
        "u.id) AS q\n"
        "  +plus 1, -minus 1: SELECT q.a FROM (SELECT a FROM <0 empty> AS \"t\" WHERE b > 1 "
        "UNION ALL SELECT v FROM <1> AS \"u\" LEFT JOIN <2> AS \"named\" ON named._rowid_ = "
        "u.id) AS q\n"
        "  +now 2, -past 2: SELECT q.a FROM (SELECT a FROM <0 empty> AS \"t\" WHERE b > 1 "
        "UNION ALL SELECT v FROM <1> AS \"u\" LEFT JOIN <2> AS \"named\" ON named._rowid_ = "
        "u.id WHERE (u.id) IN (SELECT named._rowid_ FROM <2 batch> AS \"named\")) AS q\n"
        "group by c0 NUMERIC: count(*)\n"
        "map c0, c1\n"
        "rows a, count(*); keys 0\n",
        NULL},
    {"SELECT u.v FROM u JOIN (SELECT a, c FROM t ORDER BY b DESC, length(c) LIMIT 3) AS q ON "
     "q.a = u.id WHERE u.id IN (SELECT n FROM t ORDER BY r LIMIT 2)",
        "join t\n"
        "  SELECT a, c, b, length(c) FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "top c2 desc, c3, c0, c1: 3 kept by 0\n"
        "join t\n"
        "  SELECT n, r FROM <0> AS \"t\"\n"
        "  +plus 0, -minus 0\n"
        "top c1 RTRIM, c0: 2 kept by 0\n"
        "join u, 1, 3\n"
        "  SELECT u.v FROM <0> AS \"u\" JOIN (SELECT c0 AS \"a\", c1 AS \"c\" FROM <1>) AS q "
        "ON q.a = u.id WHERE (u.id IN (SELECT c0 FROM <2> AS lockstep_made))\n"
        "  +plus 0, -minus 0: SELECT u.v FROM <0> AS \"u\" JOIN (SELECT c0 AS \"a\", c1 AS "
        "\"c\" FROM <1>) AS q ON q.a = u.id WHERE (EXISTS (SELECT 1 FROM <2> AS lockstep_made "
        "WHERE (1) AND (\"u\".\"id\") = (\"lockstep_made\".\"c0\")))\n"
        "  +plus 1, -minus 1: SELECT u.v FROM <0> AS \"u\" JOIN (SELECT c0 AS \"a\", c1 AS "
        "\"c\" FROM <1>) AS q ON q.a = u.id WHERE (EXISTS (SELECT 1 FROM <2> AS lockstep_made "
        "WHERE (1) AND (\"u\".\"id\") = (\"lockstep_made\".\"c0\")))\n"
        "  +now 2, -past 2: SELECT u.v FROM <0> AS \"u\" JOIN (SELECT c0 AS \"a\", c1 AS \"c\" "
        "FROM <1>) AS q ON q.a = u.id WHERE (u.id) IN (SELECT \"lockstep_made\".\"c0\" FROM <2 "
        "batch> AS lockstep_made) AND (EXISTS (SELECT 1 FROM <2> AS lockstep_made WHERE (1) "
        "AND (\"u\".\"id\") = (\"lockstep_made\".\"c0\")))\n"
        "rows v; may repeat\n",
        "SELECT u.v FROM u JOIN (SELECT a, c FROM t ORDER BY b DESC, length(c) , 1 COLLATE "
        "BINARY, 2 COLLATE BINARY LIMIT 3) AS q ON q.a = u.id WHERE u.id IN (SELECT n FROM t "
        "ORDER BY r , 1 COLLATE BINARY LIMIT 2)"},
};
const size_t n_plan_cases = sizeof(plan_cases) / sizeof(plan_cases[0]);

const struct refusal refusals[] = {
    {"WITH q AS (SELECT 1) SELECT * FROM q",
        "a SELECT that reads no table is not maintained: an ordinary view will do"},
    {"WITH RECURSIVE q(k) AS (SELECT a FROM t UNION SELECT k + 1 FROM q WHERE k < 3) SELECT k "
     "FROM q",
        "the recursive common table expression q is not maintained yet: say it where the view "
        "is read"},

    {"SELECT * FROM (SELECT a, a, a, a, a, a FROM t) AS x",
        "a subquery in FROM, or a view, has more than 5 columns of the name a: give them names "
        "of "
        "their own"},
    {"VALUES (1)", "VALUES is not maintained: an ordinary view will do"},
    {"SELECT 1", "a SELECT that reads no table is not maintained: an ordinary view will do"},
    {"SELECT a FROM t LIMIT (SELECT count(*) FROM u)",
        "the subquery in LIMIT (SELECT count(*) FROM u) is not maintained: say LIMIT where the "
        "view is "
        "read"},
    {"SELECT a FROM t LIMIT 3 OFFSET 'x'", "datatype mismatch: LIMIT 'x' is no integer"},
    {"SELECT a FROM t LIMIT 99999999999999999999",
        "datatype mismatch: LIMIT 99999999999999999999 is no integer"},
    {"SELECT a FROM t WHERE a IN (SELECT id FROM u WHERE v = a LIMIT 'x')",
        "datatype mismatch: LIMIT 'x' is no integer"},
    {"SELECT a FROM (SELECT a FROM t LIMIT 1 OFFSET (SELECT 1))",
        "the subquery in LIMIT (SELECT 1) is not maintained: say LIMIT where the view is read"},
    {"SELECT a FROM t, pragma_table_info('t')",
        "pragma_table_info() is not maintained: call it where the view is read"},
    {"SELECT a FROM t LIMIT NULL", "datatype mismatch: LIMIT NULL is no integer"},
    {"SELECT a FROM t LIMIT 2.5", "datatype mismatch: LIMIT 2.5 is no integer"},
    {"SELECT a FROM t LIMIT abs(random())",
        "random() is not deterministic: say it where the view is read"},
    {"SELECT a FROM t ORDER BY random() LIMIT 3",
        "random() is not deterministic: say it where the view is read"},
    {"SELECT a FROM t ORDER BY f",
        "the collation fr of ORDER BY is not maintained yet: say BINARY, NOCASE or RTRIM"},
    {"SELECT count(a) FILTER (WHERE b) FROM t UNION SELECT v FROM u ORDER BY count(a) FILTER "
     "(WHERE b)",
        "ORDER BY count(a) FILTER (WHERE b) of a compound is not maintained: give it by its "
        "position"},
    {"SELECT value FROM json_each('[1]')",
        "a SELECT that reads no table is not maintained: an ordinary view will do"},
    {"SELECT * FROM sqlite_schema",
        "the system table sqlite_schema is not maintained: join it where the view is read"},
    {"SELECT a AS k FROM t WHERE EXISTS (SELECT 1 FROM u WHERE v = k)",
        "the result column k used inside a subquery is not maintained yet: write what it "
        "stands for"},
    {"SELECT row_number() OVER (ORDER BY a) FROM t",
        "the window function row_number() is not maintained yet: say it where the view is "
        "read"},
    {"SELECT sum(a) OVER w FROM t WINDOW w AS ()",
        "the window function sum() is not maintained yet: say it where the view is read"},
    {"SELECT a FROM t WHERE a = ?", "the parameter ? has no value in a view"},
    {"SELECT a FROM t WHERE a = :name", "the parameter :name has no value in a view"},
    {"SELECT CURRENT_TIMESTAMP FROM t",
        "CURRENT_TIMESTAMP is not deterministic: say it where the view is read"},
    {"SELECT a FROM t WHERE c < current_date",
        "current_date is not deterministic: say it where the view is read"},
    {"SELECT count(*) FROM t GROUP BY random()",
        "random() is not deterministic: say it where the view is read"},
    {"SELECT a FROM t WHERE random() > 0",
        "random() is not deterministic: say it where the view is read"},
    {"SELECT randomblob(3) FROM t",
        "randomblob() is not deterministic: say it where the view is read"},
    {"SELECT last_insert_rowid() FROM t",
        "last_insert_rowid() is not deterministic: say it where the view is read"},
    {"SELECT changes(), total_changes() FROM t",
        "changes() is not deterministic: say it where the view is read"},
    {"SELECT sqlite_version() FROM t",
        "sqlite_version() is not deterministic: say it where the view is read"},
    {"SELECT drifting(a) FROM t",
        "drifting() is not deterministic (register it as such, in Python with "
        "deterministic=True)"},
    {"SELECT c REGEXP 'x' FROM t",
        "REGEXP() is not deterministic (register it as such, in Python with "
        "deterministic=True)"},
    {"SELECT date('now') FROM t",
        "date() with 'now' is not deterministic: say it where the view is read"},
    {"SELECT time('NOW', '+1 day') FROM t",
        "time() with 'NOW' is not deterministic: say it where the view is read"},
    {"SELECT datetime((('Now'))) FROM t",
        "datetime() with 'Now' is not deterministic: say it where the view is read"},
    {"SELECT julianday(\"now\") FROM t",
        "julianday() with 'now' is not deterministic: say it where the view is read"},
    {"SELECT unixepoch() FROM t",
        "unixepoch() without a time is not deterministic: say it where the view is read"},
    {"SELECT strftime('%Y') FROM t",
        "strftime() without a time is not deterministic: say it where the view is read"},
    {"SELECT strftime('%Y', 'now') FROM t",
        "strftime() with 'now' is not deterministic: say it where the view is read"},
    {"SELECT date(a, 'unixepoch', 'localtime') FROM t",
        "date() with 'localtime' is not deterministic: say it where the view is read"},
    {"SELECT date(a, 'UTC') FROM t",
        "date() with 'UTC' is not deterministic: say it where the view is read"},
    {"SELECT date(lower('NOW')) FROM t",
        "date() of a computed constant is not maintained: write it out"},
    {"SELECT date('subsec') FROM t",
        "date() with 'subsec' is not deterministic: say it where the view is read"},
    {"SELECT 'now' AS k, count(*) FROM t WHERE date(k) > 1",
        "date() with 'now' is not deterministic: say it where the view is read"},
    {"SELECT f, count(*) FROM t GROUP BY f",
        "the collation fr of GROUP BY is not maintained yet: say BINARY, NOCASE or RTRIM"},
    {"SELECT DISTINCT f FROM t",
        "the collation fr of DISTINCT is not maintained yet: say BINARY, NOCASE or RTRIM"},
    {"SELECT count(*) NOT IN () FROM t", "the aggregate in count(*) NOT IN () is not "
                                         "maintained: its value is not used, leave it out"},
    {"SELECT 0 AND count(*) FROM t", "the aggregate in 0 AND count(*) is not maintained: its "
                                     "value is not used, leave it out"},
    {"SELECT json_array(json_extract(c, '$')) FROM t GROUP BY json_extract(c, '$')",
        "json_extract(c, '$') inside json_array() over groups is not maintained yet"},
    {"SELECT json_array(own(json(c))) FROM t",
        "own(json(c)) inside json_array() over groups is not maintained yet"},
    {"SELECT own2(max(json_extract(c, '$'))) FROM t",
        "max(json_extract(c, '$')) inside own2() over groups is not maintained yet"},
    {"SELECT a, n FROM t GROUP BY a ORDER BY max(f)",
        "the collation fr of max(f) is not maintained yet: say BINARY, NOCASE or RTRIM"},
};
const size_t n_refusals = sizeof(refusals) / sizeof(refusals[0]);
