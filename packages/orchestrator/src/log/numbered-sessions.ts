/** The object of a session, as log lines name it: each id is absent where it has none. */
export interface SessionPurpose {
  readonly keyId?: string;
  readonly requestId?: string;
}

/** The ids of a session in a log line. */
export interface SessionIds extends SessionPurpose {
  /** the session id, 64 lower-case hex digits */
  readonly session: string;
  /** the number of the session among those of its coordination, from 1 on; absent for one that began long ago */
  readonly attempt?: number;
}

/** A coordination has one or two sessions at a time, and may try for days. */
const REMEMBERED = 16;

/** Numbers the sessions of one coordination in the order in which they begin. */
export class NumberedSessions {
  readonly #purpose: SessionPurpose;
  readonly #attempts = new Map<string, number>();
  #count = 0;

  constructor(purpose: SessionPurpose) {
    this.#purpose = purpose;
  }

  /** Notes that a session begins, at each of its signers. @returns its ids */
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
