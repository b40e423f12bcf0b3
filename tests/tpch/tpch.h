/* A database of orders after the public specification of TPC-H, small and from a seed; its 22
** queries with fixed parameters; and changes to it. Dates are text, money is REAL. */
#ifndef TPCH_H
#define TPCH_H

#include "tests/diff_random.h"
#include "tests/kept_views.h"

enum { TPCH_QUERIES = 22 };

extern const struct kept_view tpch_queries[TPCH_QUERIES];

struct tpch {
    sqlite3 *db;
    struct diff_random random;
    unsigned narrow; /* of a hundred values, so many are of those that queries ask for */
    unsigned n_suppliers, n_parts, n_customers;
    unsigned next_order, oldest_order;
    sqlite3_stmt *insert[8];
};

/* Creates the tables and fills them: at scale 1 6,000,000 items of 1,500,000 orders. Ends the
** program where SQLite fails, as all of these do. tpch_close leaves the database open. */
void tpch_make(struct tpch *tpch, sqlite3 *db, double scale, uint64_t seed, unsigned narrow);
void tpch_close(struct tpch *tpch);

/* Takes up tables that are filled. */
void tpch_open(struct tpch *tpch, sqlite3 *db, uint64_t seed, unsigned narrow);

/* Changes a single order: a new one, the oldest one gone, or one with other items, dates or
** state; each in a transaction. */
void tpch_change_order(struct tpch *tpch);

/* Changes a few rows of some table at random. */
void tpch_change_any(struct tpch *tpch);

/* The rest is shared by the files here. */

enum tpch_table { REGION, NATION, SUPPLIER, PART, PARTSUPP, CUSTOMER, ORDERS, LINEITEM };

/* Inserts one row: of format, i is an int, d a double, s a string. */
void tpch_insert(struct tpch *tpch, enum tpch_table table, const char *format, ...);

void tpch_insert_supplier(struct tpch *tpch, unsigned key);
void tpch_insert_part(struct tpch *tpch, unsigned key);
void tpch_insert_customer(struct tpch *tpch, unsigned key);
void tpch_insert_order(struct tpch *tpch, unsigned key);

/* Values of columns. Texts are static or in a buffer that the next call of the same uses. */
const char *tpch_date(int day); /* days since 1992-01-01 */
const char *tpch_type(struct tpch *tpch);
const char *tpch_segment(struct tpch *tpch);
const char *tpch_priority(struct tpch *tpch);
const char *tpch_ship_mode(struct tpch *tpch);
const char *tpch_comment(struct tpch *tpch);
unsigned tpch_nation(struct tpch *tpch);
unsigned tpch_nation_of_supplier(struct tpch *tpch, unsigned key);
int tpch_order_day(struct tpch *tpch);
double tpch_quantity(struct tpch *tpch);
unsigned tpch_size(struct tpch *tpch);
double tpch_price_of(unsigned part);
double tpch_money(struct tpch *tpch, int least, int most); /* in cents */

extern const char *const tpch_nations[25];
extern const unsigned char tpch_region_of[25];
extern const char *const tpch_regions[5];

unsigned tpch_below(struct tpch *tpch, unsigned n);

#endif
