// A scenario of tests/sql with better-sqlite3, printing what the sqlite3 shell would.
//
//   scenario.py --split < NAME.sql | node scenario.js FILE.db LOCKSTEP BETTER_SQLITE3
//
// LOCKSTEP is the extension to load, or "" for none, and BETTER_SQLITE3 the folder that
// fetch_clients.sh made. How a scenario is split is told in scenario.py.
'use strict';
const fs = require('fs');
const path = require('path');

const [file, lockstep, folder] = process.argv.slice(2);
const Database = require(path.resolve(folder, 'lib'));
const nativeBinding = path.resolve(folder, 'better_sqlite3.node');

function say(line) {
  fs.writeSync(1, Buffer.concat([line, Buffer.from('\n')]));
}

function open(name) {
  const db = new Database(name, { nativeBinding });
  db.unsafeMode(); // some scenarios damage shadow tables
  db.defaultSafeIntegers();
  db.pragma('foreign_keys = OFF'); // as in the shell
  if (lockstep) db.loadExtension(path.resolve(lockstep));
  return db;
}

const texts = new Database(':memory:', { nativeBinding }).prepare('SELECT CAST(? AS TEXT)').pluck();
let db = open(file);
let ofNull = Buffer.alloc(0);
let hasHeaders = false;

// As SQLite writes it; the shell ends at a zero.
function textOf(value) {
  if (value === null) return ofNull;
  const bytes = Buffer.isBuffer(value) ? value
    : Buffer.from(typeof value === 'string' ? value : texts.get(value));
  const zero = bytes.indexOf(0);
  return zero < 0 ? bytes : bytes.subarray(0, zero);
}

function sayRow(row) {
  const parts = row.flatMap((value, i) => i > 0 ? [Buffer.from('|'), textOf(value)] : [textOf(value)]);
  say(Buffer.concat(parts));
}

function command(line) {
  const [word] = line.split(' ', 1);
  const rest = line.slice(word.length + 1);
  if (word === '.print') {
    say(Buffer.from(rest));
  } else if (word === '.open') {
    db.close();
    db = open(rest);
  } else if (word === '.nullvalue') {
    ofNull = Buffer.from(rest);
  } else if (word === '.headers') {
    hasHeaders = rest === 'on';
  } else if (word !== '.load') {
    throw new Error(`scenario.js: unknown command ${line}`);
  }
}

// A group, up to what fails.
function run(statements, line) {
  try {
    for (const sql of statements) {
      const statement = db.prepare(sql);
      let header = hasHeaders && statement.reader && statement.columns().map((column) => column.name);
      if (!statement.reader) statement.run();
      else for (const row of statement.raw().iterate()) {
        if (header) say(Buffer.from(header.join('|')));
        header = null;
        sayRow(row);
      }
    }
  } catch (error) {
    if (error.constructor.name !== 'SqliteError') throw error;
    say(Buffer.from(`Runtime error near line ${line}: ${error.message}`));
  }
}

for (const [line, statements] of JSON.parse(fs.readFileSync(0, 'utf8'))) {
  if (typeof statements === 'string') command(statements);
  else run(statements, line);
}
