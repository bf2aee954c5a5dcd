// SPDX-License-Identifier: GPL-2.0
/*
 * Each row was read in the driver's source, of 6.12 unless it says otherwise.
 *
 * mlx5	en_stats.c: PPCNT is 64 bits wide but for link_down_events, and so are not
 *	the stalls of PCIe. mlx5_ib/counters.c: what QUERY_Q_COUNTER tells has 32
 *	bits, what QUERY_CONG_STATISTICS tells 64.
 * bnxt	bnxt_ethtool.c, bnxt_re/hw_counters.c; since 6.18 the latter has the names of
 *	mlx5, with widths of its own. PFC is switched off for a while with each of
 *	continuous_roce_pause_events, and a ring that the host does not fill pauses
 *	with each of continuous_pause_events.
 * ice, i40e	count XOFF and XON apart, both of which are PFC frames.
 * irdma	adds up itself what the hardware counts in fewer bits.
 * rxe	rxe_comp.c, rxe_resp.c: a receiver without a buffer answers with an RNR NAK.
 */
#include "counter_names.h"
#include "match.h"

/* Stands for a priority in a name. */
#define RG_DIGIT	'#'

struct rg_counter_row {
	const char *name;
	struct rg_counter_at at;
};

#define RG_ROW(_name, _counter, _bits, _adds)				\
	{ _name, { .counter = ROCEGUARD_COUNTER_##_counter,		\
		   .priority = RG_NO_PRIORITY, .bits = _bits, .adds = _adds } }
#define RG_IS(_name, _counter)		RG_ROW(_name, _counter, 64, false)
#define RG_IS_32(_name, _counter)	RG_ROW(_name, _counter, 32, false)
#define RG_PART(_name, _counter)	RG_ROW(_name, _counter, 64, true)
#define RG_PART_32(_name, _counter)	RG_ROW(_name, _counter, 32, true)

static const struct rg_counter_row rg_mlx5_ethtool[] = {
	RG_IS("rx_prio#_pause", RX_PAUSE),
	RG_IS("tx_prio#_pause", TX_PAUSE),
	RG_IS("rx_prio#_pause_duration", RX_PAUSE_US),
	RG_IS("tx_prio#_pause_duration", TX_PAUSE_US),
	RG_PART("rx_prio#_discards", RX_DISCARDS),
	RG_PART("rx_prio#_buf_discard", RX_DISCARDS),
	RG_PART("rx_prio#_cong_discard", RX_DISCARDS),
	RG_IS("rx_prio#_bytes", RX_BYTES),
	RG_IS("tx_prio#_bytes", TX_BYTES),
	RG_IS("rx_prio#_packets", RX_PACKETS),
	RG_IS("tx_prio#_packets", TX_PACKETS),
	RG_IS("rx_prio#_marked", RX_MARKED),
	RG_IS("rx_global_pause", RX_GLOBAL_PAUSE),
	RG_IS("tx_global_pause", TX_GLOBAL_PAUSE),
	RG_PART_32("outbound_pci_stalled_rd_events", HOST_STALLS),
	RG_PART_32("outbound_pci_stalled_wr_events", HOST_STALLS),
	RG_IS("tx_pause_storm_warning_events", STORM_WARNINGS),
	RG_IS("tx_pause_storm_error_events", STORM_ERRORS),
	RG_IS_32("link_down_events_phy", LINK_DOWNS),
};

static const struct rg_counter_row rg_mlx5_rdma[] = {
	RG_IS("np_cnp_sent", CNP_SENT),
	RG_IS("rp_cnp_handled", CNP_HANDLED),
	RG_IS("rp_cnp_ignored", CNP_IGNORED),
	RG_IS("np_ecn_marked_roce_packets", ECN_MARKED),
	RG_IS_32("out_of_sequence", OUT_OF_SEQUENCE),
	RG_IS_32("packet_seq_err", PACKET_SEQ_ERR),
	RG_IS_32("local_ack_timeout_err", ACK_TIMEOUT),
	RG_IS_32("rnr_nak_retry_err", RNR_RETRY),
	RG_IS_32("out_of_buffer", OUT_OF_BUFFER),
	RG_IS_32("roce_adp_retrans", RETRANSMITS),
	RG_IS_32("duplicate_request", DUPLICATE_REQUEST),
};

