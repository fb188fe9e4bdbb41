import { Client, type ClientDuplexStream, connectivityState, status } from "@grpc/grpc-js";
import type { TlsIdentity } from "../certificates/loading.ts";
import type { DeliverReply__Output, DeliverRequest } from "./generated/proto.gen.ts";
import { PEER } from "./proto.ts";
import type { SignerAddress } from "./signer-client.ts";
import {
  CHANNEL_OPTIONS,
  channelCredentials,
  ENVELOPE_BYTES_MAX,
  ENVELOPES_PER_REQUEST_MAX,
} from "./transport.ts";

/** Most envelopes that wait for one peer; a further one is dropped. Sessions of five signers leave some dozens. */
const QUEUE_ENVELOPES_MAX = 4_096;
const QUEUE_BYTES_MAX = 16 * 1024 * 1024;
/** An envelope that could not be delivered for this long is dropped: its session has ended long ago. */
const ENVELOPE_AGE_MS_MAX = 30_000;
/** Most batches sent and not acknowledged; beyond that, envelopes wait and form the next batch. */
export const BATCHES_AWAY_MAX = 32;
/** A batch that is not acknowledged for this long is sent again, over another stream. */
const DELIVER_DEADLINE_MS = 5_000;
const RETRY_MS_MIN = 20;
const RETRY_MS_MAX = 200;

const OLDER = "the peer is of an older version: upgrade it";

/** Why an envelope never reached its peer. */
export type DropReason = "overfull" | "oversize" | "too old" | "refused" | typeof OLDER;

interface Waiting {
  readonly envelope: Buffer;
  readonly sinceMs: number;
}

type Batch = readonly Waiting[];
type Link = ClientDuplexStream<DeliverRequest, DeliverReply__Output>;

/** Statuses of an ended stream after which the peer may still take the same envelopes. */
const PASSING: ReadonlySet<status> = new Set([
  status.OK, // the peer shuts down
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
]);

/**
 * Delivers envelopes to one peer in order, and retries while the peer cannot be reached. The receiver's session layer
 * ignores duplicates. One stream serves for as long as it lasts, because a call costs more than its content; envelopes
 * of one turn of the event loop are sent together.
 */
export class PeerClient {
  readonly #client: Client;
  readonly #dropped: (reason: DropReason) => void;
  readonly #queue: Waiting[] = [];
  /** batches that are sent and not acknowledged, the oldest first */
  readonly #away: Batch[] = [];
  #link: Link | undefined;
  #waiting = 0;
  #bytes = 0;
  #deadline: NodeJS.Timeout | undefined;
  #retryMs = RETRY_MS_MIN;
  #retry: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #isClosed = false;

  constructor(peer: SignerAddress, tls: TlsIdentity, dropped: (reason: DropReason) => void) {
    this.#dropped = dropped;
    const credentials = channelCredentials(tls, { kind: "signer", index: peer.index });
    this.#client = new Client(peer.address, credentials, CHANNEL_OPTIONS);
  }

  /** Queues an envelope; never waits and never throws. */
  send(envelope: Uint8Array): void {
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
    const { buffer, byteOffset, byteLength } = envelope;
    this.#queue.push({ envelope: Buffer.from(buffer, byteOffset, byteLength), sinceMs: Date.now() });
    this.#schedule();
  }

  /** Number of envelopes that wait to be sent or acknowledged. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the connection is ready; starts to connect if not. */
  isConnected(): boolean {
    return (
      !this.#isClosed && this.#client.getChannel().getConnectivityState(true) === connectivityState.READY
    );
  }

  /** Drops waiting envelopes and ends the connection. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#deadline);
    this.#queue.length = 0;
    this.#away.length = 0;
    this.#link?.cancel();
    this.#client.close();
  }

  /** Sends at the end of this turn of the event loop, together with further envelopes of the turn. */
  #schedule(): void {
    if (this.#isScheduled || this.#retry !== undefined) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isClosed || this.#retry !== undefined) return;
      while (this.#queue.length > 0 && this.#away.length < BATCHES_AWAY_MAX) this.#deliver(this.#take());
    });
  }

  /** Takes the oldest envelopes from the queue: at least one, and as many as one request may carry. */
  #take(): Batch {
    let bytes = 0;
    let count = 0;
    for (const { envelope } of this.#queue) {
      bytes += envelope.length;
      if (count === ENVELOPES_PER_REQUEST_MAX || bytes > ENVELOPE_BYTES_MAX) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  #deliver(batch: Batch): void {
    this.#away.push(batch);
    if (this.#away.length === 1) this.#expect();
    this.#link ??= this.#open();
    this.#link.write({ envelopes: batch.map(({ envelope }) => envelope) });
  }

  #open(): Link {
    const { path, requestSerialize, responseDeserialize } = PEER.Deliver;
    const link: Link = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    link.on("data", ({ taken }: DeliverReply__Output) => {
      if (this.#link === link) this.#acknowledged(taken);
    });
    link.on("error", () => undefined); // the status event follows and is handled
    link.on("status", ({ code }) => {
      if (this.#link === link) this.#ended(code);
    });
    return link;
  }

  /** Restarts the deadline of the oldest batch under way. */
  #expect(): void {
    clearTimeout(this.#deadline);
    if (this.#away.length === 0) return;
    this.#deadline = setTimeout(() => {
      const late = this.#link;
      this.#ended(status.DEADLINE_EXCEEDED);
      late?.cancel();
    }, DELIVER_DEADLINE_MS);
  }

  #acknowledged(count: number): void {
    for (const waiting of this.#away.splice(0, count).flat()) this.#forget(waiting);
    this.#retryMs = RETRY_MS_MIN;
    this.#expect();
    if (this.#queue.length > 0) this.#schedule();
  }

  /** The stream has ended. If the peer refused the oldest batch, it is dropped; all others are sent again. */
  #ended(code: status): void {
    this.#link = undefined;
    if (this.#isClosed) return;
    clearTimeout(this.#deadline);
    const isPassing = PASSING.has(code);
    const why = code === status.UNIMPLEMENTED ? OLDER : "refused";
    if (!isPassing) for (const waiting of this.#away.shift() ?? []) this.#forget(waiting, why);
    const oldestMs = Date.now() - ENVELOPE_AGE_MS_MAX;
    const again = this.#away.splice(0).flat();
    for (const waiting of again) if (waiting.sinceMs < oldestMs) this.#forget(waiting, "too old");
    this.#queue.unshift(...again.filter(({ sinceMs }) => sinceMs >= oldestMs));
    this.#goOn(isPassing);
  }

  #forget({ envelope }: Waiting, reason?: DropReason): void {
    this.#waiting -= 1;
    this.#bytes -= envelope.length;
    if (reason !== undefined) this.#dropped(reason);
  }

  #goOn(isFailing: boolean): void {
    if (this.#queue.length === 0) return;
    if (!isFailing) {
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
