import type { Timer, World } from "@conclave/custody";
import type { NotTaken } from "../../delivery.ts";
import { type Line, openLine } from "./line.ts";
import type { Connection } from "./way.ts";

/** As of the links over gRPC: an envelope that could not be delivered for so long is dropped. */
const ENVELOPE_AGE_MS_MAX = 30_000;
/** As of them: an envelope that is not acknowledged for so long is sent again. */
const DELIVER_MS_MAX = 5_000;
const RETRY_MS = 100;

interface Waiting {
  readonly envelope: Uint8Array;
  readonly sinceMs: number;
}

type LinkWorld = Pick<World, "monotonicMs" | "after" | "entropy">;

/**
 * Delivers envelopes to one peer, in order, again and again while the peer is away or busy or the way to it is cut. An envelope whose
 * acknowledgement is lost is delivered again: the receiver knows it.
 */
export class MemoryLink {
  readonly #world: Pick<World, "monotonicMs" | "after">;
  readonly #line: Line;
  readonly #connection: Connection;
  readonly #deliver: (envelope: Uint8Array) => NotTaken | "away" | undefined;
  readonly #dropped: (reason: string) => void;
  /** arrived and not taken, the oldest first */
  readonly #waiting: Waiting[] = [];
  /** taken, and not acknowledged */
  readonly #unheard: Waiting[] = [];
  #unheardSinceMs = 0;
  #retry: Timer | undefined;
  #resend: Timer | undefined;
  #isClosed = false;

  /** @param deliver hands an envelope to the peer; undefined when it was taken */
  constructor(
    world: LinkWorld,
    connection: Connection,
    deliver: (envelope: Uint8Array) => NotTaken | "away" | undefined,
    dropped: (reason: string) => void,
  ) {
    this.#world = world;
    this.#line = openLine(world, connection.there);
    this.#connection = connection;
    this.#deliver = deliver;
    this.#dropped = dropped;
  }

  send(envelope: Uint8Array): void {
    const sinceMs = this.#world.monotonicMs();
    this.#line(envelope.length, () => {
      this.#waiting.push({ envelope, sinceMs });
      if (this.#retry === undefined) this.#handOver();
    });
  }

  /** Drops what waits, and delivers nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#retry?.stop();
    this.#resend?.stop();
    this.#waiting.length = 0;
    this.#unheard.length = 0;
  }

  #handOver(): void {
    this.#retry = undefined;
    const { there, back } = this.#connection;
    for (let next = this.#waiting[0]; next !== undefined && !this.#isClosed; next = this.#waiting[0]) {
      const whyNot = there.isCut || there.breaks() ? "away" : this.#deliver(next.envelope);
      const isPassing = whyNot === "away" || whyNot === "busy";
      if (isPassing && !this.#isOld(next)) {
        this.#retry = this.#world.after(RETRY_MS, () => this.#handOver());
        return;
      }
      this.#waiting.shift();
      if (whyNot !== undefined) this.#dropped(isPassing ? "too old" : "refused");
      else if (back.isCut || back.breaks()) this.#await(next);
    }
  }

  #await(taken: Waiting): void {
    if (this.#unheard.length === 0) this.#unheardSinceMs = this.#world.monotonicMs();
    this.#unheard.push(taken);
    this.#resend ??= this.#world.after(RETRY_MS, () => this.#sendAgain());
  }

  /** Delivers envelopes without an acknowledgement again, before newer ones: once the way back is open, or after 5 s. */
  #sendAgain(): void {
    this.#resend = undefined;
    const isLate = this.#world.monotonicMs() - this.#unheardSinceMs >= DELIVER_MS_MAX;
    if (this.#connection.back.isCut && !isLate) {
      this.#resend = this.#world.after(RETRY_MS, () => this.#sendAgain());
      return;
    }
    this.#waiting.unshift(...this.#unheard.splice(0).filter((taken) => !this.#isOld(taken)));
    if (this.#retry === undefined) this.#handOver();
  }

  #isOld({ sinceMs }: Waiting): boolean {
    return this.#world.monotonicMs() - sinceMs > ENVELOPE_AGE_MS_MAX;
  }
}
