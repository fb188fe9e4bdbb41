import { bytesToHex, keccak256 } from "viem";
import { sendRawTransaction } from "viem/actions";
import type { BroadcastOutcome } from "../../chain.ts";
import type { HideKeys } from "../../node-url.ts";
import { outcomeOf } from "../refusals/broadcast-refusals.ts";
import { type Rpc, refusalText } from "./rpc.ts";

/** Most characters of a node's message. */
const WORDS_MAX = 500;
/**
 * Sends signed bytes to the node. It is a success if the node has them already: after a crash the same bytes are sent
 * again (INV-4).
 *
 * @param hide removes possible keys of its address from the node's message
 */
export const broadcast = async (rpc: Rpc, signed: Uint8Array, hide: HideKeys): Promise<BroadcastOutcome> => {
  try {
    const hash: unknown = await sendRawTransaction(rpc, { serializedTransaction: bytesToHex(signed) });
    return hash === keccak256(signed)
      ? { kind: "accepted" }
      : { kind: "refused", reason: "the chain node does not say that it took the transaction" };
  } catch (error) {
    const said = refusalText(error);
    if (said === undefined) return { kind: "refused", reason: "the chain node does not answer" };
    return outcomeOf(hide(said, WORDS_MAX));
  }
};
