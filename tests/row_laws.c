/* The laws of the two encodings of rows. */
#include "tests/row_laws.h"

#include "tests/must.h"
#include "tests/random_value.h"

struct row_coder row_coder_complete(struct row_coder coder)
{
    if (coder.append_identity == NULL)
        coder.append_identity = zs_row_append_identity;
    if (coder.append_comparison == NULL)
        coder.append_comparison = zs_row_append_comparison;
    if (coder.read == NULL)
        coder.read = zs_row_read;
    if (coder.skip_comparison == NULL)
        coder.skip_comparison = zs_row_skip_comparison;
    if (coder.compare == NULL)
        coder.compare = zs_value_compare;
    return coder;
}

/* Two values that may well be equal, and their encodings. */
struct pair {
    struct random_value values[2];
    enum zs_collation collation;
    struct zs_buffer encoded[2];
};

static void pair_init(struct pair *pair, struct random *random)
{
    random_value(random, &pair->values[0]);
    if (random_once_in(random, 4))
        random_value(random, &pair->values[1]);
    else
        random_value_near(random, &pair->values[0], &pair->values[1]);
    pair->collation = (enum zs_collation)random_below(random, 5);
    for (unsigned i = 0; i < 2; i++)
        zs_buffer_init(&pair->encoded[i], &zs_alloc_libc);
}

static void pair_encode_identity(struct pair *pair, const struct row_coder *coder)
{
    for (unsigned i = 0; i < 2; i++)
        must(coder->append_identity(&pair->encoded[i], &pair->values[i].value) == ZS_OK);
}

static void pair_encode_comparison(struct pair *pair, const struct row_coder *coder)
{
    for (unsigned i = 0; i < 2; i++)
        must(coder->append_comparison(
                 &pair->encoded[i], &pair->values[i].value, pair->collation) == ZS_OK);
}

static int pair_order(const struct pair *pair)
{
    int order = zs_bytes_compare(
        zs_buffer_bytes(&pair->encoded[0]), zs_buffer_bytes(&pair->encoded[1]));
    return (order > 0) - (order < 0);
}

/* The text that a database in the collation's encoding would hold in place of this one. */
static void pair_settle_text(struct pair *pair, struct row_oracle *oracle)
{
    if (pair->collation != ZS_BINARY_16LE && pair->collation != ZS_BINARY_16BE)
        return;
    for (unsigned i = 0; i < 2; i++) {
        struct random_value *value = &pair->values[i];
        struct zs_bytes text;
        if (value->value.type != ZS_TEXT)
            continue;
        text = row_oracle_read_back(oracle, value->value.bytes, pair->collation);
        if (text.len > RANDOM_TEXT_MAX)
            text.len = RANDOM_TEXT_MAX;
        for (size_t j = 0; j < text.len; j++)
            value->bytes[j] = text.data[j];
        value->value.bytes = (struct zs_bytes){value->bytes, text.len};
    }
}

static const char *pair_end(struct pair *pair, const char *violation)
{
    for (unsigned i = 0; i < 2; i++)
        zs_buffer_clear(&pair->encoded[i]);
    return violation;
}

static const char *check_reversible(const void *subject, struct random *random)
{
    const struct row_coder *coder = ((const struct row_subject *)subject)->coder;
    struct pair pair;
    struct zs_value read;
    size_t at = 0;
    const char *violation = NULL;

    pair_init(&pair, random);
    pair_encode_identity(&pair, coder);
    if (coder->read(zs_buffer_bytes(&pair.encoded[0]), &at, &read) != ZS_OK ||
        at != pair.encoded[0].len || !zs_value_is_identical(&read, &pair.values[0].value))
        violation = property_violated(
            "[reversible]", "type %d is read back otherwise", pair.values[0].value.type);
    return pair_end(&pair, violation);
}

static const char *check_identity(const void *subject, struct random *random)
{
    struct pair pair;
    const char *violation = NULL;

    pair_init(&pair, random);
    pair_encode_identity(&pair, ((const struct row_subject *)subject)->coder);
    if ((pair_order(&pair) == 0) !=
        zs_value_is_identical(&pair.values[0].value, &pair.values[1].value))
        violation = property_violated("[identity]", "types %d and %d are confused",
            pair.values[0].value.type, pair.values[1].value.type);
    return pair_end(&pair, violation);
}

