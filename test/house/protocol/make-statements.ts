import {
  attestationBytes,
  type KeyScheme,
  keyIdSchema,
  organisationIdSchema,
  type SignedAuthorisation,
  statementBytes,
} from "@conclave/custody";
import {
  attemptSession,
  CGGMP24,
  encode,
  evidenceCodec,
  evidenceOf,
  type Fault,
  FROST_ED25519,
  type GroupPoint,
  keyDigest,
  type PartyIndex,
  publicKeyOf,
  type Scheme,
  type SessionConfig,
  signEd25519,
  startFrostSigning,
} from "@conclave/threshold";
import {
  insecurePartySecrets,
  insecureSchemeShares,
  runSessions,
  signEnvelope,
  testConfigs,
  testParty,
  testSessionId,
} from "@conclave/threshold/testing";
import { clusterOf } from "../../../packages/cluster/src/control/cluster-name.ts";
import {
  certify,
  type EpochTransition,
  receiptBytes,
  withHandovers,
} from "../../../packages/cluster/src/control/epoch-certificate.ts";
import {
  boundRequestName,
  type EpochHandover,
  handoverBytes,
} from "../../../packages/cluster/src/control/epoch-handover.ts";
import { waiverBytes } from "../../../packages/cluster/src/control/epoch-waiver.ts";
import { spendingCountBytes } from "../../../packages/cluster/src/signer/older-store/signed-count.ts";
import {
  authoriseAuxiliary,
  authoriseDead,
  authorisedFor,
  authoriseKey,
  authoriseKeyChange,
  authoriseKeyDiscard,
  authoriseMessage,
  authoriseSignature,
  authoriseTransaction,
  authoriseTransfer,
  configOf,
  KEY_ID,
  keyIdOf,
  rosterOf,
  transactionOf,
} from "../../../packages/cluster/src/testing/fixtures.ts";
import {
  authoriseExport,
  authoriseImport,
  honestEnvelopes,
} from "../../../packages/cluster/src/testing/key-passage.ts";
import { sha256ByHand } from "./by-hand.ts";
import { PARTIES, ROSTER } from "./make-sessions.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** The cluster id of the vectors. */
const CLUSTER = "conclave-vectors";
const MEMBERS = rosterOf(PARTIES.length);

const TRANSITION: EpochTransition = {
  subject: KEY_ID,
  from: 1,
  to: 3,
  digest: new Uint8Array(32).fill(0xd1),
  session: testSessionId("transition"),
};

const signedBy = (signer: PartyIndex, bytes: Uint8Array): string =>
  hexOf(signEd25519(bytes, insecurePartySecrets(signer).identity));

const ONE = testParty(1);

const HANDED = {
  sinceMs: 1_795_000_000_000,
  latestMs: 1_795_000_060_000,
  requests: ["tx-aaaaa-bbbbb-0000000000000001", "tx-aaaaa-bbbbb-0000000000000002"].map((id) =>
    boundRequestName(id, hexOf(TRANSITION.digest)),
  ),
};

/** Statements about epochs and counts, signed by identity keys, and a certificate. */
export const statementVectors = () => {
  const receipts = PARTIES.map((signer) => {
    const bytes = receiptBytes(MEMBERS, signer, TRANSITION);
    return { signer, signed: Buffer.from(bytes).toString("utf8"), signature: signedBy(signer, bytes) };
  });
  const given = new Map(
    receipts.map(({ signer, signature }) => [signer, new Uint8Array(Buffer.from(signature, "hex"))]),
  );
  const session = hexOf(TRANSITION.session);
  const certificate = certify(MEMBERS, TRANSITION, given) ?? new Uint8Array(0);
  const handed = handoverBytes(MEMBERS, ONE, TRANSITION, HANDED);
  const handover: EpochHandover = {
    signer: ONE,
    ...HANDED,
    signature: signEd25519(handed, insecurePartySecrets(ONE).identity),
  };
  const waiver = waiverBytes(MEMBERS, ONE, { subject: KEY_ID, session });
  const count = spendingCountBytes(CLUSTER, ONE, 1_000_000);
  return {
    cluster: clusterOf(MEMBERS),
    transition: { ...TRANSITION, digest: hexOf(TRANSITION.digest), session },
    receipts,
    certificate: hexOf(certificate),
    handover: {
      signer: 1,
      sinceMs: HANDED.sinceMs,
      latestMs: HANDED.latestMs,
      transaction: hexOf(TRANSITION.digest),
      requestIds: ["tx-aaaaa-bbbbb-0000000000000001", "tx-aaaaa-bbbbb-0000000000000002"],
      signed: Buffer.from(handed).toString("utf8"),
      signature: signedBy(ONE, handed),
      certificate: hexOf(withHandovers(certificate, new Map([[ONE, handover]]))),
    },
    waiver: { signer: 1, signed: Buffer.from(waiver).toString("utf8"), signature: signedBy(ONE, waiver) },
    spendingCount: {
      clusterId: CLUSTER,
      signer: 1,
      count: 1_000_000,
      signed: hexOf(count),
      signature: signedBy(ONE, count),
    },
  };
};

/** The public key of a seeded key, in the form of attestations. */
const publicKeyIn = <P extends GroupPoint<P>>(scheme: Scheme<P>): string => {
  const share = insecureSchemeShares(scheme, 3, PARTIES, "protocol vectors").get(ONE);
  if (share === undefined) throw new Error("the dealer leaves nobody out");
  return hexOf(publicKeyOf(share.info));
};

const ATTESTED: readonly { readonly scheme: KeyScheme; readonly publicKey: string }[] = [
  { scheme: "ECDSA", publicKey: publicKeyIn(CGGMP24) },
  { scheme: "FROST-Ed25519", publicKey: publicKeyIn(FROST_ED25519) },
];

