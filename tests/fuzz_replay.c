/* Runs a fuzz target over the files of its corpus: fuzz_NAME FOLDER. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "tests/fuzz.h"

/* In memory of exactly its size, so that a sanitizer sees what is read past it. */
static void replay(const char *folder, const char *name)
{
    char path[4096];
    uint8_t *data;
    long size;
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "rb");
    FUZZ_MUST(file != NULL && fseek(file, 0, SEEK_END) == 0);
    size = ftell(file);
    FUZZ_MUST(size >= 0);
    rewind(file);
    data = malloc(size > 0 ? (size_t)size : 1);
    FUZZ_MUST(data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    (void)LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

int main(int n, char **words)
{
    int n_replayed = 0;
    struct dirent *entry;
    DIR *folder = n == 2 ? opendir(words[1]) : NULL;

    if (folder == NULL) {
        fprintf(stderr, "usage: %s FOLDER: the corpus\n", words[0]);
        return 2;
    }
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        replay(words[1], entry->d_name);
        n_replayed++;
    }
    closedir(folder);
    printf("%d inputs passed, 0 failed\n", n_replayed);
    return n_replayed > 0 ? 0 : 1;
}
