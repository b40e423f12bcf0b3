/* The eight tables and their rows. */
#include "tests/tpch/tpch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURRENT_DAY = 1263 }; /* 1995-06-17 */

static const char schema[] =
    "CREATE TABLE region(r_regionkey INTEGER PRIMARY KEY, r_name TEXT, r_comment TEXT);"
    "CREATE TABLE nation(n_nationkey INTEGER PRIMARY KEY, n_name TEXT, n_regionkey INT, "
    "n_comment TEXT);"
    "CREATE TABLE supplier(s_suppkey INTEGER PRIMARY KEY, s_name TEXT, s_address TEXT, "
    "s_nationkey INT, s_phone TEXT, s_acctbal REAL, s_comment TEXT);"
    "CREATE TABLE part(p_partkey INTEGER PRIMARY KEY, p_name TEXT, p_mfgr TEXT, p_brand TEXT, "
    "p_type TEXT, p_size INT, p_container TEXT, p_retailprice REAL, p_comment TEXT);"
    "CREATE TABLE partsupp(ps_partkey INT, ps_suppkey INT, ps_availqty INT, ps_supplycost "
    "REAL, ps_comment TEXT, PRIMARY KEY(ps_partkey, ps_suppkey)) WITHOUT ROWID;"
    "CREATE TABLE customer(c_custkey INTEGER PRIMARY KEY, c_name TEXT, c_address TEXT, "
    "c_nationkey INT, c_phone TEXT, c_acctbal REAL, c_mktsegment TEXT, c_comment TEXT);"
    "CREATE TABLE orders(o_orderkey INTEGER PRIMARY KEY, o_custkey INT, o_orderstatus TEXT, "
    "o_totalprice REAL, o_orderdate TEXT, o_orderpriority TEXT, o_clerk TEXT, o_shippriority "
    "INT, o_comment TEXT);"
    "CREATE TABLE lineitem(l_orderkey INT, l_partkey INT, l_suppkey INT, l_linenumber INT, "
    "l_quantity REAL, l_extendedprice REAL, l_discount REAL, l_tax REAL, l_returnflag TEXT, "
    "l_linestatus TEXT, l_shipdate TEXT, l_commitdate TEXT, l_receiptdate TEXT, "
    "l_shipinstruct TEXT, l_shipmode TEXT, l_comment TEXT, PRIMARY KEY(l_orderkey, "
    "l_linenumber)) WITHOUT ROWID;";

static const char indexes[] = "CREATE INDEX supplier_nation ON supplier(s_nationkey);"
                              "CREATE INDEX partsupp_supplier ON partsupp(ps_suppkey);"
                              "CREATE INDEX customer_nation ON customer(c_nationkey);"
                              "CREATE INDEX orders_customer ON orders(o_custkey);"
                              "CREATE INDEX lineitem_part ON lineitem(l_partkey, l_suppkey);"
                              "CREATE INDEX lineitem_supplier ON lineitem(l_suppkey);";

static const char *const inserts[] = {"region VALUES(?,?,?)", "nation VALUES(?,?,?,?)",
    "supplier VALUES(?,?,?,?,?,?,?)", "part VALUES(?,?,?,?,?,?,?,?,?)",
    "partsupp VALUES(?,?,?,?,?)", "customer VALUES(?,?,?,?,?,?,?,?)",
    "orders VALUES(?,?,?,?,?,?,?,?,?)", "lineitem VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"};

static void die(struct tpch *tpch)
{
    fprintf(stderr, "tpch: %s\n", sqlite3_errmsg(tpch->db));
    exit(2);
}

void tpch_insert(struct tpch *tpch, enum tpch_table table, const char *format, ...)
{
    sqlite3_stmt *statement = tpch->insert[table];
    va_list values;

    va_start(values, format);
    for (int i = 0; format[i] != 0; i++) {
        if (format[i] == 'i')
            sqlite3_bind_int(statement, i + 1, va_arg(values, int));
        else if (format[i] == 'd')
            sqlite3_bind_double(statement, i + 1, va_arg(values, double));
        else
            sqlite3_bind_text(
                statement, i + 1, va_arg(values, const char *), -1, SQLITE_TRANSIENT);
    }
    va_end(values);
    if (sqlite3_step(statement) != SQLITE_DONE)
        die(tpch);
    sqlite3_reset(statement);
}

static const char *phone(struct tpch *tpch, unsigned nation)
{
    static char text[20];
    snprintf(text, sizeof text, "%02u-%03u-%03u-%04u", (nation + 10) % 100,
        100 + tpch_below(tpch, 900), 100 + tpch_below(tpch, 900),
        1000 + tpch_below(tpch, 9000));
    return text;
}

