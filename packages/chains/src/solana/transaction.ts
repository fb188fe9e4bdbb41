import { fail, ok, type Result } from "@conclave/custody";
import { decodeInstruction, encodeInstruction, type SolanaInstruction } from "./message/instruction.ts";
import { decodeUnsigned, encodeUnsigned } from "./message/message.ts";

/** A transaction of which the decoder accepts every instruction. */
export interface SolanaDraft {
  /** its only signer, which pays the fee and all amounts in its instructions */
  readonly from: string;
  /** base58 of 32 bytes */
  readonly blockhash: string;
  readonly instructions: readonly SolanaInstruction[];
}

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", {}, `The transaction cannot be read: ${why}.`);

/**
 * Reads unsigned bytes: a transaction of one signer, legacy or version 0, without lookup tables, with only known instructions,
 * which debit no account but the signer's.
 * @returns TransactionUnreadable for anything else
 */
export const decodeSolana = (unsigned: Uint8Array): Result<SolanaDraft> => {
  const decoded = decodeUnsigned(unsigned);
  if (!decoded.ok) return unreadable(decoded.why);
  const { accounts, blockhash, instructions } = decoded.message;
  const [from] = accounts;
  if (from === undefined) return unreadable("it has no signer");
  const read: SolanaInstruction[] = [];
  for (const [at, instruction] of instructions.entries()) {
    const understood = decodeInstruction(instruction);
    if (understood === undefined) {
      return unreadable(
        `nobody reads its instruction ${at + 1}, of the program ${instruction.program}, here`,
      );
    }
    if (payerOf(understood) !== undefined && payerOf(understood) !== from) {
      return unreadable(`its instruction ${at + 1} takes from another account than its signer's`);
    }
    read.push(understood);
  }
  const twice = (["computeLimit", "computePrice"] as const).find(
    (kind) => read.filter((each) => each.kind === kind).length > 1,
  );
  return twice === undefined
    ? ok({ from, blockhash, instructions: read })
    : unreadable(`it sets its ${twice} twice`);
};

/** The account that pays for an instruction. */
const payerOf = (instruction: SolanaInstruction): string | undefined => {
  switch (instruction.kind) {
    case "payment":
    case "tokenPayment":
      return instruction.from;
    case "creation":
      return instruction.payer;
    case "computeLimit":
    case "computePrice":
    case "memo":
      return undefined;
  }
};

/** Positions, among an instruction's accounts, of those that it changes. */
const CHANGED: Readonly<Record<SolanaInstruction["kind"], readonly number[]>> = {
  computeLimit: [],
  computePrice: [],
  memo: [],
  payment: [0, 1],
  creation: [0, 1],
  tokenPayment: [0, 2],
};

/** The accounts that a transaction changes, the signer first: the transaction locks them, and prices are quoted for them. */
const changedAccounts = ({ from, instructions }: SolanaDraft): readonly string[] => [
  ...new Set([
    from,
    ...instructions.flatMap((instruction) => {
      const { accounts } = encodeInstruction(instruction);
      return CHANGED[instruction.kind].flatMap((position) => accounts[position] ?? []);
    }),
  ]),
];

/**
 * The unsigned bytes of a transaction in its canonical form: version 0, accounts in the order in which the instructions use
 * them, writable ones first.
 * @throws TypeError for addresses that were not validated
 */
export const encodeSolana = (draft: SolanaDraft): Uint8Array => {
  const { blockhash } = draft;
  const instructions = draft.instructions.map(encodeInstruction);
  const changed = changedAccounts(draft);
  const used = instructions.flatMap(({ program, accounts }) => [...accounts, program]);
  const read = [...new Set(used)].filter((address) => !changed.includes(address));
  return encodeUnsigned({
    version: 0,
    accounts: [...changed, ...read],
    readOnly: read.length,
    blockhash,
    instructions,
  });
};
