import type { Context } from "hono";
import { boundedBody } from "../../http/bounded-body.ts";
import { jsonResponse } from "../../http/json-response.ts";
import type { ConnectionBindings } from "../../http/lost-reply.ts";
import type { HorizonEffect } from "../advance.ts";
import { fromBase64, toBase64 } from "../horizon/format.ts";
import { resultCodes } from "../horizon/result-codes.ts";
import { horizonTransactionJson } from "../horizon/transaction.ts";
import type { HorizonRecord } from "../ledger.ts";
import { latestLedger, recordNamed } from "../state.ts";
import { readSubmission } from "../transaction/submission.ts";
import { isResultOfSuccess } from "../transaction/validity.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { type HorizonResult, xdrTransactionResult } from "../xdr/result.ts";
import { horizonProblem } from "./problem.ts";
import { type HorizonHost, stellarTime } from "./running.ts";

/** About five times the size of a hundred operations. */
const SUBMISSION_BYTES_MAX = 64 * 1024;
/** Horizon's connection-timeout. */
const INCLUSION_WAIT_MS = 55_000;

type Request = Context<ConnectionBindings>;
type Submitted = Extract<HorizonEffect, { readonly kind: "submitted" }>;

const failed = (text: string, result: HorizonResult): Response =>
  horizonProblem("transaction_failed", {
    envelope_xdr: text,
    result_codes: resultCodes(result),
    result_xdr: toBase64(encodeXdr(xdrTransactionResult, result)),
  });

const included = (record: HorizonRecord, text: string, origin: string): Response =>
  isResultOfSuccess(record.result)
    ? jsonResponse(horizonTransactionJson(record, origin))
    : failed(text, record.result);

/** Reads the form field `tx`. @returns the envelope in base64, or an error response */
const envelopeIn = async (request: globalThis.Request): Promise<string | Response> => {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim();
  if (type !== undefined && type !== "application/x-www-form-urlencoded") {
    return horizonProblem("unsupported_media_type");
  }
  const body = await boundedBody(request, SUBMISSION_BYTES_MAX);
  const reason = body === undefined ? `tx: is longer than ${SUBMISSION_BYTES_MAX} bytes` : "tx: is not set";
  const text = body === undefined ? null : new URLSearchParams(new TextDecoder().decode(body)).get("tx");
  return text ?? horizonProblem("bad_request", { invalid_field: "tx", reason });
};

/**
 * Submits an envelope to the ledger. @returns the node's reply, or the response to a request that the node rejects unread
 */
const handedOver = (host: HorizonHost, text: string, bytes: Uint8Array): Submitted | Response => {
  const [effect] = host.apply({ kind: "submit", bytes, time: stellarTime(host) });
  if (effect === undefined || effect.kind === "mined") throw new Error("a submission has an outcome");
  if (effect.replyIsLost) return horizonProblem("timeout", { envelope_xdr: text });
  if (effect.kind === "refused") {
    const { message, status } = effect;
    return jsonResponse({ type: "about:blank", title: message, status, detail: message }, status);
  }
  return effect.kind === "unreadable"
    ? horizonProblem("transaction_malformed", { envelope_xdr: text, reason: effect.message })
    : effect;
};

const malformed = (text: string): Response =>
  horizonProblem("transaction_malformed", { envelope_xdr: text, reason: "it is no base64" });

/** POST /transactions: answers once a ledger holds the transaction, or with the reason why none will. */
export const horizonSubmissionRoute =
  (host: HorizonHost) =>
  async (context: Request): Promise<Response> => {
    const text = await envelopeIn(context.req.raw);
    if (typeof text !== "string") return text;
    const bytes = fromBase64(text);
    if (bytes === undefined) return malformed(text);
    const origin = new URL(context.req.url).origin;
    const read = readSubmission(bytes, host.state.genesis.networkId);
    const known = read.ok ? recordNamed(host.state, read.value.id) : undefined;
    if (known !== undefined) return included(known, text, origin);
    const effect = handedOver(host, text, bytes);
    if (effect instanceof Response) return effect;
    const { id, reply } = effect;
    if (reply.status === "ERROR") return failed(text, reply.result);
    const since = latestLedger(host.state).header.sequence;
    const isIncluded = (state: HorizonHost["state"]): boolean => recordNamed(state, id, since) !== undefined;
    const waited = await host.until(isIncluded, INCLUSION_WAIT_MS, context.req.raw.signal);
    if (!waited) return horizonProblem("server_over_capacity");
    const record = recordNamed(host.state, id);
    return record === undefined
      ? horizonProblem("timeout", { hash: id, envelope_xdr: text })
      : included(record, text, origin);
  };

const ASYNC_STATUS = { PENDING: 201, DUPLICATE: 409, TRY_AGAIN_LATER: 503, ERROR: 400 } as const;

/** POST /transactions_async: answers with the node's reply to the submission at once. */
export const horizonAsyncSubmissionRoute =
  (host: HorizonHost) =>
  async (context: Request): Promise<Response> => {
    const text = await envelopeIn(context.req.raw);
    if (typeof text !== "string") return text;
    const bytes = fromBase64(text);
    if (bytes === undefined) return malformed(text);
    const effect = handedOver(host, text, bytes);
    if (effect instanceof Response) return effect;
    const { id, reply } = effect;
    const error = reply.status === "ERROR" ? encodeXdr(xdrTransactionResult, reply.result) : undefined;
    return jsonResponse(
      {
        tx_status: reply.status,
        hash: id,
        ...(error !== undefined && { error_result_xdr: toBase64(error) }),
      },
      ASYNC_STATUS[reply.status],
    );
  };
