import {
  type AuxiliaryPrimes,
  boolean,
  type Codec,
  convert,
  countedList,
  decode,
  type Envelope,
  encode,
  envelopeCodec,
  evidenceCodec,
  type Fault,
  FROST_MESSAGE_BYTES_MAX,
  fixedBytes,
  type IgnoreReason,
  natural,
  PARTIES_MAX,
  type Parameters,
  type PartyIndex,
  type PeerKeys,
  Secret,
  type Signature,
  struct,
  uint,
  variableBytes,
} from "@conclave/threshold";
import { DIGEST_SOURCES, type ObservedDigest } from "./observed-digest.ts";
import { union, variant } from "./tagged-union.ts";
import type { ComputeResult, ComputeTask, HostConfig } from "./task.ts";
import { PASSAGE_RESULTS, PASSAGE_TASKS } from "./wire-key-passage.ts";
import {
  partiesCodec,
  partyCodec,
  STORED_BYTES_MAX,
  schemeCodec,
  secretBytes,
  sendCodec,
  textCodec,
} from "./wire-parts.ts";

/**
 * Tasks, results and configurations as canonical bytes, for a host behind a worker boundary: structured cloning
 * would strip class instances of what they are. The bytes hold secrets in clear and never leave the process.
 */
const PRIME_BITS_MAX = 4096;
const PUBLIC_KEY_BYTES_MAX = 33;
const EVIDENCE_MAX = 255;

const secretOf = <T>(codec: Codec<T>): Codec<Secret<T>> =>
  convert(
    codec,
    (value) => new Secret(value),
    (secret) => secret.reveal(),
    "not a secret",
  );

type TaskOf<K extends ComputeTask["kind"]> = Extract<ComputeTask, { readonly kind: K }>;
type ResultOf<K extends ComputeResult["kind"]> = Extract<ComputeResult, { readonly kind: K }>;

const primesCodec: Codec<AuxiliaryPrimes> = struct<AuxiliaryPrimes>({
  p: natural(PRIME_BITS_MAX),
  q: natural(PRIME_BITS_MAX),
  pHat: natural(PRIME_BITS_MAX),
  qHat: natural(PRIME_BITS_MAX),
});

const observedDigestCodec: Codec<ObservedDigest> = convert(
  struct<{ source: number; bytes: Uint8Array }>({ source: uint(1), bytes: fixedBytes(32) }),
  ({ source, bytes }): ObservedDigest | undefined => {
    const from = DIGEST_SOURCES[source];
    return from === undefined ? undefined : { from, bytes };
  },
  ({ from, bytes }) => ({ source: DIGEST_SOURCES.indexOf(from), bytes }),
  "not an observed digest",
);

const purposeCodec: Codec<TaskOf<"open-presigning">["purpose"]> = convert(
  boolean,
  (isForPool) => (isForPool ? "pool" : "request"),
  (purpose) => purpose === "pool",
  "not a purpose",
);

interface ReshareFields extends Omit<TaskOf<"open-reshare">, "kind" | "key"> {
  readonly key: readonly Secret<Uint8Array>[];
}

