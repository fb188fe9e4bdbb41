import type { Drawable, Place } from "@conclave/chaos";
import { FAULT_POINTS, type FaultPoint } from "@conclave/platform/fault-points";

const ORCHESTRATOR: Place = { kind: "orchestrator", number: 1 };
const GATEWAY: Place = { kind: "gateway", number: 1 };
const SIGNER: Place = { kind: "signer", number: 1 };

/** The kind of process that reaches a point. */
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

/** The faults that a plan for real processes may draw. */
export const DRAWABLE: Drawable = {
  points: FAULT_POINTS.map(({ point }) => ({ place: placeOf(point), point })),
  lies: ["presign/2.D", "presign/3.delta", "sign/5.sigma"],
  // entries that exist before anything is signed, and those of the first signed request, for which the fault waits
  entries: ["request/*", "session/*", "key/*", "auxiliary/*", "vault/2/root"],
  unruly: {
    EthereumSepolia: ["reorganise", "forget", "hold", "refuse"],
    Bitcoin: ["reorganise", "forget", "hold", "refuse"],
    Solana: ["reorganise", "forget", "hold", "refuse"],
    Tron: ["reorganise", "forget", "hold", "refuse"],
    // closed ledgers of these chains are final
    Algorand: ["forget", "hold", "refuse"],
    Stellar: ["forget", "hold", "refuse"],
    XrpLedger: ["forget", "hold", "refuse"],
  },
};
