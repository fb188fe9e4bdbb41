/** Sessions that are remembered: a request has a few dozen at most, a key one for each presignature. */
const SESSIONS_MAX = 10_000;
const SESSION = /"session":"([0-9a-f]{64})"/;
const SESSION_NAME = Buffer.from('"session":"');

/** Recognises the log lines of one request: those that carry its id, and those of its sessions. */
export class RequestTrail {
  readonly #bytes: Buffer;
  readonly #id: RegExp;
  readonly #sessions = new Set<string>();

  /** @param id such as xfr-…; it has letters, digits and hyphens alone */
  constructor(id: string) {
    this.#bytes = Buffer.from(id);
    // an id may begin with the whole of a shorter one
    this.#id = new RegExp(`(?<![a-z0-9-])${id}(?![a-z0-9])`);
  }

  /** Remembers the session of a line that carries the id. @returns whether the line carries it */
  link(line: Buffer): boolean {
    if (!line.includes(this.#bytes)) return false;
    const text = line.toString("utf8");
    if (!this.#id.test(text)) return false;
    const session = SESSION.exec(text)?.[1];
    if (session !== undefined && this.#sessions.size < SESSIONS_MAX) this.#sessions.add(session);
    return true;
  }

  /** Whether a line carries the id, or is of a session that was linked to it. */
  covers(line: Buffer): boolean {
    if (this.link(line)) return true;
    if (this.#sessions.size === 0 || !line.includes(SESSION_NAME)) return false;
    const session = SESSION.exec(line.toString("utf8"))?.[1];
    return session !== undefined && this.#sessions.has(session);
  }
}
