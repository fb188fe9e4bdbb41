/**
 * How long a database may be silent before its connection counts as lost, in milliseconds. A host that vanished sends
 * nothing, not even an end of the connection.
 */
export interface ConnectionBounds {
  /** for the login of a new connection, and for the wait for a free connection of the pool */
  readonly connectMs: number;
  /** the server aborts a statement that takes longer; statements of a session have no limit */
  readonly statementMs: number;
  /**
   * a statement without an answer for this long: the connection is destroyed. More than `statementMs`, which a live
   * server enforces
   */
  readonly answerMs: number;
  /**
   * a statement that waits longer for another transaction's lock is an outage, so that a lock's holder does not block
   * pool connections for longer. A session that changes the schema tries again, and lets the statements that wait
   * behind it go first
   */
  readonly lockMs: number;
  /** an idle connection is probed after this time, and then once a second: ten unanswered probes end it */
  readonly probeAfterMs: number;
  /** a connection that only waits, for notifications or with a lock, is checked this often with a statement */
  readonly askMs: number;
  /** time for connections to close in order at the end */
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
