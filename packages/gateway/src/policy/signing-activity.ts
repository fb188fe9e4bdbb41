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

/** The effects of a transfer or transaction. The longer a caller's own bytes are, the longer this takes. */
export const effectsOfAct = ({ families, chains }: ReadableChains, act: Act): Effects => {
  const content = act.kind === "transfer" ? act.transfer : act.transaction;
  const isReplacement = act.kind === "transaction" && act.replaces !== undefined;
  return families.familyOf(act.network).effectsOf(chains.get(act.network)?.network, content, isReplacement);
};

/**
 * The outflows of an account. A payment to itself stays: so a transaction may be cancelled without
 * anybody's approval, as long as the fees of that are within the limits. Fees count all the same, and so do
 * effects that nobody can tell.
 * @param account its address
 */
const leaving = ({ spell }: AddressSpelling, account: string, effects: Effects): Effects => {
  const own = spell(account);
  return { ...effects, movements: effects.movements.filter(({ recipient }) => spell(recipient) !== own) };
};

/**
 * A transfer or transaction as policies judge it: by its effects. The policies of all wallets of its key guard it: a further wallet of a
 * guarded key on another network has the same account, and would else be a way around them.
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

/** Describes a signature for policies: those of all wallets of its key apply, whichever wallet the request names. */
export const activityOfSignature = async (
  { families }: Pick<ReadableChains, "families">,
  connection: Connection,
  keyId: KeyId,
  { judged, effects }: ReadSignature,
): Promise<SigningActivity> => {
  const wallets = await listWalletsOfKey(connection, keyId);
  return { kind: "Wallets:Sign", keyId, wallets, effects, ...spellingOf(readerOf(families, judged)) };
};

/** The family that reads what is signed. */
const readerOf = (families: FamilyRegistry, judged: JudgedSignature): AddressSpelling | undefined =>
  "message" in judged || judged.content.kind === "hash"
    ? undefined
    : families.find(networkFamilySchema.parse(judged.content.family));

/** How policies compare addresses; a content that no family reads has no recipients to compare. */
const spellingOf = (family: AddressSpelling | undefined): AddressSpelling => ({
  spell: family?.spell ?? asWritten,
  addressKeys: family?.addressKeys,
});

/**
 * The effects of a signature, as far as its body tells: what leaves the key's account. The longer the body, the longer this takes.
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
  // limits of this wallet say nothing of what another account may lose
  return account !== undefined && family.spell(account) !== family.spell(own)
    ? opaque("the transaction moves what another account has")
    : leaving(family, own, read);
};
