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
 * Work that a host does in idle time: it makes the masks of coming presignings, which halves the time of the next
 * session. Masks exist in this host's memory alone, for at most two presignings with every peer (INV-2: each mask goes
 * to one session).
 */

/**
 * From now on the host makes masks for this auxiliary info. It drops all earlier masks, also those for the same info:
 * another copy of this process may use them (INV-2).
 *
 * @param auxiliary auxiliaryInfoCodec
 * @throws when the bytes, which come from our own sealed store, do not decode
 */
export const prepareFor = (host: Host, auxiliary: Secret<Uint8Array>): Host => {
  const read = reading(auxiliaryInfoCodec(host.config.parameters));
  const { memory, value } = lookUpDecoded(host.auxiliaries, read, auxiliary, AUXILIARIES_DECODED_MAX);
  return { ...host, auxiliaries: memory, masks: openMaskStore(value), poolMasks: undefined };
};

/** Whether masks are lacking and no session is open, which would come first. */
export const isIdle = ({ runs, masks }: Host): boolean =>
  runs.size === 0 && masks !== undefined && !isFull(masks);

/** Makes one piece of the lacking masks: below 0.15 s of work at 3072 bits. */
export const workAhead = (host: Host, entropy: Entropy): Host =>
  host.masks === undefined ? host : { ...host, masks: fillMaskStore(host.masks, entropy) };

/**
 * Makes one piece of the masks that a presigning for the pool needs before it opens, so that a live session can run
 * between two pieces and need not wait for a whole round. Masks made in idle time are kept for requests, which a caller
 * waits for.
 *
 * @returns undefined when the task can begin, as any task of another kind can at once
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

/** Takes the masks that a presigning under this auxiliary info can use out of the host. */
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
