import { Client, connectivityState, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import type { TlsIdentity } from "../certificates/loading.ts";
import { PEER } from "./proto.ts";
import type { SignerAddress } from "./signer-client.ts";
import { CHANNEL_OPTIONS, channelCredentials, ENVELOPE_BYTES_MAX } from "./transport.ts";

/** Envelopes waiting for one peer; a further one is dropped. Five signers' sessions leave some dozens. */
export const QUEUE_ENVELOPES_MAX = 4_096;
export const QUEUE_BYTES_MAX = 16 * 1024 * 1024;
/** An envelope that could not be delivered for this long is dropped: its session has long been given up. */
export const ENVELOPE_AGE_MS_MAX = 30_000;
const DELIVER_DEADLINE_MS = 5_000;
const RETRY_MS_MIN = 20;
const RETRY_MS_MAX = 200;

/** Why an envelope never reached its peer. */
export type DropReason = "overfull" | "oversize" | "too old" | "refused";

interface Waiting {
  readonly envelope: Buffer;
  readonly sinceMs: number;
}

/** One session's envelopes for one peer, delivered one after another. */
interface Lane {
  readonly queue: Waiting[];
  retryMs: number;
  timer: NodeJS.Timeout | undefined;
}

/** Codes after which the same envelope may still be taken. */
const PASSING: ReadonlySet<status> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
]);

/**
 * Delivers envelopes to one peer: in order within a session, sessions side by side, again and again while the peer
 * cannot be reached. The receiver's session layer ignores what comes twice.
 */
export class PeerClient {
  readonly #client: Client;
  readonly #dropped: (reason: DropReason) => void;
  readonly #lanes = new Map<string, Lane>();
  #waiting = 0;
  #bytes = 0;
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
    if (lane !== undefined) {
      lane.queue.push(waiting);
      return;
    }
    const opened: Lane = { queue: [waiting], retryMs: RETRY_MS_MIN, timer: undefined };
    this.#lanes.set(session, opened);
    this.#deliverFirst(session, opened);
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
    for (const lane of this.#lanes.values()) clearTimeout(lane.timer);
    this.#lanes.clear();
    this.#client.close();
  }

  #deliverFirst(session: string, lane: Lane): void {
    const [first] = lane.queue;
    if (first === undefined) {
      this.#lanes.delete(session);
      return;
    }
    const { path, requestSerialize, responseDeserialize } = PEER.Deliver;
    this.#client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      { envelope: first.envelope },
      new Metadata(),
      { deadline: Date.now() + DELIVER_DEADLINE_MS },
      (error) => this.#delivered(session, lane, first, error),
    );
  }

  #delivered(session: string, lane: Lane, first: Waiting, error: ServiceError | null): void {
    if (this.#isClosed) return;
    const isTooOld = Date.now() - first.sinceMs > ENVELOPE_AGE_MS_MAX;
    if (error !== null && PASSING.has(error.code) && !isTooOld) {
      lane.timer = setTimeout(() => this.#deliverFirst(session, lane), lane.retryMs);
      lane.retryMs = Math.min(lane.retryMs * 2, RETRY_MS_MAX);
      return;
    }
    if (error !== null) this.#dropped(isTooOld ? "too old" : "refused");
    lane.retryMs = RETRY_MS_MIN;
    lane.queue.shift();
    this.#waiting -= 1;
    this.#bytes -= first.envelope.length;
    this.#deliverFirst(session, lane);
  }
}
