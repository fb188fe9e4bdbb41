import { deliveryBody, deliverySignature, type Reception, type World } from "@conclave/custody";
import type { Sender } from "../webhook-sender/index.ts";

const ANSWER_MS = 5_000;

/** A delivery that an endpoint received. */
export interface HeardDelivery {
  /** the value of its signature header */
  readonly signature: string;
  readonly body: string;
}

/** Endpoints of webhooks in memory, which answer by the clock of their World. */
export interface MemoryEndpoints {
  readonly send: Sender;
  /**
   * Opens an endpoint.
   *
   * @param answer a status, "silent" for no answer, or "closed" to close the connection instead
   * @returns its deliveries, in order
   */
  readonly open: (url: string, answer: () => number | "silent" | "closed") => readonly HeardDelivery[];
}

const unreached = (code: string, error: string): Reception => ({ kind: "unreached", code, error });

/** @param answerMs longest time from the request to the status */
export const openMemoryEndpoints = (
  world: Pick<World, "sleep">,
  answerMs: number = ANSWER_MS,
): MemoryEndpoints => {
  const endpoints = new Map<
    string,
    { readonly heard: HeardDelivery[]; readonly answer: () => number | string }
  >();
  return {
    open: (url, answer) => {
      const heard: HeardDelivery[] = [];
      endpoints.set(url, { heard, answer });
      return heard;
    },
    send: async (url, secret, event) => {
      const body = deliveryBody(event);
      await world.sleep(1);
      const endpoint = endpoints.get(url);
      if (endpoint === undefined) return unreached("ECONNREFUSED", `nobody listens at ${url}`);
      endpoint.heard.push({ signature: deliverySignature(secret, body), body });
      const answer = endpoint.answer();
      if (typeof answer === "number") return { kind: "answered", status: answer };
      if (answer === "closed")
        return unreached("FAILED", "the endpoint closed the connection without an answer");
      await world.sleep(answerMs - 1);
      return unreached("ETIMEDOUT", `no answer in ${answerMs} ms`);
    },
  };
};
