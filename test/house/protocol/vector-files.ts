import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ROOT } from "../source-files.ts";
import type { Written } from "./by-hand.ts";
import { challengeVectors, encodingVectors, hashVectors } from "./make-challenges.ts";
import { auxiliaryVector, digestVectors } from "./make-digests.ts";
import { attemptVectors, envelopeVectors, rosterVectors, sessionVectors } from "./make-sessions.ts";
import { attestationFile, authorisationFile, evidenceFile, statementVectors } from "./make-statements.ts";

/** The vectors of this repository's own protocol, files in test/vectors. */

const SOURCE = {
  source:
    "Conclave itself: test/house/protocol, seeded. Every secret in it is published. INSECURE-TEST parameters",
  licence: "Apache-2.0",
};

/** The files by name, as the current code generates them. */
export const VECTOR_FILES: Readonly<Record<string, () => unknown>> = {
  "conclave-protocol.json": () => ({
    ...SOURCE,
    roster: rosterVectors(),
    encodings: encodingVectors(),
    hashes: hashVectors(),
    digests: digestVectors(),
    auxiliary: auxiliaryVector(),
    challenges: challengeVectors(),
    sessions: sessionVectors(),
    attempts: attemptVectors(),
    envelopes: envelopeVectors(),
    statements: statementVectors(),
  }),
  "conclave-attestations.json": () => ({ ...SOURCE, ...attestationFile() }),
  "conclave-authorisations.json": () => ({ ...SOURCE, ...authorisationFile() }),
  // without SOURCE, because `conclave faults export` writes no such fields
  "conclave-evidence.json": evidenceFile,
};

export const pathOfVectors = (name: string): string => join(ROOT, "test/vectors", name);

const jsonOf = (name: string): unknown => JSON.parse(readFileSync(pathOfVectors(name), "utf8"));

const writtenField: z.ZodType<Written> = z.lazy(() =>
  z.union([
    z.strictObject({ text: z.string() }),
    z.strictObject({ integer: z.string() }),
    z.strictObject({ bytes: z.string() }),
    z.strictObject({ point: z.string() }),
    z.strictObject({ list: z.array(writtenField) }),
  ]),
);
const partySchema = z.strictObject({ index: z.int(), identity: z.string() });
const contextSchema = z.strictObject({
  session: z.string(),
  epoch: z.int(),
  prover: z.int(),
  verifier: z.union([z.int(), z.literal("all")]),
  position: z.string(),
});
const headerSchema = z.strictObject({
  session: z.string(),
  round: z.int(),
  kind: z.int(),
  from: z.int(),
  to: z.int(),
});
const signedText = z.strictObject({ signer: z.int(), signed: z.string(), signature: z.string() });
const ofRun = { epoch: z.int(), keyId: z.string(), threshold: z.int(), total: z.int(), session: z.string() };

const protocolSchema = z.strictObject({
  source: z.string(),
  licence: z.string(),
  roster: z.array(
    z.strictObject({
      party: z.int(),
      identity: z.string(),
      identitySecret: z.string(),
      encryption: z.string(),
      encryptionSecret: z.string(),
    }),
  ),
  encodings: z.array(z.strictObject({ field: writtenField, encoding: z.string() })),
  hashes: z.array(z.strictObject({ domain: z.string(), fields: z.array(writtenField), digest: z.string() })),
  digests: z.array(
    z.strictObject({
      what: z.string(),
      domain: z.string(),
      fields: z.array(writtenField),
      digest: z.string(),
    }),
  ),
  auxiliary: z.strictObject({
    level: z.string(),
    epoch: z.int(),
    peers: z.array(z.strictObject({ party: z.int(), numbers: z.array(z.string()) })),
    digest: z.string(),
  }),
  challenges: z.array(
    z.strictObject({
      proof: z.string(),
      context: contextSchema,
      fields: z.array(writtenField),
      sampled: z.string(),
      challenge: z.array(z.string().transform((digits) => BigInt(digits))),
      bytes: z.string(),
    }),
  ),
  sessions: z.array(
    z.strictObject({
      ...ofRun,
      execution: z.string(),
      protocol: z.string(),
      parties: z.array(partySchema),
      curve: z.string(),
    }),
  ),
  attempts: z.array(
    z.strictObject({
      ...ofRun,
      given: z.string(),
      expiresAtMs: z.int(),
      protocol: z.string(),
      level: z.string(),
      scheme: z.string(),
      parties: z.array(z.int()),
      agreed: z.array(z.string()),
      encoding: z.string(),
    }),
  ),
  envelopes: z.array(
    z.strictObject({
      what: z.string(),
      header: headerSchema,
      payload: z.string(),
      signed: z.string(),
      signature: z.string(),
      encoding: z.string(),
      plaintext: z.string().optional(),
    }),
  ),
  statements: z.strictObject({
    cluster: z.string(),
    transition: z.strictObject({
      subject: z.string(),
      from: z.int(),
      to: z.int(),
      digest: z.string(),
      session: z.string(),
    }),
    receipts: z.array(signedText),
    certificate: z.string(),
    handover: signedText.extend({
      sinceMs: z.int(),
      latestMs: z.int(),
      transaction: z.string(),
      requestIds: z.array(z.string()),
      /** the certificate that contains this handover */
      certificate: z.string(),
    }),
    waiver: signedText,
    spendingCount: z.strictObject({
      clusterId: z.string(),
      signer: z.int(),
      count: z.int(),
      signed: z.string(),
      signature: z.string(),
    }),
  }),
});

/** test/vectors/conclave-protocol.json */
export const readProtocolVectors = () => protocolSchema.parse(jsonOf("conclave-protocol.json"));

const attestationSchema = z.looseObject({
  /** in the older form */
  attestations: z.array(signedText).min(1),
  statements: z.array(signedText).min(1),
});
/** test/vectors/conclave-attestations.json */
export const readAttestations = () => attestationSchema.parse(jsonOf("conclave-attestations.json"));

const writtenAuthorisation = z.strictObject({ kind: z.string(), payload: z.string(), signature: z.string() });
const authorisationSchema = z.looseObject({
  authorityKey: z.string(),
  /** in the older form, which names no cluster */
  authorisations: z.array(writtenAuthorisation).min(1),
  clusterId: z.string(),
  named: z.array(writtenAuthorisation).min(1),
});
/** test/vectors/conclave-authorisations.json */
export const readAuthorisations = () => authorisationSchema.parse(jsonOf("conclave-authorisations.json"));

/** test/vectors/conclave-evidence.json, as text */
export const evidenceText = (): string => readFileSync(pathOfVectors("conclave-evidence.json"), "utf8");
