import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Context, Hono } from "hono";
import { jsonResponse } from "../../http/json-response.ts";
import { type ConnectionBindings, loseReply } from "../../http/lost-reply.ts";
import type { LedgerJson } from "../../json.ts";
import type { JavaTronEffect } from "../advance.ts";
import { javaTronTransactionJson } from "../java-tron/transaction-json.ts";
import { decodeJavaTronTransaction } from "../transaction/decode.ts";
import { encodeJavaTronTransaction, javaTronIdOf } from "../transaction/encode.ts";
import { JavaTronBadRequest, JavaTronRequest } from "./request.ts";
import type { JavaTronNode } from "./running.ts";

/**
 * More than any account has keys. Each signature becomes an argument of one function call, which cannot take a hundred
 * thousand.
 */
const MOST_SIGNATURES = 100;

type Outcome = Extract<JavaTronEffect, { readonly kind: "pooled" | "refused" }>;

const submit = async (node: JavaTronNode, bytes: Uint8Array): Promise<Outcome> => {
  const [effect] = await node.apply({ kind: "submit", bytes });
  if (effect?.kind === "pooled" || effect?.kind === "refused") return effect;
  throw new Error("a submission has an outcome");
};

/** The bytes of a transaction in JSON. They come from raw_data_hex; raw_data, their decoded form, is ignored. */
const bytesOf = (request: JavaTronRequest): { readonly bytes: Uint8Array; readonly id: string } => {
  const rawData = hexToBytes(request.hex("raw_data_hex"));
  if (rawData.length === 0)
    throw new JavaTronBadRequest("raw_data_hex is missing: this node reads the bytes, not raw_data");
  const signatures = request.fields["signature"] ?? [];
  if (!Array.isArray(signatures)) throw new JavaTronBadRequest("signature must be a list");
  const list: readonly unknown[] = signatures;
  if (list.length > MOST_SIGNATURES) {
    throw new JavaTronBadRequest(`signature must be a list of at most ${MOST_SIGNATURES}`);
  }
  const bytes = list.map((each) => hexToBytes(new JavaTronRequest({ each }).hex("each")));
  return { bytes: encodeJavaTronTransaction(rawData, bytes), id: javaTronIdOf(rawData) };
};

/** POST /wallet/broadcasttransaction: submits a transaction in JSON. Refusals have their message in hex. */
const broadcastTransaction = async (
  node: JavaTronNode,
  context: Context<ConnectionBindings>,
): Promise<Response> => {
  const { bytes, id } = bytesOf(await JavaTronRequest.of(context));
  const outcome = await submit(node, bytes);
  if (outcome.replyIsLost) return loseReply(context);
  if (outcome.kind === "pooled") return jsonResponse({ result: true, txid: outcome.id });
  const { code, message } = outcome.refusal;
  return jsonResponse({ code, txid: id, message: bytesToHex(utf8ToBytes(message)) });
};

/** The decoded transaction as JSON in a string, which nodes include in their answer. */
const readableTransaction = (bytes: Uint8Array): string => {
  const decoded = decodeJavaTronTransaction(bytes);
  if (!decoded.ok) return "{}";
  const { ret: _, ...json } = javaTronTransactionJson(decoded.value, true);
  return JSON.stringify(json, (__, value: LedgerJson) => (typeof value === "bigint" ? Number(value) : value));
};

/** POST /wallet/broadcasthex: submits protocol.Transaction in hex. Refusals have their message in plain text. */
const broadcastHex = async (node: JavaTronNode, context: Context<ConnectionBindings>): Promise<Response> => {
  const bytes = hexToBytes((await JavaTronRequest.of(context)).hex("transaction"));
  const outcome = await submit(node, bytes);
  if (outcome.replyIsLost) return loseReply(context);
  const decoded = decodeJavaTronTransaction(bytes);
  const txid = decoded.ok ? decoded.value.id : "";
  const refusal = outcome.kind === "refused" ? outcome.refusal : undefined;
  return jsonResponse({
    result: refusal === undefined,
    code: refusal?.code ?? "SUCCESS",
    txid,
    message: refusal?.message ?? "",
    transaction: readableTransaction(bytes),
  });
};

/** The routes that submit transactions. */
export const javaTronBroadcastRoutes = (node: JavaTronNode): Hono<ConnectionBindings> =>
  new Hono<ConnectionBindings>()
    .post("/broadcasttransaction", (context) => broadcastTransaction(node, context))
    .post("/broadcasthex", (context) => broadcastHex(node, context));