static const struct rg_counter_row rg_bnxt_ethtool[] = {
	RG_IS("rx_pfc_ena_frames_pri#", RX_PAUSE),
	RG_IS("tx_pfc_ena_frames_pri#", TX_PAUSE),
	RG_IS("pfc_pri#_rx_duration_us", RX_PAUSE_US),
	RG_IS("pfc_pri#_tx_duration_us", TX_PAUSE_US),
	RG_IS("rx_bytes_pri#", RX_BYTES),
	RG_IS("tx_bytes_pri#", TX_BYTES),
	RG_IS("rx_packets_pri#", RX_PACKETS),
	RG_IS("tx_packets_pri#", TX_PACKETS),
	RG_IS("rx_pause_frames", RX_GLOBAL_PAUSE),
	RG_IS("tx_pause_frames", TX_GLOBAL_PAUSE),
	RG_IS("continuous_pause_events", HOST_STALLS),
	RG_IS("continuous_roce_pause_events", STORM_ERRORS),
	RG_IS("link_down_events", LINK_DOWNS),
};

static const struct rg_counter_row rg_bnxt_rdma[] = {
	RG_IS("tx_cnp_pkts", CNP_SENT),
	RG_IS("rx_cnp_pkts", CNP_HANDLED),
	RG_IS("rx_ecn_marked_pkts", ECN_MARKED),
	RG_IS("oos_drop_count", OUT_OF_SEQUENCE),
	RG_IS("seq_err_naks_rcvd", PACKET_SEQ_ERR),
	RG_IS("to_retransmits", ACK_TIMEOUT),
	RG_IS("rnr_naks_rcvd", RNR_RETRY),
	RG_IS("rx_out_of_buffer", OUT_OF_BUFFER),
	RG_IS("dup_req", DUPLICATE_REQUEST),
	/* Since 6.18. */
	RG_IS("np_cnp_pkts", CNP_SENT),
	RG_IS("rp_cnp_handled", CNP_HANDLED),
	RG_IS("np_ecn_marked_roce_packets", ECN_MARKED),
	RG_IS("out_of_sequence", OUT_OF_SEQUENCE),
	RG_IS("packet_seq_err", PACKET_SEQ_ERR),
	RG_IS("local_ack_timeout_err", ACK_TIMEOUT),
	RG_IS("rnr_nak_retry_err", RNR_RETRY),
	RG_IS("out_of_buffer", OUT_OF_BUFFER),
	RG_IS("duplicate_request", DUPLICATE_REQUEST),
};

static const struct rg_counter_row rg_ice_ethtool[] = {
	RG_PART("rx_priority_#_xoff.nic", RX_PAUSE),
	RG_PART("rx_priority_#_xon.nic", RX_PAUSE),
	RG_PART("tx_priority_#_xoff.nic", TX_PAUSE),
	RG_PART("tx_priority_#_xon.nic", TX_PAUSE),
	RG_PART("link_xoff_rx.nic", RX_GLOBAL_PAUSE),
	RG_PART("link_xon_rx.nic", RX_GLOBAL_PAUSE),
	RG_PART("link_xoff_tx.nic", TX_GLOBAL_PAUSE),
	RG_PART("link_xon_tx.nic", TX_GLOBAL_PAUSE),
};

