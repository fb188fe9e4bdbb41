import type { Act, Result } from "@conclave/custody";
import { expect } from "vitest";
import type { BuiltTransaction, ChainNode, OwnTransaction, TransactionIntent } from "../../chain.ts";
import { authorisedActs } from "../acts/authorised-acts.ts";
import type { PlainKey, TriedChain } from "./tried-chain.ts";

/** A wallet with its whole private key in this process. */
export interface PlainWallet {
  readonly key: PlainKey;
  readonly address: string;
}

/** A built and signed transaction of a wallet. */
export interface MadeTransaction extends OwnTransaction {
  readonly txHash: string;
  readonly sequence: bigint | undefined;
  readonly act: Act;
  readonly exclusion: Uint8Array;
}

export const got = <T>(result: Result<T>): T =>
  result.ok ? result.value : expect.fail(`${result.problem.code}: ${result.problem.message}`);

let wallets = 0;
/** A new secret key, unique among all suites of a process. */
const freshSecret = (): string => {
  wallets += 1;
  return wallets.toString(16).padStart(64, "5");
};

/** A new wallet, funded on each of these chains of one family. */
export const openPlainWallet = async (first: TriedChain, ...others: TriedChain[]): Promise<PlainWallet> => {
  const key = first.keyOf(freshSecret());
  const address = first.family.addressOf(first.entry.network, key.publicKey);
  for (const chain of [first, ...others]) await chain.fund(address);
  return { key, address };
};

/** The recipient of all wallets' payments, spelled as the family spells addresses. */
export const payeeOf = ({ family, entry, keyOf }: TriedChain): string =>
  family.addressOf(entry.network, keyOf("0c".repeat(32)).publicKey);

let requests = 0;
/** A transfer with its own request, as the gateway authorises it. */
export const plainTransfer = (chain: TriedChain, { address }: PlainWallet, amount = chain.amount): Act => {
  requests += 1;
  const transfer = chain.transfer(address, payeeOf(chain), amount);
  return authorisedActs(chain.entry.network).ofTransfer(transfer, {
    requestId: `xfr-aaaaa-bbbbb-${requests.toString().padStart(15, "c")}`,
  });
};

export const plainIntent = ({ address, key }: PlainWallet, act: Act): TransactionIntent => ({
  sender: address,
  keys: [key.publicKey],
  act,
  priority: undefined,
  sequencing: { kind: "next", lowest: 0n },
  alive: [],
});

/** Reads unsigned bytes as a signer does, signs them, and attaches the signatures. */
const signPlainly = (
  { family, entry }: TriedChain,
  { key }: PlainWallet,
  { unsigned, sequence }: BuiltTransaction,
  act: Act,
): MadeTransaction => {
  const { signables, exclusion } = got(family.read(entry, unsigned, act));
  const signatures = signables.map(({ bytes }) => key.sign(bytes));
  const attached = got(family.attach(unsigned, signatures, [key.publicKey], entry));
  return { ...attached, unsigned, sequence, act, exclusion };
};

/** Builds a wallet's transaction with a chain's node, and signs it. */
export const makeTransaction = async (
  chain: TriedChain,
  wallet: PlainWallet,
  { act = plainTransfer(chain, wallet), node = chain.connect(chain.entry) } = {},
): Promise<MadeTransaction> =>
  signPlainly(chain, wallet, got(await node.build(plainIntent(wallet, act))), act);

/** Makes a transaction, and sends it to the node, which must accept it. */
export const sendTransaction = async (
  chain: TriedChain,
  node: ChainNode,
  wallet: PlainWallet,
): Promise<MadeTransaction> => {
  const made = await makeTransaction(chain, wallet, { node });
  expect(await node.broadcast(made.signed)).toEqual({ kind: "accepted" });
  return made;
};
