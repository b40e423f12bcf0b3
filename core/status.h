/* Status codes of libzset and libzsql: 0 is success, everything else leaves its object
** unchanged unless the function says otherwise. */
#ifndef ZS_STATUS_H
#define ZS_STATUS_H

enum zs_status {
    ZS_OK = 0,
    ZS_NOMEM,     /* an allocation failed */
    ZS_OVERFLOW,  /* a weight or a product of weights leaves 64 bits */
    ZS_MISUSE,    /* a call that the object's state does not allow */
    ZS_FOREIGN,   /* a handle of another circuit */
    ZS_CORRUPT,   /* bytes that are no valid encoding */
    ZS_BROKEN,    /* a step died outside a transaction: the circuit must be dropped */
    ZS_TOO_DEEP,  /* user input nested past a stated limit */
    ZS_SYNTAX,    /* text that the grammar does not read */
    ZS_REFUSED,   /* valid, but not maintained: a sentence says what */
    ZS_CALLBACK,  /* a function given by the user of the library failed; it holds the details */
    ZS_INTERRUPT, /* the user asked to stop */
    ZS_EXHAUSTED, /* what is kept does not suffice any more: it is to be filled anew */
};

/* The status must be looked at. */
#define ZS_CHECKED __attribute__((warn_unused_result))

#endif
