import { createPublicKey, diffieHellman, generateKeyPairSync } from "node:crypto";
import { MOST_CLUSTER_SIGNERS } from "@conclave/custody";
import { parseEncryptionKey } from "@conclave/threshold";
import { z } from "zod";
import { identityRenewalsSchema } from "./identity-renewals.ts";
import { readJsonFile } from "./json-file.ts";
import { changeUnderWaySchema, rosterChangesSchema } from "./roster-changes.ts";
import { isHistorySigned } from "./roster-history.ts";

const key = z.string().regex(/^[0-9a-f]{64}$/, "is not 32 bytes of lower-case hex");

const X25519_PREFIX = "302a300506032b656e032100"; // SPKI header of RFC 8410, before the 32 bytes of the key

/**
 * Whether X25519 accepts the key. It rejects keys of small order (RFC 7748, section 6.1); unchecked, such a key would
 * make the encrypting client fail, not the key's owner.
 */
const isFitToSealFor = (publicKey: string): boolean => {
  const encoded = Buffer.from(X25519_PREFIX + publicKey, "hex");
  const { privateKey } = generateKeyPairSync("x25519");
  try {
    diffieHellman({
      privateKey,
      publicKey: createPublicKey({ key: encoded, format: "der", type: "spki" }),
    });
    return true;
  } catch {
    return false;
  }
};

/** The byte 1, then a compressed point of secp256k1, in lower-case hex. */
const importKey = z
  .string()
  .regex(/^010[23][0-9a-f]{64}$/, "is not 34 bytes of lower-case hex that begin with 01")
  .refine((hex) => parseEncryptionKey(Buffer.from(hex, "hex")) !== undefined, "is no point of secp256k1");

const rosterSignerSchema = z.strictObject({
  /** the signer's index in the sharing: from 1, and never given twice */
  index: z.int().min(1).max(MOST_CLUSTER_SIGNERS),
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  /** host:port of its gRPC server */
  address: z.string().regex(/^[^:\s]+:\d{1,5}$/),
  /** Ed25519; verifies the signer's envelopes */
  identityKey: key,
  /** X25519; peers encrypt to it the messages that only this signer may read */
  encryptionKey: key.refine(isFitToSealFor, "is a key of small order"),
  /**
   * clients encrypt the shares of imported keys to it; a roster of an older version has none, and its cluster imports no keys
   */
  importKey: importKey.optional(),
});
export type RosterSigner = Readonly<z.infer<typeof rosterSignerSchema>>;

interface HeldBy<Signer> {
  readonly signers: readonly Signer[];
  readonly change?: { readonly leaving: readonly number[] } | undefined;
}

/** The signers that hold a share of each new key: all but those that leave. */
export const holdersOf = <Signer extends { readonly index: number }>({
  signers,
  change,
}: HeldBy<Signer>): readonly Signer[] =>
  signers.filter(({ index }) => change?.leaving.includes(index) !== true);

/** The lowest t of any key of a roster: of new keys, and of keys that may not have been moved yet. */
export const lowestThreshold = ({
  threshold,
  change,
}: {
  readonly threshold: number;
  readonly change?: { readonly threshold: number } | undefined;
}): number => Math.min(threshold, change?.threshold ?? threshold);

/** The members of the cluster. All processes have the same file: `cluster/roster.json`. */
const rosterSchema = z
  .strictObject({
    clusterId: z.string().regex(/^[a-z0-9-]{1,64}$/),
    parameters: z.enum(["CGGMP24-128", "INSECURE-TEST"]),
    /** t: how many signers sign together */
    threshold: z.int().min(2).max(MOST_CLUSTER_SIGNERS),
    /** the gateway's Ed25519 key that authorises requests */
    authorityKey: key,
    signers: z.array(rosterSignerSchema).min(2).max(MOST_CLUSTER_SIGNERS),
    /** renewed identities of its signers, in order of time; they verify the receipts and evidence of their time */
    renewals: identityRenewalsSchema.optional(),
    /** changes of its members and its threshold, in order of time */
    changes: rosterChangesSchema.optional(),
    /** the change under way; absent once only signers that stay hold keys */
    change: changeUnderWaySchema.optional(),
  })
  .refine((roster) => roster.threshold <= holdersOf(roster).length, "asks for more signers than there are")
  .refine(
    ({ signers, change }) => (change?.leaving ?? []).every((index) => signers.some((s) => s.index === index)),
    "names a signer that leaves and is none of its signers",
  )
  .refine(
    ({ change, changes = [] }) => change?.since === undefined || change.since < changes.length,
    "began its change before a change that there is not",
  )
  .refine(
    ({ signers }) => signers.every(({ index }, at) => at === 0 || index > (signers[at - 1]?.index ?? index)),
    "does not list its signers by their index, ascending",
  )
  .refine(
    ({ signers, changes = [] }) =>
      changes.length > 0 || signers.every(({ index }, position) => index === position + 1),
    "does not number its signers 1, 2, 3 and so on",
  )
  .refine(
    ({ signers }) =>
      [
        signers.map((s) => s.id),
        signers.map((s) => s.identityKey),
        signers.map((s) => s.encryptionKey),
        signers.map((s) => s.importKey ?? s.id),
      ].every((column) => new Set(column).size === signers.length),
    "gives two signers the same id or key",
  )
  .refine(
    ({ signers }) => new Set(signers.map((s) => s.importKey === undefined)).size === 1,
    "has an import key for some signers alone",
  )
  .refine(isHistorySigned, "has a history of its signers that the authority did not sign");
export type Roster = Readonly<z.infer<typeof rosterSchema>>;

/** Whether the value is a valid roster, as every process of a cluster reads it. */
export const isRoster = (value: unknown): value is Roster => rosterSchema.safeParse(value).success;

/**
 * @throws ConfigurationError with code RosterInvalid if the file is missing, is no roster, or differs from the roster
 * that the authority signed
 */
export const loadRoster = (path: string): Promise<Roster> =>
  readJsonFile(path, "the cluster's roster", rosterSchema, "RosterInvalid");
