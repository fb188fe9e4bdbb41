import type { HeldAuxiliary } from "@conclave/cluster";
import type { SignerView } from "@conclave/platform/coordination";
import { type PartyIndex, partyIndex } from "@conclave/threshold";

/** The auxiliary information that each live signer reports, for those that have reported it. */
export const heldByLive = (view: readonly SignerView[]): ReadonlyMap<PartyIndex, HeldAuxiliary> =>
  new Map(
    view.flatMap(({ index: number, live, status }) => {
      const index = partyIndex(number);
      if (index === undefined || !live || status === undefined) return [];
      const { auxiliaryEpoch: epoch, auxiliaryDigest: digest, pendingAuxiliary: pending } = status;
      return [[index, { epoch, digest, pending }] as const];
    }),
  );