static const char *check_order(const void *subject, struct random *random)
{
    const struct row_subject *rows = subject;
    struct pair pair;
    const char *violation = NULL;
    const struct zs_value *a = &pair.values[0].value;
    const struct zs_value *b = &pair.values[1].value;

    pair_init(&pair, random);
    pair_settle_text(&pair, rows->oracle);
    pair_encode_comparison(&pair, rows->coder);
    if (row_oracle_knows(a, b) &&
        pair_order(&pair) != row_oracle_compare(rows->oracle, a, b, pair.collation))
        violation = property_violated("[order]", "types %d and %d, collation %d: %d", a->type,
            b->type, pair.collation, pair_order(&pair));
    return pair_end(&pair, violation);
}

static const char *check_compare(const void *subject, struct random *random)
{
    const struct row_coder *coder = ((const struct row_subject *)subject)->coder;
    struct pair pair;
    const char *violation = NULL;
    int order;

    pair_init(&pair, random);
    pair_encode_comparison(&pair, coder);
    order = coder->compare(&pair.values[0].value, &pair.values[1].value, pair.collation);
    if ((order > 0) - (order < 0) != pair_order(&pair))
        violation = property_violated("[compare]", "types %d and %d, collation %d: %d",
            pair.values[0].value.type, pair.values[1].value.type, pair.collation, order);
    return pair_end(&pair, violation);
}

static const char *check_prefix(const void *subject, struct random *random)
{
    const struct row_coder *coder = ((const struct row_subject *)subject)->coder;
    struct pair pair;
    struct zs_bytes head;
    size_t at = 0;
    const char *violation = NULL;

    pair_init(&pair, random);
    pair_encode_comparison(&pair, coder);
    head = zs_buffer_bytes(&pair.encoded[1]);
    if (head.len > pair.encoded[0].len)
        head.len = pair.encoded[0].len;
    if (pair_order(&pair) != 0 && zs_bytes_equal(head, zs_buffer_bytes(&pair.encoded[0])))
        violation = property_violated("[prefix]", "a key of type %d begins one of type %d",
            pair.values[0].value.type, pair.values[1].value.type);
    must(zs_buffer_append(&pair.encoded[0], "\x7f\x01", 2) == ZS_OK);
    if (violation == NULL &&
        (coder->skip_comparison(zs_buffer_bytes(&pair.encoded[0]), &at) != ZS_OK ||
            at != pair.encoded[0].len - 2))
        violation = property_violated(
            "[prefix]", "a key of type %d ends elsewhere", pair.values[0].value.type);
    return pair_end(&pair, violation);
}

static const char *check_tuple(const void *subject, struct random *random)
{
    const struct row_subject *rows = subject;
    struct pair first;
    struct pair second;
    const char *violation = NULL;
    int order;

    pair_init(&first, random);
    pair_init(&second, random);
    pair_encode_comparison(&first, rows->coder);
    pair_encode_comparison(&second, rows->coder);
    order = pair_order(&first) != 0 ? pair_order(&first) : pair_order(&second);
    for (unsigned i = 0; i < 2; i++)
        must(zs_buffer_append(
                 &first.encoded[i], second.encoded[i].data, second.encoded[i].len) == ZS_OK);
    if (pair_order(&first) != order)
        violation = property_violated("[tuple]", "types %d and %d, collation %d",
            first.values[0].value.type, first.values[1].value.type, first.collation);
    pair_end(&second, NULL);
    return pair_end(&first, violation);
}

const struct property row_is_reversible = {"[reversible]", check_reversible};
const struct property row_identity = {"[identity]", check_identity};
const struct property row_order = {"[order]", check_order};
const struct property row_compare = {"[compare]", check_compare};
const struct property row_prefix = {"[prefix]", check_prefix};
const struct property row_tuple = {"[tuple]", check_tuple};