static const struct rg_counter_row rg_i40e_ethtool[] = {
	RG_PART("port.rx_priority_#_xoff_rx", RX_PAUSE),
	RG_PART("port.rx_priority_#_xon_rx", RX_PAUSE),
	RG_PART("port.tx_priority_#_xoff_tx", TX_PAUSE),
	RG_PART("port.tx_priority_#_xon_tx", TX_PAUSE),
	RG_PART("port.link_xoff_rx", RX_GLOBAL_PAUSE),
	RG_PART("port.link_xon_rx", RX_GLOBAL_PAUSE),
	RG_PART("port.link_xoff_tx", TX_GLOBAL_PAUSE),
	RG_PART("port.link_xon_tx", TX_GLOBAL_PAUSE),
};

static const struct rg_counter_row rg_irdma_rdma[] = {
	RG_IS("cnpSent", CNP_SENT),
	RG_IS("cnpHandled", CNP_HANDLED),
	RG_IS("cnpIgnored", CNP_IGNORED),
	RG_IS("RxECNMrkd", ECN_MARKED),
	RG_IS("tcpRetransSegs", RETRANSMITS),
	/* Since 6.18; all but the first need generation 3. */
	RG_IS("RetransSegs", RETRANSMITS),
	RG_IS("Rcvd Out of order packets", OUT_OF_SEQUENCE),
	RG_IS("Nak Sequence Error", PACKET_SEQ_ERR),
	RG_IS("RTO", ACK_TIMEOUT),
	RG_IS("RNR received", RNR_RETRY),
	RG_IS("RNR sent", OUT_OF_BUFFER),
};

static const struct rg_counter_row rg_hns3_ethtool[] = {
	RG_IS("mac_rx_pfc_pri#_pkt_num", RX_PAUSE),
	RG_IS("mac_tx_pfc_pri#_pkt_num", TX_PAUSE),
	RG_IS("mac_rx_mac_pause_num", RX_GLOBAL_PAUSE),
	RG_IS("mac_tx_mac_pause_num", TX_GLOBAL_PAUSE),
};

static const struct rg_counter_row rg_hns_rdma[] = {
	RG_IS("tx_cnp_pkt", CNP_SENT),
	RG_IS("rx_cnp_pkt", CNP_HANDLED),
};

static const struct rg_counter_row rg_qede_ethtool[] = {
	RG_IS("rx_pause_frames", RX_GLOBAL_PAUSE),
	RG_IS("tx_pause_frames", TX_GLOBAL_PAUSE),
};

static const struct rg_counter_row rg_ionic_ethtool[] = {
	RG_IS("rx_pripause_#_1us_count", RX_PAUSE_US),
	RG_IS("tx_pripause_#_1us_count", TX_PAUSE_US),
	RG_IS("frames_rx_pri_#", RX_PACKETS),
	RG_IS("frames_tx_pri_#", TX_PACKETS),
	RG_IS("frames_rx_pause", RX_GLOBAL_PAUSE),
	RG_IS("frames_tx_pause", TX_GLOBAL_PAUSE),
};

static const struct rg_counter_row rg_ionic_rdma[] = {
	RG_IS("tx_rdma_cnp_pkts", CNP_SENT),
	RG_IS("rx_rdma_cnp_pkts", CNP_HANDLED),
	RG_IS("rx_rdma_ecn_pkts", ECN_MARKED),
	RG_IS("resp_rx_outouf_seq", OUT_OF_SEQUENCE),
	RG_IS("req_rx_pkt_seq_err", PACKET_SEQ_ERR),
	RG_IS("tx_rdma_ack_timeout", ACK_TIMEOUT),
	RG_IS("req_rx_rnr_retry_err", RNR_RETRY),
	RG_IS("resp_rx_outof_buf", OUT_OF_BUFFER),
	RG_IS("tx_rdma_retx_pkts", RETRANSMITS),
	RG_IS("resp_rx_dup_request", DUPLICATE_REQUEST),
};

static const struct rg_counter_row rg_rxe_rdma[] = {
	RG_IS("out_of_seq_request", OUT_OF_SEQUENCE),
	RG_IS("rcvd_seq_err", PACKET_SEQ_ERR),
	RG_IS("rcvd_rnr_err", RNR_RETRY),
	RG_IS("send_rnr_err", OUT_OF_BUFFER),
	RG_IS("completer_retry_err", RETRANSMITS),
	RG_IS("duplicate_request", DUPLICATE_REQUEST),
	RG_IS("link_downed", LINK_DOWNS),
};

