// SPDX-License-Identifier: GPL-2.0
/* Drop-ins: what they change, where they are looked for, what messages name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conf.h"

#define BASE \
	"[Match]\nDriver=a\n[Class a]\nDSCP=26\nPriority=3\nLossless=yes\n" \
	"[DSCP]\nMap=10:1\n[PFC]\nPriorities=3 4\n[Policy]\nMode=observe\n"

/* What a base and its drop-ins, as one, are the same as, or the error. */
struct merge {
	const char *base;
	const char *drop_in[2];
	const char *same;
	const char *error;
};

static const struct merge merges[] = {
	/* Key by key, and a class by its name */
	{ BASE, { "[Class a]\nPriority=4\n[DSCP]\nMap=\nMap=26:4\n" },
	  "[Match]\nDriver=a\n[Class a]\nDSCP=26\nPriority=4\nLossless=yes\n"
	  "[DSCP]\nMap=26:4\n[PFC]\nPriorities=3 4\n[Policy]\nMode=observe\n",
	  NULL },
	{ BASE, { "[Policy]\nMode=enforce\n", "[Policy]\nMode=observe\n" },
	  BASE, NULL },
	/* A list goes on; an empty value begins it anew */
	{ BASE, { "[Match]\nDriver=b\n", "[PFC]\nPriorities=5\n" },
	  "[Match]\nDriver=a b\n[Class a]\nDSCP=26\nPriority=3\nLossless=yes\n"
	  "[DSCP]\nMap=10:1\n[PFC]\nPriorities=3 4 5\n[Policy]\nMode=observe\n",
	  NULL },
	{ BASE, { "[Match]\nDriver=b\n", "[Match]\nDriver=\nDriver=c\n" },
	  "[Match]\nDriver=c\n[Class a]\nDSCP=26\nPriority=3\nLossless=yes\n"
	  "[DSCP]\nMap=10:1\n[PFC]\nPriorities=3 4\n[Policy]\nMode=observe\n",
	  NULL },
	/* ... and takes back what was said, whatever it was */
	{ BASE, { "[Match]\nDriver=\n[DSCP]\nMap=\n[PFC]\nPriorities=\n"
		  "[Policy]\nMode=\n[Class a]\nLossless=\n" },
	  "[Class a]\nDSCP=26\nPriority=3\n", NULL },
	{ BASE, { "[ECN]\nNP=\n" }, BASE, NULL },
	/* A class more, after those of the base */
	{ BASE, { "[Class b]\nDSCP=34\nPriority=4\nLossless=yes\n" },
	  "[Match]\nDriver=a\n[Class a]\nDSCP=26\nPriority=3\nLossless=yes\n"
	  "[Class b]\nDSCP=34\nPriority=4\nLossless=yes\n"
	  "[DSCP]\nMap=10:1\n[PFC]\nPriorities=3 4\n[Policy]\nMode=observe\n",
	  NULL },
	/* What is wrong is told with its own file and line */
	{ BASE, { "\n[Class a]\nPriority=8\n" }, NULL,
	  "x.conf.d/1.conf:3: priority 8 is out of range; use 0 to 7" },
	{ BASE, { "", "# no\n[Clas a]\n" }, NULL,
	  "x.conf.d/2.conf:2: unknown section [Clas a]; did you mean [Class NAME]?" },
	{ BASE, { "nonsense\n" }, NULL,
	  "x.conf.d/1.conf:1: neither [Section] nor Key=value nor # comment; mend the line" },
	{ BASE, { "Mode=enforce\n" }, NULL,
	  "x.conf.d/1.conf:1: Mode= stands before any section; put it below one, as [Match]" },
	{ BASE, { "[Policy]\nMode=enforce\nMode=observe\n" }, NULL,
	  "x.conf.d/1.conf:3: Mode= stands twice, first on line 2; remove one" },
	{ BASE, { "[Class a]\n[Class a]\n" }, NULL,
	  "x.conf.d/1.conf:2: [Class a] stands twice, first on line 1; join them" },
	{ BASE, { "[Class a]\nDSCP=26\n" }, NULL,
	  "x.conf.d/1.conf:2: DSCP 26 stands twice, first on x.conf:4; remove one" },
	{ BASE, { "[Class b]\nDSCP=26\n" }, NULL,
	  "x.conf.d/1.conf:2: DSCP 26 is in class a (x.conf:4) and in class b; leave it in one" },
	{ BASE, { "[Class a]\nDSCP=\xff\n" }, NULL,
	  "x.conf.d/1.conf:2: byte 6 is 0xff, which is no text; is this a policy file?" },
	/* What only the whole shows: where, and since when */
	{ BASE, { "[Class b]\n", "[Class a]\nPriority=4\n" }, NULL,
	  "x.conf.d/1.conf:1: class b has no priority (0 to 7)" },
	{ BASE, { "[Class a]\nDSCP=\n" }, NULL,
	  "x.conf.d/1.conf:1: class a has no DSCP (0 to 63)" },
	{ BASE, { "", "[Class a]\nPriority=5\n" }, NULL,
	  "x.conf:10: PFC on priority 5 is to be off, class a says lossless; it was right before the drop-in x.conf.d/2.conf" },
	/* The first that is wrong is named, not the last that leaves it so */
	{ BASE, { "[Class a]\nPriority=5\n", "[Policy]\nMode=\n" }, NULL,
	  "x.conf:10: PFC on priority 5 is to be off, class a says lossless; it was right before the drop-in x.conf.d/1.conf" },
	{ "[Class a]\nDSCP=26\n", { "[Policy]\nMode=enforce\n" }, NULL,
	  "x.conf:1: class a has no priority (0 to 7)" },
	/* A base that a drop-in makes whole */
	{ "[Class a]\nDSCP=26\n", { "[Class a]\nPriority=3\n" },
	  "[Class a]\nDSCP=26\nPriority=3\n", NULL },
	{ "", { "[PFC 3]\n" }, NULL,
	  "x.conf.d/1.conf:1: unknown section [PFC 3]; did you mean [PFC]?" },
};

