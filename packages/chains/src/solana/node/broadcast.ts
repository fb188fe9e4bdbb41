import { base64 } from "@scure/base";
import { z } from "zod";
import type { BroadcastOutcome } from "../../chain.ts";
import { solanaId } from "../attach.ts";
import { chainWords } from "./chain-words.ts";
import type { SolanaReply, SolanaRpc } from "./json-rpc.ts";

/** What a node says of a transaction that it tried before it took it. */
const triedSchema = z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() });

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
      if (error === "AlreadyProcessed") return { kind: "accepted" };
      if (error === "BlockhashNotFound") {
        const reason = "its blockhash is too old, or the node is behind; waiting for the chain to settle it";
        return { kind: "outdated", reason };
      }
      const words = tried.success ? chainWords(error, tried.data.logs) : reply.words;
      return { kind: "refused", reason: `the chain node does not take the transaction: ${words}` };
    }
  }
};
