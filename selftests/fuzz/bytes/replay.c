// SPDX-License-Identifier: GPL-2.0
/* Each file named, through the target once: what libFuzzer's main() also does. */
#include "fuzz.h"

static void replay(const char *path)
{
	FILE *f = fopen(path, "r");
	uint8_t *data = malloc(1 << 20);
	size_t n;

	if (!f || !data) {
		perror(path);
		exit(2);
	}
	n = fread(data, 1, 1 << 20, f);
	fclose(f);
	LLVMFuzzerTestOneInput(data, n);
	free(data);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		replay(argv[i]);
	printf("%d inputs\n", argc - 1);
	return 0;
}
