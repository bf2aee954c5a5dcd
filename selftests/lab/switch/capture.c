// SPDX-License-Identifier: GPL-2.0
/* Recording of a port's frames, in the nanosecond variant of the pcap format. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "switch.h"

#define PCAP_MAGIC_NS	0xa1b23c4d
#define LINK_ETHERNET	1

struct pcap_header {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	int32_t zone;
	uint32_t accuracy;
	uint32_t max_len;
	uint32_t link_type;
};

struct pcap_record {
	uint32_t seconds;
	uint32_t nanoseconds;
	uint32_t stored_len;
	uint32_t frame_len;
};

int capture_start(struct port *port, const char *path)
{
	static const struct pcap_header header = {
		.magic = PCAP_MAGIC_NS,
		.major = 2,
		.minor = 4,
		.max_len = MAX_FRAME,
		.link_type = LINK_ETHERNET,
	};
	FILE *file = fopen(path, "we");
	int saved;

	if (!file)
		return -1;
	setvbuf(file, NULL, _IOFBF, 1 << 18);
	if (fwrite(&header, sizeof(header), 1, file) != 1 || fflush(file)) {
		saved = errno;
		fclose(file);
		errno = saved;
		return -1;
	}
	capture_stop(port);
	port->capture = file;
	return 0;
}

/* A full disk must not stop the wire: end the recording and say so. */
static void capture_fail(struct port *port)
{
	fprintf(stderr, "labswitch: recording of %s ended: %s\n", port->name,
		strerror(errno));
	fclose(port->capture);
	port->capture = NULL;
}

void capture_frame(struct port *port, const uint8_t *data, size_t len)
{
	struct pcap_record record = { .stored_len = len, .frame_len = len };
	struct timespec now;

	if (!port->capture)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	record.seconds = now.tv_sec;
	record.nanoseconds = now.tv_nsec;
	if (fwrite(&record, sizeof(record), 1, port->capture) != 1 ||
	    fwrite(data, 1, len, port->capture) != len)
		capture_fail(port);
}

void capture_flush(struct port *port)
{
	if (port->capture && fflush(port->capture))
		capture_fail(port);
}

void capture_stop(struct port *port)
{
	if (!port->capture)
		return;
	if (fclose(port->capture))
		fprintf(stderr, "labswitch: recording of %s is incomplete: %s\n",
			port->name, strerror(errno));
	port->capture = NULL;
}