static const char *numbered(const char *what, unsigned n)
{
    static char text[40];
    snprintf(text, sizeof text, "%s#%09u", what, n);
    return text;
}

void tpch_insert_supplier(struct tpch *tpch, unsigned key)
{
    unsigned nation = tpch_nation_of_supplier(tpch, key);
    tpch_insert(tpch, SUPPLIER, "issisds", key, numbered("Supplier", key), "street 1", nation,
        phone(tpch, nation), tpch_money(tpch, -99999, 999999), tpch_comment(tpch));
}

/* The i-th of the four suppliers that a part has. */
static unsigned supplier_of(const struct tpch *tpch, unsigned part, unsigned i)
{
    unsigned n = tpch->n_suppliers;
    return (part + i * (n / 4 + (part - 1) / n)) % n + 1;
}

static void add_suppliers(struct tpch *tpch, unsigned part)
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned supplier = supplier_of(tpch, part, i);
        bool is_repeated = false;
        for (unsigned k = 0; k < i; k++)
            is_repeated = is_repeated || supplier_of(tpch, part, k) == supplier;
        if (!is_repeated)
            tpch_insert(tpch, PARTSUPP, "iiids", part, supplier, 1 + tpch_below(tpch, 9999),
                tpch_money(tpch, 100, 100000), tpch_comment(tpch));
    }
}

void tpch_insert_part(struct tpch *tpch, unsigned key)
{
    static const char *const colors[] = {"forest", "green", "almond", "azure", "blush", "coral",
        "cyan", "drab", "ghost", "honeydew", "indian", "ivory", "khaki", "lemon", "linen",
        "maroon", "navy", "olive", "peru", "plum", "rose", "salmon", "tan", "wheat"};
    static const char *const boxes[] = {"SM", "MED", "LG", "JUMBO", "WRAP"};
    static const char *const kinds[] = {
        "BOX", "CASE", "PACK", "PKG", "BAG", "JAR", "CAN", "DRUM"};
    static const char *const brands[] = {"Brand#23", "Brand#12", "Brand#34"};
    bool is_asked = tpch->narrow > 0 && tpch_below(tpch, 100) < tpch->narrow;
    char name[60], brand[12], maker[20], container[20];
    unsigned of = 1 + tpch_below(tpch, 5);

    snprintf(name, sizeof name, "%s %s %s", colors[tpch_below(tpch, is_asked ? 2 : 24)],
        colors[tpch_below(tpch, 24)], colors[tpch_below(tpch, 24)]);
    snprintf(maker, sizeof maker, "Manufacturer#%u", of);
    snprintf(brand, sizeof brand, "Brand#%u%u", of, 1 + tpch_below(tpch, 5));
    snprintf(container, sizeof container, "%s %s", boxes[tpch_below(tpch, is_asked ? 2 : 5)],
        kinds[tpch_below(tpch, is_asked ? 2 : 8)]);
    tpch_insert(tpch, PART, "issssisds", key, name, maker,
        is_asked ? brands[tpch_below(tpch, 3)] : brand, tpch_type(tpch), tpch_size(tpch),
        container, tpch_price_of(key), tpch_comment(tpch));
    add_suppliers(tpch, key);
}

void tpch_insert_customer(struct tpch *tpch, unsigned key)
{
    unsigned nation = tpch_nation(tpch);
    tpch_insert(tpch, CUSTOMER, "issisdss", key, numbered("Customer", key), "street 2", nation,
        phone(tpch, nation), tpch_money(tpch, -99999, 999999), tpch_segment(tpch),
        tpch_comment(tpch));
}

/* What an order's items add up to. */
struct sum {
    double price;
    unsigned n, n_open;
};

static void insert_item(
    struct tpch *tpch, unsigned order, unsigned line, int day, double quantity, struct sum *sum)
{
    static const char *const instructions[] = {
        "DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"};
    unsigned part = 1 + tpch_below(tpch, tpch->n_parts);
    double price = quantity * tpch_price_of(part);
    double discount = tpch_money(tpch, 0, 10), tax = tpch_money(tpch, 0, 8);
    int ship = day + 1 + (int)tpch_below(tpch, 121),
        receipt = ship + 1 + (int)tpch_below(tpch, 30);
    char shipped[16], committed[16];
    bool is_open = ship > CURRENT_DAY;

