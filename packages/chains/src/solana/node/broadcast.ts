import { base64 } from "@scure/base";
import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import { solanaId } from "../attach.ts";
import { chainWords } from "./chain-words.ts";
import type { SolanaReply, SolanaRpc } from "./json-rpc.ts";

/** The data of an error: how the transaction fared in the node's preflight simulation. */
const triedSchema = z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() });

/**
 * Names of TransactionError that are permanent refusals (docs/refusals/solana.md): each depends on the message and its
 * signatures alone.
 */
const NEVER: ReadonlySet<string> = new Set([
  "AccountLoadedTwice",
  "CallChainTooDeep",
  "DuplicateInstruction",
  "InvalidAccountIndex",
  "InvalidLoadedAccountsDataSizeLimit",
  "MissingSignatureForFee",
  "SanitizeFailure",
  "SignatureFailure",
  "TooManyAccountLocks",
  "UnsupportedVersion",
]);
/**
 * Error codes of permanent refusals: wrong signatures, of the transaction and in its instructions (Agave,
 * rpc-client-api, custom_error).
 */
const NEVER_CODES: readonly number[] = [-32003, -32006];
const INVALID_PARAMS = -32602;
/**
 * Messages for bytes that the node cannot read as a transaction (Agave, rpc.rs, decode_and_deserialize and
 * sanitize_transaction).
 */
const NO_TRANSACTION =
  /too large: \d+ bytes|failed to deserialize|invalid transaction: (?!Transaction loads an address table)/;

/** @param error TransactionError as JSON: a name, or an object with the name as its only field */
const errorName = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null ? Object.keys(error)[0] : String(error);

const isNever = ({ code, words }: Extract<SolanaReply, { kind: "error" }>, error: unknown): boolean =>
  NEVER.has(errorName(error) ?? "") ||
  NEVER_CODES.includes(code) ||
  (code === INVALID_PARAMS && NO_TRANSACTION.test(words));

/**
 * Sends signed bytes to the node, which simulates them before it forwards them. It is a success if the node has them
 * already: after a crash the same bytes are sent again (INV-4).
 */
export const broadcastSolana = async (rpc: SolanaRpc, signed: Uint8Array): Promise<BroadcastOutcome> => {
  const config = { encoding: "base64", skipPreflight: false, preflightCommitment: "confirmed" };
  const reply = await rpc.call("sendTransaction", base64.encode(signed), config);
  return solanaOutcome(reply, solanaId(signed));
};

/** Reads a node's answer to a signed transaction. @param id the transaction's id, computed from its bytes */
const solanaOutcome = (reply: SolanaReply, id: string): BroadcastOutcome => {
  switch (reply.kind) {
    case "away":
      return { kind: "refused", reason: `the chain node does not answer: ${reply.cause}` };
    case "answer":
      return reply.result === id
        ? { kind: "accepted" }
        : { kind: "refused", reason: "the chain node does not say that it took the transaction" };
    case "error": {
      const tried = triedSchema.safeParse(reply.data);
      const error = tried.success ? tried.data.err : undefined;
      if (error === "AlreadyProcessed") return { kind: "accepted", isProcessed: true };
      if (error === "BlockhashNotFound") {
        const reason = "its blockhash is too old, or the node is behind; waiting for the chain to settle it";
        return { kind: "outdated", reason };
      }
      const words = tried.success ? chainWords(error, tried.data.logs) : reply.words;
      return isNever(reply, error)
        ? { kind: "unacceptable", reason: `the chain node never takes this transaction: ${words}` }
        : { kind: "refused", reason: `the chain node does not take the transaction: ${words}` };
    }
  }
};
