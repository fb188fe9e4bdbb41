import {
  type Codec,
  convert,
  countedList,
  decode,
  type Envelope,
  encode,
  envelopeCodec,
  type Fault,
  fixedBytes,
  type IgnoreReason,
  materialCodec,
  PARTIES_MAX,
  type Parameters,
  type PartyIndex,
  type PeerKeys,
  partyCodec,
  SIGNED_MESSAGES_MAX,
  signedMessagesCodec,
  struct,
  uint,
} from "@conclave/threshold";
import { auxiliaryVariant, openAuxiliaryVariant } from "./auxiliary/wire.ts";
import {
  dealerReleasedVariant,
  keyChangedVariant,
  openRefreshVariant,
  openReshareVariant,
} from "./key-change/wire.ts";
import { exportedVariant, sealExportVariant } from "./key-export/wire.ts";
import { keyVariant, openKeyVariant } from "./key-generation/wire.ts";
import { importRefusedVariant, openImportVariant } from "./key-import/wire.ts";
import {
  exportPresignatureVariant,
  openPresigningVariant,
  presignatureVariant,
  presignedVariant,
} from "./presigning/wire.ts";
import {
  frostSignatureVariant,
  openFrostVariant,
  openPooledSigningVariant,
  openSigningVariant,
  signatureVariant,
} from "./signing/wire.ts";
import { union, variant } from "./tagged-union.ts";
import type { ComputeResult, ComputeTask, HostConfig } from "./task.ts";
import { partiesCodec, secretOf, sendCodec, textCodec } from "./wire-parts.ts";

/**
 * Tasks, results and configurations as canonical bytes, for a host behind a worker boundary: structured cloning
 * would strip class instances of what they are. The bytes hold secrets in clear and never leave the process.
 */

/** A task travels as its place here: the order is that of their wire form. */
const taskCodec: Codec<ComputeTask> = union<ComputeTask>(
  [
    openAuxiliaryVariant,
    openKeyVariant,
    openRefreshVariant,
    openReshareVariant,
    openPresigningVariant,
    openSigningVariant,
    exportPresignatureVariant,
    openPooledSigningVariant,
    openFrostVariant,
    variant(
      "deliver",
      (task) => (task.kind === "deliver" ? task : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<{ envelope: Envelope }>({ envelope: envelopeCodec }),
    ),
    openImportVariant,
    sealExportVariant,
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

const faultCodec: Codec<Fault> = struct<Fault>({
  culprit: partyCodec,
  check: textCodec,
  messages: signedMessagesCodec,
  material: materialCodec,
});

/** Messages that the accused signed come first; of many signers' sessions there are more of the others' than fit. */
const shortened = (fault: Fault): Fault => ({
  ...fault,
  messages: fault.messages.slice(0, SIGNED_MESSAGES_MAX),
});

interface RunningFields {
  readonly stage: string;
  readonly send: readonly Envelope[];
  readonly awaiting: readonly PartyIndex[];
  readonly phase: number;
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
      (kind, { ignored: [ignored], ...running }) =>
        ignored === undefined ? { kind, ...running } : { kind, ...running, ignored },
      struct<RunningFields>({
        stage: textCodec,
        send: sendCodec,
        awaiting: partiesCodec,
        phase: uint(2),
        ignored: countedList(ignoreCodec, 1),
      }),
    ),
    auxiliaryVariant,
    keyVariant,
    keyChangedVariant,
    presignedVariant,
    presignatureVariant,
    signatureVariant,
    frostSignatureVariant,
    variant(
      "fault",
      (result) => (result.kind === "fault" ? { ...result, fault: shortened(result.fault) } : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<{ fault: Fault; send: readonly Envelope[] }>({ fault: faultCodec, send: sendCodec }),
    ),
    variant(
      "abort",
      (result) => (result.kind === "abort" ? result : undefined),
      (kind, fields) => ({ kind, ...fields }),
      struct<{ check: string }>({ check: textCodec }),
    ),
    importRefusedVariant,
    exportedVariant,
    dealerReleasedVariant,
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
