/** The subject of a session in log lines; an id is absent where the session has none. */
export interface SessionPurpose {
  readonly keyId?: string;
  readonly requestId?: string;
}

/** The ids of a session in a log line. */
export interface SessionIds extends SessionPurpose {
  /** the session id, 64 lower-case hex digits */
  readonly session: string;
  /** number of the session within its coordination, from 1; absent for one that began long ago */
  readonly attempt?: number;
}

/** Number of sessions that are remembered: a coordination has one or two at a time, and may try for days. */
const REMEMBERED = 16;

/** Numbers the sessions of one coordination in the order in which they begin. */
export class NumberedSessions {
  readonly #purpose: SessionPurpose;
  readonly #attempts = new Map<string, number>();
  #count = 0;

  constructor(purpose: SessionPurpose) {
    this.#purpose = purpose;
  }

  /** Numbers a session that begins, at each of its signers. @returns its ids */
  begin(session: string): SessionIds {
    if (!this.#attempts.has(session)) {
      this.#count += 1;
      this.#attempts.set(session, this.#count);
      for (const oldest of this.#attempts.keys()) {
        if (this.#attempts.size > REMEMBERED) this.#attempts.delete(oldest);
      }
    }
    return this.of(session);
  }

  /** @returns the ids of a session that began */
  of(session: string): SessionIds {
    const attempt = this.#attempts.get(session);
    return { session, ...this.#purpose, ...(attempt === undefined ? {} : { attempt }) };
  }
}
