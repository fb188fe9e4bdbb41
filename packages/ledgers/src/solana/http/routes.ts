import { Hono } from "hono";
import { boundedBody } from "../../http/bounded-body.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { type ConnectionBindings, loseReply } from "../../http/lost-reply.ts";
import { AGAVE_PARSE_ERROR, answerAgaveRpc } from "../rpc/rpc.ts";
import { type AgaveNode, agaveViewOf } from "./running.ts";

/** A node's limit. @source Agave, rpc/src/rpc.rs: MAX_REQUEST_BODY_SIZE */
const BODY_BYTES_MAX = 50 * 1_024;

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

/** JSON-RPC over POST /, and the health of the node over GET /health. */
export const agaveRoutes = (node: AgaveNode): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .get("/health", () => new Response("ok"))
    .post("/", async (context) => {
      const bytes = await boundedBody(context.req.raw, BODY_BYTES_MAX);
      if (bytes === undefined) return new Response("Request body too large", { status: 413 });
      const request = parseJson(bytes);
      if (request === undefined) return jsonResponse(AGAVE_PARSE_ERROR);
      const reply = answerAgaveRpc(agaveViewOf(node), request);
      return reply === undefined ? loseReply(context) : jsonResponse(reply);
    })
    .all("/", () => new Response("Used HTTP Method is not allowed. POST is required", { status: 405 }));
