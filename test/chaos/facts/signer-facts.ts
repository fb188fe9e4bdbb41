import type { StoredRecord } from "@conclave/cluster";
import type { Cluster } from "@conclave/testbed";
import {
  decode,
  type GroupPoint,
  keyShareCodec,
  lagrangeAtZero,
  type Scheme,
  withScheme,
} from "@conclave/threshold";
import { z } from "zod";
import {
  auxiliarySecrets,
  type KnownSecret,
  recordsOf,
  scalarSecret,
} from "../../integration/known-secrets.ts";
import { SignerAccess } from "../../integration/signer-access.ts";
import type { HoldingFact, KeyFact, SignerFacts } from "./cluster-facts.ts";

const schemeName = z.enum(["CGGMP24", "FROST-Ed25519", "FROST-BIP340", "FROST-Taproot"]).default("CGGMP24");
const keySchema = z.looseObject({ scheme: schemeName, state: z.string(), share: z.string() });
const spentSchema = z.looseObject({ digest: z.string(), requestId: z.string() });

/** A share in a store. */
interface HeldShare {
  readonly keyId: string;
  readonly party: number;
  readonly isEcdsa: boolean;
  readonly secret: bigint;
  readonly curveOrder: bigint;
  /** the Lagrange coefficients at zero for these parties */
  readonly coefficients: (parties: readonly number[]) => readonly bigint[];
}

/** A former store of a signer, as it was when a fault took it away. */
export interface PastStore {
  readonly index: number;
  readonly folder: string;
}

/** The content of one signer's store. */
export interface SignerStore {
  readonly index: number;
  readonly shares: readonly HeldShare[];
  /** ids of presignatures still in the store; there must be none */
  readonly presignatures: readonly string[];
  readonly spent: SignerFacts["spent"];
  /** ids in `spent` of presignatures from the stock */
  readonly ofStock: readonly string[];
  readonly auxiliary: readonly KnownSecret[];
}

const jsonOf = ({ value }: StoredRecord): unknown => JSON.parse(Buffer.from(value.reveal()).toString("utf8"));

const heldShare = <P extends GroupPoint<P>>(scheme: Scheme<P>, hex: string): HeldShare => {
  const share = decode(keyShareCodec(scheme), Buffer.from(hex, "hex"));
  if (!share.ok) throw new Error("a record of a key holds no share");
  const { info, self, secretShare } = share.value;
  return {
    keyId: info.keyId,
    party: self,
    isEcdsa: scheme.name === "CGGMP24",
    secret: secretShare.reveal(),
    curveOrder: scheme.curve.order,
    coefficients: (parties) => lagrangeAtZero(scheme.curve, parties),
  };
};

const idsOf = (records: readonly StoredRecord[], kind: string) =>
  records
    .filter(({ record }) => record.startsWith(`${kind}/`))
    .map((record) => ({ id: record.record.slice(kind.length + 1), content: jsonOf(record) }));

const storeOf = (index: number, records: readonly StoredRecord[]): SignerStore => ({
  index,
  shares: idsOf(records, "key").map(({ content }) => {
    const { scheme, share } = keySchema.parse(content);
    return withScheme(scheme, (known) => heldShare(known, share));
  }),
  presignatures: idsOf(records, "presignature").map(({ id }) => id),
  // tombstones of presignatures made for one signature count like those of the stock
  spent: [...idsOf(records, "spent"), ...idsOf(records, "tombstone")].map(({ id, content }) => {
    const { digest, requestId } = spentSchema.parse(content);
    return { id, digest, requestId };
  }),
  ofStock: idsOf(records, "spent").map(({ id }) => id),
  auxiliary: records
    .filter(({ record }) => record.startsWith("auxiliary/"))
    .flatMap((record) => auxiliarySecrets(`signer-${index}`, record)),
});

