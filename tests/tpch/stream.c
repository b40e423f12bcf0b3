/* Changes: those of single orders, which come, go and move, and those of any table. */
#include "tests/tpch/tpch.h"

#include <stdarg.h>
#include <stdlib.h>

static void change(struct tpch *tpch, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *sql = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    if (sql == NULL)
        exit(2);
    kept_run(tpch->db, sql);
    sqlite3_free(sql);
}

static unsigned some_order(struct tpch *tpch)
{
    return tpch->oldest_order + tpch_below(tpch, tpch->next_order - tpch->oldest_order);
}

static void delete_order(struct tpch *tpch)
{
    unsigned key = tpch->oldest_order++;
    change(tpch,
        "DELETE FROM lineitem WHERE l_orderkey = %u; DELETE FROM orders WHERE "
        "o_orderkey = %u",
        key, key);
}

static void update_order(struct tpch *tpch)
{
    unsigned key = some_order(tpch), line = 1 + tpch_below(tpch, 4);
    switch (tpch_below(tpch, 4)) {
    case 0:
        change(tpch,
            "UPDATE orders SET o_orderpriority = %Q, o_orderdate = %Q WHERE o_orderkey "
            "= %u",
            tpch_priority(tpch), tpch_date((int)tpch_below(tpch, 2400)), key);
        break;
    case 1:
        change(tpch,
            "UPDATE lineitem SET l_quantity = %f, l_extendedprice = %f WHERE "
            "l_orderkey = %u AND l_linenumber = %u",
            tpch_quantity(tpch), tpch_money(tpch, 90000, 9000000), key, line);
        break;
    case 2:
        change(tpch,
            "UPDATE lineitem SET l_receiptdate = %Q, l_shipmode = %Q WHERE l_orderkey "
            "= %u AND l_linenumber = %u",
            tpch_date((int)tpch_below(tpch, 2500)), tpch_ship_mode(tpch), key, line);
        break;
    default:
        change(tpch,
            "UPDATE orders SET o_custkey = %u, o_orderstatus = 'F' WHERE o_orderkey = "
            "%u",
            1 + tpch_below(tpch, tpch->n_customers), key);
    }
}

void tpch_change_order(struct tpch *tpch)
{
    unsigned kind = tpch_below(tpch, 4);

    kept_run(tpch->db, "BEGIN");
    if (kind == 0)
        tpch_insert_order(tpch, tpch->next_order++);
    else if (kind == 1 && tpch->next_order - tpch->oldest_order > 20)
        delete_order(tpch);
    else
        update_order(tpch);
    kept_run(tpch->db, "COMMIT");
}

static void change_supplier(struct tpch *tpch)
{
    unsigned key = 1 + tpch_below(tpch, tpch->n_suppliers);
    if (tpch_below(tpch, 3) == 0) {
        change(tpch, "DELETE FROM supplier WHERE s_suppkey = %u", key);
        tpch_insert_supplier(tpch, key);
    } else {
        change(tpch,
            "UPDATE supplier SET s_nationkey = %u, s_acctbal = %f, s_comment = %Q "
            "WHERE s_suppkey = %u",
            tpch_nation(tpch), tpch_money(tpch, -99999, 999999), tpch_comment(tpch), key);
    }
}

static void change_part(struct tpch *tpch)
{
    unsigned key = 1 + tpch_below(tpch, tpch->n_parts);
    if (tpch_below(tpch, 2) == 0) {
        change(tpch,
            "DELETE FROM part WHERE p_partkey = %u; DELETE FROM partsupp WHERE "
            "ps_partkey = %u",
            key, key);
        tpch_insert_part(tpch, key);
    } else if (tpch_below(tpch, 2) == 0) {
        change(tpch, "UPDATE part SET p_type = %Q, p_size = 15 WHERE p_partkey = %u",
            tpch_type(tpch), key);
    } else {
        change(tpch,
            "UPDATE partsupp SET ps_availqty = ps_availqty + 7, ps_supplycost = %f "
            "WHERE ps_partkey = %u",
            tpch_money(tpch, 100, 100000), key);
    }
}

static void change_customer(struct tpch *tpch)
{
    unsigned key = 1 + tpch_below(tpch, tpch->n_customers);
    if (tpch_below(tpch, 3) == 0) {
        change(tpch, "DELETE FROM customer WHERE c_custkey = %u", key);
        tpch_insert_customer(tpch, key);
    } else {
        change(tpch,
            "UPDATE customer SET c_mktsegment = %Q, c_acctbal = %f, c_nationkey = %u "
            "WHERE c_custkey = %u",
            tpch_segment(tpch), tpch_money(tpch, -99999, 999999), tpch_nation(tpch), key);
    }
}

static void change_nation(struct tpch *tpch)
{
    unsigned key = tpch_nation(tpch);
    if (tpch_below(tpch, 2) == 0)
        change(tpch, "UPDATE nation SET n_regionkey = %u WHERE n_nationkey = %u",
            tpch_below(tpch, 5), key);
    else
        change(tpch, "UPDATE nation SET n_name = %Q WHERE n_nationkey = %u",
            tpch_nations[tpch_nation(tpch)], key);
}

/* An order without items, or items without their order. */
static void tear_order(struct tpch *tpch)
{
    unsigned key = some_order(tpch);
    if (tpch_below(tpch, 2) == 0)
        change(tpch, "DELETE FROM lineitem WHERE l_orderkey = %u", key);
    else
        change(tpch,
            "UPDATE orders SET o_orderkey = o_orderkey + 1000000 WHERE o_orderkey = %u", key);
}

void tpch_change_any(struct tpch *tpch)
{
    static void (*const kinds[])(struct tpch *) = {
        change_supplier, change_part, change_customer, change_nation, tear_order};
    static const unsigned weights[] = {25, 35, 25, 5, 10};
    kinds[diff_random_weighted(&tpch->random, weights, 5)](tpch);
}
