#!/bin/sh
# A program without the extension writes the tables of views, and one with it reads: two sqlite3
# processes on one file, in both journal modes, also while the reader has the file open.
: "${srcdir:=.}"
sqlite=${SQLITE3:-sqlite3}
plain=${PLAIN_SQLITE3:-$sqlite} # of the program without the extension
top=$PWD
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0
[ -z "$SQLRUN" ] || exit 77 # the shell cannot load this build
cd "$folder" || exit 1

# The views' rows as the extension gives them, and as the plain queries do, must be the same.
same()
{
    with=$("$sqlite" -batch -cmd ".load $top/lockstep" main.db "
        SELECT * FROM v ORDER BY g; SELECT * FROM d ORDER BY 1; SELECT * FROM f ORDER BY 1, 2;")
    without=$("$plain" -batch main.db "
        SELECT * FROM v_query ORDER BY g; SELECT * FROM d_query ORDER BY 1;
        SELECT * FROM f_query ORDER BY 1, 2;")
    count "$1" "$with" "$without"
}

# count NAME ACTUAL EXPECTED
count()
{
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
        echo "PASS $1"
    else
        failed=$((failed + 1))
        printf 'FAIL %s\nhere:\n%s\nexpected:\n%s\n' "$1" "$2" "$3"
    fi
}

plainly()
{
    "$plain" -batch main.db "$1" || echo "FAIL: without the extension: $1"
}

for mode in delete wal; do
    rm -f main.db*
    "$sqlite" -batch -cmd ".load $top/lockstep" main.db "
        PRAGMA journal_mode = $mode;
        CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT UNIQUE, x INTEGER);
        INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2);
        CREATE VIRTUAL TABLE v USING lockstep(SELECT substr(g, 1, 1) AS g, count(*) AS n, sum(x) AS s FROM t GROUP BY 1);
        CREATE VIRTUAL TABLE d USING lockstep(SELECT DISTINCT x FROM t);
        CREATE VIRTUAL TABLE f USING lockstep(SELECT g, x FROM t WHERE x > 1);" >/dev/null
    same "$mode: as created"
    plainly "INSERT INTO t(g, x) VALUES ('ab', 5), ('c', 6);"
    same "$mode: inserted"
    plainly "REPLACE INTO t VALUES (1, 'b', 9);"
    same "$mode: one row displaced two"
    plainly "UPDATE t SET x = x + 1; DELETE FROM t WHERE g = 'c';"
    same "$mode: updated and deleted"
    plainly "BEGIN; INSERT INTO t(g, x) VALUES ('z', 1); SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; COMMIT;"
    same "$mode: a savepoint rolled back"
    plainly "BEGIN; DELETE FROM t; ROLLBACK;"
    same "$mode: rolled back"
    plainly "INSERT OR IGNORE INTO t(g, x) VALUES ('z', 7), ('y', 8);"
    plainly "UPDATE OR REPLACE t SET id = 1 WHERE g = 'y';"
    same "$mode: two statements"
    plainly "VACUUM;"
    same "$mode: VACUUM"
    plainly "DELETE FROM t;"
    same "$mode: emptied"
    plainly "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO t(g, x) SELECT char(97 + i % 26) || i, i % 50 FROM n;"
    same "$mode: many rows"
    # The stored rows are a plain table for a program without the extension.
    "$sqlite" -batch -cmd ".load $top/lockstep" main.db "INSERT INTO v(lockstep) VALUES ('store');"
    count "$mode: stored rows" "$(plainly "SELECT g, n, s FROM v_data ORDER BY g;")" \
        "$(plainly "SELECT * FROM v_query ORDER BY g;")"
    # A reader that stays open sees what the other program commits in between.
    seen=$("$sqlite" -batch -cmd ".load $top/lockstep" main.db 2>&1 <<END
SELECT sum(n) FROM v;
.shell $plain main.db "DELETE FROM t WHERE x < 25"
SELECT sum(n) FROM v;
.shell $plain main.db "INSERT INTO t(g, x) VALUES ('new', 100)"
SELECT sum(n) FROM v;
SELECT * FROM f WHERE x = 100;
END
)
    count "$mode: a reader that stays open" "$seen" "2000
1000
1001
new|100"
    # What short-lived programs write does not pile up, though reads store only now and then: of
    # some 40,000 rows that are logged here, not half may be there at the end.
    for i in 1 2 3 4 5 6 7 8 9 10; do
        plainly "UPDATE t SET x = x + $i; UPDATE t SET x = x - 1;"
        "$sqlite" -batch -cmd ".load $top/lockstep" main.db \
            "SELECT count(*) FROM v; SELECT count(*) FROM d; SELECT count(*) FROM f;" >/dev/null
    done
    count "$mode: nothing piles up" "$(plainly "SELECT count(*) < 20000 FROM lockstep_log_1;")" 1
    same "$mode: at the end"
done
echo "two programs: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