/* What a NIC tells by ethtool that others tell by RDMA. */
static const struct rg_counter_row rg_labnic_ethtool[] = {
	RG_IS("tx_roce_cnp", CNP_SENT),
	RG_IS("rx_roce_ce", ECN_MARKED),
	RG_IS("rp_cnp_handled", CNP_HANDLED),
	RG_IS("rp_cnp_ignored", CNP_IGNORED),
	RG_IS("local_ack_timeout_err", ACK_TIMEOUT),
};

#define RG_SET(_source, _driver, _rows)					\
	{ RG_COUNTER_##_source, _driver, _rows, ARRAY_SIZE(_rows) }

static const struct {
	enum rg_counter_source source;
	const char *driver;
	const struct rg_counter_row *row;
	size_t rows;
} rg_counter_sets[] = {
	RG_SET(ETHTOOL, "mlx5_core*", rg_mlx5_ethtool),
	RG_SET(ETHTOOL, "bnxt_en", rg_bnxt_ethtool),
	RG_SET(ETHTOOL, "ice", rg_ice_ethtool),
	RG_SET(ETHTOOL, "i40e", rg_i40e_ethtool),
	RG_SET(ETHTOOL, "hns3", rg_hns3_ethtool),
	RG_SET(ETHTOOL, "qede", rg_qede_ethtool),
	RG_SET(ETHTOOL, "ionic", rg_ionic_ethtool),
	RG_SET(ETHTOOL, "labnic", rg_mlx5_ethtool),
	RG_SET(ETHTOOL, "labnic", rg_labnic_ethtool),
	RG_SET(RDMA, "mlx5_*", rg_mlx5_rdma),
	RG_SET(RDMA, "bnxt_*", rg_bnxt_rdma),
	RG_SET(RDMA, "irdma", rg_irdma_rdma),
	RG_SET(RDMA, "hns_roce*", rg_hns_rdma),
	RG_SET(RDMA, "ionic*", rg_ionic_rdma),
	RG_SET(RDMA, "rdma_rxe", rg_rxe_rdma),
};

/* Return: the priority that @name has where @pattern has its digit; -1: no match. */
static int rg_counter_fits(const char *pattern, const char *name)
{
	int priority = RG_NO_PRIORITY;

	for (; *pattern; pattern++, name++) {
		if (*pattern == RG_DIGIT && *name >= '0' && *name <= '7')
			priority = *name - '0';
		else if (*pattern == RG_DIGIT || *pattern != *name)
			return -1;
	}
	return *name ? -1 : priority;
}

/**
 * rg_counter_name - which counter a statistic of a driver is
 * @source: whose names they are
 * @driver: of the netdev for RG_COUNTER_ETHTOOL, the module of the RDMA device for
 *	RG_COUNTER_RDMA: rdma_rxe, whatever netdev it is on
 * @name: of the statistic
 * @at: what it is, if it is one
 *
 * Looked up once per string set, not per read.
 *
 * Return: true if it is a counter, or a part of one.
 */
bool rg_counter_name(enum rg_counter_source source, const char *driver,
		     const char *name, struct rg_counter_at *at)
{
	const struct rg_counter_row *row;
	size_t set, i;
	int priority;

	for (set = 0; set < ARRAY_SIZE(rg_counter_sets); set++) {
		if (rg_counter_sets[set].source != source ||
		    !rg_glob(rg_counter_sets[set].driver, driver))
			continue;
		for (i = 0; i < rg_counter_sets[set].rows; i++) {
			row = &rg_counter_sets[set].row[i];
			priority = rg_counter_fits(row->name, name);
			if (priority < 0)
				continue;
			*at = row->at;
			at->priority = priority;
			return true;
		}
	}
	return false;
}