static void drop_ins_change_what_they_name(void **state)
{
	struct conf *conf = malloc(sizeof(*conf)), *same = malloc(sizeof(*same));
	struct conf_text text[] = {
		{ .file = "x.conf" },
		{ .file = "x.conf.d/1.conf" },
		{ .file = "x.conf.d/2.conf" },
	};
	char error[CONF_ERROR_MAX];
	size_t i, n;

	(void)state;
	assert_non_null(conf);
	assert_non_null(same);
	for (i = 0; i < ARRAY_SIZE(merges); i++) {
		text[0].text = merges[i].base;
		text[1].text = merges[i].drop_in[0];
		text[2].text = merges[i].drop_in[1];
		for (n = 0; n < ARRAY_SIZE(text) && text[n].text; n++)
			text[n].len = strlen(text[n].text);
		if (conf_parse_all(conf, "x", text, n, error)) {
			assert_string_equal(error, merges[i].error ?
							   merges[i].error :
							   "no error");
			continue;
		}
		assert_null(merges[i].error);
		assert_int_equal(conf_parse(same, "y", "x", merges[i].same,
					    strlen(merges[i].same), error), 0);
		assert_memory_equal(&conf->spec, &same->spec,
				    sizeof(conf->spec));
		assert_int_equal(conf->says_which, same->says_which);
	}
	free(conf);
	free(same);
}

/* Folders */

struct folders {
	char top[64];
	char error[CONF_ERROR_MAX];
	struct conf_list list;
};

