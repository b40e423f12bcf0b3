/* How a view is read best: by which index of <view>_data, and in which order. */
#ifndef LS_BEST_INDEX_H
#define LS_BEST_INDEX_H

#include "ext/view.h"

/* xBestIndex of views. What it chooses is told by idxStr, see selection.h. */
int ls_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info);

#endif
