import type { TransactionReading } from "@conclave/custody";
import { effectsOfSolanaDraft } from "./effects.ts";
import { solanaExclusion } from "./exclusion.ts";
import { solanaFee } from "./fee.ts";
import { messageOf } from "./message/message.ts";
import type { SolanaDraft } from "./transaction.ts";

/**
 * The reading of a transaction. There is one message to sign. Only the blockhash identifies the chain, and a signer cannot tell
 * which chain it is from: therefore a key has wallets on only one Solana network (`sharesTransactions`).
 */
export const readingOfSolana = (
  _network: unknown,
  unsigned: Uint8Array,
  draft: SolanaDraft,
): TransactionReading => ({
  signables: [{ scheme: "FROST-Ed25519", bytes: messageOf(unsigned) }],
  exclusion: solanaExclusion(unsigned),
  // the bytes hold a blockhash and no time: only the authority, which sees the chain, can say that the transaction is dead
  deadlineMs: undefined,
  fee: solanaFee(draft),
  effects: effectsOfSolanaDraft(draft),
});