/** The attestation file: a key of each curve, attested by two signers, in the older form and as statements. */
export const attestationFile = () => ({
  kind: "conclave-attestations",
  attestations: ATTESTED.flatMap((key, at) =>
    PARTIES.slice(0, 2).map((signer) => {
      const bytes = attestationBytes({ keyId: keyIdOf(at + 1), ...key });
      return { signer, signed: Buffer.from(bytes).toString("utf8"), signature: signedBy(signer, bytes) };
    }),
  ),
  clusterId: CLUSTER,
  statements: ATTESTED.flatMap((key, at) =>
    PARTIES.slice(0, 2).map((signer) => {
      const bytes = statementBytes({
        cluster: CLUSTER,
        signer,
        orgId: organisationIdSchema.parse("or-aaaaa-bbbbb-0000000000000001"),
        keyId: keyIdSchema.parse(keyIdOf(at + 1)),
        origin: at === 0 ? "generated" : "imported",
        threshold: 3,
        total: PARTIES.length,
        ...key,
        date: "2026-11-20T00:00:00.000Z",
      });
      return { signer, signed: Buffer.from(bytes).toString("utf8"), signature: signedBy(signer, bytes) };
    }),
  ),
});

const MESSAGE = new TextEncoder().encode("pay Bob one bitcoin");
const CHANGE = { publicKey: `02${"ab".repeat(32)}`, epoch: 1, threshold: 3, parties: [1, 2, 3, 4, 5] };

/** The older form of authorisations, which names no cluster. */
const UNNAMED = {
  transfer: authoriseTransfer(1),
  transaction: authoriseTransaction(2),
  signature: authoriseSignature(3, { kind: "hash", hash: "ab".repeat(32) }),
  message: authoriseMessage(MESSAGE, { keyId: keyIdOf(2), scheme: "FROST-Ed25519" }),
  key: authoriseKey(keyIdOf(4)),
  "key-import": authoriseImport(honestEnvelopes()),
  "key-export": authoriseExport(),
  "key-refresh": authoriseKeyChange({ ...CHANGE, kind: "key-refresh", nextEpoch: 3 }),
  auxiliary: authoriseAuxiliary(1, 2, [1, 2, 3, 4, 5]),
  "key-discard": authoriseKeyDiscard(hexOf(TRANSITION.session)),
  "dead-transactions": authoriseDead(1, [transactionOf(7)]),
};

const writtenAuthorisation = ([kind, { payload, signature }]: readonly [string, SignedAuthorisation]) => ({
  kind,
  payload: Buffer.from(payload).toString("utf8"),
  signature: hexOf(signature),
});

/** The authorisation file: one of each kind, all by one authority and of one moment, both without and with the cluster. */
export const authorisationFile = () => ({
  kind: "conclave-authorisations",
  authorityKey: hexOf(configOf(ONE, 5, 3).authorityKey),
  authorisations: Object.entries(UNNAMED).map(writtenAuthorisation),
  clusterId: CLUSTER,
  named: Object.entries(UNNAMED).map(([kind, unnamed]) =>
    writtenAuthorisation([kind, authorisedFor(unnamed, CLUSTER)]),
  ),
});

const SIGNERS = [testParty(1), testParty(2), testParty(3)];
const CHEAT = testParty(2);

/** The fault that signer 1 sees in a FROST signing in which signer 2 sends a wrong signature share. */
const wrongShare = () => {
  const shares = insecureSchemeShares(FROST_ED25519, SIGNERS.length, SIGNERS, "protocol vectors");
  const share = shares.get(ONE);
  if (share === undefined) throw new Error("the dealer leaves nobody out");
  const attempt = {
    given: testSessionId("evidence"),
    expiresAtMs: 1_795_000_008_000,
    protocol: "signing",
    level: "INSECURE-TEST",
    scheme: "FROST-Ed25519",
    keyId: share.info.keyId,
    epoch: share.info.epoch,
    parties: SIGNERS,
    threshold: SIGNERS.length,
    total: PARTIES.length,
    agreed: [new Uint8Array(32), Uint8Array.of(0), keyDigest(share.info), sha256ByHand(MESSAGE)],
  } as const;
  const session = attemptSession(attempt, ROSTER);
  if (session === undefined) throw new Error("all signers are in the roster");
  const { outcomes } = runSessions({
    configs: testConfigs(SIGNERS, session),
    start: ({ session: of, self }: SessionConfig) => {
      const key = shares.get(self);
      if (key === undefined) throw new Error("the dealer leaves nobody out");
      return startFrostSigning({ session: of, self, signers: SIGNERS, key, message: MESSAGE });
    },
    seed: "protocol vectors",
    wire: ({ to, envelope }) => {
      if (envelope.from !== CHEAT || envelope.round !== 2) return [{ to, envelope }];
      const payload = envelope.payload.with(31, (envelope.payload[31] ?? 0) ^ 1);
      return [{ to, envelope: signEnvelope(envelope, payload, insecurePartySecrets(CHEAT).identity) }];
    },
  });
  const outcome = outcomes.get(ONE);
  const fault: Fault | undefined = outcome?.kind === "fault" ? outcome.fault : undefined;
  if (fault === undefined) throw new Error("a wrong share is named");
  return evidenceOf(attempt, fault);
};

/** The evidence file, in the form that `conclave faults export` writes. */
export const evidenceFile = () => ({
  kind: "conclave-evidence",
  version: 1,
  clusterId: CLUSTER,
  evidence: Buffer.from(encode(evidenceCodec, wrongShare())).toString("base64"),
});
