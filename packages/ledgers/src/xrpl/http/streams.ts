import type { WebSocket } from "ws";
import { ledgerJson } from "../../json.ts";
import type { RippledAddress } from "../address.ts";
import type { RippledLedger, RippledValidated } from "../closed-ledger.ts";
import { answered, failed, type RippledAnswer, type RippledJson } from "../rippled/answer.ts";
import { ledgerMessage, ledgerStreamState } from "../rippled/ledger-stream.ts";
import type { RippledRequest, RippledVersion } from "../rippled/request.ts";
import { type RippledStream, subscriptionOf } from "../rippled/subscription.ts";
import { transactionMessage } from "../rippled/transaction-views.ts";
import type { RippledState } from "../state.ts";

/** A client that reads too slowly is disconnected when this many bytes are buffered for it. */
const BUFFERED_BYTES_MAX = 8 * 1_024 * 1_024;
const MOST_ACCOUNTS = 1_000;

interface Subscriber {
  readonly streams: Set<RippledStream>;
  readonly accounts: Set<RippledAddress>;
  version: RippledVersion;
}

/** Sends JSON; disconnects a client that does not read. */
export const sendJson = (socket: WebSocket, json: RippledJson): void => {
  if (socket.bufferedAmount > BUFFERED_BYTES_MAX) socket.terminate();
  else socket.send(ledgerJson(json));
};

/** The subscriptions of all connections. */
export class RippledStreams {
  readonly #subscribers = new Map<WebSocket, Subscriber>();

  subscribe(socket: WebSocket, request: RippledRequest, state: RippledState): RippledAnswer {
    const wanted = subscriptionOf(request);
    if ("ok" in wanted) return wanted;
    const before = this.#subscribers.get(socket);
    const accounts = new Set([...(before?.accounts ?? []), ...wanted.accounts]);
    if (accounts.size > MOST_ACCOUNTS) {
      return failed("slowDown", `a connection can subscribe to ${MOST_ACCOUNTS} accounts at most`);
    }
    const streams = new Set([...(before?.streams ?? []), ...wanted.streams]);
    this.#subscribers.set(socket, { streams, accounts, version: request.version });
    return answered(wanted.streams.includes("ledger") ? ledgerStreamState(state) : {});
  }

  unsubscribe(socket: WebSocket, request: RippledRequest): RippledAnswer {
    const unwanted = subscriptionOf(request);
    if ("ok" in unwanted) return unwanted;
    const subscriber = this.#subscribers.get(socket);
    for (const stream of unwanted.streams) subscriber?.streams.delete(stream);
    for (const account of unwanted.accounts) subscriber?.accounts.delete(account);
    return answered({});
  }

  forget(socket: WebSocket): void {
    this.#subscribers.delete(socket);
  }

  /** Sends the message of a closed ledger first, and then those of its transactions. */
  publish(ledger: RippledLedger, state: RippledState): void {
    for (const [socket, subscriber] of this.#subscribers) {
      if (subscriber.streams.has("ledger")) sendJson(socket, ledgerMessage(ledger, state));
      for (const validated of ledger.transactions.values()) {
        if (this.#concerns(subscriber, validated)) {
          sendJson(socket, transactionMessage(ledger, validated, subscriber.version));
        }
      }
    }
  }

  #concerns({ streams, accounts }: Subscriber, { affected }: RippledValidated): boolean {
    return streams.has("transactions") || [...affected].some((account) => accounts.has(account));
  }
}
