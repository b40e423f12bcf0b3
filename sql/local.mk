# libzsql: SELECT text -> syntax tree -> bound tree -> plan. Opens no database.
