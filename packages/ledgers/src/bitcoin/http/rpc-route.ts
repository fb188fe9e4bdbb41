import { timingSafeEqual } from "node:crypto";
import { type Context, Hono } from "hono";
import { boundedBody } from "../../http/bounded-body.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { type ConnectionBindings, loseReply } from "../../http/lost-reply.ts";
import { answerRpc, type BitcoindReply, PARSE_ERROR } from "../bitcoind/rpc.ts";
import { type BitcoindHost, bitcoindViewOf } from "./running.ts";

/** Hex length of two transactions of the maximum weight. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

const send = (context: Context<ConnectionBindings>, { body, status, isLost }: BitcoindReply): Response => {
  if (isLost) return loseReply(context);
  return body === undefined ? new Response(null, { status }) : jsonResponse(body, status);
};

const isExpected = (header: string | undefined, credentials: string): boolean => {
  const expected = Buffer.from(`Basic ${Buffer.from(credentials).toString("base64")}`);
  const given = Buffer.from(header ?? "");
  return given.length === expected.length && timingSafeEqual(given, expected);
};

/**
 * JSON-RPC over POST /, with basic authentication.
 * @param credentials user and password, joined by a colon; undefined requires none
 * @source Bitcoin Core, src/httprpc.cpp: HTTPReq_JSONRPC
 */
export const rpcRoute = (host: BitcoindHost, credentials: string | undefined): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .post("/", async (context) => {
      if (credentials !== undefined && !isExpected(context.req.header("authorization"), credentials)) {
        return new Response(null, { status: 401, headers: { "www-authenticate": 'Basic realm="jsonrpc"' } });
      }
      const bytes = await boundedBody(context.req.raw, BODY_BYTES_MAX);
      if (bytes === undefined) return new Response("Request body too large", { status: 413 });
      const request = parseJson(bytes);
      return send(context, request === undefined ? PARSE_ERROR : answerRpc(bitcoindViewOf(host), request));
    })
    .all("/", () => new Response("JSONRPC server handles only POST requests", { status: 405 }));
