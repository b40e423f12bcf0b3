/* The laws of the SQL folds. */
#ifndef TESTS_FOLD_LAWS_H
#define TESTS_FOLD_LAWS_H

#include "tests/fold_model.h"
#include "tests/property.h"

/* Whose fold, and the law that is looked at. */
struct fold_subject {
    bool is_naive; /* that of fold_model.h, with a fault; else core's */
    enum fold_fault fault;
    const char *tag; /* NULL: all laws */
};

/* The laws by their tags: [count rows], [count], [sum], [total], [avg], [min], [max],
** [unanimous], [refold], [distinct] for values, [row] for their number, [keys] for those of the
** group, [choice] for whose they are;
** [group] and [global] for whether there is a row, [state] and [multiset] for what may be left
** of a group that is gone. subject is a struct fold_subject. */
const char *fold_check_history(const void *subject, struct random *random);

#endif
