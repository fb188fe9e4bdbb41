import { Client, connectivityState, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { TlsIdentity } from "../certificates/loading.ts";
import { PEER } from "./proto.ts";
import type { SignerAddress } from "./signer-client.ts";
import {
  CHANNEL_OPTIONS,
  channelCredentials,
  ENVELOPE_BYTES_MAX,
  ENVELOPES_PER_CALL_MAX,
} from "./transport.ts";

/** Envelopes waiting for one peer; a further one is dropped. Five signers' sessions leave some dozens. */
export const QUEUE_ENVELOPES_MAX = 4_096;
export const QUEUE_BYTES_MAX = 16 * 1024 * 1024;
/** An envelope that could not be delivered for this long is dropped: its session has long been given up. */
export const ENVELOPE_AGE_MS_MAX = 30_000;
const DELIVER_DEADLINE_MS = 5_000;
/** Calls to one peer at a time: while they are under way, envelopes gather for the next. */
const CALLS_MAX = 2;
const RETRY_MS_MIN = 20;
const RETRY_MS_MAX = 200;

/** Why an envelope never reached its peer. */
export type DropReason = "overfull" | "oversize" | "too old" | "refused";

interface Waiting {
  readonly envelope: Buffer;
  readonly sinceMs: number;
}

/** One session's envelopes for one peer, in order. */
interface Lane {
  readonly queue: Waiting[];
  /** how many of the first are in a call: the others wait for its end */
  away: number;
}

/** The envelopes of one call, by session. */
type Batch = ReadonlyMap<string, readonly Waiting[]>;

/** Codes after which the same envelope may still be taken. */
const PASSING: ReadonlySet<status> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
]);

/**
 * Delivers envelopes to one peer: in order within a session, again and again while the peer cannot be reached. The
 * receiver's session layer ignores what comes twice. A call costs more than what it carries, so envelopes of all
 * sessions that are there together travel together; the more there is to do, the more they are.
 */
export class PeerClient {
  readonly #client: Client;
  readonly #dropped: (reason: DropReason) => void;
  readonly #lanes = new Map<string, Lane>();
  #waiting = 0;
  #bytes = 0;
  #calls = 0;
  #retryMs = RETRY_MS_MIN;
  #retry: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #isClosed = false;

  constructor(peer: SignerAddress, tls: TlsIdentity, dropped: (reason: DropReason) => void) {
    this.#dropped = dropped;
    const credentials = channelCredentials(tls, { kind: "signer", index: peer.index });
    this.#client = new Client(peer.address, credentials, CHANNEL_OPTIONS);
  }

  /** Queues an envelope of a session; never waits and never throws. */
  send(session: string, envelope: Uint8Array): void {
    if (this.#isClosed) return;
    if (envelope.length > ENVELOPE_BYTES_MAX) {
      this.#dropped("oversize");
      return;
    }
    if (this.#waiting >= QUEUE_ENVELOPES_MAX || this.#bytes + envelope.length > QUEUE_BYTES_MAX) {
      this.#dropped("overfull");
      return;
    }
    this.#waiting += 1;
    this.#bytes += envelope.length;
    const waiting = { envelope: Buffer.from(envelope), sinceMs: Date.now() };
    const lane = this.#lanes.get(session);
    if (lane === undefined) this.#lanes.set(session, { queue: [waiting], away: 0 });
    else lane.queue.push(waiting);
    this.#schedule();
  }

  /** Envelopes that wait for this peer. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the connection stands; asks for it when it does not. */
  isConnected(): boolean {
    return (
      !this.#isClosed && this.#client.getChannel().getConnectivityState(true) === connectivityState.READY
    );
  }

  /** Drops what waits and ends the connection. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#lanes.clear();
    this.#client.close();
  }

  /** What else is sent in this turn of the event loop goes with it. */
  #schedule(): void {
    if (this.#isScheduled || this.#retry !== undefined || this.#calls >= CALLS_MAX) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isClosed) return;
      while (this.#calls < CALLS_MAX) {
        const batch = this.#take();
        if (batch.size === 0) return;
        this.#deliver(batch);
      }
    });
  }

  /** The oldest envelopes of sessions that have none in a call. */
  #take(): Batch {
    const batch = new Map<string, readonly Waiting[]>();
    let left = ENVELOPES_PER_CALL_MAX;
    let bytesLeft = ENVELOPE_BYTES_MAX;
    for (const [session, lane] of this.#lanes) {
      if (lane.away > 0) continue;
      const taken: Waiting[] = [];
      for (const waiting of lane.queue) {
        if (left === 0 || waiting.envelope.length > bytesLeft) break;
        left -= 1;
        bytesLeft -= waiting.envelope.length;
        taken.push(waiting);
      }
      lane.away = taken.length;
      if (taken.length > 0) batch.set(session, taken);
    }
    return batch;
  }

  #deliver(batch: Batch): void {
    const { path, requestSerialize, responseDeserialize } = PEER.Deliver;
    this.#calls += 1;
    this.#client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { envelopes: [...batch.values()].flat().map(({ envelope }) => envelope) },
      new Metadata(),
      { deadline: Date.now() + DELIVER_DEADLINE_MS },
      (error) => this.#delivered(batch, error),
    );
  }

  #delivered(batch: Batch, error: ServiceError | null): void {
    if (this.#isClosed) return;
    this.#calls -= 1;
    const isPassing = error !== null && PASSING.has(error.code);
    const oldestMs = Date.now() - ENVELOPE_AGE_MS_MAX;
    for (const [session, { length }] of batch) {
      const lane = this.#lanes.get(session);
      if (lane === undefined) continue;
      lane.away = 0;
      const tried = lane.queue.splice(0, length);
      const again = tried.filter(({ sinceMs }) => isPassing && sinceMs >= oldestMs);
      lane.queue.unshift(...again);
      for (const over of tried.slice(0, tried.length - again.length)) {
        this.#waiting -= 1;
        this.#bytes -= over.envelope.length;
        if (error !== null) this.#dropped(isPassing ? "too old" : "refused");
      }
      if (lane.queue.length === 0) this.#lanes.delete(session);
    }
    this.#goOn(isPassing);
  }

  #goOn(isFailing: boolean): void {
    if (this.#isClosed) return;
    if (!isFailing) {
      this.#retryMs = RETRY_MS_MIN;
      this.#schedule();
      return;
    }
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#schedule();
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS_MAX);
  }
}
