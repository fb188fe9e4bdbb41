import { PROCESS_TURNS, type ReadingTurns } from "../../turns/node/in-turns.ts";
import { type NodeSurroundings, processSurroundings } from "./surroundings.ts";

/** First pause of calls to a node that asks for fewer requests without saying how long. */
const REST_MS_FIRST = 1_000;
/** Longest pause of calls to a node, whatever it asks for, because payments wait meanwhile. */
const REST_MS_MOST = 60_000;
const SECOND_MS = 1_000;
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;
/** The delay in whole seconds of RFC 9110, section 10.2.3; some providers write decimals. */
const SECONDS = /^[0-9]{1,9}(\.[0-9]{1,9})?$/;

/** Thrown during a pause that a node asked for: no call is sent to it for some seconds. */
export class NodeRests extends Error {
  /** @param restMs remaining length of the pause */
  constructor(restMs: number) {
    super(
      `it asks for fewer requests, and is left alone for ${Math.max(1, Math.ceil(restMs / SECOND_MS))} s`,
    );
    this.name = "NodeRests";
  }
}

/** The connection to one node. */
export interface NodeWire {
  /** As the global `fetch`. @throws NodeRests during a pause, and for an answer that asks for one */
  readonly fetch: NodeSurroundings["fetch"];
  /** A signal that aborts a call after a timeout. */
  readonly timeout: NodeSurroundings["timeout"];
  /**
   * Begins a pause, as after a status 429: the node's message said that it gets too many requests.
   *
   * @param restMs length of the pause, if the node gives it
   */
  readonly rest: (restMs?: number) => NodeRests;
  /** of long readings */
  readonly turns: ReadingTurns;
}

/** The pause that an answer's headers ask for, in milliseconds; undefined if they give none. */
const askedRest = ({ headers }: Response): number | undefined => {
  const after = headers.get("retry-after")?.trim();
  // Horizon (Stellar) says in how many seconds its count restarts
  const seconds = after ?? headers.get("x-ratelimit-reset")?.trim() ?? "";
  if (SECONDS.test(seconds)) return Number(seconds) * SECOND_MS;
  // a date of the node's clock is compared with the node's clock
  const untilMs = Date.parse(after ?? "") - Date.parse(headers.get("date") ?? "");
  return Number.isFinite(untilMs) ? Math.max(0, untilMs) : undefined;
};

const asksForRest = ({ status, headers }: Response): boolean =>
  status === TOO_MANY_REQUESTS || (status === UNAVAILABLE && headers.has("retry-after"));

/**
 * A `fetch` for one node that pauses when the node answers 429, or 503 with Retry-After (RFC 9110, section 15.6.4): for
 * as long as the node asks, at most a minute; if it does not say, for a second, and twice as long each further time in
 * a row.
 */
export const restingFetch = (surroundings: NodeSurroundings = processSurroundings): NodeWire => {
  const { monotonicMs: nowMs, timeout, turns = PROCESS_TURNS } = surroundings;
  let untilMs = Number.NEGATIVE_INFINITY;
  let nextMs = REST_MS_FIRST;
  const rest = (restMs?: number): NodeRests => {
    const now = nowMs();
    // simultaneous answers count as one refusal
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
    turns,
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
