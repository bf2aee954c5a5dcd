// SPDX-License-Identifier: GPL-2.0
/* The terminal, if there is one. */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "show.h"
#include "term.h"

/* Narrower or wider than that is no terminal that anybody has. */
#define WIDTH_MIN	20
#define WIDTH_MAX	1000

int term_width(void)
{
	const char *text = getenv("COLUMNS");
	int width = text ? atoi(text) : 0;
	struct winsize size;

	if (!width && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		width = size.ws_col;
	return width >= WIDTH_MIN && width <= WIDTH_MAX ? width : SHOW_WIDTH;
}
