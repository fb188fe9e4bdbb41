import type { Socket } from "node:net";
import { breakOff } from "./break-off.ts";
import type { OneWayLink } from "./link.ts";

/** How many bytes may wait on one lane before its sender is paused. */
const UNDER_WAY_BYTES_MAX = 1024 * 1024;
/** How many chunks per second a slow lane sends. */
const PIECES_PER_SECOND = 20;

/** Bytes, or the end of the sender's stream, or its reset. */
type Sent = Buffer | "end" | "reset";

interface UnderWay {
  readonly sent: Sent;
  /** on the monotonic clock */
  readonly dueMs: number;
}

/** One direction of one connection: from the sender's socket to the receiver's, both on the proxy's side. */
export class Lane {
  readonly #link: OneWayLink;
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #reset: () => void;
  readonly #underWay: UnderWay[] = [];
  #bytes = 0;
  /** a slow lane sends nothing before this time */
  #freeAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isTorn = false;

  /** @param reset resets both sockets of the connection */
  constructor(link: OneWayLink, source: Socket, sink: Socket, reset: () => void) {
    this.#link = link;
    this.#source = source;
    this.#sink = sink;
    this.#reset = reset;
    link.add(this);
    source.on("data", (bytes: Buffer) => this.#take(bytes));
    source.once("end", () => this.#take("end"));
    source.once("close", (hadError) => {
      if (hadError) this.#take("reset");
    });
    sink.on("drain", () => this.#passOn());
  }

  /** Whether bytes were lost. Then no later bytes pass either, until the connection is reset. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** Loses everything from now on. */
  tear(): void {
    this.#isTorn = true;
    this.swallow();
  }

  /** Drops the waiting bytes. */
  swallow(): void {
    if (this.#underWay.splice(0).length > 0) this.#isTorn = true;
    this.#bytes = 0;
    clearTimeout(this.#timer);
    this.#source.resume();
  }

  /** Resets the connection if bytes were lost. */
  mend(): void {
    if (this.#isTorn) this.#reset();
  }

  /** Resets the connection if bytes were lost; otherwise sends the waiting bytes at once. */
  heal(): void {
    this.mend();
    if (this.#isTorn) return;
    this.#freeAtMs = 0;
    const all = this.#underWay.splice(0);
    this.#underWay.push(...all.map(({ sent }) => ({ sent, dueMs: 0 })));
    this.#passOn();
  }

  /** Removes the lane from its link, once the connection has ended. */
  forget(): void {
    clearTimeout(this.#timer);
    this.#underWay.length = 0;
    this.#link.remove(this);
  }

  #take(sent: Sent): void {
    if (this.#isTorn || this.#link.isCut) {
      this.#isTorn = true;
      return;
    }
    if (sent instanceof Buffer) {
      if (this.#link.breaksNow()) {
        this.#reset();
        return;
      }
      this.#bytes += sent.length;
      if (this.#bytes > UNDER_WAY_BYTES_MAX) this.#source.pause();
    }
    const before = this.#underWay.at(-1)?.dueMs ?? 0;
    this.#underWay.push({ sent, dueMs: Math.max(before, performance.now() + this.#link.delayMs) });
    this.#passOn();
  }

  #passOn(): void {
    clearTimeout(this.#timer);
    for (let head = this.#underWay[0]; head !== undefined; head = this.#underWay[0]) {
      if (this.#sink.writableNeedDrain) return;
      const waitMs = Math.max(head.dueMs, this.#freeAtMs) - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#passOn(), Math.ceil(waitMs));
        return;
      }
      this.#underWay.shift();
      if (head.sent === "end") this.#sink.end();
      else if (head.sent === "reset") breakOff(this.#sink);
      else this.#write(head.sent, head.dueMs);
    }
  }

  /** Writes the bytes; on a slow lane, only their first chunk. */
  #write(bytes: Buffer, dueMs: number): void {
    const { bytesPerSecond = Number.POSITIVE_INFINITY } = this.#link;
    const piece = bytes.subarray(0, Math.max(1, Math.floor(bytesPerSecond / PIECES_PER_SECOND)));
    const rest = bytes.subarray(piece.length);
    if (rest.length > 0) this.#underWay.unshift({ sent: rest, dueMs });
    this.#freeAtMs = performance.now() + (piece.length / bytesPerSecond) * 1_000;
    if (!this.#sink.destroyed) this.#sink.write(piece);
    this.#bytes -= piece.length;
    if (this.#bytes <= UNDER_WAY_BYTES_MAX) this.#source.resume();
  }
}
