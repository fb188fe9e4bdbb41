import type { Drawable, Place } from "@conclave/chaos";
import { FAULT_POINTS, type FaultPoint } from "@conclave/platform/fault-points";

const ORCHESTRATOR: Place = { kind: "orchestrator", number: 1 };
const GATEWAY: Place = { kind: "gateway", number: 1 };
const SIGNER: Place = { kind: "signer", number: 1 };

/** Which kind of process comes to a point. */
const placeOf = (point: FaultPoint): Place => {
  switch (point) {
    case "transfer.accepted":
      return GATEWAY;
    case "presignature.made":
    case "presignature.spent":
    case "presignature.answered":
      return SIGNER;
    default:
      return ORCHESTRATOR;
  }
};

/** The faults of a drawn plan on real processes. */
export const DRAWABLE: Drawable = {
  points: FAULT_POINTS.map(({ point }) => ({ place: placeOf(point), point })),
  lies: ["presign/2.D", "presign/3.delta", "sign/5.sigma"],
  // entries that a store has before anything is signed, and those of the first request that it signs: the fault waits for one
  entries: ["request/*", "session/*", "key/*", "auxiliary/*", "vault/2/root"],
  unruly: {
    EthereumSepolia: ["reorganise", "forget", "hold", "refuse"],
    Bitcoin: ["reorganise", "forget", "hold", "refuse"],
    Solana: ["reorganise", "forget", "hold", "refuse"],
    Tron: ["reorganise", "forget", "hold", "refuse"],
    // a ledger that these have closed is final
    Algorand: ["forget", "hold", "refuse"],
    Stellar: ["forget", "hold", "refuse"],
    XrpLedger: ["forget", "hold", "refuse"],
  },
};
