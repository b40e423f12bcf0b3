/* What all nodes have in common. */
#include "core/node.h"

void *zs_node_new(
    const struct zs_alloc *alloc, size_t size, const struct zs_node_methods *methods)
{
    struct zs_node *node = zs_alloc_zeroed(alloc, size);

    if (node == NULL)
        return NULL;
    node->methods = methods;
    node->alloc = alloc;
    if (zs_edge_init(&node->edge, alloc) != ZS_OK) {
        zs_alloc_free(alloc, node);
        return NULL;
    }
    return node;
}

void zs_node_free(struct zs_node *node)
{
    if (node == NULL)
        return;
    if (node->methods->clear != NULL)
        node->methods->clear(node);
    for (unsigned i = 0; i < node->n_members; i++) {
        if (node->members[i].is_owned) {
            zs_cells_free(node->members[i].cells);
            zs_trace_free(node->members[i].trace);
        }
    }
    zs_edge_clear(&node->edge);
    zs_alloc_free(node->alloc, node);
}

int zs_node_keep_trace(struct zs_node *node, struct zs_trace **trace)
{
    bool is_owned = *trace == NULL;
    int rc = is_owned ? zs_memory_trace_new(node->alloc, trace) : ZS_OK;

    if (rc == ZS_OK)
        node->members[node->n_members++] =
            (struct zs_member){.trace = *trace, .is_owned = is_owned};
    return rc;
}

int zs_node_keep_cells(struct zs_node *node, struct zs_cells **cells)
{
    bool is_owned = *cells == NULL;
    int rc = is_owned ? zs_memory_cells_new(node->alloc, cells) : ZS_OK;

    if (rc == ZS_OK)
        node->members[node->n_members++] =
            (struct zs_member){.cells = *cells, .is_owned = is_owned};
    return rc;
}

bool zs_member_is_same(const struct zs_member *a, const struct zs_member *b)
{
    return a->cells == b->cells && a->trace == b->trace;
}

static int begin_member(const struct zs_member *member)
{
    return member->cells != NULL ? member->cells->methods->begin(member->cells)
                                 : member->trace->methods->begin(member->trace);
}

static void commit_member(const struct zs_member *member)
{
    if (member->cells != NULL)
        member->cells->methods->commit(member->cells);
    else
        member->trace->methods->commit(member->trace);
}

/* Of the first n, the last one first. */
static void roll_back_members(struct zs_node *node, unsigned n)
{
    while (n-- > 0) {
        const struct zs_member *member = &node->members[n];
        if (!member->is_in_charge)
            continue;
        if (member->cells != NULL)
            member->cells->methods->rollback(member->cells);
        else
            member->trace->methods->rollback(member->trace);
    }
}

int zs_node_begin(struct zs_node *node)
{
    for (unsigned i = 0; i < node->n_members; i++) {
        int rc = node->members[i].is_in_charge ? begin_member(&node->members[i]) : ZS_OK;
        if (rc != ZS_OK) {
            roll_back_members(node, i);
            return rc;
        }
    }
    return ZS_OK;
}

void zs_node_commit(struct zs_node *node, unsigned depth)
{
    for (unsigned i = 0; i < node->n_members; i++) {
        if (node->members[i].is_in_charge)
            commit_member(&node->members[i]);
    }
    zs_edge_commit(&node->edge, depth);
    if (node->methods->commit != NULL)
        node->methods->commit(node, depth);
}

void zs_node_rollback(struct zs_node *node, unsigned depth)
{
    roll_back_members(node, node->n_members);
    zs_edge_rollback(&node->edge, depth);
    if (node->methods->rollback != NULL)
        node->methods->rollback(node, depth);
}
