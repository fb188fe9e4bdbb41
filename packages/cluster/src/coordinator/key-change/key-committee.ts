import type { KeyHolders, PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { keyHolders } from "../../control/roster-member.ts";
import { type PublicInfo, readPublicInfo } from "../../signer/key-change/public-info.ts";
import type { Members } from "../quorum/choose.ts";

/**
 * The public info of a key on which more of its holders agree than may lie; of several such epochs the latest, as some
 * holders may not know yet that it is active.
 *
 * @param said publicKeyInfoCodec, by the signer that states it
 * @param least the lowest t of any key of the cluster: fewer signers lie
 * @returns undefined where too few of a key's holders agree
 */
export const agreedInfo = (
  said: ReadonlyMap<PartyIndex, Uint8Array>,
  least: number,
): PublicInfo | undefined => {
  const groups = new Map<string, { readonly info: PublicInfo; readonly count: number }>();
  for (const [signer, bytes] of said) {
    const info = readPublicInfo(bytes);
    if (info?.parties.includes(signer) !== true) continue;
    const name = bytesToHex(info.digest);
    groups.set(name, { info, count: (groups.get(name)?.count ?? 0) + 1 });
  }
  const [most] = [...groups.values()]
    .filter(({ info, count }) => count >= Math.max(info.threshold, least))
    .sort((one, other) => other.info.epoch - one.info.epoch);
  return most?.info;
};

/** The members of a roster that hold a key. */
export const membersHolding = (roster: Members, { parties }: Pick<KeyHolders, "parties">): Members =>
  new Map([...roster].filter(([party]) => parties.includes(party)));

/** Whether the holders of newly made keys are the holders of this one, and its threshold is the roster's. */
export const isWhereItBelongs = (roster: Members, threshold: number, key: KeyHolders): boolean =>
  key.threshold === threshold && String(key.parties) === String(keyHolders(roster));

/** The signers that deal new shares of a key. */
export interface Dealers {
  /** as many as sign together, ascending */
  readonly dealers: readonly PartyIndex[];
  /** dealers that get no share of the new epoch */
  readonly released: readonly PartyIndex[];
}

/**
 * Chooses the dealers: holders that stay first, and holders that leave if these are too few.
 *
 * @param able the live signers that hold this epoch of the key
 * @returns undefined when fewer than sign together are able
 */
export const chooseDealers = (
  roster: Members,
  { threshold, parties }: KeyHolders,
  able: readonly PartyIndex[],
): Dealers | undefined => {
  const staying = keyHolders(roster);
  const holders = parties.filter((party) => roster.has(party) && able.includes(party));
  const inOrder = [
    ...holders.filter((party) => staying.includes(party)),
    ...holders.filter((party) => !staying.includes(party)),
  ];
  if (inOrder.length < threshold) return undefined;
  const dealers = inOrder.slice(0, threshold).sort((a, b) => a - b);
  return { dealers, released: dealers.filter((party) => !staying.includes(party)) };
};
