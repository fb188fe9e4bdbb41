import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FAMILIES, type FamilyRegistry, signingReader } from "@conclave/chains";
import type { SignerConfig } from "@conclave/cluster";
import { fail, ok, type Result } from "@conclave/custody";
import {
  type LoadedIdentity,
  loadIdentity,
  loadPassphrase,
  loadTls,
  type TlsIdentity,
} from "@conclave/platform/certificates";
import {
  listenSchema,
  loadNetworks,
  loadRoster,
  logLevelSchema,
  membersOf,
  pastIdentities,
  type Roster,
  type RosterSigner,
  readEnvironment,
} from "@conclave/platform/config";
import type { SignerAddress } from "@conclave/platform/grpc";
import {
  type Parameters,
  type PartyIndex,
  PRODUCTION_PARAMETERS,
  partyIndex,
  type Secret,
} from "@conclave/threshold";
import { INSECURE_TEST_PARAMETERS } from "@conclave/threshold/insecure-test-parameters";
import { z } from "zod";
import { keepingReadings } from "./kept-readings.ts";

/** Left out, a signer refuses: keys neither come nor go unless its own operator says so. */
const permissionSchema = z.enum(["refused", "allowed"]).default("refused");

/** SHA-256 of evidence in hex, with commas between several. */
const evidenceSchema = z
  .string()
  .regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/)
  .transform((digests) => digests.split(","))
  .optional();

const environmentSchema = z.object({
  CONCLAVE_ROSTER: z.string().describe("Path of cluster/roster.json"),
  CONCLAVE_NETWORKS: z.string().describe("Path of cluster/networks.json"),
  CONCLAVE_CA: z.string().describe("Path of cluster/ca.crt"),
  CONCLAVE_SIGNER_INDEX: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .describe("This signer's number in the roster"),
  CONCLAVE_SIGNER_DIR: z.string().describe("The signer's folder: tls.crt, tls.key, identity.key, vault"),
  CONCLAVE_KEY_FILE: z.string().optional().describe("Path of passphrase.key"),
  CONCLAVE_PASSPHRASE: z.string().optional().describe("Instead of a key file"),
  CONCLAVE_LISTEN: listenSchema.optional().describe("host:port, else the address in the roster"),
  CONCLAVE_WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(16)
    .default(1)
    .describe("Threads that compute sessions"),
  CONCLAVE_KEY_IMPORT: permissionSchema.describe(
    "Use allowed, or refused: whether clients may bring keys; every signer has to allow it",
  ),
  CONCLAVE_KEY_EXPORT: permissionSchema.describe(
    "Use allowed, or refused: whether this signer hands its shares of keys to clients",
  ),
  CONCLAVE_MEND_CLOCK_MARKS: z.iso
    .datetime()
    .transform((date) => Date.parse(date))
    .optional()
    .describe("The date of now (ISO 8601, UTC), to mend a store that a wrong clock has marked"),
  CONCLAVE_LIFT_QUARANTINE: evidenceSchema.describe(
    "Digests of evidence, with commas between: this signer signs again with whom it proved by that to cheat",
  ),
  CONCLAVE_LOG_LEVEL: logLevelSchema.default("info"),
  CONCLAVE_INSECURE_TEST_PARAMETERS: z.enum(["0", "1"]).default("0"),
  NODE_ENV: z.string().optional(),
});

/** All settings of a signer, read and checked. */
export interface SignerSettings {
  readonly id: string;
  /** the configuration of the signer's state machine */
  readonly machine: SignerConfig;
  readonly parameters: Parameters;
  readonly tls: TlsIdentity;
  readonly identity: LoadedIdentity;
  /** the other signers */
  readonly peers: readonly SignerAddress[];
  /** `host:port` */
  readonly listen: string;
  readonly vaultFolder: string;
  readonly passphrase: Secret<string>;
  readonly logLevel: string;
  /** threads that compute sessions */
  readonly workers: number;
}

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, "hex"));

/**
 * The security level that the roster names. Reduced moduli are for tests only: they need a variable that says so,
 * and production refuses them.
 */
export const parametersOf = (
  name: Roster["parameters"],
  allowInsecure: boolean,
  nodeEnvironment: string | undefined,
): Result<Parameters> => {
  if (name === PRODUCTION_PARAMETERS.name) return ok(PRODUCTION_PARAMETERS);
  if (allowInsecure && nodeEnvironment !== "production") return ok(INSECURE_TEST_PARAMETERS);
  return fail(
    "ConfigurationInvalid",
    { parameters: name },
    `The roster asks for ${name} parameters, which anyone can break; signers refuse them.`,
  );
};

interface Member {
  readonly index: PartyIndex;
  readonly signer: RosterSigner;
}

const partiesOf = (roster: Roster): readonly Member[] =>
  roster.signers.flatMap((signer) => {
    const index = partyIndex(signer.index);
    return index === undefined ? [] : [{ index, signer }];
  });

