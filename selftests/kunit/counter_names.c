// SPDX-License-Identifier: GPL-2.0
#include "case.h"
#include "counter_names.h"
#include "counter_sets.h"

#define QUEUES		4

/* Where a counter may be: eight priorities, and the port itself. */
#define PLACES		9
#define EACH		0xff
#define PORT		BIT(8)

/* The statistics that are one value of a counter. */
struct value {
	u8 statistics;
	u8 parts;
	u8 narrow;
};

static struct value found[RG_COUNTERS][PLACES];

struct expected {
	u32 counter;
	u32 places;
	struct value value;
};

#define IS(_counter, _places) \
	{ ROCEGUARD_COUNTER_##_counter, _places, { 1, 0, 0 } }
#define IS_32(_counter) \
	{ ROCEGUARD_COUNTER_##_counter, PORT, { 1, 0, 1 } }
#define SUM(_counter, _places, _n) \
	{ ROCEGUARD_COUNTER_##_counter, _places, { _n, _n, 0 } }
#define SUM_32(_counter, _n) \
	{ ROCEGUARD_COUNTER_##_counter, PORT, { _n, _n, _n } }

static const struct expected mlx5_ethtool[] = {
	IS(RX_PAUSE, EACH), IS(TX_PAUSE, EACH),
	IS(RX_PAUSE_US, EACH), IS(TX_PAUSE_US, EACH),
	SUM(RX_DISCARDS, EACH, 3),
	IS(RX_BYTES, EACH), IS(TX_BYTES, EACH),
	IS(RX_PACKETS, EACH), IS(TX_PACKETS, EACH), IS(RX_MARKED, EACH),
	IS(RX_GLOBAL_PAUSE, PORT), IS(TX_GLOBAL_PAUSE, PORT),
	SUM_32(HOST_STALLS, 2),
	IS(STORM_WARNINGS, PORT), IS(STORM_ERRORS, PORT), IS_32(LINK_DOWNS),
};

static const struct expected mlx5_rdma[] = {
	IS(CNP_SENT, PORT), IS(CNP_HANDLED, PORT), IS(CNP_IGNORED, PORT),
	IS(ECN_MARKED, PORT), IS_32(OUT_OF_SEQUENCE), IS_32(PACKET_SEQ_ERR),
	IS_32(ACK_TIMEOUT), IS_32(RNR_RETRY), IS_32(OUT_OF_BUFFER),
	IS_32(RETRANSMITS), IS_32(DUPLICATE_REQUEST),
};

static const struct expected bnxt_ethtool[] = {
	IS(RX_PAUSE, EACH), IS(TX_PAUSE, EACH),
	IS(RX_PAUSE_US, EACH), IS(TX_PAUSE_US, EACH),
	IS(RX_BYTES, EACH), IS(TX_BYTES, EACH),
	IS(RX_PACKETS, EACH), IS(TX_PACKETS, EACH),
	IS(RX_GLOBAL_PAUSE, PORT), IS(TX_GLOBAL_PAUSE, PORT),
	IS(HOST_STALLS, PORT), IS(STORM_ERRORS, PORT), IS(LINK_DOWNS, PORT),
};

/* Both generations. */
static const struct expected bnxt_rdma[] = {
	IS(CNP_SENT, PORT), IS(CNP_HANDLED, PORT), IS(ECN_MARKED, PORT),
	IS(OUT_OF_SEQUENCE, PORT), IS(PACKET_SEQ_ERR, PORT),
	IS(ACK_TIMEOUT, PORT), IS(RNR_RETRY, PORT), IS(OUT_OF_BUFFER, PORT),
	IS(DUPLICATE_REQUEST, PORT),
};

/* Of ice and of i40e. */
static const struct expected intel_ethtool[] = {
	SUM(RX_PAUSE, EACH, 2), SUM(TX_PAUSE, EACH, 2),
	SUM(RX_GLOBAL_PAUSE, PORT, 2), SUM(TX_GLOBAL_PAUSE, PORT, 2),
};

static const struct expected irdma_rdma[] = {
	IS(CNP_SENT, PORT), IS(CNP_HANDLED, PORT), IS(CNP_IGNORED, PORT),
	IS(ECN_MARKED, PORT), IS(RETRANSMITS, PORT),
};

static const struct expected irdma_rdma_gen3[] = {
	IS(CNP_SENT, PORT), IS(CNP_HANDLED, PORT), IS(CNP_IGNORED, PORT),
	IS(ECN_MARKED, PORT), IS(OUT_OF_SEQUENCE, PORT),
	IS(PACKET_SEQ_ERR, PORT), IS(ACK_TIMEOUT, PORT), IS(RNR_RETRY, PORT),
	IS(OUT_OF_BUFFER, PORT), IS(RETRANSMITS, PORT),
};

static const struct expected hns3_ethtool[] = {
	IS(RX_PAUSE, EACH), IS(TX_PAUSE, EACH),
	IS(RX_GLOBAL_PAUSE, PORT), IS(TX_GLOBAL_PAUSE, PORT),
};

static const struct expected hns_rdma[] = {
	IS(CNP_SENT, PORT), IS(CNP_HANDLED, PORT),
};

static const struct expected qede_ethtool[] = {
	IS(RX_GLOBAL_PAUSE, PORT), IS(TX_GLOBAL_PAUSE, PORT),
};

static const struct expected ionic_ethtool[] = {
	IS(RX_PAUSE_US, EACH), IS(TX_PAUSE_US, EACH),
	IS(RX_PACKETS, EACH), IS(TX_PACKETS, EACH),
	IS(RX_GLOBAL_PAUSE, PORT), IS(TX_GLOBAL_PAUSE, PORT),
};

static const struct expected ionic_rdma[] = {
	IS(CNP_SENT, PORT), IS(CNP_HANDLED, PORT), IS(ECN_MARKED, PORT),
	IS(OUT_OF_SEQUENCE, PORT), IS(PACKET_SEQ_ERR, PORT),
	IS(ACK_TIMEOUT, PORT), IS(RNR_RETRY, PORT), IS(OUT_OF_BUFFER, PORT),
	IS(RETRANSMITS, PORT), IS(DUPLICATE_REQUEST, PORT),
};

static const struct expected rxe_rdma[] = {
	IS(OUT_OF_SEQUENCE, PORT), IS(PACKET_SEQ_ERR, PORT),
	IS(RNR_RETRY, PORT), IS(OUT_OF_BUFFER, PORT), IS(RETRANSMITS, PORT),
	IS(DUPLICATE_REQUEST, PORT), IS(LINK_DOWNS, PORT),
};

static const struct expected labnic_ethtool[] = {
	IS(RX_PAUSE, EACH), IS(TX_PAUSE, EACH),
	IS(RX_PAUSE_US, EACH), IS(TX_PAUSE_US, EACH),
	IS(RX_BYTES, EACH), IS(TX_BYTES, EACH),
	IS(RX_PACKETS, EACH), IS(TX_PACKETS, EACH),
	IS(RX_GLOBAL_PAUSE, PORT), IS(TX_GLOBAL_PAUSE, PORT),
	IS(CNP_SENT, PORT), IS(CNP_HANDLED, PORT), IS(CNP_IGNORED, PORT),
	IS(ECN_MARKED, PORT), IS(ACK_TIMEOUT, PORT), SUM_32(HOST_STALLS, 1),
	IS(STORM_WARNINGS, PORT), IS(STORM_ERRORS, PORT), IS_32(LINK_DOWNS),
};

#define DRIVER(_source, _driver, _set, _expected)			\
	{ RG_COUNTER_##_source, _driver, set_##_set, ARRAY_SIZE(set_##_set), \
	  _expected, ARRAY_SIZE(_expected) }

static const struct {
	enum rg_counter_source source;
	const char *driver;
	const char *const *set;
	size_t n;
	const struct expected *expected;
	size_t n_expected;
} drivers[] = {
	DRIVER(ETHTOOL, "mlx5_core", mlx5_ethtool, mlx5_ethtool),
	DRIVER(ETHTOOL, "mlx5_core.sf", mlx5_ethtool, mlx5_ethtool),
	DRIVER(RDMA, "mlx5_ib", mlx5_rdma, mlx5_rdma),
	DRIVER(ETHTOOL, "bnxt_en", bnxt_ethtool, bnxt_ethtool),
	DRIVER(RDMA, "bnxt_re", bnxt_rdma, bnxt_rdma),
	DRIVER(RDMA, "bnxt_re", bnxt_rdma_6_18, bnxt_rdma),
	DRIVER(ETHTOOL, "ice", ice_ethtool, intel_ethtool),
	DRIVER(ETHTOOL, "i40e", i40e_ethtool, intel_ethtool),
	DRIVER(RDMA, "irdma", irdma_rdma, irdma_rdma),
	DRIVER(RDMA, "irdma", irdma_rdma_gen3, irdma_rdma_gen3),
	DRIVER(ETHTOOL, "hns3", hns3_ethtool, hns3_ethtool),
	DRIVER(RDMA, "hns_roce_hw_v2", hns_rdma, hns_rdma),
	DRIVER(ETHTOOL, "qede", qede_ethtool, qede_ethtool),
	DRIVER(ETHTOOL, "ionic", ionic_ethtool, ionic_ethtool),
	DRIVER(RDMA, "ionic_rdma", ionic_rdma, ionic_rdma),
	DRIVER(RDMA, "rdma_rxe", rxe_rdma, rxe_rdma),
	DRIVER(ETHTOOL, "labnic", labnic_ethtool, labnic_ethtool),
};

static void take(enum rg_counter_source source, const char *driver,
		 const char *name)
{
	struct rg_counter_at at;
	struct value *value;

	if (!rg_counter_name(source, driver, name, &at))
		return;
	value = &found[at.counter][at.priority == RG_NO_PRIORITY ?
				   PLACES - 1 : at.priority];
	value->statistics++;
	value->parts += at.adds;
	value->narrow += at.bits == 32;
}

/* Each name that an entry of a set stands for. */
static void take_all(enum rg_counter_source source, const char *driver,
		     const char *entry)
{
	size_t digit = strcspn(entry, "#@");
	char name[64];
	int i, n;

	n = entry[digit] == '#' ? 8 : entry[digit] == '@' ? QUEUES : 1;
	strcpy(name, entry);
	for (i = 0; i < n; i++) {
		if (entry[digit])
			name[digit] = (char)('0' + i);
		take(source, driver, name);
	}
}

static const struct value *want_of(size_t driver, u32 counter, int place)
{
	static const struct value absent;
	const struct expected *expected;
	size_t i;

	for (i = 0; i < drivers[driver].n_expected; i++) {
		expected = &drivers[driver].expected[i];
		if (expected->counter == counter &&
		    expected->places & BIT(place))
			return &expected->value;
	}
	return &absent;
}

CASE(every_driver_has_what_its_statistics_tell)
{
	const struct value *want, *have;
	size_t driver, i;
	u32 counter;
	int place;

	for (driver = 0; driver < ARRAY_SIZE(drivers); driver++) {
		memset(found, 0, sizeof(found));
		for (i = 0; i < drivers[driver].n; i++)
			take_all(drivers[driver].source, drivers[driver].driver,
				 drivers[driver].set[i]);
		for (counter = 0; counter < RG_COUNTERS; counter++)
			for (place = 0; place < PLACES; place++) {
				want = want_of(driver, counter, place);
				have = &found[counter][place];
				expect_row(!memcmp(want, have, sizeof(*want)),
					   "set %zu (%s), counter %u at %d: %u statistics, %u of them parts, %u narrow; not %u, %u and %u",
					   driver, drivers[driver].driver,
					   counter, place, have->statistics,
					   have->parts, have->narrow,
					   want->statistics, want->parts,
					   want->narrow);
			}
	}
}

CASE(what_only_looks_like_a_counter_is_none)
{
	static const struct {
		enum rg_counter_source source;
		const char *driver;
		const char *name;
	} cases[] = {
		/* A beginning, an end, a priority that there is not. */
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "rx_prio3_pause_transition" },
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "rx_prio8_pause" },
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "rx_prio#_pause" },
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "rx_prio_pause" },
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "rx_prio" },
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "" },
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "rx_prio33_pause" },
		/* Of Ethernet's own receive queues, not of RoCE's. */
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "rx_out_of_buffer" },
		/* Percents, cycles, queues. */
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "outbound_pci_stalled_rd" },
		{ RG_COUNTER_ETHTOOL, "hns3", "mac_rx_pfc_pri3_xoff_time" },
		{ RG_COUNTER_ETHTOOL, "bnxt_en", "rx_discard_packets_cos3" },
		{ RG_COUNTER_ETHTOOL, "ice", "rx_bytes" },
		/* All priorities together. */
		{ RG_COUNTER_ETHTOOL, "bnxt_en", "rx_pfc_frames" },
		{ RG_COUNTER_ETHTOOL, "qede", "rx_pfc_frames" },
		{ RG_COUNTER_ETHTOOL, "ionic", "frames_rx_pripause" },
		/* Another driver's, another source's, nobody's. */
		{ RG_COUNTER_ETHTOOL, "ice", "rx_prio3_pause" },
		{ RG_COUNTER_RDMA, "mlx5_ib", "rx_prio3_pause" },
		{ RG_COUNTER_ETHTOOL, "mlx5_core", "np_cnp_sent" },
		{ RG_COUNTER_RDMA, "rdma_rxe", "np_cnp_sent" },
		{ RG_COUNTER_ETHTOOL, "e1000e", "rx_prio3_pause" },
		{ RG_COUNTER_ETHTOOL, "", "rx_prio3_pause" },
	};
	struct rg_counter_at at;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_row(!rg_counter_name(cases[i].source, cases[i].driver,
					    cases[i].name, &at),
			   "%s: '%s' was taken for counter %u",
			   cases[i].driver, cases[i].name, at.counter);
}

SUITE(counter_names,
      case_of(every_driver_has_what_its_statistics_tell),
      case_of(what_only_looks_like_a_counter_is_none));
