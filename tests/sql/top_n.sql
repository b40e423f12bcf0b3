-- plain
-- LIMIT and OFFSET: rows come in for those that go. Every order here is total but for equal rows.
CREATE TABLE score(player TEXT, points, team TEXT);
INSERT INTO score VALUES('ann', 10, 'x'), ('bob', 20, 'x'), ('cid', 30, 'y'), ('dan', 5.5, 'y'),
    ('eve', 20, 'y'), ('fay', NULL, 'x');
CREATE VIRTUAL TABLE best USING lockstep(SELECT player, points FROM score ORDER BY points DESC, player LIMIT 3);
CREATE VIRTUAL TABLE second USING lockstep(SELECT points, count(*) AS n FROM score GROUP BY points ORDER BY points DESC LIMIT 1 OFFSET 1);
CREATE VIRTUAL TABLE worst USING lockstep(SELECT player FROM score ORDER BY points NULLS LAST, player LIMIT 2);
CREATE VIRTUAL TABLE rest USING lockstep(SELECT player FROM score ORDER BY player LIMIT -1 OFFSET 4);
CREATE VIRTUAL TABLE none USING lockstep(SELECT player FROM score LIMIT 0);
CREATE VIRTUAL TABLE teams USING lockstep(SELECT DISTINCT team FROM score ORDER BY team DESC LIMIT 1);
CREATE VIRTUAL TABLE both USING lockstep(SELECT player AS name FROM score UNION SELECT team FROM score ORDER BY name DESC LIMIT 2);
CREATE VIEW everything AS
    SELECT 'best' AS v, (SELECT group_concat(player || ' ' || ifnull(points, '-')) FROM best) AS x
    UNION ALL SELECT 'second', (SELECT group_concat(points || ' ' || n) FROM second)
    UNION ALL SELECT 'worst', (SELECT group_concat(player) FROM worst)
    UNION ALL SELECT 'rest', (SELECT group_concat(player) FROM rest)
    UNION ALL SELECT 'none', (SELECT group_concat(player) FROM none)
    UNION ALL SELECT 'teams', (SELECT group_concat(team) FROM teams)
    UNION ALL SELECT 'both', (SELECT group_concat(name) FROM both);
SELECT * FROM everything;
SELECT '-- the first goes';
DELETE FROM score WHERE player = 'cid';
SELECT * FROM everything;
SELECT '-- equal rows take several places';
INSERT INTO score VALUES('gus', 99, 'z'), ('gus', 99, 'z');
SELECT * FROM everything;
SELECT '-- one behind all others';
INSERT INTO score VALUES('zoe', -1, 'x');
SELECT * FROM everything;
SELECT '-- undone';
BEGIN;
SAVEPOINT a;
DELETE FROM score WHERE points >= 20;
SELECT * FROM everything;
ROLLBACK TO a;
UPDATE score SET points = points + 100 WHERE player IN ('ann', 'dan', 'fay');
SELECT * FROM everything;
ROLLBACK;
SELECT * FROM everything;
SELECT '-- fewer than the limit, and none';
DELETE FROM score WHERE player <> 'eve';
SELECT * FROM everything;
DELETE FROM score;
SELECT * FROM everything;
INSERT INTO score VALUES('ann', 1, 'x');
SELECT * FROM everything;
