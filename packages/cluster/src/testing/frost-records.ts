import { encode, keyShareCodec, type PartyIndex, publicKeyOf, Secret, withScheme } from "@conclave/threshold";
import { insecureSchemeShares, testParties } from "@conclave/threshold/testing";
import { KEY_EPOCH_FIRST } from "../signer/key-generation/key-epoch.ts";
import { RECORDS } from "../signer/records/record.ts";
import { keyIdOf, provisionedRecords, type Records } from "./fixtures.ts";

/** One key of each scheme of FROST. */
export const FROST_KEYS = [
  { scheme: "FROST-Ed25519", keyId: keyIdOf(11) },
  { scheme: "FROST-BIP340", keyId: keyIdOf(12) },
  { scheme: "FROST-Taproot", keyId: keyIdOf(13) },
] as const;
export type FrostKeyOf = (typeof FROST_KEYS)[number];

const keyRecords = (size: number, threshold: number, { scheme: name, keyId }: FrostKeyOf) =>
  withScheme(
    name,
    (scheme) =>
      new Map(
        [...insecureSchemeShares(scheme, threshold, testParties(size), name)].map(([party, own]) => {
          const share = { ...own, info: { ...own.info, keyId, epoch: KEY_EPOCH_FIRST } };
          const record = RECORDS.key.write({
            version: 1,
            scheme: name,
            state: "active",
            epoch: KEY_EPOCH_FIRST,
            publicKey: publicKeyOf(share.info),
            chainCode: share.info.chainCode,
            share: new Secret(encode(keyShareCodec(scheme), share)),
          });
          return [party, record] as const;
        }),
      ),
  );

const dealt = new Map<string, ReadonlyMap<PartyIndex, Records>>();

/** Records of provisioned signers that also have FROST_KEYS, which are dealt, not generated, and made once. */
export const frostRecords = (size: number, threshold: number): ReadonlyMap<PartyIndex, Records> => {
  const name = `${threshold} of ${size}`;
  const known = dealt.get(name) ?? dealRecords(size, threshold);
  dealt.set(name, known);
  return known;
};

const dealRecords = (size: number, threshold: number): ReadonlyMap<PartyIndex, Records> => {
  const made = FROST_KEYS.map((key) => [key.keyId, keyRecords(size, threshold, key)] as const);
  return new Map(
    [...provisionedRecords(size, threshold)].map(([party, records]) => {
      const all = new Map(records);
      for (const [keyId, shares] of made) {
        const record = shares.get(party);
        if (record !== undefined) all.set(RECORDS.key.name(keyId), record);
      }
      return [party, all] as const;
    }),
  );
};

/** The public key under which signatures of a provisioned key verify. */
export const frostPublicKey = (size: number, threshold: number, { scheme: name }: FrostKeyOf): Uint8Array =>
  withScheme(name, (scheme) => {
    const [share] = insecureSchemeShares(scheme, threshold, testParties(size), name).values();
    if (share === undefined) throw new Error("a cluster has signers");
    return publicKeyOf(share.info);
  });
