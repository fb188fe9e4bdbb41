import type { WebSocket } from "ws";
import { type LedgerJson, ledgerJson } from "../../json.ts";
import {
  type AgaveInterest,
  type AgaveNotice,
  noticeOfChange,
  signatureNotice,
} from "../rpc/subscription.ts";
import type { AgaveState } from "../state.ts";

/** A client that reads too slowly is disconnected when this many bytes are buffered for it. */
const BUFFERED_BYTES_MAX = 8 * 1_024 * 1_024;
const MOST_SUBSCRIPTIONS = 1_000;

/** Sends JSON; disconnects a client that does not read. */
export const sendAgaveJson = (socket: WebSocket, json: LedgerJson): void => {
  if (socket.bufferedAmount > BUFFERED_BYTES_MAX) socket.terminate();
  else socket.send(ledgerJson(json));
};

/** The subscriptions of all connections. */
export class AgaveSubscriptions {
  readonly #interests = new Map<WebSocket, Map<number, AgaveInterest>>();
  #last = 0;

  /** @returns the subscription's id; undefined if the connection has too many */
  subscribe(socket: WebSocket, interest: AgaveInterest): number | undefined {
    const interests = this.#interests.get(socket) ?? new Map<number, AgaveInterest>();
    if (interests.size >= MOST_SUBSCRIPTIONS) return undefined;
    this.#last += 1;
    interests.set(this.#last, interest);
    this.#interests.set(socket, interests);
    return this.#last;
  }

  /** Notifies a new subscription at once, if its transaction has already landed. */
  notifyOfPast(socket: WebSocket, subscription: number, state: AgaveState): void {
    const interest = this.#interests.get(socket)?.get(subscription);
    if (interest?.kind === "signature") this.#notify(socket, subscription, signatureNotice(state, interest));
  }

  /** @returns false if the subscription does not exist */
  unsubscribe(socket: WebSocket, subscription: number): boolean {
    return this.#interests.get(socket)?.delete(subscription) ?? false;
  }

  forget(socket: WebSocket): void {
    this.#interests.delete(socket);
  }

  publish(before: AgaveState, state: AgaveState): void {
    for (const [socket, interests] of this.#interests) {
      for (const [subscription, interest] of [...interests]) {
        this.#notify(socket, subscription, noticeOfChange(before, state, interest));
      }
    }
  }

  #notify(socket: WebSocket, subscription: number, notice: AgaveNotice | undefined): void {
    if (notice === undefined) return;
    const { method, result, isLast } = notice;
    if (isLast) this.unsubscribe(socket, subscription);
    sendAgaveJson(socket, { jsonrpc: "2.0", method, params: { result, subscription } });
  }
}
