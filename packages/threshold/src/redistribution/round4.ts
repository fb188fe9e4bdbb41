import { equalBytes } from "@noble/curves/utils.js";
import type { GroupPoint } from "../curve.ts";
import { CONFIRMATION_BYTES } from "../keygen/confirmation.ts";
import { peersOf } from "../session/config.ts";
import type { Round } from "../session/round.ts";
import type { DealtEpoch } from "./new-info.ts";
import { accuseIn, type Redistributed, type RedistributionRun } from "./run.ts";

/**
 * Round 4: compares the confirmations of all parties, with echo, before any party accepts the new shares. All
 * public values derive from the old info, which the session id binds, and from openings of the commitments
 * that round 1 agreed on. So two honest parties cannot differ: a party that confirms anything else has
 * deviated (INV-7).
 */
export const round4 = <P extends GroupPoint<P>>(
  run: RedistributionRun<P>,
  { info, secretShare, confirmation }: DealtEpoch<P>,
): Round<Redistributed<P>> => ({
  number: 4,
  expects: { broadcast: "echo", direct: "none", payloadBytesMax: CONFIRMATION_BYTES },
  advance: (inbox) => {
    const culprit = peersOf(run).find((peer) => !equalBytes(inbox.broadcast(peer), confirmation));
    if (culprit !== undefined) return accuseIn(run, culprit, "4 confirmation of the new shares");
    const output: Redistributed<P> =
      secretShare === undefined
        ? { kind: "released", info }
        : { kind: "holder", share: { info, self: run.self, secretShare } };
    return { kind: "output", output };
  },
});
