import { base64 } from "@scure/base";
import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import { solanaId } from "../attach.ts";
import { chainWords } from "./chain-words.ts";
import type { SolanaReply, SolanaRpc } from "./json-rpc.ts";

/** A node's answer about a transaction that it tried before it took it. */
const triedSchema = z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() });

/**
 * Nodes' permanent refusals of bytes (docs/refusals/solana.md): names of TransactionError, each of which is
 * settled by the message and its signatures alone.
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
/** Codes of the same: wrong signatures, of the transaction and within its instructions (Agave, rpc-client-api, custom_error). */
const NEVER_CODES: readonly number[] = [-32003, -32006];
const INVALID_PARAMS = -32602;
/**
 * The node's answer to bytes that are no transaction to it (Agave, rpc.rs, decode_and_deserialize and
 * sanitize_transaction).
 */
const NO_TRANSACTION =
  /too large: \d+ bytes|failed to deserialize|invalid transaction: (?!Transaction loads an address table)/;

/** @param error TransactionError as JSON: a name, or an object with the name as its one field */
const errorName = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null ? Object.keys(error)[0] : String(error);

const isNever = ({ code, words }: Extract<SolanaReply, { kind: "error" }>, error: unknown): boolean =>
  NEVER.has(errorName(error) ?? "") ||
  NEVER_CODES.includes(code) ||
  (code === INVALID_PARAMS && NO_TRANSACTION.test(words));

/**
 * Hands signed bytes to the node, which tries them before it sends them on. A node that has them already is a success: after a
 * crash the same bytes go out again (INV-4).
 */
export const broadcastSolana = async (rpc: SolanaRpc, signed: Uint8Array): Promise<BroadcastOutcome> => {
  const config = { encoding: "base64", skipPreflight: false, preflightCommitment: "confirmed" };
  const reply = await rpc.call("sendTransaction", base64.encode(signed), config);
  return solanaOutcome(reply, solanaId(signed));
};

/** Reads a node's answer to a signed transaction. @param id of it, computed from its bytes */
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
