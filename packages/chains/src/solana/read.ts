import type { TransactionReading } from "@conclave/custody";
import { effectsOfSolanaDraft } from "./effects.ts";
import { solanaExclusion } from "./exclusion.ts";
import { solanaFee } from "./fee.ts";
import { messageOf } from "./message/message.ts";
import type { SolanaDraft } from "./transaction.ts";

/**
 * The reading of a transaction: its message is the one thing that is signed. Its blockhash alone names the chain, and nobody knows of
 * which one it is without the chain: so a key has wallets on one network of Solana alone (`sharesTransactions`).
 */
export const readingOfSolana = (
  _network: unknown,
  unsigned: Uint8Array,
  draft: SolanaDraft,
): TransactionReading => ({
  signables: [{ scheme: "FROST-Ed25519", bytes: messageOf(unsigned) }],
  exclusion: solanaExclusion(unsigned),
  // its bytes hold a blockhash and no time: that it is dead is for the authority alone to say, which looks at the chain
  deadlineMs: undefined,
  fee: solanaFee(draft),
  effects: effectsOfSolanaDraft(draft),
});
