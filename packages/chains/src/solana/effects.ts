import { type Effects, type Movement, moves, NATIVE_ASSET, opaque } from "@conclave/custody";
import { solanaFee } from "./fee.ts";
import type { SolanaInstruction } from "./message/instruction.ts";
import type { SolanaTransfer } from "./rules/act.ts";
import { spellSolanaToken } from "./rules/token.ts";
import { associatedAccount } from "./token/associated-account.ts";
import type { SolanaDraft } from "./transaction.ts";

/**
 * Highest cost in lamports of a new token account: every cluster has charged this since its first block (195 bytes plus 128 of
 * account overhead, at 3480 lamports per byte-year, for two years). A Token account has 165 bytes, a Token-2022 account 170,
 * plus at most 25 for extensions that its token requires: TransferFeeAmount, NonTransferableAccount, TransferHookAccount,
 * PausableAccount.
 */
const CREATION_COST = 2_248_080n;

/** The effects of a transfer. If the caller asked for a new token account of the recipient, its cost counts as a fee. */
export const effectsOfSolanaTransfer = (transfer: SolanaTransfer): Effects => {
  const { to: recipient, amount } = transfer;
  if (transfer.kind === "Native") return moves({ asset: NATIVE_ASSET, amount, recipient });
  const moved = moves({ asset: spellSolanaToken(transfer), amount, recipient });
  return transfer.createDestinationAccount ? { ...moved, fee: CREATION_COST.toString() } : moved;
};

type Of<Kind> = Extract<SolanaInstruction, { readonly kind: Kind }>;

/**
 * The effects of a decoded transaction. The address of a token account does not show its owner: the owner is known only for
 * accounts that the transaction creates, and for the signer's own.
 */
export const effectsOfSolanaDraft = (draft: SolanaDraft): Effects => {
  const creations = draft.instructions.filter((each): each is Of<"creation"> => each.kind === "creation");
  const movements: Movement[] = [];
  for (const instruction of draft.instructions) {
    if (instruction.kind === "payment") {
      const { to: recipient, amount } = instruction;
      movements.push({ asset: NATIVE_ASSET, amount: amount.toString(), recipient });
    }
    if (instruction.kind !== "tokenPayment") continue;
    const recipient = ownerOf(draft.from, instruction, creations);
    if (recipient === undefined)
      return opaque("a token goes to an account whose owner the transaction does not name");
    const { token: kind, mint, amount } = instruction;
    movements.push({ asset: spellSolanaToken({ kind, mint }), amount: amount.toString(), recipient });
  }
  const fee = solanaFee(draft) + CREATION_COST * BigInt(creations.length);
  return { ...moves(...movements), fee: fee.toString() };
};

const ownerOf = (
  signer: string,
  { token: kind, mint, destination }: Of<"tokenPayment">,
  creations: readonly Of<"creation">[],
): string | undefined =>
  [
    signer,
    ...creations.filter((made) => made.token === kind && made.mint === mint).map(({ owner }) => owner),
  ].find((owner) => associatedAccount({ kind, mint }, owner) === destination);
