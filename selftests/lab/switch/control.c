// SPDX-License-Identifier: GPL-2.0
/* Commands from outside: one packet with words, one packet as the answer. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "switch.h"

#define MAX_WORDS 6

struct answer {
	size_t len;
	char text[32768];
};

struct command {
	const char *name;
	int words;
	const char *usage;
	void (*run)(struct labswitch *sw, char **words, struct answer *answer);
};

static void __attribute__((format(printf, 2, 3)))
say(struct answer *answer, const char *fmt, ...)
{
	size_t room = sizeof(answer->text) - answer->len;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(answer->text + answer->len, room, fmt, ap);
	va_end(ap);
	answer->len += (size_t)len < room ? (size_t)len : room - 1;
}

static struct port *find_port(struct labswitch *sw, const char *name,
			      struct answer *answer)
{
	int i;

	for (i = 0; i < sw->num_ports; i++)
		if (!strcmp(sw->ports[i].name, name))
			return &sw->ports[i];
	say(answer, "error no host '%s' on this switch\n", name);
	return NULL;
}

static void run_link(struct labswitch *sw, char **words, struct answer *answer)
{
	struct port *port = find_port(sw, words[1], answer);
	bool up = !strcmp(words[2], "up");

	if (!port)
		return;
	if (!up && strcmp(words[2], "down")) {
		say(answer, "error a link is 'up' or 'down', not '%s'\n",
		    words[2]);
		return;
	}
	port_set_link(port, up);
	if (!up)
		bridge_forget(sw, port);
}

static void run_pcap(struct labswitch *sw, char **words, struct answer *answer)
{
	struct port *port = find_port(sw, words[1], answer);

	if (!port)
		return;
	if (!strcmp(words[2], "stop"))
		capture_stop(port);
	else if (capture_start(port, words[2]))
		say(answer, "error cannot write %s: %s\n", words[2],
		    strerror(errno));
}

static void run_storm(struct labswitch *sw, char **words, struct answer *answer)
{
	struct port *port = find_port(sw, words[1], answer);
	int on = atoi(words[3]), off = atoi(words[4]);
	int mask = atoi(words[2]);

	if (!port)
		return;
	if (mask < 0 || mask > 255 || on < 0 || off < 0 || (off && !on)) {
		say(answer, "error a storm is a mask of priorities, and ms on and off\n");
		return;
	}
	if (mask)
		storm_begin(port, mask, on, off, now_ms());
	else
		storm_end(port);
}

static void say_number(struct answer *answer, const char *name, uint64_t value)
{
	say(answer, ",\"%s\":%llu", name, (unsigned long long)value);
}

static void say_numbers(struct answer *answer, const char *name,
			const uint64_t *values)
{
	int prio;

	say(answer, ",\"%s\":", name);
	for (prio = 0; prio < PRIORITIES; prio++)
		say(answer, "%c%llu", prio ? ',' : '[',
		    (unsigned long long)values[prio]);
	say(answer, "]");
}

static void say_port(struct answer *answer, const struct port *port)
{
	const struct port_counters *count = &port->count;

	say(answer, "{\"host\":\"%s\",\"link\":\"%s\",\"pcap\":%s", port->name,
	    port->up ? "up" : "down", port->capture ? "true" : "false");
	say_number(answer, "queued_bytes", port->queue.bytes);
	say_number(answer, "rx_frames", count->rx_frames);
	say_number(answer, "rx_bytes", count->rx_bytes);
	say_number(answer, "tx_frames", count->tx_frames);
	say_number(answer, "tx_bytes", count->tx_bytes);
	say_number(answer, "tx_dropped", count->tx_dropped);
	say_number(answer, "down_dropped", count->down_dropped);
	say_number(answer, "link_local", count->link_local);
	say_number(answer, "pause_frames", count->pause_frames);
	say_numbers(answer, "pfc_pause", count->pfc_pause);
	say_numbers(answer, "pfc_resume", count->pfc_resume);
	say(answer, "}");
}

static void run_status(struct labswitch *sw, char **words,
		       struct answer *answer)
{
	int i;

	(void)words;
	say(answer, "{\"ports\":[");
	for (i = 0; i < sw->num_ports; i++) {
		say(answer, i ? ",\n" : "");
		say_port(answer, &sw->ports[i]);
	}
	say(answer, "]}\n");
}

static const struct command commands[] = {
	{ "link", 3, "link HOST up|down", run_link },
	{ "pcap", 3, "pcap HOST FILE|stop", run_pcap },
	{ "storm", 5, "storm HOST MASK ON_MS OFF_MS", run_storm },
	{ "status", 1, "status", run_status },
};

static int split(char *line, char **words)
{
	int count = 0;

	while (count < MAX_WORDS && (words[count] = strsep(&line, "\t")))
		count++;
	return count;
}

static void obey(struct labswitch *sw, char *line, struct answer *answer)
{
	const struct command *command;
	char *words[MAX_WORDS];
	int count = split(line, words);
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		command = &commands[i];
		if (strcmp(command->name, words[0]))
			continue;
		if (count == command->words)
			command->run(sw, words, answer);
		else
			say(answer, "error usage: %s\n", command->usage);
		return;
	}
	say(answer, "error the switch knows no command '%s'\n", words[0]);
}

int control_open(struct labswitch *sw, const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(addr.sun_path)) {
		fprintf(stderr, "labswitch: socket path too long: %s\n", path);
		return -1;
	}
	strcpy(addr.sun_path, path);
	unlink(path);
	sw->control = socket(AF_UNIX,
			     SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (sw->control < 0 ||
	    bind(sw->control, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(sw->control, MAX_CLIENTS)) {
		fprintf(stderr, "labswitch: cannot listen at %s: %s\n", path,
			strerror(errno));
		return -1;
	}
	return 0;
}

void control_accept(struct labswitch *sw)
{
	int fd = accept4(sw->control, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd >= 0)
		sw->clients[sw->num_clients++] = fd;
}

void control_serve(struct labswitch *sw, int index)
{
	int fd = sw->clients[index];
	struct answer answer = { 0 };
	char line[4096];
	ssize_t got;

	got = recv(fd, line, sizeof(line) - 1, 0);
	if (got > 0) {
		line[got] = '\0';
		obey(sw, line, &answer);
		if (!answer.len)
			say(&answer, "\n");
		if (send(fd, answer.text, answer.len, MSG_NOSIGNAL) < 0)
			perror("labswitch: cannot answer");
	}
	close(fd);
	sw->clients[index] = sw->clients[--sw->num_clients];
}
