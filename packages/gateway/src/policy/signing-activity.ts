import {
  type Act,
  asWritten,
  type ChainWallet,
  type ConcernedWallet,
  type ContentReading,
  type Effects,
  type JudgedSignature,
  networkFamilySchema,
  opaque,
  type ReadableContent,
  type SignatureRequest,
  type SigningActivity,
} from "@conclave/custody";
import { type Connection, listWalletsOfKey } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

type Chains = Pick<Dependencies, "families" | "chains">;

/** A transfer or transaction as policies judge it: by what it does. */
export const activityOfAct = (
  { families, chains }: Chains,
  wallet: ChainWallet,
  act: Act,
): SigningActivity => {
  const family = families.familyOf(wallet.network);
  const content = act.kind === "transfer" ? act.transfer : act.transaction;
  const isReplacement = act.kind === "transaction" && act.replaces !== undefined;
  const effects = family.effectsOf(chains.get(act.network)?.network, content, isReplacement);
  const own = family.spell(wallet.address);
  // what a wallet moves to itself does not leave it: so a transaction may be cancelled without anybody's approval, as long
  // as the fees of that are within the limits
  const leaving = effects.movements.filter(({ recipient }) => family.spell(recipient) !== own);
  return {
    kind: "Wallets:Sign",
    keyId: wallet.keyId,
    wallets: [wallet],
    effects: { ...effects, movements: leaving },
    spell: family.spell,
  };
};

/** What is to be signed and not sent, and how signers read it. */
export interface JudgedBody {
  readonly judged: JudgedSignature;
  /** of what a family can read */
  readonly reading: ContentReading | undefined;
}

/**
 * A signature as policies judge it. A transaction speaks for the wallet of its network alone; whatever else is signed could
 * be used from every wallet of the key, whichever was named. A key has an account on a network without a wallet there, which
 * no policy could name: its wallets elsewhere stand for it, so that a guarded key is guarded everywhere.
 */
export const activityOfSignature = async (
  chains: Chains,
  connection: Connection,
  { keyId, network }: Pick<SignatureRequest, "keyId" | "network">,
  { judged, reading }: JudgedBody,
): Promise<SigningActivity> => {
  const all = await listWalletsOfKey(connection, keyId);
  const ofNetwork: readonly ConcernedWallet[] =
    reading?.transaction === undefined ? [] : all.filter((wallet) => wallet.network === network);
  const wallets = ofNetwork.length === 0 ? all : ofNetwork;
  const effects = effectsOfSignature(chains, network, judged);
  return { kind: "Wallets:Sign", keyId, wallets, effects, spell: spellingOf(chains, judged) };
};

/** The spelling of the family that reads what is signed; what none reads has no recipients to compare. */
const spellingOf = ({ families }: Chains, judged: JudgedSignature): SigningActivity["spell"] => {
  if ("message" in judged || judged.content.kind === "hash") return asWritten;
  return families.find(networkFamilySchema.parse(judged.content.family))?.spell ?? asWritten;
};

const effectsOfSignature = (
  chains: Chains,
  network: SignatureRequest["network"],
  judged: JudgedSignature,
): Effects => {
  if ("message" in judged) return opaque("a message does not tell what it is for");
  return judged.content.kind === "hash"
    ? opaque("a hash does not tell what it stands for")
    : effectsOfContent(chains, network, judged.content);
};

const effectsOfContent = (
  { families, chains }: Chains,
  network: SignatureRequest["network"],
  { family: name, content }: ReadableContent,
): Effects => {
  const entry = network === undefined ? undefined : chains.get(network)?.network;
  const family = families.find(networkFamilySchema.parse(name));
  if (family === undefined) return opaque("nobody reads what is signed");
  return family.effectsOf(entry?.family === family.name ? entry : undefined, content, false);
};