static void put(const struct folders *f, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", f->top, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void folder(const struct folders *f, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", f->top, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static int make_folders(void **state)
{
	struct folders *f = calloc(1, sizeof(*f));
	char path[256];

	if (!f)
		return -1;
	strcpy(f->top, "/tmp/rg-test-drop-ins-XXXXXX");
	*state = f;
	if (!mkdtemp(f->top))
		return -1;
	folder(f, "etc");
	folder(f, "share");
	snprintf(path, sizeof(path), "%s/etc", f->top);
	setenv("ROCEGUARD_POLICIES", path, 1);
	snprintf(path, sizeof(path), "%s/share", f->top);
	setenv("ROCEGUARD_PROFILES", path, 1);
	put(f, "share/p.conf", BASE);
	return 0;
}

static int drop(const char *path, const struct stat *st, int type,
		struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static int remove_folders(void **state)
{
	struct folders *f = *state;
	int err;

	conf_list_free(&f->list);
	err = nftw(f->top, drop, 8, FTW_DEPTH | FTW_PHYS);
	free(f);
	return err;
}

/* How many policies @what is; the words without the folder's name if none. */
static int load(struct folders *f, const char *what)
{
	size_t len = strlen(f->top);
	char *at;

	conf_list_free(&f->list);
	if (!conf_load(&f->list, what, f->error))
		return (int)f->list.n;
	while ((at = strstr(f->error, f->top)))
		memmove(at, at + len, strlen(at + len) + 1);
	return -1;
}

static void a_file_here_replaces_a_profile(void **state)
{
	struct folders *f = *state;

	assert_int_equal(load(f, "p"), 1);
	assert_int_equal(f->list.conf->spec.n_classes, 1);
	put(f, "etc/p.conf", "[PFC]\nPriorities=none\n");
	assert_int_equal(load(f, "p"), 1);
	assert_int_equal(f->list.conf->spec.n_classes, 0);
	assert_string_equal(f->list.conf->spec.name, "p");
	assert_false(f->list.folder);
}

static void drop_ins_here_extend_a_profile(void **state)
{
	struct folders *f = *state;

	folder(f, "etc/p.conf.d");
	assert_int_equal(load(f, "p"), 1);
	put(f, "etc/p.conf.d/20-b.conf", "[Policy]\nMode=enforce\n");
	put(f, "etc/p.conf.d/10-a.conf", "[Policy]\nMode=observe\nDisruptive=now\n");
	put(f, "etc/p.conf.d/30-c", "nonsense\n");
	assert_int_equal(load(f, "p"), 1);
	assert_false(f->list.conf->spec.observe);
	assert_int_equal(f->list.conf->spec.disruptive,
			 ROCEGUARD_DISRUPTIVE_NOW);
	put(f, "etc/p.conf.d/40.conf", "[Policy]\nMode=never\n");
	assert_int_equal(load(f, "p"), -1);
	assert_string_equal(f->error, "/etc/p.conf.d/40.conf:2: Mode=never; use enforce or observe");
}

static void drop_ins_beside_a_file_extend_it(void **state)
{
	struct folders *f = *state;
	char path[256];

	put(f, "q.conf", BASE);
	folder(f, "q.conf.d");
	put(f, "q.conf.d/x.conf", "[Match]\nName=roce7\n");
	snprintf(path, sizeof(path), "%s/q.conf", f->top);
	assert_int_equal(load(f, path), 1);
	assert_string_equal(f->list.conf->spec.match.ifname[0], "roce7");
}

static void a_folder_is_its_files_and_its_drop_ins(void **state)
{
	struct folders *f = *state;

	assert_int_equal(load(f, NULL), -1);
	assert_string_equal(f->error, "/etc: no *.conf in it; name a policy file or a profile");
	put(f, "etc/b.conf", BASE);
	folder(f, "etc/b.conf.d");
	put(f, "etc/b.conf.d/1.conf", "[Policy]\nMode=\n");
	folder(f, "etc/p.conf.d");
	folder(f, "etc/z.conf.d");
	/* Those of p have no file yet. */
	assert_int_equal(load(f, NULL), 1);
	assert_false(f->list.conf->spec.observe);
	put(f, "etc/p.conf.d/1.conf", "[Match]\nName=roce8\n");
	assert_int_equal(load(f, NULL), 2);
	assert_true(f->list.folder);
	assert_string_equal(f->list.conf[0].spec.name, "b");
	assert_string_equal(f->list.conf[1].spec.name, "p");
	assert_string_equal(f->list.conf[1].spec.match.ifname[0], "roce8");
	put(f, "etc/z.conf.d/1.conf", "[Match]\nName=roce8\n");
	assert_int_equal(load(f, NULL), -1);
	assert_string_equal(f->error, "/etc/z.conf.d: drop-ins for a policy that is not there: neither /etc/z.conf nor /share/z.conf; make one, or remove them");
}

static void there_may_be_only_so_many(void **state)
{
	struct folders *f = *state;
	char name[64];
	int i;

	folder(f, "etc/p.conf.d");
	for (i = 0; i < CONF_PARTS_MAX; i++) {
		snprintf(name, sizeof(name), "etc/p.conf.d/%02d.conf", i);
		assert_int_equal(load(f, "p"), 1);
		put(f, name, "");
	}
	assert_int_equal(load(f, "p"), -1);
	assert_string_equal(f->error, "/etc/p.conf.d: 32 drop-ins; a policy has at most 31");
	for (i = 0; i <= CONF_FILES_MAX; i++) {
		snprintf(name, sizeof(name), "etc/a%02d.conf", i);
		put(f, name, BASE);
	}
	assert_int_equal(load(f, NULL), -1);
	assert_string_equal(f->error, "/etc: more than 64 policies; no more can be loaded at once");
}

#define FOLDERS(_test) \
	cmocka_unit_test_setup_teardown(_test, make_folders, remove_folders)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drop_ins_change_what_they_name),
		FOLDERS(a_file_here_replaces_a_profile),
		FOLDERS(drop_ins_here_extend_a_profile),
		FOLDERS(drop_ins_beside_a_file_extend_it),
		FOLDERS(a_folder_is_its_files_and_its_drop_ins),
		FOLDERS(there_may_be_only_so_many),
	};

	return cmocka_run_group_tests_name("drop-ins", tests, NULL, NULL);
}
