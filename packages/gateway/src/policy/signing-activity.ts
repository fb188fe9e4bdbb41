import type { FamilyRegistry } from "@conclave/chains";
import {
  type Act,
  type AddressSpelling,
  asWritten,
  type ChainWallet,
  type Effects,
  type JudgedSignature,
  type KeyId,
  networkFamilySchema,
  opaque,
  type ReadableContent,
  type SigningActivity,
} from "@conclave/custody";
import { type Connection, listWalletsOfKey } from "@conclave/platform";
import type { ReadableChains, ReadableSubject, ReadSignature } from "../reading/readable.ts";

/** The effects of a transfer or transaction. The time grows with the length of a caller's own bytes. */
export const effectsOfAct = ({ families, chains }: ReadableChains, act: Act): Effects => {
  const content = act.kind === "transfer" ? act.transfer : act.transaction;
  const isReplacement = act.kind === "transaction" && act.replaces !== undefined;
  return families.familyOf(act.network).effectsOf(chains.get(act.network)?.network, content, isReplacement);
};

/**
 * The effects without payments of an account to itself, as these do not leave it. So a transaction may be cancelled
 * without an approval, as long as its fees are within the limits. Fees always count, and so do opaque effects.
 * @param account its address
 */
const leaving = ({ spell }: AddressSpelling, account: string, effects: Effects): Effects => {
  const own = spell(account);
  return { ...effects, movements: effects.movements.filter(({ recipient }) => spell(recipient) !== own) };
};

/**
 * A transfer or transaction in the form that policies judge: its effects. The policies of all wallets of its key apply:
 * another wallet of the same key on another network has the same account, and could otherwise circumvent them.
 */
export const activityOfAct = async (
  { families }: Pick<ReadableChains, "families">,
  connection: Connection,
  wallet: Pick<ChainWallet, "keyId" | "network" | "address">,
  effects: Effects,
): Promise<SigningActivity> => {
  const family = families.familyOf(wallet.network);
  return {
    kind: "Wallets:Sign",
    keyId: wallet.keyId,
    wallets: await listWalletsOfKey(connection, wallet.keyId),
    effects: leaving(family, wallet.address, effects),
    ...spellingOf(family),
  };
};

/**
 * A signature in the form that policies judge. The policies of all wallets of its key apply, whichever wallet the
 * request names.
 */
export const activityOfSignature = async (
  { families }: Pick<ReadableChains, "families">,
  connection: Connection,
  keyId: KeyId,
  { judged, effects }: ReadSignature,
): Promise<SigningActivity> => {
  const wallets = await listWalletsOfKey(connection, keyId);
  return { kind: "Wallets:Sign", keyId, wallets, effects, ...spellingOf(readerOf(families, judged)) };
};

/** The family that reads the content to sign. */
const readerOf = (families: FamilyRegistry, judged: JudgedSignature): AddressSpelling | undefined =>
  "message" in judged || judged.content.kind === "hash"
    ? undefined
    : families.find(networkFamilySchema.parse(judged.content.family));

/** The normal form in which policies compare addresses; content that no family reads has no recipients. */
const spellingOf = (family: AddressSpelling | undefined): AddressSpelling => ({
  spell: family?.spell ?? asWritten,
  addressKeys: family?.addressKeys,
});

/**
 * The effects of a signature, as far as its body shows what leaves the key's account. The time grows with the body's
 * length.
 * @param publicKey the key's, lower-case hex
 */
export const effectsOfSignature = (
  chains: ReadableChains,
  { network, publicKey }: Pick<ReadableSubject, "network" | "publicKey">,
  judged: JudgedSignature,
): Effects => {
  if ("message" in judged) return opaque("a message does not tell what it is for");
  return judged.content.kind === "hash"
    ? opaque("a hash does not tell what it stands for")
    : effectsOfContent(chains, { network, publicKey }, judged.content);
};

const effectsOfContent = (
  { families, chains }: ReadableChains,
  { network, publicKey }: Pick<ReadableSubject, "network" | "publicKey">,
  { family: name, content }: ReadableContent,
): Effects => {
  const entry = network === undefined ? undefined : chains.get(network)?.network;
  const family = families.find(networkFamilySchema.parse(name));
  if (family === undefined) return opaque("nobody reads what is signed");
  const read = family.effectsOf(entry?.family === family.name ? entry : undefined, content, false);
  const own = network === undefined ? undefined : families.addressOn(network, publicKey);
  if (own === undefined) return read;
  const account = family.accountOf?.(content);
  // this wallet's limits do not apply to another account's losses
  return account !== undefined && family.spell(account) !== family.spell(own)
    ? opaque("the transaction moves what another account has")
    : leaving(family, own, read);
};