/** The keys that each answering signer holds, by the signer's index. */
export const readHoldings = async (
  cluster: Cluster,
): Promise<ReadonlyMap<number, readonly HoldingFact[]>> => {
  const access = await SignerAccess.open(cluster);
  try {
    const held = await access.holdings();
    return new Map(
      cluster.description.signers.flatMap(({ id, index }) => {
        const keys = held.get(id);
        const facts = keys?.map(({ keyId, state, epoch, publicKey }) => {
          return { keyId, state, epoch, publicKey: Buffer.from(publicKey).toString("hex") };
        });
        return facts === undefined ? [] : [[index, facts] as const];
      }),
    );
  } finally {
    access.close();
  }
};

/** Kills each signer, reads its sealed store, which only one process can open, and starts it again. */
export const readStores = async (cluster: Cluster): Promise<readonly SignerStore[]> => {
  const { signers } = cluster.description;
  await Promise.all(signers.map(({ id }) => cluster.kill(id)));
  try {
    const stores: SignerStore[] = [];
    for (const { index } of signers) {
      stores.push(storeOf(index, await recordsOf(cluster.layout.signer(index))));
    }
    return stores;
  } finally {
    await Promise.all(signers.map(({ id }) => cluster.restart(id)));
  }
};

/** Reads former stores of signers, with the signers' passphrases. */
export const readPastStores = async (
  { layout }: Cluster,
  past: readonly PastStore[],
): Promise<readonly SignerStore[]> => {
  const stores: SignerStore[] = [];
  for (const { index, folder } of past) {
    stores.push(storeOf(index, await recordsOf(layout.signer(index), folder)));
  }
  return stores;
};

const keyBy = (shares: readonly HeldShare[]): bigint => {
  const [first] = shares;
  if (first === undefined) return 0n;
  const coefficients = first.coefficients(shares.map(({ party }) => party));
  const sum = shares.reduce((all, { secret }, at) => all + secret * (coefficients[at] ?? 0n), 0n);
  return ((sum % first.curveOrder) + first.curveOrder) % first.curveOrder;
};

/**
 * Computes each key from all sets of t consecutive shares, so that every share is used. All sets must give one key; that key is
 * a secret which must not occur anywhere.
 */
export const readKeys = (
  stores: readonly SignerStore[],
  threshold: number,
): { readonly keys: readonly KeyFact[]; readonly secrets: readonly KnownSecret[] } => {
  const shares = stores.flatMap((store) => store.shares);
  const keys = [...new Set(shares.map(({ keyId }) => keyId))].map((keyId) => {
    const own = shares.filter((share) => share.keyId === keyId);
    const [first = 0n, ...others] = Array.from({ length: Math.max(1, own.length - threshold + 1) }, (_, at) =>
      keyBy(own.slice(at, at + threshold)),
    );
    const isEcdsa = own.some((share) => share.isEcdsa);
    return {
      keyId,
      isOne: others.every((other) => other === first),
      isEcdsa,
      secret: scalarSecret(`the key ${keyId}`, first),
    };
  });
  return {
    keys: keys.map(({ keyId, isOne, isEcdsa }) => ({ keyId, isOne, isEcdsa })),
    secrets: keys.map(({ secret }) => secret),
  };
};

/** The secrets of all stores, with names that may be printed. */
export const storeSecrets = (stores: readonly SignerStore[]): readonly KnownSecret[] =>
  stores.flatMap(({ index, shares, auxiliary }) => [
    ...auxiliary,
    ...shares.map(({ keyId, secret }) => scalarSecret(`the share of ${keyId} of signer-${index}`, secret)),
  ]);

/** @param past former stores of these signers */
export const signerFacts = (
  stores: readonly SignerStore[],
  holdings: ReadonlyMap<number, readonly HoldingFact[]>,
  past: readonly SignerStore[] = [],
): readonly SignerFacts[] =>
  stores.map(({ index, shares, presignatures, spent, ofStock }) => {
    const before = past.filter((store) => store.index === index);
    const known = new Set(ofStock);
    return {
      index,
      holdings: holdings.get(index),
      shares: shares.map(({ keyId, party }) => ({ keyId, party })),
      presignatures: [...presignatures, ...before.flatMap((store) => store.presignatures)],
      spent: [...spent, ...before.flatMap((store) => store.spent)],
      forgotten: [...new Set(before.flatMap((store) => store.ofStock))].filter((id) => !known.has(id)),
    };
  });
