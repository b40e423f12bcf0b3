#!/bin/bash
# Fetches and compiles what test_versions.sh and test_clients.sh need besides Debian's packages:
#
#   fetch_clients.sh FOLDER
#
#   FOLDER/sqlite-3.40.0/libsqlite3.so.0, ...    other versions of SQLite
#   FOLDER/better-sqlite3/                       the client, with better_sqlite3.node
#
# Both come from the npm package better-sqlite3: each of its releases carries the amalgamation of an
# SQLite. What is there already stays. Fails with a sentence where the npm registry can't be reached.
set -euo pipefail

folder=${1:?usage: fetch_clients.sh FOLDER}
registry=https://registry.npmjs.org/better-sqlite3/-
releases=(8.0.1 11.10.0 13.2.0) # SQLite 3.40.0, 3.49.2, 3.54.1
client=11.10.0                  # this one runs under Node 18, which Debian 12 has, and 20

# As Debian compiles SQLite, so far as the tests can tell.
options=(
    -DSQLITE_THREADSAFE=1 -DSQLITE_USE_URI=1 -DSQLITE_SECURE_DELETE -DSQLITE_OMIT_LOOKASIDE
    -DSQLITE_MAX_VARIABLE_NUMBER=250000 -DSQLITE_ENABLE_COLUMN_METADATA
    -DSQLITE_ENABLE_DBSTAT_VTAB -DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE
    -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_SESSION -DSQLITE_ENABLE_PREUPDATE_HOOK
    -DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_ENABLE_MATH_FUNCTIONS
)

# A whole package or none: an interrupted run leaves no half of it.
fetch() {
    local release=$1 to=$folder/package-$1
    [ ! -d "$to" ] || return 0
    rm -rf "$to.part"
    mkdir -p "$to.part"
    if ! curl -sSf --retry 2 --max-time 300 -o "$to.part/package.tgz" \
        "$registry/better-sqlite3-$release.tgz"; then
        echo "the npm registry can't be reached: $registry" >&2
        exit 1
    fi
    tar -xzf "$to.part/package.tgz" -C "$to.part" --strip-components=1
    rm "$to.part/package.tgz"
    mv "$to.part" "$to"
}

compile_sqlite() {
    local source=$folder/package-$1/deps/sqlite3 version to
    version=$(sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"$/\1/p' "$source/sqlite3.h")
    to=$folder/sqlite-$version
    [ ! -e "$to/libsqlite3.so.0" ] || return 0
    mkdir -p "$to"
    echo "compiling SQLite $version"
    gcc -O1 -w -fPIC -shared "${options[@]}" "$source/sqlite3.c" -o "$to/part" -lm -lpthread -ldl
    mv "$to/part" "$to/libsqlite3.so.0"
}

# With the options that its makers give SQLite (deps/defines.gypi), which leave several calls out.
compile_client() {
    local source=$folder/package-$client to=$folder/better-sqlite3 defines
    [ ! -e "$to/better_sqlite3.node" ] || return 0
    mapfile -t defines < <(sed -n "s/^ *'\([A-Z].*\)',\$/-D\1/p" "$source/deps/defines.gypi")
    mkdir -p "$to"
    cp -r "$source/lib" "$source/package.json" "$to"
    echo "compiling better-sqlite3 $client"
    gcc -c -O1 -w -fPIC "${defines[@]}" "$source/deps/sqlite3/sqlite3.c" -o "$to/sqlite3.o"
    g++ -std=c++20 -O1 -w -fPIC -shared -I/usr/include/node -I"$source/deps/sqlite3" \
        -DNODE_GYP_MODULE_NAME=better_sqlite3 -DBUILDING_NODE_EXTENSION \
        -Wl,-Bsymbolic "$source/src/better_sqlite3.cpp" "$to/sqlite3.o" -o "$to/part"
    rm "$to/sqlite3.o"
    mv "$to/part" "$to/better_sqlite3.node"
}

# All at once: each is one file, and some forty seconds of a core.
compilations=()
for release in "${releases[@]}"; do
    fetch "$release"
    compile_sqlite "$release" &
    compilations+=($!)
done
compile_client &
compilations+=($!)
for compilation in "${compilations[@]}"; do
    wait "$compilation"
done
