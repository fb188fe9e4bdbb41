import { type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { HeardDelivery } from "./webhook-listener.ts";

/** A little less than the service waits for an answer, so that its record names the target's silence. */
const ANSWER_MS = 4_500;
const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;
/** headers of the connection to the listener, not of the delivery */
const HOP_HEADERS = ["host", "connection", "keep-alive", "transfer-encoding"];

/** The target's answer to a delivery. */
export interface Forwarded {
  /** as it is shown: the target's status, or the reason why there is none, such as ECONNREFUSED */
  readonly answer: string;
  /** the status for the sender of the delivery: the target's, 502 when it cannot be reached, 504 when it does not answer */
  readonly status: number;
}

const deliveryHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)));

/** Sends a delivery on to a target, body and headers as they came. It never throws, and follows no redirects. */
export const forwardDelivery = (
  target: URL,
  { headers, body }: HeardDelivery,
  answerMs = ANSWER_MS,
): Promise<Forwarded> =>
  new Promise((settle) => {
    const request = (target.protocol === "https:" ? requestHttps : requestHttp)(target, {
      method: "POST",
      agent: false,
      headers: deliveryHeaders(headers),
    });
    const patience = setTimeout(() => {
      settle({ answer: "ETIMEDOUT", status: GATEWAY_TIMEOUT });
      request.destroy();
    }, answerMs);
    request.once("response", ({ statusCode = BAD_GATEWAY }) => {
      clearTimeout(patience);
      settle({ answer: String(statusCode), status: statusCode });
      request.destroy();
    });
    const unreached = (error: NodeJS.ErrnoException): void => {
      clearTimeout(patience);
      settle({ answer: error.code ?? "FAILED", status: BAD_GATEWAY });
    };
    request.on("error", unreached);
    request.once("close", () => unreached(new Error("closed without an answer")));
    request.end(body);
  });
