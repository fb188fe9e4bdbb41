import { type NodeSurroundings, processSurroundings } from "./surroundings.ts";

/** A node that asks for fewer requests is left alone for so long when it does not say for how long. */
const REST_MS_FIRST = 1_000;
/** A node is never left alone for longer, whatever it says: a payment waits meanwhile. */
const REST_MS_MOST = 60_000;
const SECOND_MS = 1_000;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;
/** The delay in whole seconds of RFC 9110, section 10.2.3; some providers write decimals. */
const SECONDS = /^[0-9]{1,9}(\.[0-9]{1,9})?$/;

/** The node asked for fewer requests: nothing is sent to it for some seconds. */
export class NodeRests extends Error {
  /** @param restMs for how long it is left alone from now on */
  constructor(restMs: number) {
    super(
      `it asks for fewer requests, and is left alone for ${Math.max(1, Math.ceil(restMs / SECOND_MS))} s`,
    );
    this.name = "NodeRests";
  }
}

/** The way to one node. */
export interface NodeWire {
  /** As the global `fetch`. @throws NodeRests while the node is left alone, and for an answer that asks for it */
  readonly fetch: NodeSurroundings["fetch"];
  /** A signal that ends a call which takes longer. */
  readonly timeout: NodeSurroundings["timeout"];
  /**
   * Leaves the node alone, as after a status 429: it said in its own words that it is asked too often.
   * @param restMs for how long, where the node says so
   */
  readonly rest: (restMs?: number) => NodeRests;
}

/** Milliseconds in the headers of an answer; undefined where they do not say. */
const askedRest = ({ headers }: Response): number | undefined => {
  const after = headers.get("retry-after")?.trim();
  // Horizon (Stellar) says in how many seconds its count begins anew
  const seconds = after ?? headers.get("x-ratelimit-reset")?.trim() ?? "";
  if (SECONDS.test(seconds)) return Number(seconds) * SECOND_MS;
  // a date of the node's clock is compared with the node's clock
  const untilMs = Date.parse(after ?? "") - Date.parse(headers.get("date") ?? "");
  return Number.isFinite(untilMs) ? Math.max(0, untilMs) : undefined;
};

const asksForRest = ({ status, headers }: Response): boolean =>
  status === TOO_MANY_REQUESTS || (status === UNAVAILABLE && headers.has("retry-after"));

/**
 * A `fetch` for one node that leaves the node alone when it says 429, or 503 with Retry-After (RFC 9110, section 15.6.4): for as long
 * as the node asks, a minute at most; where it does not say, for a second, and for twice as long each time in a row.
 */
export const restingFetch = (surroundings: NodeSurroundings = processSurroundings): NodeWire => {
  const { monotonicMs: nowMs, timeout } = surroundings;
  let untilMs = Number.NEGATIVE_INFINITY;
  let nextMs = REST_MS_FIRST;
  const rest = (restMs?: number): NodeRests => {
    const now = nowMs();
    // answers of one moment are one refusal
    if (now >= untilMs) {
      untilMs = now + Math.min(Math.max(restMs ?? nextMs, REST_MS_FIRST), REST_MS_MOST);
      nextMs = Math.min(2 * nextMs, REST_MS_MOST);
    } else if (restMs !== undefined) {
      untilMs = Math.max(untilMs, now + Math.min(restMs, REST_MS_MOST));
    }
    return new NodeRests(untilMs - now);
  };
  return {
    rest,
    timeout,
    fetch: async (url, init) => {
      const now = nowMs();
      if (now < untilMs) throw new NodeRests(untilMs - now);
      const answered = await surroundings.fetch(url, init);
      if (asksForRest(answered)) {
        await answered.body?.cancel();
        throw rest(askedRest(answered));
      }
      if (answered.ok) nextMs = REST_MS_FIRST;
      return answered;
    },
  };
};
