// SPDX-License-Identifier: GPL-2.0
/* The full screen of `counters watch`: the one file that knows of ncurses. */
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include <curses.h>

#include "cmd/cmd.h"
#include "print.h"
#include "term.h"
#include "watch.h"
#include "words.h"

/* "  prio 3" */
#define LABEL_WIDTH	8

/* A sparkline shorter than that tells nothing. */
#define SPARK_MIN	8

#define KEY_WAIT_MS	100

enum colour { COLOUR_NONE, COLOUR_SOME, COLOUR_STORM };

/* As a share of the time that is paused. */
#define PAUSED_SOME	0.1
#define PAUSED_STORM	0.99

/**
 * struct screen - what is drawn
 * @watch: the ports
 * @seconds: between rounds
 * @first: row of the list that is at the top
 * @rows: of the list as last drawn
 * @column: that the sparklines are of
 * @paused: the user wants to read
 * @utf8: block elements can be drawn
 */
struct screen {
	const struct watch *watch;
	long seconds;
	int first;
	int rows;
	unsigned int column;
	bool paused;
	bool utf8;
};

static volatile sig_atomic_t stopped;

static void on_signal(int number __attribute__((unused)))
{
	stopped = 1;
}

/* The line of the list that comes next, NULL if it is not on the screen. */
static bool at_row(struct screen *s)
{
	int y = s->rows++ - s->first + 2;

	if (y < 2 || y >= LINES)
		return false;
	move(y, 0);
	return true;
}

static enum colour colour_of(const struct watch_port *port, unsigned int k)
{
	double share = 0, one;
	unsigned int c;

	for (c = 0; c < WATCH_COLUMNS; c++) {
		if (counters_unit(watch_columns[c].counter) != COUNTERS_US)
			continue;
		one = counters_per_second(&port->moved,
					  watch_columns[c].counter, k) / 1000000;
		share = max(share, one);
	}
	return share >= PAUSED_STORM ? COLOUR_STORM :
	       share >= PAUSED_SOME ? COLOUR_SOME : COLOUR_NONE;
}

static void draw_priority(struct screen *s, const struct watch_port *port,
			  unsigned int k)
{
	char cell[COUNTERS_WORDS], spark[3 * WATCH_PAST + 1];
	int left = COLS - LABEL_WIDTH - SPARK_MIN - 1, width;
	unsigned int c, n = watch_columns_for(left);
	enum colour colour = colour_of(port, k);

	if (!at_row(s))
		return;
	attron(COLOR_PAIR(colour));
	printw("  prio %u", k);
	for (c = 0; c < n; c++)
		printw(" %s", watch_cell(port, c, k, cell));
	width = COLS - getcurx(stdscr) - 1;
	width = min(width, WATCH_PAST);
	if (width > 0) {
		watch_spark(port, s->column, k, s->utf8, width, spark);
		printw(" %s", spark);
	}
	attroff(COLOR_PAIR(colour));
}

static void draw_storms(struct screen *s, const struct watch_port *port)
{
	char since[COUNTERS_WORDS];
	uint32_t i;

	for (i = 0; i < port->last.n_storms; i++) {
		const struct model_storm *storm = &port->last.storm[i];

		if (!at_row(s))
			continue;
		attron(COLOR_PAIR(COLOUR_STORM));
		printw("  pause storm on priority %u, %s, for %s",
		       storm->priority,
		       rg_word(&rg_words_direction, storm->direction),
		       counters_time_words(storm->since, since));
		attroff(COLOR_PAIR(COLOUR_STORM));
	}
}

