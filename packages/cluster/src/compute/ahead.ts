import {
  type AuxiliaryInfo,
  auxiliaryInfoCodec,
  type Entropy,
  fillMaskStore,
  isFull,
  openMaskStore,
  type PartyIndex,
  type PresignMasks,
  type Secret,
  takeMasks,
} from "@conclave/threshold";
import { AUXILIARIES_DECODED_MAX, lookUpDecoded, reading } from "./decoded.ts";
import type { Host } from "./host-state.ts";
import type { PresigningPurpose } from "./presigning/task.ts";
import type { ComputeTask } from "./task.ts";

/**
 * The work of a host in idle time, so that the first session after it costs half: the masks of presignings to come. They
 * live in this memory alone, at most two presignings' worth with every peer (INV-2: each goes to one session).
 */

/**
 * From now on masks are made for this auxiliary info. All that were made before are dropped, also those for the same: another copy of this
 * process may use them (INV-2).
 *
 * @param auxiliary auxiliaryInfoCodec
 * @throws when the bytes do not decode: they are our own, from the sealed store
 */
export const prepareFor = (host: Host, auxiliary: Secret<Uint8Array>): Host => {
  const read = reading(auxiliaryInfoCodec(host.config.parameters));
  const { memory, value } = lookUpDecoded(host.auxiliaries, read, auxiliary, AUXILIARIES_DECODED_MAX);
  return { ...host, auxiliaries: memory, masks: openMaskStore(value), poolMasks: undefined };
};

/** Whether there is something to make ahead, and no session that comes first. */
export const isIdle = ({ runs, masks }: Host): boolean =>
  runs.size === 0 && masks !== undefined && !isFull(masks);

/** One small piece of what is lacking: below 0.15 s of work at 3072 bits. */
export const workAhead = (host: Host, entropy: Entropy): Host =>
  host.masks === undefined ? host : { ...host, masks: fillMaskStore(host.masks, entropy) };

/**
 * One small piece of what a presigning for the pool needs before it opens: its own masks, so that a live session comes
 * between two of them and not into the middle of a round. Those of idle time stay for requests, which somebody waits for.
 *
 * @returns undefined when the task can begin; so can any other task at once
 */
export const workBefore = (host: Host, task: ComputeTask, entropy: Entropy): Host | undefined => {
  if (task.kind !== "open-presigning" || task.purpose !== "pool") return undefined;
  const read = reading(auxiliaryInfoCodec(host.config.parameters));
  const { memory, value } = lookUpDecoded(host.auxiliaries, read, task.auxiliary, AUXILIARIES_DECODED_MAX);
  const known = host.poolMasks?.auxiliary === value ? host.poolMasks : undefined;
  const store = known ?? { ...openMaskStore(value), coldModuli: [] };
  const demand = { peers: task.signers, runs: 1 };
  if (isFull(store, demand)) return undefined;
  return { ...host, auxiliaries: memory, poolMasks: fillMaskStore(store, entropy, demand) };
};

/** The masks that a presigning under this auxiliary info can use, and the host without them. */
export const takeAhead = (
  host: Host,
  auxiliary: AuxiliaryInfo,
  signers: readonly PartyIndex[],
  purpose: PresigningPurpose,
): { readonly host: Host; readonly masks?: PresignMasks } => {
  const kept = purpose === "pool" ? "poolMasks" : "masks";
  const held = host[kept];
  if (held?.auxiliary !== auxiliary) return { host };
  const { store, masks } = takeMasks(held, signers);
  return { host: { ...host, [kept]: store }, masks };
};
