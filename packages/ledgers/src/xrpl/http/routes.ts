import { Hono } from "hono";
import { z } from "zod";
import { boundedBody } from "../../http/bounded-body.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { type ConnectionBindings, loseReply } from "../../http/lost-reply.ts";
import { failed, type RippledAnswer } from "../rippled/answer.ts";
import { versionOf } from "../rippled/request.ts";
import { answerRippledRequest } from "./answer-request.ts";
import { requestJson } from "./request-json.ts";
import type { RippledNode } from "./running.ts";

/** Twice the hex of the longest transaction. */
export const REQUEST_BYTES_MAX = 128 * 1_024;

const bodySchema = z.looseObject({
  method: z.string(),
  params: z.array(z.record(z.string(), z.unknown())).max(1).default([]),
});

const plain = (text: string, status: number): Response =>
  new Response(`${text}\r\n`, { status, headers: { "content-type": "text/plain" } });

const parsedBody = (bytes: Uint8Array): z.output<typeof bodySchema> | undefined => {
  try {
    return bodySchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
};

const answerJson = (answer: RippledAnswer, request: z.output<typeof bodySchema>): Response =>
  jsonResponse({
    result: answer.ok
      ? { ...answer.result, status: "success" }
      : {
          ...answer.error,
          request: requestJson({ ...request.params[0], command: request.method }),
          status: "error",
        },
  });

/** JSON-RPC as rippled serves it: POST with a method and one object of parameters. HTTP has no subscriptions. */
export const rippledRoutes = (node: RippledNode): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>().post("*", async (context) => {
    const bytes = await boundedBody(context.req.raw, REQUEST_BYTES_MAX);
    if (bytes === undefined) return plain("Request body is too large", 413);
    const request = parsedBody(bytes);
    if (request === undefined) return plain("Unable to parse request: method and params are needed", 400);
    const [params = {}] = request.params;
    const version = versionOf(params["api_version"]);
    if (version === undefined) return plain("invalid_API_version", 400);
    if (request.method === "subscribe" || request.method === "unsubscribe") {
      return answerJson(failed("noEvents"), request);
    }
    const now = node.host.now;
    const answer = answerRippledRequest(node, { command: request.method, params, version, now });
    return answer === undefined ? loseReply(context) : answerJson(answer, request);
  });
