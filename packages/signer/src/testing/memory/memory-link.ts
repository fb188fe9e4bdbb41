import type { Timer, World } from "@conclave/custody";
import type { NotTaken } from "../../delivery.ts";
import { type Line, openLine } from "./line.ts";

/** As of the links over gRPC: an envelope that could not be delivered for so long is dropped. */
const ENVELOPE_AGE_MS_MAX = 30_000;
const RETRY_MS = 100;

interface Waiting {
  readonly envelope: Uint8Array;
  readonly sinceMs: number;
}

/** Delivers envelopes to one peer, in order, again and again while the peer is away or busy. */
export class MemoryLink {
  readonly #world: Pick<World, "monotonicMs" | "after">;
  readonly #line: Line;
  readonly #deliver: (envelope: Uint8Array) => NotTaken | "away" | undefined;
  readonly #dropped: (reason: string) => void;
  /** arrived and not taken, the oldest first */
  readonly #waiting: Waiting[] = [];
  #retry: Timer | undefined;
  #isClosed = false;

  /** @param deliver hands an envelope to the peer; undefined when it was taken */
  constructor(
    world: Pick<World, "monotonicMs" | "after" | "entropy">,
    deliver: (envelope: Uint8Array) => NotTaken | "away" | undefined,
    dropped: (reason: string) => void,
  ) {
    this.#world = world;
    this.#line = openLine(world);
    this.#deliver = deliver;
    this.#dropped = dropped;
  }

  send(envelope: Uint8Array): void {
    const sinceMs = this.#world.monotonicMs();
    this.#line(() => {
      this.#waiting.push({ envelope, sinceMs });
      if (this.#retry === undefined) this.#handOver();
    });
  }

  /** Drops what waits, and delivers nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#retry?.stop();
    this.#waiting.length = 0;
  }

  #handOver(): void {
    this.#retry = undefined;
    for (let next = this.#waiting[0]; next !== undefined && !this.#isClosed; next = this.#waiting[0]) {
      const whyNot = this.#deliver(next.envelope);
      const isPassing = whyNot === "away" || whyNot === "busy";
      const isOld = this.#world.monotonicMs() - next.sinceMs > ENVELOPE_AGE_MS_MAX;
      if (isPassing && !isOld) {
        this.#retry = this.#world.after(RETRY_MS, () => this.#handOver());
        return;
      }
      this.#waiting.shift();
      if (whyNot !== undefined) this.#dropped(isPassing ? "too old" : "refused");
    }
  }
}
