import { randomBytes } from "node:crypto";
import {
  type AuxiliaryInfo,
  type Entropy,
  fillMaskStore,
  isFull,
  type MaskStore,
  masksHeld,
  openMaskStore,
  type PartyIndex,
  type PresignMasks,
  takeMasks,
} from "@conclave/threshold";
import { cpuMs } from "../machine/own-cpu.ts";
import { type PowerClass, PowerCounter } from "../machine/power-counter.ts";

/** One signer's masks for several presignings, and the mean cost of the masks of one presigning. */
export interface Prepared {
  /** by presigning */
  readonly masks: readonly PresignMasks[];
  readonly cpuMs: number;
  /** counts and CPU of all presignings together */
  readonly powers: readonly PowerClass[];
}

/** two proofs and two conversions */
const MASKS_PER_PEER = 4;

const entropy: Entropy = (length) => randomBytes(length);

const fillWhile = (store: MaskStore, isWanting: (store: MaskStore) => boolean): MaskStore => {
  let filled = store;
  while (isWanting(filled)) filled = fillMaskStore(filled, entropy);
  return filled;
};

const takeAll = (store: MaskStore, signers: readonly PartyIndex[]): readonly PresignMasks[] => {
  const { store: rest, masks } = takeMasks(store, signers);
  return masksHeld(rest) === 0 ? [masks] : [masks, ...takeAll(rest, signers)];
};

/**
 * Precomputes masks as a worker does in idle time, for these signers only. The first use of each modulus is not counted.
 *
 * @param runs number of presignings, up to the capacity of a mask store
 */
export const prepareMasks = (
  auxiliary: AuxiliaryInfo,
  signers: readonly PartyIndex[],
  runs: number,
): Prepared => {
  const wanted = runs * MASKS_PER_PEER * (signers.length - 1);
  const empty = openMaskStore({ ...auxiliary, parties: signers });
  const warm = fillWhile(empty, ({ coldModuli }) => coldModuli.length > 0);
  using counter = new PowerCounter();
  const before = cpuMs();
  const store = fillWhile(warm, (filled) => !isFull(filled) && masksHeld(filled) < wanted);
  const spentMs = cpuMs() - before;
  const masks = takeAll(store, signers);
  return { masks, cpuMs: spentMs / masks.length, powers: counter.take() };
};
