#!/bin/sh
# remove.sql takes Lockstep out of a database, damaged tables too, in a shell without the extension; what is
# the user's stays, and works.
set -eu

[ -z "${SQLRUN:-}" ] || exit 77 # the shell can't load this build
srcdir=${srcdir:-.}
module=$PWD/lockstep
database=$(mktemp)
trap 'rm -f "$database"' EXIT

fail() {
    echo "test_remove: $1"
    exit 1
}

run() {
    sqlite3 -batch -bail -init /dev/null "$database" "$@"
}

run >/dev/null <<SQL
.load $module
PRAGMA journal_mode = DELETE;
CREATE TABLE t(id INTEGER PRIMARY KEY, g TEXT, x INT UNIQUE);
CREATE TABLE u(g TEXT, y INT);
CREATE INDEX ux ON u(y);
CREATE VIEW mine AS SELECT g FROM t;
CREATE TRIGGER own AFTER INSERT ON t BEGIN DELETE FROM u WHERE y = new.x; END;
CREATE TABLE v_state_of_mine(a);
WITH c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 1000) INSERT INTO t SELECT i, 'g' || i, i FROM c;
CREATE VIRTUAL TABLE v USING lockstep(index=(n), SELECT g, count(*) AS n FROM t GROUP BY g);
CREATE VIRTUAL TABLE IF NOT EXISTS "odd name" USING
  "lockstep"(maintain=commit, SELECT id, y FROM t JOIN u ON u.g = t.g);
CREATE VIRTUAL TABLE n USING fts5(using, lockstep);
SQL
mine="SELECT group_concat(name) FROM (SELECT name FROM sqlite_schema
  WHERE name NOT GLOB 'n_*' AND name NOT GLOB 'sqlite_*' ORDER BY name)"
page=$(run "SELECT max(pageno) FROM dbstat WHERE name = 'v_data'")
printf '\377\377\377\377\377\377\377\377' |
    dd of="$database" bs=1 seek=$(((page - 1) * 4096)) conv=notrunc status=none
run ".load $module" "INSERT INTO v(lockstep) VALUES('rebuild')" "SELECT count(*) FROM v" |
    grep -qx 1000 || fail "rebuild did not set the damaged table aside"
run "SELECT name FROM sqlite_schema" | grep -q lockstep_damaged_1 || fail "nothing is damaged"

run -cmd '.dbconfig defensive off' <"$srcdir/remove.sql" >/dev/null
names=$(run "$mine")
[ "$names" = "mine,n,own,t,u,ux,v_state_of_mine" ] || fail "what is left: $names"
[ "$(run 'PRAGMA integrity_check')" = ok ] || fail "the file is damaged"
[ "$(run "INSERT INTO t VALUES (5000, 'a', 5000); SELECT count(*) FROM t")" = 1001 ] ||
    fail "the tables can't be written"
