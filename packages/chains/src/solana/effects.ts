import { type Effects, type Movement, moves, NATIVE_ASSET, opaque } from "@conclave/custody";
import { solanaFee } from "./fee.ts";
import type { SolanaInstruction } from "./message/instruction.ts";
import type { SolanaTransfer } from "./rules/act.ts";
import { spellSolanaToken } from "./rules/token.ts";
import { associatedAccount } from "./token/associated-account.ts";
import type { SolanaDraft } from "./transaction.ts";

/**
 * Lamports that a new token account costs at most, as every cluster asks for it since the first block (195 bytes and 128 of an
 * account itself, at 3480 lamports a byte and year, for two years). One of the Token program has 165 bytes, one of Token-2022 170, and
 * up to 25 more for what its token asks of each account: TransferFeeAmount, NonTransferableAccount, TransferHookAccount, PausableAccount.
 */
const CREATION_COST = 2_248_080n;

/** The effects of a transfer. A new token account of the recipient costs a fee as well, where the caller has asked for it. */
export const effectsOfSolanaTransfer = (transfer: SolanaTransfer): Effects => {
  const { to: recipient, amount } = transfer;
  if (transfer.kind === "Native") return moves({ asset: NATIVE_ASSET, amount, recipient });
  const moved = moves({ asset: spellSolanaToken(transfer), amount, recipient });
  return transfer.createDestinationAccount ? { ...moved, fee: CREATION_COST.toString() } : moved;
};

type Of<Kind> = Extract<SolanaInstruction, { readonly kind: Kind }>;

/**
 * The effects of a decoded transaction. A token account that is paid does not tell whose it is: that is known
 * only of those that the transaction makes, and of the signer's own.
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
