import { type ImportSigner, importSignerIdOf, partyIndex } from "@conclave/threshold";
import { holdersOf, type Roster } from "./roster.ts";

/**
 * The signers as GET /signers lists them for import clients (wire interface, C.2). All texts are standard base64 with padding.
 */
export interface SignersListing {
  readonly clusters: readonly {
    readonly clusterId: string;
    readonly signers: readonly {
      /** 32 bytes */
      readonly signerId: string;
      /** 34 bytes: 1, then a compressed point of secp256k1 */
      readonly encryptionKey: string;
    }[];
  }[];
}

/** A signer, with the key to which clients encrypt its shares. */
export interface ListedSigner extends ImportSigner {
  /** 34 bytes */
  readonly encryptionKey: Uint8Array;
}

/**
 * The signers that hold new keys, as the import protocol takes them, ascending by index; undefined if the roster has no
 * import keys.
 */
export const importSigners = (
  roster: Pick<Roster, "signers" | "change">,
): readonly ListedSigner[] | undefined => {
  const signers = holdersOf(roster);
  const listed = signers.flatMap(({ index, importKey }): readonly ListedSigner[] => {
    const party = partyIndex(index);
    if (party === undefined || importKey === undefined) return [];
    const encryptionKey = new Uint8Array(Buffer.from(importKey, "hex"));
    return [{ party, signerId: importSignerIdOf(encryptionKey), encryptionKey }];
  });
  return listed.length === signers.length ? listed : undefined;
};

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/**
 * The answer of GET /signers. It comes from the roster alone, which every process gets at provisioning: an attacker who
 * could replace a key in the answer could read the shares that clients encrypt to that key.
 *
 * @returns no cluster if the roster has no import keys, because such a cluster imports no keys
 */
export const signersListing = (roster: Pick<Roster, "clusterId" | "signers" | "change">): SignersListing => {
  const signers = importSigners(roster);
  if (signers === undefined) return { clusters: [] };
  const listed = signers.map(({ signerId, encryptionKey }) => ({
    signerId: base64(signerId),
    encryptionKey: base64(encryptionKey),
  }));
  return { clusters: [{ clusterId: roster.clusterId, signers: listed }] };
};
