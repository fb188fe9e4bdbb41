/** How long a database may be silent before its connection counts as lost, in milliseconds. A host that vanished sends nothing. */
export interface ConnectionBounds {
  /** until a new connection is logged in, and for a turn at a connection of the pool */
  readonly connectMs: number;
  /** the server ends a statement that takes longer; a session's statements may take any time */
  readonly statementMs: number;
  /** no answer to a statement for so long: the connection is destroyed. More than `statementMs`, which a live server keeps */
  readonly answerMs: number;
  /**
   * a statement waits this long for a lock that somebody else has, and is an outage then: a holder of a lock keeps no connection of the
   * pool for longer. A session that changes the schema tries again, and lets everybody who waits behind it go first
   */
  readonly lockMs: number;
  /** a connection on which nothing is asked is probed after this time, and once a second from then on: ten probes unanswered end it */
  readonly probeAfterMs: number;
  /** a connection that only waits, for notifications or with a lock, is asked whether it is there this often */
  readonly askMs: number;
  /** connections get this long to say goodbye at the end */
  readonly closeMs: number;
}

export const CONNECTION_BOUNDS: ConnectionBounds = {
  connectMs: 3_000,
  statementMs: 10_000,
  answerMs: 12_000,
  lockMs: 3_000,
  probeAfterMs: 5_000,
  askMs: 5_000,
  closeMs: 2_000,
};
