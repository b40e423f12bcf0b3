-- A view of more columns than one call of the function takes that compares it with its query.
CREATE TABLE t(id INTEGER PRIMARY KEY, x INT);
INSERT INTO t VALUES (1, 10), (2, 20), (3, NULL);
CREATE VIRTUAL TABLE v USING lockstep(
  SELECT id, x + 0 AS a0, x + 1 AS a1, x + 2 AS a2, x + 3 AS a3, x + 4 AS a4, x + 5 AS a5,
    x + 6 AS a6, x + 7 AS a7, x + 8 AS a8, x + 9 AS a9, x + 10 AS a10, x + 11 AS a11,
    x + 12 AS a12, x + 13 AS a13, x + 14 AS a14, x + 15 AS a15, x + 16 AS a16, x + 17 AS a17,
    x + 18 AS a18, x + 19 AS a19, x + 20 AS a20, x + 21 AS a21, x + 22 AS a22, x + 23 AS a23,
    x + 24 AS a24, x + 25 AS a25, x + 26 AS a26, x + 27 AS a27, x + 28 AS a28, x + 29 AS a29,
    x + 30 AS a30, x + 31 AS a31, x + 32 AS a32, x + 33 AS a33, x + 34 AS a34, x + 35 AS a35,
    x + 36 AS a36, x + 37 AS a37, x + 38 AS a38, x + 39 AS a39, x + 40 AS a40, x + 41 AS a41,
    x + 42 AS a42, x + 43 AS a43, x + 44 AS a44, x + 45 AS a45, x + 46 AS a46, x + 47 AS a47,
    x + 48 AS a48, x + 49 AS a49, x + 50 AS a50, x + 51 AS a51, x + 52 AS a52, x + 53 AS a53,
    x + 54 AS a54, x + 55 AS a55, x + 56 AS a56, x + 57 AS a57, x + 58 AS a58, x + 59 AS a59,
    x + 60 AS a60, x + 61 AS a61, x + 62 AS a62, x + 63 AS a63, x + 64 AS a64, x + 65 AS a65,
    x + 66 AS a66, x + 67 AS a67, x + 68 AS a68, x + 69 AS a69, x + 70 AS a70, x + 71 AS a71,
    x + 72 AS a72, x + 73 AS a73, x + 74 AS a74, x + 75 AS a75, x + 76 AS a76, x + 77 AS a77,
    x + 78 AS a78, x + 79 AS a79, x + 80 AS a80, x + 81 AS a81, x + 82 AS a82, x + 83 AS a83,
    x + 84 AS a84, x + 85 AS a85, x + 86 AS a86, x + 87 AS a87, x + 88 AS a88, x + 89 AS a89,
    x + 90 AS a90, x + 91 AS a91, x + 92 AS a92, x + 93 AS a93, x + 94 AS a94
  FROM t
);
UPDATE t SET x = 30 WHERE id = 3;
INSERT INTO v(lockstep) VALUES('integrity-check');
SELECT a0, a94 FROM v ORDER BY id;
INSERT INTO v(lockstep) VALUES('store');
UPDATE v_data SET a94 = 'wrong' WHERE id = 2;
INSERT INTO v(lockstep) VALUES('integrity-check');
INSERT INTO v(lockstep) VALUES('rebuild');
UPDATE t SET x = 40 WHERE id = 2;
DELETE FROM lockstep_log_1 WHERE lockstep_weight <> 2;
INSERT INTO v(lockstep) VALUES('integrity-check');
INSERT INTO v(lockstep) VALUES('rebuild');
INSERT INTO v(lockstep) VALUES('integrity-check');
