/* What src/abi.rs offers: nodes, sources and books of a scenario, on a medium that the caller has.
 *
 * The caller wakes the run when it is due, carries out what it orders after each call, and tells it what happens on
 * the air. Times are in ns, and none is before one that was given before. Nodes go by their numbers in the scenario.
 * All calls for one run come from one thread. */
#ifndef MULTIHOP_H
#define MULTIHOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For everyone, in the place of a node's number; of no frame, in the place of a frame's. */
#define MULTIHOP_EVERYONE UINT32_MAX

typedef struct Multihop Multihop;

/* How power falls with distance. */
typedef enum {
    MULTIHOP_FREE_SPACE,
    MULTIHOP_TWO_RAY_GROUND,
    MULTIHOP_LOG_NORMAL_SHADOWING
} MultihopPropagation;

/* What 802.11b has to be like. */
typedef struct {
    MultihopPropagation propagation;
    bool rts;
    double transmit_power; /* dBm */
    double frequency;      /* Hz */
    double antenna_height; /* m */
    double path_loss_exponent;  /* both for log-normal shadowing, else zero */
    double shadowing_deviation; /* dB */
    double receive_threshold; /* dBm */
    double sense_threshold;   /* dBm */
    uint64_t data_rate;  /* bit/s */
    uint64_t basic_rate; /* bit/s */
    uint32_t cw_min; /* contention windows, as the standard counts: 31 and 1023, if not said otherwise */
    uint32_t cw_max;
    uint32_t short_retry_limit;
    uint32_t long_retry_limit;
} MultihopRadio;

/* Where a node is at a time. Between two such places it moves evenly. */
typedef struct {
    uint64_t time;
    uint32_t node;
    double x, y; /* m */
} MultihopPlace;

typedef enum { MULTIHOP_TRANSMIT, MULTIHOP_WITHDRAW } MultihopTask;

/* What is to be done. A frame that is to be withdrawn has not been on the air. */
typedef struct {
    MultihopTask task;
    uint32_t node;
    uint32_t number; /* of the frame */
    uint32_t to;     /* or MULTIHOP_EVERYONE */
    bool acknowledged;
    uint32_t cw_min; /* of its own for this frame; 0: the MAC's */
    const uint8_t* bytes; /* until the next call */
    size_t length;
} MultihopOrder;

typedef enum {
    MULTIHOP_RTS,
    MULTIHOP_CTS,
    MULTIHOP_DATA,
    MULTIHOP_UNACKNOWLEDGED_DATA,
    MULTIHOP_ACK
} MultihopKind;

/* A frame that begins to be on the air. */
typedef struct {
    MultihopKind kind;
    uint32_t from;
    uint32_t to;     /* or MULTIHOP_EVERYONE */
    uint32_t number; /* of the frame that it is, or announces */
    uint32_t bytes;
    uint32_t sequence;
    uint64_t air_time;
    uint64_t reserved; /* after its end */
} MultihopFrame;

/* Whose frame, and which. */
typedef struct {
    uint32_t from;
    uint32_t number;
} MultihopName;

/* A frame as a radio has decoded it. */
typedef struct {
    MultihopName frame;
    double signal; /* dBm; not finite if that is not known */
    const uint8_t* bytes;
    size_t length;
} MultihopReception;

/* What a radio senses: a frame that it can decode so far, something that it cannot decode, no frame any more, that the
 * medium is reserved, or that nobody has answered its own frame. */
typedef enum {
    MULTIHOP_FRAME,
    MULTIHOP_NOISE,
    MULTIHOP_SILENCE,
    MULTIHOP_RESERVATION,
    MULTIHOP_NO_ANSWER
} MultihopSensed;

typedef enum { MULTIHOP_SENT, MULTIHOP_ACKNOWLEDGED, MULTIHOP_FAILED } MultihopOutcome;

/* A run of the scenario in TOML or JSON, never null; if multihop_error says why, there is none. */
Multihop* multihop_open(const char* scenario);
void multihop_close(Multihop*);
const char* multihop_error(const Multihop*);

/* What 802.11b has to be like; null if multihop_radio_error says why it cannot. */
const MultihopRadio* multihop_radio(const Multihop*);
const char* multihop_radio_error(const Multihop*);

/* Each node at the start, and at both ends of every leg of its way. */
const MultihopPlace* multihop_places(const Multihop*, size_t* count);

/* What fixes the random numbers of the nodes. */
uint64_t multihop_seed(Multihop*);

uint64_t multihop_end(Multihop*);
uint64_t multihop_due(Multihop*);
void multihop_wake(Multihop*, uint64_t now);

/* Whether there is something to be done. */
bool multihop_order(Multihop*, MultihopOrder*);

void multihop_began(Multihop*, uint64_t now, const MultihopFrame*);

/* What a radio senses is something else from now on, the first two and reservations until then. */
void multihop_senses(Multihop*, uint64_t now, uint32_t node, MultihopSensed, uint64_t until);

/* A radio has decoded a frame. False if there is no such frame. */
bool multihop_heard(Multihop*, uint64_t now, uint32_t node, const MultihopReception*);

/* A frame has ended. False if its node has not waited for that. */
bool multihop_ended(Multihop*, uint64_t now, MultihopName, MultihopOutcome);

/* The run is over: its tables as JSON, until it is closed. */
const char* multihop_results(Multihop*);

#ifdef __cplusplus
}
#endif

#endif
