import { lookup as resolve } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import {
  deliveryBody,
  deliverySignature,
  type Reception,
  WEBHOOK_SIGNATURE_HEADER,
  type WebhookEvent,
} from "@conclave/custody";
import { isPrivateAddress } from "./private-address.ts";
import { hostOf } from "./target.ts";

/** The "few seconds" of the wire interface, section D.5: from the first byte sent to the answer's status line. */
const ANSWER_MS = 5_000;
const PRIVATE_ADDRESS = "PRIVATE_ADDRESS";

export interface SenderOptions {
  /** whether private addresses may be contacted: useful on a laptop; on a server it would expose the server's network */
  readonly allowPrivateAddresses: boolean;
  readonly answerMs?: number;
}

/** Sends one attempt to an endpoint. It never throws: a failed attempt is also a reception. */
export type Sender = (url: string, secret: string, event: WebhookEvent) => Promise<Reception>;

class PrivateAddress extends Error {
  readonly code = PRIVATE_ADDRESS;
}

/** Checks the addresses of a name when the connection is made, because an earlier DNS answer may have changed since. */
const publicLookup: LookupFunction = (hostname, options, callback) =>
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(new PrivateAddress(`${hostname} is on a private address`), "");
    }
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });

const unreached = (error: Error): Reception => ({
  kind: "unreached",
  code: "code" in error && typeof error.code === "string" ? error.code : "FAILED",
  error: error.message,
});

/**
 * Makes a sender over HTTP. It follows no redirects and reads only the status of an answer, so an endpoint gets one
 * request and cannot redirect it.
 */
export const makeSender =
  ({ allowPrivateAddresses, answerMs = ANSWER_MS }: SenderOptions): Sender =>
  (address, secret, event) =>
    new Promise((settle) => {
      const url = new URL(address);
      const body = deliveryBody(event);
      const isLiteral = isIP(hostOf(url)) !== 0;
      if (!allowPrivateAddresses && isLiteral && isPrivateAddress(hostOf(url))) {
        settle(unreached(new PrivateAddress(`${url.hostname} is a private address`)));
        return;
      }
      const request = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": "conclave",
          [WEBHOOK_SIGNATURE_HEADER]: deliverySignature(secret, body),
        },
        ...(allowPrivateAddresses ? {} : { lookup: publicLookup }),
      });
      const patience = setTimeout(() => {
        const late = Object.assign(new Error(`no answer in ${answerMs} ms`), { code: "ETIMEDOUT" });
        request.destroy(late);
      }, answerMs);
      request.once("response", (answer) => {
        clearTimeout(patience);
        settle({ kind: "answered", status: answer.statusCode ?? 0 });
        answer.destroy();
      });
      request.once("error", (error) => {
        clearTimeout(patience);
        settle(unreached(error));
      });
      // if the endpoint switches protocols, Node closes the connection without an answer and without an error
      request.once("close", () => {
        clearTimeout(patience);
        settle(unreached(new Error("the endpoint closed the connection without an answer")));
      });
      request.end(body);
    });
