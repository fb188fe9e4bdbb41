import type { Context } from "hono";
import { boundedBody } from "../../http/bounded-body.ts";
import { jsonResponse } from "../../http/json-response.ts";
import { type ConnectionBindings, loseReply } from "../../http/lost-reply.ts";
import { algodError } from "./algod-error.ts";
import type { AlgodHost } from "./running.ts";

/** About twice the size of sixteen transactions with the longest notes. */
const SUBMISSION_BYTES_MAX = 64 * 1024;

/** POST /v2/transactions: one or more signed transactions in MessagePack, concatenated. */
export const submissionRoute =
  (host: AlgodHost) =>
  async (context: Context<ConnectionBindings>): Promise<Response> => {
    const bytes = await boundedBody(context.req.raw, SUBMISSION_BYTES_MAX);
    if (bytes === undefined) return algodError("tooLarge");
    const [effect] = host.apply({ kind: "submit", bytes });
    if (effect === undefined || effect.kind === "mined") throw new Error("a submission has an outcome");
    if (effect.replyIsLost) return loseReply(context);
    return effect.kind === "pooled"
      ? jsonResponse({ txId: effect.id })
      : jsonResponse({ message: effect.message }, effect.status);
  };