interface OwnKeys {
  readonly tls: TlsIdentity;
  readonly identity: LoadedIdentity;
}

const loadOwnKeys = async (
  folder: string,
  authorityPath: string,
  clusterId: string,
  passphrase: Secret<string>,
): Promise<Result<OwnKeys>> => {
  const paths = [authorityPath, ...["tls.crt", "tls.key", "identity.key"].map((file) => join(folder, file))];
  const [authority = "", certificate = "", key = "", identityKey = ""] = await Promise.all(
    paths.map((path) => readFile(path, "utf8").catch(() => "")),
  );
  const tls = loadTls({ authority, certificate, key }, clusterId, passphrase);
  if (!tls.ok) return tls;
  const identity = loadIdentity(identityKey, passphrase);
  return identity.ok ? ok({ tls: tls.value, identity: identity.value }) : identity;
};

/** A signer that started with another's keys would be blamed for messages it never sent (INV-7). */
const whyNotOurs = ({ index, signer }: Member, { tls, identity }: OwnKeys): Result<undefined> => {
  if (tls.role.kind !== "signer" || tls.role.index !== index) {
    return fail("CertificateInvalid", {}, `The certificate is not that of signer ${index}.`);
  }
  const hex = (key: Uint8Array): string => Buffer.from(key).toString("hex");
  const isOurs =
    hex(identity.identityKey) === signer.identityKey &&
    hex(identity.encryptionKey) === signer.encryptionKey &&
    (signer.importKey === undefined || hex(identity.importKey) === signer.importKey);
  return isOurs
    ? ok(undefined)
    : fail(
        "ConfigurationInvalid",
        {},
        `The identity key is not the one that the roster has for ${signer.id}.`,
      );
};

/**
 * Reads the environment and the files that it names.
 *
 * @param families that the networks file may name, where they are others than those that are built
 * @returns refusal ConfigurationInvalid, PassphraseMissing, PassphraseWrong or CertificateInvalid
 * @throws ConfigurationError when the environment, roster or networks file is not valid
 */
export const loadSettings = async (
  variables: Readonly<Record<string, string | undefined>>,
  families: FamilyRegistry = FAMILIES,
): Promise<Result<SignerSettings>> => {
  const environment = readEnvironment(environmentSchema, variables);
  const [roster, networks, passphrase] = await Promise.all([
    loadRoster(environment.CONCLAVE_ROSTER),
    loadNetworks(environment.CONCLAVE_NETWORKS, families),
    loadPassphrase({ keyFile: environment.CONCLAVE_KEY_FILE, passphrase: environment.CONCLAVE_PASSPHRASE }),
  ]);
  if (!passphrase.ok) return passphrase;
  const allowInsecure = environment.CONCLAVE_INSECURE_TEST_PARAMETERS === "1";
  const parameters = parametersOf(roster.parameters, allowInsecure, environment.NODE_ENV);
  if (!parameters.ok) return parameters;

  const members = partiesOf(roster);
  const self = members.find(({ index }) => index === environment.CONCLAVE_SIGNER_INDEX);
  if (self === undefined)
    return fail("ConfigurationInvalid", {}, "CONCLAVE_SIGNER_INDEX is not in the roster.");
  const folder = environment.CONCLAVE_SIGNER_DIR;
  const keys = await loadOwnKeys(folder, environment.CONCLAVE_CA, roster.clusterId, passphrase.value);
  if (!keys.ok) return keys;
  const ours = whyNotOurs(self, keys.value);
  if (!ours.ok) return ours;

  const listen = environment.CONCLAVE_LISTEN;
  const mendedAtMs = environment.CONCLAVE_MEND_CLOCK_MARKS;
  const liftedEvidence = environment.CONCLAVE_LIFT_QUARANTINE;
  return ok({
    id: self.signer.id,
    machine: {
      self: self.index,
      secrets: keys.value.identity.secrets,
      roster: membersOf(roster),
      past: pastIdentities(roster),
      threshold: roster.threshold,
      clusterId: roster.clusterId,
      parameters: roster.parameters,
      authorityKey: bytes(roster.authorityKey),
      keyImport: environment.CONCLAVE_KEY_IMPORT,
      keyExport: environment.CONCLAVE_KEY_EXPORT,
      ...(mendedAtMs === undefined ? {} : { mendedAtMs }),
      ...(liftedEvidence === undefined ? {} : { liftedEvidence }),
      // transactions of the networks in this signer's own file alone (INV-3)
      reader: keepingReadings(signingReader(families, networks)),
    },
    parameters: parameters.value,
    ...keys.value,
    peers: members
      .filter(({ index }) => index !== self.index)
      .map(({ index, signer }) => ({ index, address: signer.address })),
    listen: listen === undefined ? self.signer.address : `${listen.host}:${listen.port}`,
    vaultFolder: join(folder, "vault"),
    passphrase: passphrase.value,
    logLevel: environment.CONCLAVE_LOG_LEVEL,
    workers: environment.CONCLAVE_WORKERS,
  });
};