static void draw_port(struct screen *s, const struct watch_port *port)
{
	char words[1024], name[64], age[COUNTERS_WORDS];
	unsigned int k;

	if (at_row(s)) {
		attron(A_BOLD);
		printw("%s", rg_clean(name, sizeof(name), port->last.ifname));
		attroff(A_BOLD);
		printw("  sampled %s ago%s", port->last.has_sampled ?
		       counters_time_words(port->last.sampled, age) : "never",
		       port->seen ? "" : ", nothing has counted yet");
	}
	draw_storms(s, port);
	for (k = 0; k < RG_PRIORITIES; k++)
		if (port->seen & BIT(k))
			draw_priority(s, port, k);
	watch_port_words(port, words, sizeof(words));
	if (words[0] && at_row(s))
		printw("  port   %.*s", max(COLS - LABEL_WIDTH - 2, 0), words);
}

static void draw_heading(const struct screen *s)
{
	unsigned int c, n = watch_columns_for(COLS - LABEL_WIDTH - SPARK_MIN - 1);
	char time_words[16] = "?";
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(time_words, sizeof(time_words), "%H:%M:%S", &tm);
	move(0, 0);
	printw("%s, every %ld s%s  q quits, space holds, arrows scroll, s: line of %s",
	       time_words, s->seconds, s->paused ? ", held" : "",
	       rg_word(&rg_words_counter, watch_columns[s->column].counter));
	move(1, 0);
	attron(A_REVERSE);
	printw("%-*s", LABEL_WIDTH, "PORT");
	for (c = 0; c < n; c++)
		printw(" %*s", watch_columns[c].width, watch_columns[c].heading);
	printw("%*s", max(COLS - getcurx(stdscr), 0), "");
	attroff(A_REVERSE);
}

static void draw(struct screen *s)
{
	size_t i;

	erase();
	draw_heading(s);
	s->rows = 0;
	for (i = 0; i < s->watch->n; i++)
		draw_port(s, &s->watch->port[i]);
	if (!s->watch->n)
		mvprintw(2, 0, "no port has counters");
	refresh();
}

/* What a key does; false: it ends it. */
static bool key(struct screen *s, int c)
{
	int page = max(LINES - 3, 1);

	switch (c) {
	case 'q':
		return false;
	case ' ':
		s->paused = !s->paused;
		break;
	case 's':
		s->column = (s->column + 1) % WATCH_COLUMNS;
		break;
	case KEY_UP:
		s->first--;
		break;
	case KEY_DOWN:
		s->first++;
		break;
	case KEY_PPAGE:
		s->first -= page;
		break;
	case KEY_NPAGE:
		s->first += page;
		break;
	}
	s->first = min(s->first, s->rows - 1);
	s->first = max(s->first, 0);
	return true;
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until the next round; false: the user or a signal ends it. */
static bool wait_round(struct screen *s, long until)
{
	int c;

	draw(s);
	while (!stopped && (s->paused || now_ms() < until)) {
		c = getch();
		if (c == ERR)
			continue;
		if (!key(s, c))
			return false;
		draw(s);
	}
	return !stopped;
}

static SCREEN *begin(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	SCREEN *screen = newterm(NULL, stdout, stdin);

	if (!screen)
		return NULL;
	/* After newterm(), which has handlers of its own. */
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	timeout(KEY_WAIT_MS);
	curs_set(0);
	if (has_colors()) {
		start_color();
		use_default_colors();
		init_pair(COLOUR_SOME, COLOR_YELLOW, -1);
		init_pair(COLOUR_STORM, COLOR_RED, -1);
	}
	return screen;
}

int watch_screen(int (*read)(void *arg), void *arg, const struct watch *watch,
		 long seconds, long count)
{
	struct screen s = { .watch = watch, .seconds = seconds };
	SCREEN *screen;
	long next;
	int err;

	setlocale(LC_CTYPE, "");
	s.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	screen = begin();
	if (!screen)
		return -ENOTTY;
	next = now_ms();
	do {
		err = read(arg);
		next += seconds * 1000;
		if (!err && count > 0)
			count--;
	} while (!err && count && wait_round(&s, next));
	endwin();
	delscreen(screen);
	return err;
}