    snprintf(shipped, sizeof shipped, "%s", tpch_date(ship));
    snprintf(
        committed, sizeof committed, "%s", tpch_date(day + 30 + (int)tpch_below(tpch, 61)));
    tpch_insert(tpch, LINEITEM, "iiiiddddssssssss", order, part,
        supplier_of(tpch, part, tpch_below(tpch, 4)), line, quantity, price, discount, tax,
        receipt > CURRENT_DAY      ? "N"
        : tpch_below(tpch, 2) == 0 ? "R"
                                   : "A",
        is_open ? "O" : "F", shipped, committed, tpch_date(receipt),
        instructions[tpch_below(tpch, tpch->narrow > 0 ? 1 : 4)], tpch_ship_mode(tpch),
        tpch_comment(tpch));
    sum->price += price * (1 + tax) * (1 - discount);
    sum->n++;
    sum->n_open += is_open;
}

/* A third of the customers never order. */
static unsigned some_customer(struct tpch *tpch)
{
    for (;;) {
        unsigned key = 1 + tpch_below(tpch, tpch->n_customers);
        if (key % 3 != 0)
            return key;
    }
}

void tpch_insert_order(struct tpch *tpch, unsigned key)
{
    int day = tpch_order_day(tpch);
    bool is_heavy = tpch->narrow > 0 && tpch_below(tpch, 100) < 15; /* as query 18 looks for */
    struct sum sum = {0};

    for (unsigned n = is_heavy ? 7 : 1 + tpch_below(tpch, 7), line = 1; line <= n; line++)
        insert_item(tpch, key, line, day, is_heavy ? 50 : tpch_quantity(tpch), &sum);
    tpch_insert(tpch, ORDERS, "iisdsssis", key, some_customer(tpch),
        sum.n_open == 0       ? "F"
        : sum.n_open == sum.n ? "O"
                              : "P",
        sum.price, tpch_date(day), tpch_priority(tpch), numbered("Clerk", tpch_below(tpch, 9)),
        0, tpch_comment(tpch));
}

static void prepare(struct tpch *tpch)
{
    for (int i = 0; i < 8; i++) {
        char sql[120];
        snprintf(sql, sizeof sql, "INSERT INTO %s", inserts[i]);
        if (sqlite3_prepare_v2(tpch->db, sql, -1, &tpch->insert[i], NULL) != SQLITE_OK)
            die(tpch);
    }
}

static unsigned scaled(double scale, double n, unsigned least)
{
    double count = scale * n + 0.5;
    return count < least ? least : (unsigned)count;
}

static void fill(struct tpch *tpch, unsigned n_orders)
{
    for (unsigned i = 0; i < 5; i++)
        tpch_insert(tpch, REGION, "iss", i, tpch_regions[i], "");
    for (unsigned i = 0; i < 25; i++)
        tpch_insert(tpch, NATION, "isis", i, tpch_nations[i], tpch_region_of[i], "");
    for (unsigned i = 1; i <= tpch->n_suppliers; i++)
        tpch_insert_supplier(tpch, i);
    for (unsigned i = 1; i <= tpch->n_parts; i++)
        tpch_insert_part(tpch, i);
    for (unsigned i = 1; i <= tpch->n_customers; i++)
        tpch_insert_customer(tpch, i);
    for (unsigned i = 1; i <= n_orders; i++)
        tpch_insert_order(tpch, i);
    tpch->oldest_order = 1;
    tpch->next_order = n_orders + 1;
}

void tpch_make(struct tpch *tpch, sqlite3 *db, double scale, uint64_t seed, unsigned narrow)
{
    *tpch = (struct tpch){.db = db, .random = diff_random_new(seed), .narrow = narrow};
    tpch->n_suppliers = scaled(scale, 10000, 8);
    tpch->n_parts = scaled(scale, 200000, 40);
    tpch->n_customers = scaled(scale, 150000, 20);
    kept_run(db, schema);
    kept_run(db, "BEGIN");
    prepare(tpch);
    fill(tpch, scaled(scale, 1500000, 50));
    kept_run(db, indexes);
    kept_run(db, "COMMIT; ANALYZE");
}

static unsigned number(struct tpch *tpch, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(tpch->db, sql, -1, &statement, NULL) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW)
        die(tpch);
    unsigned n = (unsigned)sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return n;
}

void tpch_open(struct tpch *tpch, sqlite3 *db, uint64_t seed, unsigned narrow)
{
    *tpch = (struct tpch){.db = db, .random = diff_random_new(seed), .narrow = narrow};
    tpch->n_suppliers = number(tpch, "SELECT count(*) FROM supplier");
    tpch->n_parts = number(tpch, "SELECT count(*) FROM part");
    tpch->n_customers = number(tpch, "SELECT count(*) FROM customer");
    tpch->oldest_order = number(tpch, "SELECT min(o_orderkey) FROM orders");
    tpch->next_order = number(tpch, "SELECT max(o_orderkey) + 1 FROM orders");
    prepare(tpch);
}

void tpch_close(struct tpch *tpch)
{
    for (int i = 0; i < 8; i++)
        sqlite3_finalize(tpch->insert[i]);
}