const taskCodec: Codec<ComputeTask> = union<ComputeTask>(
  [
    variant(
      "open-auxiliary",
      (task) => (task.kind === "open-auxiliary" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<TaskOf<"open-auxiliary">, "kind">>({
        parties: partiesCodec,
        epoch: uint(4),
        primes: secretOf(primesCodec),
      }),
    ),
    variant(
      "open-key",
      (task) => (task.kind === "open-key" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<TaskOf<"open-key">, "kind">>({
        parties: partiesCodec,
        keyId: textCodec,
        scheme: schemeCodec,
        threshold: uint(1),
        epoch: uint(4),
      }),
    ),
    variant(
      "open-refresh",
      (task) => (task.kind === "open-refresh" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<TaskOf<"open-refresh">, "kind">>({
        parties: partiesCodec,
        scheme: schemeCodec,
        key: secretBytes,
      }),
    ),
    variant(
      "open-reshare",
      (task) =>
        task.kind === "open-reshare" ? { ...task, key: task.key === undefined ? [] : [task.key] } : undefined,
      (kind, { key: [key], ...fields }) =>
        key === undefined ? { kind, ...fields } : { kind, ...fields, key },
      struct<ReshareFields>({
        parties: partiesCodec,
        scheme: schemeCodec,
        info: variableBytes(STORED_BYTES_MAX),
        key: countedList(secretBytes, 1),
        dealers: partiesCodec,
        threshold: uint(1),
      }),
    ),
    variant(
      "open-presigning",
      (task) => (task.kind === "open-presigning" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<TaskOf<"open-presigning">, "kind">>({
        purpose: purposeCodec,
        signers: partiesCodec,
        key: secretBytes,
        auxiliary: secretBytes,
      }),
    ),
    variant(
      "open-signing",
      (task) => (task.kind === "open-signing" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<TaskOf<"open-signing">, "kind">>({ digest: fixedBytes(32) }),
    ),
    variant(
      "export-presignature",
      (task) => (task.kind === "export-presignature" ? {} : undefined),
      (kind) => ({ kind }),
      struct<object>({}),
    ),
    variant(
      "open-pooled-signing",
      (task) => (task.kind === "open-pooled-signing" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<TaskOf<"open-pooled-signing">, "kind">>({
        id: textCodec,
        presignature: secretBytes,
        key: struct<TaskOf<"open-pooled-signing">["key"]>({ keyId: textCodec, epoch: uint(4) }),
        digest: observedDigestCodec,
      }),
    ),
    variant(
      "open-frost",
      (task) => (task.kind === "open-frost" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<TaskOf<"open-frost">, "kind">>({
        signers: partiesCodec,
        scheme: schemeCodec,
        key: secretBytes,
        message: variableBytes(FROST_MESSAGE_BYTES_MAX),
      }),
    ),
    variant(
      "deliver",
      (task) => (task.kind === "deliver" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<{ envelope: Envelope }>({ envelope: envelopeCodec }),
    ),
    ...PASSAGE_TASKS,
  ],
  "a compute task",
);

const IGNORE_REASONS: readonly IgnoreReason[] = [
  "duplicate",
  "stale",
  "foreign",
  "unsigned",
  "misaddressed",
  "unexpected",
  "finished",
  "overfull",
];
const ignoreCodec: Codec<IgnoreReason> = convert(
  textCodec,
  (reason) => IGNORE_REASONS.find((known) => known === reason),
  (reason) => reason,
  "not a reason to ignore",
);

const RECOVERIES: readonly Signature["recovery"][] = [0, 1];
const signatureCodec: Codec<Signature> = struct<Signature>({
  r: natural(256),
  s: natural(256),
  recovery: convert(
    uint(1),
    (value) => RECOVERIES.find((known) => known === value),
    (value) => value,
    "not a recovery id",
  ),
});

const faultCodec: Codec<Fault> = struct<Fault>({
  culprit: partyCodec,
  check: textCodec,
  evidence: countedList(evidenceCodec, EVIDENCE_MAX),
});

/** The accused's own words come first; of many signers' sessions there are more of the others' than fit. */
const shortened = (fault: Fault): Fault => ({ ...fault, evidence: fault.evidence.slice(0, EVIDENCE_MAX) });

interface RunningFields {
  readonly stage: string;
  readonly send: readonly Envelope[];
  readonly awaiting: readonly PartyIndex[];
  readonly ignored: readonly IgnoreReason[];
}

const resultCodec: Codec<ComputeResult> = union<ComputeResult>(
  [
    variant(
      "running",
      (result) =>
        result.kind === "running"
          ? { ...result, ignored: result.ignored === undefined ? [] : [result.ignored] }
          : undefined,
      (kind, { stage, send, awaiting, ignored: [ignored] }) =>
        ignored === undefined ? { kind, stage, send, awaiting } : { kind, stage, send, awaiting, ignored },
      struct<RunningFields>({
        stage: textCodec,
        send: sendCodec,
        awaiting: partiesCodec,
        ignored: countedList(ignoreCodec, 1),
      }),
    ),
    variant(
      "auxiliary",
      (result) => (result.kind === "auxiliary" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"auxiliary">, "kind">>({
        info: secretBytes,
        epoch: uint(4),
        digest: fixedBytes(32),
        send: sendCodec,
      }),
    ),
    variant(
      "key",
      (result) => (result.kind === "key" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"key">, "kind">>({
        share: secretBytes,
        keyId: textCodec,
        publicKey: variableBytes(PUBLIC_KEY_BYTES_MAX),
        chainCode: fixedBytes(32),
        send: sendCodec,
      }),
    ),
    variant(
      "key-changed",
      (result) => (result.kind === "key-changed" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"key-changed">, "kind">>({
        share: secretBytes,
        keyId: textCodec,
        epoch: uint(4),
        publicKey: variableBytes(PUBLIC_KEY_BYTES_MAX),
        chainCode: fixedBytes(32),
        digest: fixedBytes(32),
        send: sendCodec,
      }),
    ),
    variant(
      "presigned",
      (result) => (result.kind === "presigned" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"presigned">, "kind">>({ send: sendCodec }),
    ),
    variant(
      "presignature",
      (result) => (result.kind === "presignature" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"presignature">, "kind">>({ id: textCodec, presignature: secretBytes }),
    ),
    variant(
      "signature",
      (result) => (result.kind === "signature" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"signature">, "kind">>({ signature: signatureCodec, send: sendCodec }),
    ),
    variant(
      "frost-signature",
      (result) => (result.kind === "frost-signature" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"frost-signature">, "kind">>({ signature: fixedBytes(64), send: sendCodec }),
    ),
    variant(
      "fault",
      (result) => (result.kind === "fault" ? { ...result, fault: shortened(result.fault) } : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"fault">, "kind">>({ fault: faultCodec, send: sendCodec }),
    ),
    variant(
      "abort",
      (result) => (result.kind === "abort" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<Omit<ResultOf<"abort">, "kind">>({ check: textCodec }),
    ),
    ...PASSAGE_RESULTS,
  ],
  "a compute result",
);

const parametersCodec: Codec<Parameters> = struct<Parameters>({
  name: textCodec,
  primeBits: uint(2),
  modulusBitsMin: uint(2),
  ell: uint(2),
  epsilon: uint(2),
  ellPrime: uint(2),
  iterations: uint(2),
});

interface Peer extends PeerKeys {
  readonly index: PartyIndex;
}

const peersCodec: Codec<HostConfig["peers"]> = convert<readonly Peer[], HostConfig["peers"]>(
  countedList(
    struct<Peer>({ index: partyCodec, identity: fixedBytes(32), encryption: fixedBytes(32) }),
    PARTIES_MAX,
  ),
  (peers) => new Map<PartyIndex, PeerKeys>(peers.map(({ index, ...keys }) => [index, keys])),
  (peers) => [...peers].map(([index, keys]) => ({ index, ...keys })),
  "not peers",
);

const hostConfigCodec: Codec<HostConfig> = struct<HostConfig>({
  self: partyCodec,
  parameters: parametersCodec,
  peers: peersCodec,
  secrets: secretOf(struct({ identity: fixedBytes(32), encryption: fixedBytes(32) })),
});

/** Decodes what our own process encoded. */
const mustDecode = <T>(codec: Codec<T>, bytes: Uint8Array): T => {
  const decoded = decode(codec, bytes);
  if (!decoded.ok) throw new Error(`the compute wire is broken: ${decoded.reason}`);
  return decoded.value;
};

/** @throws with decodeTask and its like when the bytes are not our own encoding */
export const encodeTask = (task: ComputeTask): Uint8Array => encode(taskCodec, task);
export const decodeTask = (bytes: Uint8Array): ComputeTask => mustDecode(taskCodec, bytes);
export const encodeResult = (result: ComputeResult): Uint8Array => encode(resultCodec, result);
export const decodeResult = (bytes: Uint8Array): ComputeResult => mustDecode(resultCodec, bytes);
export const encodeHostConfig = (config: HostConfig): Uint8Array => encode(hostConfigCodec, config);
export const decodeHostConfig = (bytes: Uint8Array): HostConfig => mustDecode(hostConfigCodec, bytes);
