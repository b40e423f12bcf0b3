/* The values of columns, by the distributions that the specification gives, as far as the
** queries select by them. Narrow ones are drawn from what the queries ask for, so that a small
** database has answers too. */
#include "tests/tpch/tpch.h"

#include <stdio.h>

enum { LAST_ORDER_DAY = 2405 }; /* 1998-08-02 */

const char *const tpch_regions[5] = {"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"};

const char *const tpch_nations[25] = {"ALGERIA", "ARGENTINA", "BRAZIL", "CANADA", "EGYPT",
    "ETHIOPIA", "FRANCE", "GERMANY", "INDIA", "INDONESIA", "IRAN", "IRAQ", "JAPAN", "JORDAN",
    "KENYA", "MOROCCO", "MOZAMBIQUE", "PERU", "CHINA", "ROMANIA", "SAUDI ARABIA", "VIETNAM",
    "RUSSIA", "UNITED KINGDOM", "UNITED STATES"};

const unsigned char tpch_region_of[25] = {
    0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1};

unsigned tpch_below(struct tpch *tpch, unsigned n)
{
    return diff_random_below(&tpch->random, n);
}

static bool is_narrow(struct tpch *tpch)
{
    return tpch->narrow > 0 && diff_random_percent(&tpch->random, tpch->narrow);
}

/* The civil date of a day (Hinnant, chrono-compatible low-level date algorithms, 2013, gives
** the idea: a year begins in March). */
const char *tpch_date(int day)
{
    static char text[16];
    int days =
        day + 8036 + 719468; /* 8036: 1992-01-01 after 1970-01-01; 719468: after 0000-03 */
    int era = days / 146097, of_era = days % 146097;
    int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * year + year / 4 - year / 100);
    int month = (5 * of_year + 2) / 153;

    snprintf(text, sizeof text, "%04d-%02d-%02d", (400 * era + year + (month >= 10)) % 10000,
        (month + 2) % 12 + 1, (of_year - (153 * month + 2) / 5 + 1) % 100);
    return text;
}

double tpch_money(struct tpch *tpch, int least, int most)
{
    return (least + (int)tpch_below(tpch, (unsigned)(most - least + 1))) / 100.0;
}

const char *tpch_type(struct tpch *tpch)
{
    static const char *const first[] = {
        "STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"};
    static const char *const second[] = {
        "ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"};
    static const char *const third[] = {"TIN", "NICKEL", "BRASS", "STEEL", "COPPER"};
    static const char *const asked[] = {
        "ECONOMY ANODIZED STEEL", "LARGE PLATED BRASS", "PROMO BRUSHED TIN"};
    static char text[40];

    if (is_narrow(tpch))
        return asked[tpch_below(tpch, 3)];
    snprintf(text, sizeof text, "%s %s %s", first[tpch_below(tpch, 6)],
        second[tpch_below(tpch, 5)], third[tpch_below(tpch, 5)]);
    return text;
}

const char *tpch_segment(struct tpch *tpch)
{
    static const char *const segments[] = {
        "BUILDING", "AUTOMOBILE", "FURNITURE", "MACHINERY", "HOUSEHOLD"};
    return segments[is_narrow(tpch) ? 0 : tpch_below(tpch, 5)];
}

const char *tpch_priority(struct tpch *tpch)
{
    static const char *const priorities[] = {
        "1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"};
    return priorities[tpch_below(tpch, 5)];
}

const char *tpch_ship_mode(struct tpch *tpch)
{
    static const char *const modes[] = {
        "MAIL", "SHIP", "AIR", "REG AIR", "RAIL", "TRUCK", "FOB"};
    return modes[tpch_below(tpch, is_narrow(tpch) ? 4 : 7)];
}

/* Words; now and then those that queries look for. */
const char *tpch_comment(struct tpch *tpch)
{
    static const char *const words[] = {"carefully", "quick", "ideas", "sleep", "final", "even",
        "furiously", "deposits", "bold", "packages", "along", "the", "blithely", "accounts"};
    static const char *const asked[] = {
        " special packages requests", " Customer slow Complaints"};
    static char text[80];
    const char *found =
        tpch_below(tpch, 100) < 3 + tpch->narrow / 4 ? asked[tpch_below(tpch, 2)] : "";
    snprintf(text, sizeof text, "%s %s%s %s", words[tpch_below(tpch, 14)],
        words[tpch_below(tpch, 14)], found, words[tpch_below(tpch, 14)]);
    return text;
}

/* FRANCE, GERMANY, CANADA, SAUDI ARABIA, BRAZIL, INDIA */
static const unsigned char asked_nations[] = {6, 7, 3, 20, 2, 8};

unsigned tpch_nation(struct tpch *tpch)
{
    return is_narrow(tpch) ? asked_nations[tpch_below(tpch, 6)] : tpch_below(tpch, 25);
}

unsigned tpch_nation_of_supplier(struct tpch *tpch, unsigned key)
{
    return tpch->narrow > 0 ? asked_nations[key % 6] : tpch_below(tpch, 25);
}

double tpch_quantity(struct tpch *tpch)
{
    static const unsigned char asked[] = {50, 50, 50, 50, 10, 11, 20, 3};
    return is_narrow(tpch) ? asked[tpch_below(tpch, 8)] : 1 + tpch_below(tpch, 50);
}

/* Most of the queries look at the years from 1993-07 to 1996-03. */
int tpch_order_day(struct tpch *tpch)
{
    return is_narrow(tpch) ? 540 + (int)tpch_below(tpch, 960)
                           : (int)tpch_below(tpch, LAST_ORDER_DAY + 1);
}

unsigned tpch_size(struct tpch *tpch)
{
    static const unsigned char asked[] = {3, 5, 15, 3};
    return is_narrow(tpch) ? asked[tpch_below(tpch, 4)] : 1 + tpch_below(tpch, 50);
}

double tpch_price_of(unsigned part)
{
    return (90000 + part / 10 % 20001 + 100 * (part % 1000)) / 100.0;
}
